"""How much of a fight one viewer was told: counted once, and kept from line to line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.views.log import Message, moments
from tui.store.history import History

Tell = Callable[[int, Encounter], Iterable[Message]]
"""What the viewer may read of a step, from its number and the encounter before it."""


class Heard:
    """The moments that a viewer was told of, counted after each step: our own numbers would tell what went unseen."""

    def __init__(self) -> None:
        self._count = [0]

    def forget(self, after: int) -> None:
        """Drops the steps after that one: they are undone, or others now."""
        del self._count[after + 1 :]

    def latest(self, history: History, tell: Tell) -> tuple[int, tuple[str, ...]]:
        """The number of the last moment up to now, and its words; 0 and none before the first."""
        known, now = len(self._count) - 1, history.position
        e = history.at(known) if known < now else history.here
        for step in range(known + 1, now + 1):
            self._count.append(self._count[-1] + len(moments(tell(step, e))))
            e = fold(e, history.step(step).events)
        number = self._count[now]
        if not number:
            return 0, ()
        last = bisect_left(self._count, number)
        return number, moments(tell(last, history.at(last - 1)))[-1]
