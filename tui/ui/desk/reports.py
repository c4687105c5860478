"""Open pages that take a while to compute, in a thread: the odds, and the story so far."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic

from tui.core.base.errors import RuleError
from tui.core.fight.viewer import GAME_MASTER
from tui.core.rules.system import running_system
from tui.core.views.forecast import odds, seed_of
from tui.core.views.odds_lines import ASCII_STEPS, BLOCKS, odds_lines
from tui.exchange.story.gather import Line, gather_story
from tui.exchange.story.story import write_story_lines, write_subtitle
from tui.store.sources import SeededDice
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.page import Page


def forecast(desk: BaseDesk, rest: str) -> None:
    """Show which creatures may act when, before the next dice; with a line, assuming that it was sent."""
    store, e, glyphs = desk.store, desk.store.encounter, desk.scene.glyphs

    def work() -> Page:

        result = odds(e, store.systems, SeededDice(seed_of(e, rest)), monotonic, rest)
        steps = "" if glyphs.spoken else ASCII_STEPS if glyphs.times.isascii() else BLOCKS
        title = running_system(store.systems, e).title
        return Page("Odds", tuple(odds_lines(title, rest, result, steps)))

    _read(
        desk,
        Page("Odds", ("Working out the odds: Esc goes back without them.",)),
        work,
    )


def _read(desk: BaseDesk, meanwhile: Page, work: Callable[[], Page]) -> None:
    """Show the page `meanwhile` while `work` computes another page in a thread, then show that page.

    Esc leaves both. A RuleError of `work` is shown over the mode that was open before.
    """
    before = desk.view.mode
    desk.show(mode=meanwhile)

    def made() -> Callable[[], None]:
        try:
            page = work()
        except RuleError as error:
            return partial(refused, error)
        return partial(ready, page)

    def ready(page: Page) -> None:
        if desk.view.mode is meanwhile:
            desk.show(mode=page)

    def refused(error: RuleError) -> None:
        if desk.view.mode is meanwhile:
            desk.show(mode=before)
            desk.report_refusal(error)

    desk.services.aside(made)


def story(desk: BaseDesk, _rest: str) -> None:
    """Show what has happened so far, round by round, with the figures of every creature."""
    store = desk.store
    steps = tuple(map(store.done, range(1, store.step + 1)))

    def work() -> Page:
        done = (Line(step.at, step.events) for step in steps)
        account = gather_story(store.name, start, done, GAME_MASTER, store.systems)
        return Page(f"Story: {write_subtitle(account)}", tuple(write_story_lines(account)))

    start = store.at(0)
    _read(desk, Page("Story", ("Gathering the story: Esc goes back without it.",)), work)
