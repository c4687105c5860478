"""The journal as people read it: every record in file order, also what was undone, in words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.fight.viewer import Viewer, players
from tui.core.rules.system import Systems, running
from tui.core.views.log import moments, story
from tui.store.history import History, Step
from tui.store.journal.format import Record
from tui.store.players.folder import file_name


class Chapter(Struct, frozen=True):
    """One record: the step it led to, when, what was asked, what happened.

    Other viewers than the GM get neither the time nor what was asked, only the moments that tell them something,
    under numbers that count those.
    `undone`: it is no longer in force. A mark (undo, redo, goto) has no text. `by`: the player from whose seat the line
    came, "" for the GM's own.
    """

    step: int
    at: str
    asked: str
    text: tuple[str, ...]
    undone: bool = False
    mark: bool = False
    moments: tuple[tuple[str, ...], ...] = ()
    by: str = ""


def chronicle(
    history: History,
    steps: Iterable[Record[Event]],
    viewer: Viewer,
    systems: Systems,
    places: Iterable[int] = (),
) -> list[Chapter]:
    """Every record of a journal, in the words that this viewer may read; the history goes along.

    `places` are where the records begin in the bytes that the history has, if it has them.
    """
    found = _chapters(history, zip(steps, chain(places, repeat(0)), strict=False), viewer, systems)
    return found if viewer.gm else _counted(found)


def _counted(found: Iterable[Chapter]) -> list[Chapter]:
    """The moments of chapters that say something, under numbers that count those in force."""
    number, counted = 0, list[Chapter]()
    for c in found:
        for texts in c.moments:
            number += not c.undone
            counted.append(Chapter(number, "", "", texts, undone=c.undone))
    return counted


def _chapters(
    history: History, steps: Iterable[tuple[Record[Event], int]], viewer: Viewer, systems: Systems
) -> list[Chapter]:
    chapters: list[Chapter] = []
    branch: list[int] = []
    for s, place in steps:
        asked = s.line if viewer.gm else ""
        by = _player(s.by, history.here) if s.by and viewer.gm else ""
        if s.to is not None:
            history.goto(s.to)
            chapters.append(Chapter(s.to, s.at, asked, (), mark=True, by=by))
            continue
        # A line typed after an undo replaces those undone: their chapters are no longer in force.
        del branch[history.position :]
        branch.append(len(chapters))
        before = history.here
        history.push(Step(s.at, s.line, s.events), place=place)
        told = story(before, s.events, viewer, running(systems, before), history.here)
        # The GM reads steps, and only others count moments.
        text, parts = (tuple([m.text for m in told]), ()) if viewer.gm else ((), tuple(moments(told)))
        chapters.append(Chapter(history.position, s.at, asked, text, moments=parts, by=by))
    force = set(branch[: history.position])
    return [c if c.mark or i in force else _undone(c) for i, c in enumerate(chapters)]


def _player(by: str, e: Encounter) -> str:
    """The player whose seat `by` names, as their creatures say it; the seat's own word where none is theirs any more."""
    seat = by.partition(" ")[0]
    return next((name for name in players(e) if file_name(name) == seat), seat)


def _undone(c: Chapter) -> Chapter:
    return replace(c, undone=True)
