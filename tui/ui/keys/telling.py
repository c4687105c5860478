"""What is told of the fight as a whole: the odds before its dice, and its story afterwards."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tui.core.fight.errors import RuleError
from tui.core.fight.viewer import GAME_MASTER
from tui.core.views.odds import first_word, named, odds, row_of
from tui.core.views.odds_words import ASCII_ONLY, BLOCKS, SPOKEN, PlotPens, odds_lines
from tui.exchange.story.gather import Line, gathered
from tui.exchange.story.words import beneath, lines
from tui.ui.keys.base import BaseDesk
from tui.ui.state.glyphs import Glyphs
from tui.ui.state.view import Page

SEED = 1
"""Of odds that are simulated: the same question has the same answer."""

WIDTH = 76
"""Columns of the table of odds: what a screen of 80 shows."""


def forecast(desk: BaseDesk, rest: str) -> None:
    """Who may stand where, before the next dice; with a line as if that had been said."""
    store = desk.store
    try:
        found = odds(store.encounter, store.systems, Random(SEED).random, rest)  # noqa: S311  # repeatable on purpose
    except RuleError as error:
        desk.say(f"{error.message}; {error.hint}" if error.hint else error.message, "error")
        return
    asked = (row_of(found, key) for key in named(found.encounter, first_word(rest)))
    whose = list({row.key: row for row in asked if row}.values())
    text = odds_lines(store.system.title, rest, found, whose, pens(desk.scene.glyphs))
    desk.show(mode=Page("Odds", tuple(text)))


def pens(glyphs: Glyphs) -> PlotPens:
    """The pens of a screen's alphabet."""
    pen = SPOKEN if glyphs.spoken else ASCII_ONLY if glyphs.times.isascii() else BLOCKS
    return replace(pen, width=WIDTH)


def tale(desk: BaseDesk, rest: str) -> None:
    """What has happened so far, round by round, with the figures of every creature."""
    del rest
    store = desk.store
    done = (Line(step.at, step.events) for step in map(store.done, range(1, store.step + 1)))
    found = gathered(store.name, store.at(0), done, GAME_MASTER, store.systems)
    desk.show(mode=Page(f"Story: {beneath(found)}", tuple(lines(found))))
