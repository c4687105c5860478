"""What one viewer was told of a fight: every step is told once, and counted by the viewer's own moments."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import Systems, running
from tui.core.views.log import AlikeSteps, Message, moments
from tui.core.views.page import Moment, numbered
from tui.store.history import History

Tell = Callable[[int, Encounter], Iterable[Message]]
"""What the viewer may read of a step, from its number and the encounter before it."""

_KEPT: Final = 256
"""Steps whose words are kept: more than anybody is shown at once."""


class Alike:
    """The moments of each step that all players are shown alike, counted once for all."""

    def __init__(self, systems: Systems) -> None:
        self._systems = systems
        self._counts: list[int | None] = []

    def forget(self, after: int) -> None:
        """Drop the steps after that one: they are undone, or have changed."""
        del self._counts[after:]

    def counts(self, history: History, upto: int) -> Sequence[int | None]:
        """Return the moments of each step, to `upto` at least, that every player was shown.

        None: that depends on the player.
        """
        if (known := len(self._counts)) < upto:
            steps = AlikeSteps(history.at(known))
            for number in range(known + 1, upto + 1):
                system = running(self._systems, steps.encounter)
                self._counts.append(steps.count(history.step(number).events, system))
        return self._counts


class Heard:
    """The moments shown to a viewer, counted per step: our own numbers would reveal what went unseen."""

    def __init__(self, alike: Alike) -> None:
        self._alike = alike
        # A number for each step: as a list of Python's own 50,000 of them take 2 MB, for each viewer.
        self._count = array("Q", [0])
        self._words: dict[int, tuple[tuple[str, ...], ...]] = {}

    def forget(self, after: int) -> None:
        """Drop the steps after that one: they are undone, or have changed."""
        del self._count[after + 1 :]
        self._words = {step: words for step, words in self._words.items() if step <= after}

    def latest(self, history: History, tell: Tell, most: int = 1) -> list[Moment]:
        """At most so many moments up to now, the last one now; none before the first."""
        self._catch_up(history, tell)
        found: list[Moment] = []
        number = self._count[history.position]
        while number and len(found) < most:
            step = bisect_left(self._count, number)
            words = self._words.get(step) or moments(tell(step, history.at(step - 1)))
            before = self._count[step - 1]
            found = [*numbered(words, before), *found]
            number = before
        return found[-most:]

    def _catch_up(self, history: History, tell: Tell) -> None:
        """Count the steps that were not counted yet; render the last of them, which will be asked for.

        Of those before a number is enough, and nearly always it is that of all players: 50,000 steps of 1,000
        creatures take some 5 s for all of them, where they took 20 s for each.
        """
        known, now = len(self._count) - 1, history.position
        alike = self._alike.counts(history, now - _KEPT) if known < now - _KEPT else ()
        e: Encounter | None = None
        for step in range(known + 1, now + 1):
            count = alike[step - 1] if step <= now - _KEPT else None
            if count is None:
                before = e or history.at(step - 1)
                words = moments(tell(step, before))
                self._keep(step, words)
                count, e = len(words), fold(before, history.step(step).events)
            else:
                e = None
            self._count.append(self._count[-1] + count)

    def _keep(self, step: int, words: Iterable[tuple[str, ...]]) -> None:
        self._words[step] = tuple(words)
        if len(self._words) > _KEPT:
            del self._words[min(self._words)]


class Audience:
    """What each viewer was told of one fight."""

    def __init__(self, systems: Systems) -> None:
        self._alike = Alike(systems)
        self._viewers: dict[Viewer, Heard] = {}

    def heard(self, viewer: Viewer) -> Heard:
        """Return what this viewer was shown."""
        return self._viewers.setdefault(viewer, Heard(self._alike))

    def forget(self, after: int) -> None:
        """Drop the steps after that one: they are undone, or have changed."""
        self._alike.forget(after)
        for heard in self._viewers.values():
            heard.forget(after)
