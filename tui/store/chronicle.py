"""The journal as people read it: every record in file order, also what was undone, with its words and dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event, Rolled
from tui.core.fight.viewer import Viewer
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


def chronicle(start: Encounter, steps: Iterable[Record[Event]], viewer: Viewer) -> list[Chapter]:
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
        text = tuple(line.text for line in story(history.here, s.events, viewer))
        del branch[history.position :]
        history.push(Step(s.at, s.line, s.events))
        branch.append(len(chapters))
        chapters.append(Chapter(history.position, s.at, asked, text))
    force = set(branch[: history.position])
    return [c if c.mark or i in force else _undone(c) for i, c in enumerate(chapters)]


def _undone(c: Chapter) -> Chapter:
    return Chapter(c.step, c.at, c.asked, c.text, undone=True)


class DieCount(Struct, frozen=True):
    """One kind of die: how often each face fell (index 0 is a 1), and the longest streak of one face."""

    sides: int
    faces: tuple[int, ...]
    streak: int

    @property
    def rolls(self) -> int:
        """How many fell."""
        return sum(self.faces)

    @property
    def mean(self) -> float:
        """Their mean."""
        return sum((i + 1) * n for i, n in enumerate(self.faces)) / max(1, self.rolls)

    @property
    def chi_square(self) -> float:
        """Pearson's chi-square against equal faces; `sides - 1` is what chance gives on average."""
        expected = self.rolls / self.sides
        return sum((n - expected) ** 2 / expected for n in self.faces) if expected else 0.0


def dice_counts(steps: Iterable[Record[Event]]) -> Iterator[DieCount]:
    """Counts of all dice that ever fell in a journal, undone ones too, by number of sides."""
    fell: dict[int, list[int]] = {}
    for s in steps:
        for event in s.events:
            if isinstance(event, Rolled):
                for sides, face in zip(event.dice, event.faces, strict=False):
                    fell.setdefault(sides, []).append(face)
    for sides, faces in sorted(fell.items()):
        count = Counter(faces)
        yield DieCount(sides, tuple(count[f] for f in range(1, sides + 1)), _streak(faces))


def _streak(faces: list[int]) -> int:
    best = run = 0
    last = 0
    for face in faces:
        run = run + 1 if face == last else 1
        last, best = face, max(best, run)
    return best
