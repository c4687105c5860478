"""The steps of a fight, packed, and any state on the way: a few kept states and a fold from the nearest."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import msgspec

from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event

_SPACING = 1_000  # facts between two states that are kept for good
_NEAR = 32  # states kept around where one stands
_SHAPE = 1  # of a snapshot


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One accepted line: when (RFC 3339, UTC), what was asked, what happened."""

    at: str
    line: str
    events: tuple[Event, ...]


class _Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A whole history in a form that is read in one piece."""

    shape: int
    packed: list[bytes]
    position: int
    kept: dict[int, Encounter]
    here: Encounter


_PACK = msgspec.msgpack.Encoder()
_UNPACK = msgspec.msgpack.Decoder(Step)


class History:
    """The lines that can be reached: `position` of them are in force, the rest can be redone.

    Positions count from 0, the encounter before any line. Nothing here is ever rolled again.
    """

    def __init__(self, start: Encounter) -> None:
        self._packed: list[bytes] = []
        self._kept: dict[int, Encounter] = {0: start}
        self._near: dict[int, Encounter] = {}
        self._since = 0
        self._here = start
        self._ruled: float = inf
        self.position = 0

    @property
    def here(self) -> Encounter:
        """The encounter now."""
        return self._here

    def __len__(self) -> int:
        """How many lines there are, with those that can be redone."""
        return len(self._packed)

    def step(self, number: int) -> Step:
        """The line of that step, from 1."""
        return _UNPACK.decode(self._packed[number - 1])

    def ruled(self, position: int) -> bool:
        """Whether the rules of this process have made the encounter at a position, and no file has told of it."""
        return position >= self._ruled

    def push(self, done: Step, after: Encounter | None = None) -> int:
        """One more line in force; what could be redone is dropped. How many lines that were.

        `after` is the encounter that the rules have made of it; without it the events are folded.
        """
        # Whoever types after an undo chooses a new future: the old one stays in the journal, not in reach.
        dropped = len(self._packed) - self.position
        if dropped:
            del self._packed[self.position :]
            self._kept = {p: e for p, e in self._kept.items() if p <= self.position}
            self._near = {p: e for p, e in self._near.items() if p <= self.position}
        self._remember(self.position, self._here)
        self._packed.append(_PACK.encode(done))
        self.position += 1
        self._here = fold(self._here, done.events) if after is None else after
        self._ruled = inf if after is None else min(self._ruled, self.position)
        self._since += len(done.events)
        # A kept state costs memory by its creatures, so large fights keep them farther apart.
        if self._since >= max(_SPACING, 4 * len(self._here.combatants)):
            self._kept[self.position] = self._here
            self._since = 0
        return dropped

    def load(self, steps: Iterable[tuple[Step | None, int]]) -> None:
        """Many records at once: lines, and marks (None, position) that moved back or forth."""
        settled = (
            list(map(_UNPACK.decode, self._packed))[self.position :] if len(self) > self.position else []
        )
        base, place = self.position, self.position
        for done, to in steps:
            # Lines that were undone again are dropped here, before anybody folds them.
            if done is not None:
                del settled[place - base :]
                settled.append(done)
                place += 1
            elif to >= base:
                place = to
            else:
                self._load(settled, place)
                self.goto(to)
                base, place = to, to
                settled = [self.step(n) for n in range(to + 1, len(self) + 1)]
        self._load(settled, place)

    def _load(self, settled: Iterable[Step], place: int) -> None:
        for done in settled:
            self.push(done)
        self.goto(place)

    def goto(self, position: int) -> None:
        """Stand at another position; nothing is lost."""
        here = self.at(position)
        self._remember(self.position, self._here)
        self._here, self.position = here, position

    def at(self, position: int) -> Encounter:
        """The encounter at any position."""
        if position == self.position:
            return self._here
        if position in self._near:
            return self._near[position]
        known = {**self._kept, **self._near}
        place = max(p for p in known if p <= position)
        e = known[place]
        for number in range(place + 1, position + 1):
            e = fold(e, self.step(number).events)
            # Who undoes once mostly undoes again: the states just before are kept while we pass them.
            if position - number < _NEAR:
                self._remember(number, e)
        return e

    def _remember(self, position: int, e: Encounter) -> None:
        # Put in again at the end, so that the dict's own order is the order of use.
        self._near.pop(position, None)
        self._near[position] = e
        if len(self._near) > _NEAR:
            del self._near[next(iter(self._near))]

    # --- as one piece, for the checkpoint beside a save

    def pack(self) -> bytes:
        """The whole history as bytes."""
        return _PACK.encode(_Snapshot(_SHAPE, self._packed, self.position, self._kept, self._here))

    @classmethod
    def unpack(cls, payload: bytes) -> History | None:
        """The history of such bytes; None when they are of another version."""
        try:
            # Any doubt means folding the journal, which always works; a cache is never a reason to fail.
            found = msgspec.msgpack.decode(payload, type=_Snapshot)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        if found.shape != _SHAPE or 0 not in found.kept:
            return None
        history = cls(found.kept[0])
        history._packed, history._kept = found.packed, found.kept
        history._here, history.position = found.here, found.position
        return history
