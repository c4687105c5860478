"""How often each face of each die fell, for whoever doubts the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from tui.core.fight.events import Event, Rolled
from tui.store.journal.format import Record


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
