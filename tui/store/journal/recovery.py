"""What stands behind the last good seal: a write that a crash cut short, a hand edit, or damage.

Torn is only what an append that never reached the disk can look like. A sector that was not written reads as
zeros, which no journal holds; a later record may have arrived before it, and then says in `# pending K` that
it was written before this one was known to be safe. Anything else is damage and stops the opening.
"""

from __future__ import annotations

import os
from typing import Any
from zlib import crc32

import msgspec

from tui.store.disk import FRESH as NEW_FILE
from tui.store.disk import PRIVATE, Disk, folder_of, sync_folder, write_all
from tui.store.journal.format import RECORD_CAP, SEAL, TORN_CAP, Offset
from tui.store.journal.records import Records, pending
from tui.store.problems import BadFile, DamagedSave, Edited, JournalError
from tui.store.safetoml import parse


class Torn(msgspec.Struct, frozen=True):
    """The unfinished end of a journal: where it begins, which record it would have been, how long it is."""

    offset: int
    line: int
    number: int
    size: int


class Piece(msgspec.Struct, frozen=True):
    """A block behind the last good seal: its place, where its seal ends, the seal's number, length and CRC.

    Those three are -1 when it has no seal. `fits`: length and CRC are right.
    """

    start: int
    stop: int
    end: int
    number: int
    length: int
    crc: int
    fits: bool


def judge(data: bytes, good: Offset, path: str) -> Torn | JournalError:
    """What `data[good.offset:]` is, the first block of which does not fit. Never raises."""
    pieces = pieces_from(data, good)
    number, size = good.number + 1, len(data) - good.offset
    line = data.count(b"\n", 0, good.offset) + 1
    first = pieces[0]
    block = data[first.start : first.stop]
    # A crash does not leave a whole record with another's seal; a person with an editor does.
    if b"\0" not in block and looks_whole(block, first, path):
        return Edited(path, line, number, "it does not fit its seal: it was changed by hand", _repair(path))
    if _may_be_lost(data, good, size) and all(_excused(data, p, number, len(pieces)) for p in pieces):
        return Torn(good.offset, line, number, size)
    return _damage(data, first, number, path)


def pieces_from(data: bytes, good: Offset) -> list[Piece]:
    """The blocks from `good` on, split at everything that looks like a seal."""
    pieces: list[Piece] = []
    start, crc = good.offset, good.crc
    for found in SEAL.finditer(data, good.offset):
        stop = found.start() + 1
        number, length, stored = int(found[1]), int(found[2]), int(found[3], 16)
        # Chained on the CRC as stored, so each piece is judged apart from the damage before it.
        fits = length == stop - start and crc32(data[start:stop], crc) == stored
        pieces.append(Piece(start, stop, found.end() + 1, number, length, stored, fits))
        start, crc = found.end() + 1, stored
    if start < len(data):
        pieces.append(Piece(start, len(data), len(data), -1, -1, -1, fits=False))
    return pieces


def looks_whole(block: bytes, piece: Piece, path: str) -> bool:
    """Whether the block reads as TOML and was closed, by a seal or by a line that may have been one."""
    if piece.number < 0:
        last = block.rstrip(b"\n").rpartition(b"\n")[2]
        # Without its line end the seal was cut off; behind `# pending` it never arrived.
        if not block.endswith(b"\n") or not last.startswith(b"#") or last.startswith(b"# pending "):
            return False
    if len(block) > RECORD_CAP:
        return False
    try:
        return "step" in parse(block, path)
    except BadFile:
        return False


def keep_tail(disk: Disk, path: str, tail: bytes) -> str:
    """Copies a torn tail to `NAME.torn-N` beside the save, on the disk with its name; that path. OSError."""
    stem = path.removesuffix(".toml")
    number = 1
    while True:
        copy = f"{stem}.torn-{number}"
        try:
            fd = disk.open(copy, NEW_FILE, PRIVATE)
        # Earlier tails are kept: each may be the only copy of a line that somebody typed.
        except FileExistsError:
            number += 1
            continue
        try:
            write_all(disk, fd, tail)
            disk.fsync(fd)
        finally:
            disk.close(fd)
        sync_folder(disk, copy)
        return copy


def _may_be_lost(data: bytes, good: Offset, size: int) -> bool:
    """Whether so much can be one crash's loss: a window of records, or one large record."""
    if size <= TORN_CAP:
        return True
    ours = data.startswith((b"[[step]]\nn = %d\n" % (good.number + 1), b"\0"), good.offset)
    return ours and size <= RECORD_CAP + TORN_CAP


def _excused(data: bytes, piece: Piece, lost: int, pieces: int) -> bool:
    """Whether a power cut that lost record `lost` may have left this piece as it is."""
    if piece.number < 0:
        return True
    start = data.rfind(b"\n[[step]]\n", piece.start, piece.stop) + 1 or piece.start
    record = data[start : piece.stop]  # the last of the piece: a lost seal leaves two records in one
    if b"\0" in record:
        return True
    # A seal of the lost record or an older one stands at the end of a torn write, and nowhere else.
    if piece.number <= lost:
        return pieces == 1
    whole = piece.fits or start > piece.start
    return whole and piece.number - 1 - pending(record) < lost


def _damage(data: bytes, piece: Piece, number: int, path: str) -> JournalError:
    try:
        Records(Any, path).strict(data, piece.start, piece.stop, number)
    except JournalError as error:
        return DamagedSave(
            path, error.line, number, f"the journal is damaged: {error.message}", _repair(path)
        )
    line = data.count(b"\n", 0, piece.start) + 1
    return DamagedSave(path, line, number, "the journal is damaged from here on", _repair(path))


def _repair(path: str) -> str:
    name = os.path.basename(path) if folder_of(path) == "." else path
    return f"`tocsin check --repair {name}` writes a mended copy and leaves this file as it is"
