"""`NAME.toml.cache`: a checkpoint beside the save, so that opening need not fold from the first step.

A first line, then the payload, which is the store's own. It counts only when every number fits the journal
it lies beside: same inode, and the same bytes before the mark. In any doubt it is as if it were not there.
"""

from __future__ import annotations

import os
import re
from zlib import crc32

import msgspec

from tui.store.disk import Disk, put, read_regular
from tui.store.journal.format import SEAL_SIZE, Offset, ends_at
from tui.store.problems import BadFile

CAP = 32_000_000  # bytes

_FIRST = rb"tocsin-cache 1 ([0-9]{1,20}) ([0-9]{1,20}) ([0-9]{1,9}) ([0-9]{1,9}) ([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8})\n"


class Checkpoint(msgspec.Struct, frozen=True):
    """The mark in the journal that the payload stands for, and the payload."""

    mark: Offset
    payload: bytes


def sidecar_path(path: str) -> str:
    """Where the checkpoint of a save lies."""
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
    """Stores a payload for `mark`; `fingerprint` is the CRC-32 of the journal's bytes before it.

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
    """The checkpoint of the journal whose bytes are `data`, or None when there is none that fits."""
    try:
        cached, found = read_regular(disk or Disk(), sidecar_path(path), CAP)
    except BadFile:
        return None
    first = re.match(_FIRST, cached)
    # A payload is decoded and trusted, so it must be one that only we can have written.
    if first is None or found.st_uid != os.geteuid() or found.st_mode & 0o077:
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
