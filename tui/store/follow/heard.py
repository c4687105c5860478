"""What one viewer was told of a fight: every step is told once, and counted by the viewer's own moments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Final

from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.views.log import Message, moments
from tui.core.views.page import Moment, numbered
from tui.store.history import History

Tell = Callable[[int, Encounter], Iterable[Message]]
"""What the viewer may read of a step, from its number and the encounter before it."""

_KEPT: Final = 256
"""Steps whose words are kept: more than anybody is shown at once."""


class Heard:
    """The moments that a viewer was told of, counted after each step: our own numbers would tell what went unseen."""

    def __init__(self) -> None:
        self._count = [0]
        self._words: dict[int, tuple[tuple[str, ...], ...]] = {}

    def forget(self, after: int) -> None:
        """Drops the steps after that one: they are undone, or others now."""
        del self._count[after + 1 :]
        self._words = {step: words for step, words in self._words.items() if step <= after}

    def latest(self, history: History, tell: Tell, most: int = 1) -> list[Moment]:
        """At most so many moments up to now, the last one now; none before the first."""
        self._catch_up(history, tell)
        found: list[Moment] = []
        number = self._count[history.position]
        while number and len(found) < most:
            step = bisect_left(self._count, number)
            if step not in self._words:
                self._keep(step, moments(tell(step, history.at(step - 1))))
            before = self._count[step - 1]
            found = [*numbered(self._words[step], before), *found]
            number = before
        return found[-most:]

    def _catch_up(self, history: History, tell: Tell) -> None:
        """Tells the steps that were not told yet, one after the other: a long fight is folded once."""
        known, now = len(self._count) - 1, history.position
        e = history.at(known) if known < now else history.here
        for step in range(known + 1, now + 1):
            words = moments(tell(step, e))
            self._count.append(self._count[-1] + len(words))
            self._keep(step, words)
            e = fold(e, history.step(step).events)

    def _keep(self, step: int, words: Iterable[tuple[str, ...]]) -> None:
        self._words[step] = tuple(words)
        if len(self._words) > _KEPT:
            del self._words[min(self._words)]
