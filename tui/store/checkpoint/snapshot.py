"""A history in bytes, to be read beside its journal: what stands there is not said again.

Only where the fight stands is unpacked at once. The states far back stay packed until somebody goes there, and a
line is a place in the journal, at which it is read when somebody asks for it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from tui import VERSION
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter

_SHAPE = 2  # of a snapshot
_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Encounter).decode


class _Earlier(msgspec.Struct, frozen=True, array_like=True):
    """A state some steps before another, as what differs.

    `fields` are the names of those that do, and `there` holds them; with `same` nobody came or went, and only those
    creatures are in it who differ.
    """

    position: int
    fields: tuple[str, ...]
    there: Encounter
    same: bool


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A whole history: where it stands, and the encounter there.

    `places` are those of its lines in the journal, as the bytes of an array of unsigned integers; `kept` are states by
    position, packed.
    """

    shape: int
    version: str
    position: int
    here: Encounter
    earlier: _Earlier | None
    places: bytes
    kept: dict[int, bytes]

    @property
    def near(self) -> dict[int, Encounter]:
        """A state shortly before, for the latest lines of the log and the first undo; or nothing."""
        return {self.earlier.position: _whole(self.earlier, self.here)} if self.earlier else {}


def written(
    position: int,
    here: Encounter,
    near: tuple[int, Encounter] | None,
    places: bytes,
    kept: Mapping[int, bytes],
) -> bytes:
    """The snapshot in bytes; `near` is a state shortly before."""
    earlier = _earlier(*near, here) if near else None
    return _ENCODE(Snapshot(_SHAPE, VERSION, position, here, earlier, places, dict(kept)))


def read(payload: bytes) -> Snapshot | None:
    """The snapshot in these bytes; None when they are of another version."""
    try:
        # Any doubt means folding the journal, which always works; a cache is never a reason to fail.
        found = msgspec.msgpack.decode(payload, type=Snapshot)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    # Another version of the program may read the same events otherwise.
    return found if (found.shape, found.version) == (_SHAPE, VERSION) else None


def packed(e: Encounter) -> bytes:
    """A state as it is kept: of 1,000 creatures a tenth of the bytes, and some milliseconds to read it again."""
    return zlib.compress(_ENCODE(e), 1)


def unpacked(state: bytes) -> Encounter | None:
    """A state that was kept; None where a stranger's journal had led to one that is no encounter."""
    try:
        return _DECODE(zlib.decompress(state))
    except (msgspec.MsgspecError, ValueError, RecursionError, zlib.error):
        return None


def _earlier(position: int, e: Encounter, now: Encounter) -> _Earlier:
    """What differs in a state from a later one."""
    changed = {
        field: value
        for field in Encounter.__struct_fields__
        if _differ(value := getattr(e, field), getattr(now, field))
    }
    same = list(e.combatants) == list(now.combatants)
    if same:
        changed["combatants"] = {k: c for k, c in e.combatants.items() if _differ(c, now.combatants[k])}
    return _Earlier(position, tuple(changed), Encounter(**changed), same)


def _differ(one: object, other: object) -> bool:
    # What two states share is the same object in both, unless one of them has been unpacked.
    return one is not other and one != other


def _whole(earlier: _Earlier, now: Encounter) -> Encounter:
    """The earlier state in full."""
    found = {field: getattr(earlier.there, field) for field in earlier.fields}
    if earlier.same:
        people: dict[str, Combatant] = {**now.combatants, **found["combatants"]}
        found["combatants"] = people
    return replace(now, **found)
