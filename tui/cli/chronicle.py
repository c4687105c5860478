"""The journal as people read it: every record in file order, also what was undone, in words."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import Systems, running
from tui.core.views.log import story
from tui.store.history import History, Step
from tui.store.journal.format import Record


class Chapter(Struct, frozen=True):
    """One record: the step it led to, when, what was asked ("" for other viewers than the GM), what happened.

    `undone`: it is no longer in force. A mark (undo, redo, goto) has no text.
    """

    step: int
    at: str
    asked: str
    text: tuple[str, ...]
    undone: bool = False
    mark: bool = False


def chronicle(
    start: Encounter, steps: Iterable[Record[Event]], viewer: Viewer, systems: Systems
) -> list[Chapter]:
    """Every record of a journal, in the words that this viewer may read."""
    history = History(start)
    chapters: list[Chapter] = []
    branch: list[int] = []
    for s in steps:
        asked = s.line if viewer.gm else ""
        if s.to is not None:
            history.goto(s.to)
            chapters.append(Chapter(s.to, s.at, asked, (), mark=True))
            continue
        system = running(systems, history.here)
        text = tuple(line.text for line in story(history.here, s.events, viewer, system))
        del branch[history.position :]
        history.push(Step(s.at, s.line, s.events))
        branch.append(len(chapters))
        chapters.append(Chapter(history.position, s.at, asked, text))
    force = set(branch[: history.position])
    return [c if c.mark or i in force else _undone(c) for i, c in enumerate(chapters)]


def _undone(c: Chapter) -> Chapter:
    return Chapter(c.step, c.at, c.asked, c.text, undone=True)
