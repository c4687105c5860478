"""The dice of a lesson: the faces that its text speaks of, whatever was pressed before."""

from __future__ import annotations

from collections.abc import Sequence

from tui.store.sources import SeededDice


class LessonDice:
    """The faces of a step in order; what falls beside them, or after them, repeats with the lesson's seed."""

    def __init__(self, faces: Sequence[int], seed: int) -> None:
        self._left = list(faces)
        self._other = SeededDice(seed)

    def roll(self, sides: int) -> int:
        """The next face, 1 to `sides`."""
        if self._left and self._left[0] <= sides:
            return self._left.pop(0)
        return self._other.roll(sides)
