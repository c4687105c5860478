"""Write and read the checkpoint beside a long save, so that opening it need not fold every step.

Only where the fight stands is unpacked at once. The states far back stay packed until someone goes there,
and a line is a place in the journal, at which it is read when someone asks for it.

A first line, then the payload, which is the store's own. It counts only when every number fits the journal
it lies beside: same inode, and the same bytes before the mark. In any doubt it is as if it were not there.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Mapping
from zlib import crc32

import msgspec
from msgspec.structs import replace

from tui import VERSION
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.store.disk import Disk, put, read_regular
from tui.store.journal.format import SEAL_SIZE, Offset, ends_at
from tui.store.problems import BadFile

_SHAPE = 2  # of a snapshot
_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Encounter).decode


class _Earlier(msgspec.Struct, frozen=True, array_like=True):
    """A state some steps before another, as what differs.

    `fields` are the names of those that do, and `altered` holds them; with `same` no one came or went, and
    only those creatures are in it who differ.
    """

    position: int
    fields: tuple[str, ...]
    altered: Encounter
    same: bool


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """A whole history: the position in it, and the encounter at that position.

    `places` are those of its lines in the journal, as the bytes of an array of unsigned integers; `kept` are
    states by position, packed.
    """

    shape: int
    version: str
    position: int
    encounter: Encounter
    earlier: _Earlier | None
    places: bytes
    kept: dict[int, bytes]

    @property
    def near(self) -> dict[int, Encounter]:
        """A state shortly before, for the latest lines of the log and the first undo; or nothing."""
        return {self.earlier.position: _whole(self.earlier, self.encounter)} if self.earlier else {}


def written(
    position: int,
    encounter: Encounter,
    near: tuple[int, Encounter] | None,
    places: bytes,
    kept: Mapping[int, bytes],
) -> bytes:
    """Return the snapshot in bytes; `near` is a state shortly before."""
    earlier = _earlier(*near, encounter) if near else None
    return _ENCODE(Snapshot(_SHAPE, VERSION, position, encounter, earlier, places, dict(kept)))


def read(payload: bytes) -> Snapshot | None:
    """Return the snapshot in these bytes, or None for those of another version."""
    try:
        # Any doubt means folding the journal, which always works; a cache is never a reason to fail.
        snapshot = msgspec.msgpack.decode(payload, type=Snapshot)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    # Another version of the program may read the same events otherwise.
    return snapshot if (snapshot.shape, snapshot.version) == (_SHAPE, VERSION) else None


def packed(e: Encounter) -> bytes:
    """Return a compressed state: of 1,000 creatures a tenth of the bytes, read again in milliseconds."""
    return zlib.compress(_ENCODE(e), 1)


def unpacked(state: bytes) -> Encounter | None:
    """Return a stored state, or None where a foreign journal had led to one that is no encounter."""
    try:
        return _DECODE(zlib.decompress(state))
    except (msgspec.MsgspecError, ValueError, RecursionError, zlib.error):
        return None


def _earlier(position: int, e: Encounter, now: Encounter) -> _Earlier:
    """Return what differs in a state from a later one."""
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
    """Return the earlier state in full."""
    table = {field: getattr(earlier.altered, field) for field in earlier.fields}
    if earlier.same:
        people: dict[str, Combatant] = {**now.combatants, **table["combatants"]}
        table["combatants"] = people
    return replace(now, **table)


CAP = 32_000_000  # bytes

_FIRST = (
    rb"tocsin-cache 1 ([0-9]{1,20}) ([0-9]{1,20}) ([0-9]{1,9}) ([0-9]{1,9})" + 3 * rb" ([0-9a-f]{8})" + rb"\n"
)


class Checkpoint(msgspec.Struct, frozen=True):
    """The mark in the journal that the payload stands for, and the payload."""

    mark: Offset
    payload: bytes


def sidecar_path(path: str) -> str:
    """Return where the checkpoint of a save lies."""
    return path + ".cache"


def keep(
    path: str,
    inode: tuple[int, int],
    mark: Offset,
    fingerprint: int,
    payload: bytes,
    *,
    disk: Disk | None = None,
) -> bool:
    """Store a payload for `mark`; `fingerprint` is the CRC-32 of the journal's bytes before it.

    Whether it was stored: a cache that cannot be written is not a fault.
    """
    disk = disk or Disk()
    # The inode as well: a copied or restored save must not be opened at the state of another.
    numbers = (*inode, mark.offset, mark.number, mark.crc, fingerprint, crc32(payload))
    first = b"tocsin-cache 1 %d %d %d %d %08x %08x %08x\n" % numbers
    where = sidecar_path(path)
    if len(first) + len(payload) > CAP:
        return False
    try:
        put(disk, where, [first, payload])
    except OSError:
        return False
    return True


def load(path: str, data: bytes, inode: tuple[int, int], disk: Disk | None = None) -> Checkpoint | None:
    """Return the checkpoint of the journal whose bytes are `data`, or None if none fits."""
    try:
        cached, status = read_regular(disk or Disk(), sidecar_path(path), CAP)
    except BadFile:
        return None
    first = re.match(_FIRST, cached)
    # A payload is decoded and trusted, so it must be one that only we can have written.
    if first is None or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        return None
    device, number_of_file, offset, number = (int(group) for group in first.groups()[:4])
    crc, fingerprint, sum_of_payload = (int(group, 16) for group in first.groups()[4:])
    payload = cached[first.end() :]
    mark = Offset(offset, number, crc)
    fits = (
        (device, number_of_file) == inode
        and offset <= len(data)
        and ends_at(data[max(offset - SEAL_SIZE, 0) : offset], mark)
        and crc32(payload) == sum_of_payload
        and crc32(memoryview(data)[:offset]) == fingerprint
    )
    return Checkpoint(mark, payload) if fits else None
