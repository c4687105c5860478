"""The steps of a fight, packed, and any state on the way: a few kept states and a fold from the nearest."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tui.core.apply import fold
from tui.core.encounter import Encounter
from tui.core.events import Event

_SPACING = 100


class Done(msgspec.Struct, frozen=True, array_like=True):
    """One accepted line: when (RFC 3339, UTC), what was asked, what happened."""

    at: str
    line: str
    events: tuple[Event, ...]


_PACK = msgspec.msgpack.Encoder()
_UNPACK = msgspec.msgpack.Decoder(Done)


class History:
    """The lines that can be reached: `position` of them are in force, the rest can be redone.

    Positions count from 0, the encounter before any line. Nothing here is ever rolled again.
    """

    def __init__(self, start: Encounter) -> None:
        self._packed: list[bytes] = []
        self._kept: dict[int, Encounter] = {0: start}
        self._here = start
        self.position = 0

    @property
    def here(self) -> Encounter:
        """The encounter now."""
        return self._here

    def __len__(self) -> int:
        """How many lines there are, with those that can be redone."""
        return len(self._packed)

    def step(self, number: int) -> Done:
        """The line of that step, from 1."""
        return _UNPACK.decode(self._packed[number - 1])

    def push(self, done: Done, after: Encounter | None = None) -> int:
        """One more line in force; what could be redone is dropped. How many lines that were."""
        dropped = len(self._packed) - self.position
        if dropped:
            del self._packed[self.position :]
            self._kept = {p: e for p, e in self._kept.items() if p <= self.position}
        self._packed.append(_PACK.encode(done))
        self.position += 1
        self._here = fold(self._here, done.events) if after is None else after
        if self.position % max(_SPACING, 2 * len(self._here.combatants)) == 0:
            self._kept[self.position] = self._here
        return dropped

    def load(self, steps: Iterable[tuple[Done | None, int]]) -> None:
        """Many records at once: lines, and marks (None, position) that moved back or forth."""
        settled: list[Done] = []
        place = 0
        for done, to in steps:
            if done is None:
                place = to
            else:
                del settled[place:]
                settled.append(done)
                place += 1
        for done in settled:
            self.push(done)
        self.goto(place)

    def goto(self, position: int) -> None:
        """Stand at another position; nothing is lost."""
        self._here = self.at(position)
        self.position = position

    def at(self, position: int) -> Encounter:
        """The encounter at any position."""
        if position == self.position:
            return self._here
        near = max(p for p in self._kept if p <= position)
        e = self._kept[near]
        for number in range(near + 1, position + 1):
            e = fold(e, self.step(number).events)
        return e
