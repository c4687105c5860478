"""Open the story so far, which takes a while to compute, in a thread."""

from __future__ import annotations

from collections.abc import Callable

from tui.core.fight.viewer import GAME_MASTER
from tui.exchange.story.gather import Line, gather_story
from tui.exchange.story.story import write_story_lines, write_subtitle
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.page import Page


def story(desk: BaseDesk, _rest: str) -> None:
    """Show what has happened so far, round by round, with the figures of every creature; Esc leaves."""
    store = desk.store
    start, steps = store.at(0), tuple(map(store.done, range(1, store.step + 1)))
    meanwhile = Page("Story", ("Gathering the story: Esc goes back without it.",))

    def gather() -> Callable[[], None]:
        done = (Line(step.at, step.events) for step in steps)
        account = gather_story(store.name, start, done, GAME_MASTER, store.systems)
        page = Page(f"Story: {write_subtitle(account)}", tuple(write_story_lines(account)))
        return lambda: show(page)

    def show(page: Page) -> None:
        if desk.view.mode is meanwhile:
            desk.show(mode=page)

    desk.show(mode=meanwhile)
    desk.services.aside(gather)
