"""Keep the steps of a fight and give any state on the way; find where undo, redo and goto lead."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from math import inf

import msgspec

from tui.core.base.errors import RuleError
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.language import actions as a
from tui.store import checkpoint
from tui.store.checkpoint import Snapshot
from tui.store.journal.records import Blocks

_SPACING = 1_000  # facts between two states that are kept for good
_NEAR = 32  # states kept around where one stands
_NOWHERE = 0  # the place of a line that stands in no journal, where the header would be


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One accepted line: when (RFC 3339, UTC), what was asked, what happened."""

    at: str
    line: str
    events: tuple[Event, ...]


Line = tuple[Step | None, int, int]
"""A record as it is loaded: its step and 0, or None and the position it moved to.

And its place, 0 for none.
"""


@cache
def _packer() -> msgspec.msgpack.Encoder:
    return msgspec.msgpack.Encoder()


@cache
def _unpacker() -> msgspec.msgpack.Decoder[Step]:
    # It knows every event, which takes a millisecond; a fight that was just loaded asks for no line yet.
    return msgspec.msgpack.Decoder(Step)


class _Lines:
    """The lines in order: first those that stand in the bytes of a journal, then those done since, packed."""

    def __init__(self, data: bytes) -> None:
        self.blocks = Blocks(data, Event)
        self._packed: list[bytes] = []
        self.places = array("I")

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, index: int) -> Step:
        late = index - len(self.places) + len(self._packed)
        if late >= 0:
            return _unpacker().decode(self._packed[late])
        record = self.blocks.record(self.places[index])
        return Step(record.at, record.line, record.events)

    def append(self, done: Step, place: int) -> None:
        """Add one more; what was read from the journal is left there."""
        if not _NOWHERE < place < self.blocks.size or self._packed:
            self._packed.append(_packer().encode(done))
        self.places.append(place)

    def cut(self, length: int) -> None:
        """Drop everything behind `length` entries."""
        dropped = len(self.places) - length
        del self._packed[max(0, len(self._packed) - dropped) :]
        del self.places[length:]


class History:
    """The lines that can be reached: `position` of them are in force, the rest can be redone.

    Positions count from 0, the encounter before any line. Nothing here is ever rolled again. `data` are the
    good bytes of the journal in which lines that are loaded stand: they are read again from there when
    someone asks.
    """

    def __init__(self, start: Encounter, data: bytes = b"") -> None:
        self._lines = _Lines(data)
        self._start = self._encounter = start
        self._kept: dict[int, bytes] = {}
        self._near: dict[int, Encounter] = {}
        self._since = 0
        self._ruled: float = inf
        self.position = 0

    @property
    def encounter(self) -> Encounter:
        """The encounter now."""
        return self._encounter

    def __len__(self) -> int:
        """Return how many lines there are, with those that can be redone."""
        return len(self._lines)

    def step(self, number: int) -> Step:
        """Return the line of that step, from 1."""
        return self._lines[number - 1]

    def ruled(self, position: int) -> bool:
        """Return True if the state at a position was computed here, not loaded."""
        return position >= self._ruled

    def push(self, done: Step, after: Encounter | None = None, place: int = _NOWHERE) -> int:
        """Put one more line in force and drop what could be redone; return how many lines that were.

        `after` is the encounter that the rules have made of it; without it the events are folded. `place` is
        where its record begins in the journal, counted as in `data`.
        """
        dropped = self._drop()
        self._remember(self.position, self._encounter)
        self._ruled = inf if after is None else min(self._ruled, self.position + 1)
        self._grow(done, fold(self._encounter, done.events) if after is None else after, place)
        return dropped

    def _drop(self) -> int:
        """Drop what could be redone: a line typed after an undo begins a new future."""
        # The old one stays in the journal, not in reach.
        dropped = len(self._lines) - self.position
        if dropped:
            self._lines.cut(self.position)
            self._kept = {p: e for p, e in self._kept.items() if p <= self.position}
            self._near = {p: e for p, e in self._near.items() if p <= self.position}
        return dropped

    def _grow(self, done: Step, after: Encounter, place: int) -> None:
        self._lines.append(done, place)
        self.position += 1
        self._encounter = after
        self._since += len(done.events)
        # A kept state costs memory by its creatures, so large fights keep them farther apart.
        if self._since >= max(_SPACING, 4 * len(after.combatants)):
            self._kept[self.position] = checkpoint.packed(after)
            self._since = 0

    def load(self, lines: Iterable[Line]) -> None:
        """Add many records at once, with marks that moved back or forth among them.

        Raises IndexError over a place that is none.
        """
        kept, position = len(self), self.position
        new: list[tuple[Step, int]] = []
        # Where it ends is worked out first: what was left again is neither folded nor gone to.
        for done, to, place in lines:
            if done is None:
                if to > kept + len(new):
                    raise IndexError(f"there is no step {to}")
                position = to
                continue
            kept = min(kept, position)
            del new[position - kept :]
            new.append((done, place))
            position += 1
        if new:
            self._load(kept, new)
        self.goto(position)

    def _load(self, kept: int, new: Iterable[tuple[Step, int]]) -> None:
        """Set the lines behind the first `kept`, and stand behind them."""
        self.goto(kept)
        self._drop()
        self._ruled = inf
        for done, place in new:
            self._remember(self.position, self._encounter)
            self._grow(done, fold(self._encounter, done.events), place)

    def goto(self, position: int) -> None:
        """Stand at another position; nothing is lost."""
        encounter = self.at(position)
        self._remember(self.position, self._encounter)
        self._encounter, self.position = encounter, position

    def at(self, position: int) -> Encounter:
        """Return the encounter at any position."""
        place, e = self._before(position)
        for number in range(place + 1, position + 1):
            e = fold(e, self.step(number).events)
            # Who undoes once mostly undoes again: the states just before are kept while we pass them.
            self._remember(number, e)
        return e

    def _before(self, position: int) -> tuple[int, Encounter]:
        """Return the nearest known state at or before a position, and that state's position."""
        known = {p: e for p, e in (*self._near.items(), (self.position, self._encounter)) if p <= position}
        near = max(known, default=0)
        for place in sorted((p for p in self._kept if near < p <= position), reverse=True):
            if kept := checkpoint.unpacked(self._kept[place]):
                return place, kept
        return near, known.get(near, self._start)

    def _remember(self, position: int, e: Encounter) -> None:
        # Put in again at the end, so that the dict's own order is the order of use.
        self._near.pop(position, None)
        self._near[position] = e
        if len(self._near) > _NEAR:
            del self._near[next(iter(self._near))]

    # --- as one piece, for the checkpoint beside a save

    def pack(self, moved: int = 0) -> bytes | None:
        """Return the whole history as bytes, to be read with its journal; None while a line of it is in none.

        `moved`: the bytes by which the records stand farther on now than their places say.
        """
        if _NOWHERE in self._lines.places:
            return None
        places = array("I", (place + moved for place in self._lines.places))
        near = min((p for p in self._near if self.position - _NEAR <= p < self.position), default=None)
        state = None if near is None else (near, self._near[near])
        return checkpoint.written(self.position, self._encounter, state, places.tobytes(), self._kept)

    @classmethod
    def unpacked(cls, snapshot: Snapshot, start: Encounter, data: bytes) -> History:
        """Return the history that was packed so, with the journal `data`."""
        history = cls(start, data)
        history._lines.places.frombytes(snapshot.places)
        history._encounter, history.position, history._kept = (
            snapshot.encounter,
            snapshot.position,
            snapshot.kept,
        )
        history._near = snapshot.near
        return history


def target_of(action: a.Travel, step_now: int, last: int) -> int:
    """Return the step to go to. Raises RuleError when it does not exist."""
    match action:
        case a.Undo(steps):
            if steps > step_now:
                raise _too_many("undo", step_now, steps)
            return step_now - steps
        case a.Redo(steps):
            if steps > last - step_now:
                raise _too_many("redo", last - step_now, steps)
            return step_now + steps
        case a.Goto(step):
            if step > last:
                raise RuleError(f"there are {last} steps, no step {step}", f"0 to {last}")
            if step == step_now:
                raise RuleError(f"this is step {step} already")
            return step


def _too_many(verb: str, available: int, wanted: int) -> RuleError:
    if not available:
        return RuleError(f"there is nothing to {verb}")
    steps = "is 1 step" if available == 1 else f"are {available} steps"
    return RuleError(f"there {steps} to {verb}, not {wanted}", f"`{verb} {available}` at the most")


MOST_LOOKED_AT = 1_000
"""Steps on the way whose lines are read."""


def between_saves(lines: Iterable[tuple[int, str]], *, back: bool) -> Iterator[str]:
    """Say what going back or forward over a split or a join means: the other save does not follow.

    `lines` are the numbers and lines of the steps on the way.
    """
    for number, line in lines:
        verb, _, rest = line.strip().partition(" ")
        if verb.lower() not in ("split", "join"):
            continue
        both = (verb.lower() == "split") == back
        where = "in both saves" if both else "in neither save"
        other = "undo" if back else "redo"
        asked = f"{verb.lower()} {rest}"
        yield (
            f"step {number} was `{asked}`: these creatures stand {where} now, until the other has its {other}"
        )
