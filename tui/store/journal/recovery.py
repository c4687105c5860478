"""Judge the bytes after the last good seal: a write that a crash cut short, an edit by hand, or damage.

Torn is only what an append that never reached the disk can leave: the beginning of a record, or a record with
sectors that were not written and read as zeros, which no journal holds. A later record may have arrived
before it; it then says in `# pending K` that it was written before this one was known to be safe. A record
that is complete except for a flipped bit or byte was on the disk: that is damage, and stops the opening like
any other damage.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from itertools import count
from typing import Any
from zlib import crc32

import msgspec

from tui.store.disk import CREATE_APPEND as NEW_FILE
from tui.store.disk import PRIVATE, Disk, numbered_file, sync_folder, write_all
from tui.store.journal.format import RECORD_CAP, SEAL_SIZE, TORN_CAP, Offset, find_seals
from tui.store.journal.records import Records, count_pending
from tui.store.problems import BadFile, DamagedSave, Edited, JournalError, make_printable, quote_save
from tui.store.safetoml import parse_toml

SECTOR = 512  # bytes that reach a disk together or not at all
LEAST_HOLE = (
    16  # zeros in a row that are always a lost write: neither a flipped bit nor an editor makes so many
)


class Torn(msgspec.Struct, frozen=True):
    """The unfinished end of a journal."""

    offset: int
    """The offset of the first byte of the end."""
    line: int
    """The line of the first byte, from 1."""
    number: int
    """The number that the unfinished record would have."""
    size: int
    """The length of the end in bytes."""
    behind: int = 0
    """The number of whole records after it that cannot follow, because a power cut lost an earlier sector."""

    @property
    def words(self) -> str:
        """The message about the unfinished end, without the line number."""
        bytes_lost = f"{self.size} bytes of step {self.number} that were never wholly on the disk"
        more = f", with {self.behind} whole step{'s' * (self.behind > 1)} after it" if self.behind else ""
        return f"the end is unfinished: {bytes_lost}{more}"


_SEAL_LINE = rb"\n# \d{1,9} \d{1,9} [0-9a-f]{8}\n\Z"
_STRING = rb'[^"\\\x00-\x1f\x7f]*+(?:\\["\\bfnrtu][^"\\\x00-\x1f\x7f]*+)*+'
_PLAIN = rb"[^\x00-\x08\x0a-\x1f\x7f]*"
_LINES = (
    rb"\[\[step\]\]\nn = [0-9]+\n(?:at = [0-9-]{10}T[0-9:]{8}Z\n"
    rb'(?:line = "%b"\n(?:by = "%b"\n)?+(?:id = "[a-z0-9-]+"\n)?+'
    rb"(?:events = ['\[]%b\n)?+(?:to = [0-9]+\n)?+"
    rb"(?:took = \[[0-9, ]+\]\n)?+(?:again = ['\[]%b\n)?+(?:restores = [0-9]+\n)?+"
    rb"(?:# pending [0-9]+\n)?+)?+)?+"
) % (_STRING, _STRING, _PLAIN, _PLAIN)
"""The pattern of the whole lines of a record that was cut short."""
_CUT_LINES = (
    (b"at = ", rb"at = [0-9TZ:-]{0,20}"),
    (b'line = "', rb'line = "%b"?' % _PLAIN),
    (b'by = "', rb'by = "%b"?' % _PLAIN),
    (b'id = "', rb'id = "[a-z0-9-]*"?'),
    (b"events = ", rb"events = ['\[]%b" % _PLAIN),
    (b"to = ", rb"to = [0-9]*"),
    (b"took = [", rb"took = \[[0-9, ]*\]?"),
    (b"again = ", rb"again = ['\[]%b" % _PLAIN),
    (b"restores = ", rb"restores = [0-9]*"),
    (b"# pending ", rb"# pending [0-9]*"),
    (b"# ", rb"# [0-9]+(?: (?:[0-9]+(?: [0-9a-f]{0,8})?)?)?"),
)
"""For each line of a record, its beginning and a pattern of what may stand there if the record is cut in it.
"""


class Piece(msgspec.Struct, frozen=True):
    """A block after the last good seal, and the seal that ends it."""

    start: int
    """The first byte of the block."""
    stop: int
    """The byte after the block."""
    end: int
    """The byte after its seal."""
    number: int
    """The number in the seal; without a seal -1, like `length` and `crc`."""
    length: int
    crc: int
    fits: bool
    """Whether the length and the CRC in the seal are right."""


def judge_end(data: bytes, good: Offset, path: str) -> Torn | JournalError:
    """Return a verdict on `data[good.offset:]`, the first block of which does not fit. Never raises."""
    pieces = split_pieces(data, good)
    number, size = good.number + 1, len(data) - good.offset
    line = data[: good.offset].count(b"\n") + 1
    first = pieces[0]
    block = data[first.start : first.stop]
    # A crash never leaves a whole record with another record's seal; a person with an editor may.
    if b"\0" not in block and is_whole(block, first, path):
        words = "it does not fit its seal: it was changed by hand"
        return Edited(path, line, number, words, repair_hint(path))
    if first.number < 0 and _is_typed_by_hand(block):
        words = "something after the last step was not written by tocsin: it was added by hand"
        return Edited(path, line, number, words, repair_hint(path))
    if _is_loss_possible(data, good, size) and _has_lost_writes(data, good.offset):
        numbers = [number, *(piece.number + 1 for piece in pieces)]
        if all(_is_explained_by_loss(data, p, number, n) for p, n in zip(pieces, numbers, strict=False)):
            return Torn(good.offset, line, number, size, sum(piece.fits for piece in pieces))
    return _explain_damage(data, first, number, path)


def split_pieces(data: bytes, good: Offset) -> list[Piece]:
    """Return the blocks after `good`, split at everything that looks like a seal."""
    pieces: list[Piece] = []
    start, crc = good.offset, good.crc
    for match in find_seals(data, good.offset):
        stop = match.start() + 1
        number, length, stored = int(match[1]), int(match[2]), int(match[3], 16)
        # Chained on the CRC as stored, so that each piece is judged apart from damage before it.
        fits = length == stop - start and crc32(data[start:stop], crc) == stored
        pieces.append(Piece(start, stop, match.end() + 1, number, length, stored, fits))
        start, crc = match.end() + 1, stored
    if start < len(data):
        pieces.append(Piece(start, len(data), len(data), -1, -1, -1, fits=False))
    return pieces


def is_whole(block: bytes, piece: Piece, path: str) -> bool:
    """Return whether the block is valid TOML and ends with a seal or with a line that may have been one."""
    if piece.number < 0:
        last = block.rstrip(b"\n").rpartition(b"\n")[2]
        # Without its line feed the seal was cut off; after `# pending` it was never written.
        if not block.endswith(b"\n") or not last.startswith(b"#") or last.startswith(b"# pending "):
            return False
    if len(block) > RECORD_CAP:
        return False
    try:
        return "step" in parse_toml(block, path)
    except BadFile:
        return False


def write_torn_copy(disk: Disk, path: str, tail: bytes) -> str:
    """Copy a torn tail to `NAME.torn-N` beside the save, synced with its name; return that path.

    Raises OSError.
    """
    for number in count(1):
        copy = f"{path.removesuffix('.toml')}.torn-{number}"
        # Earlier copies are kept: each may be the only copy of a line that someone typed.
        with suppress(FileExistsError):
            fd = disk.open(copy, NEW_FILE, PRIVATE)
            break
    try:
        write_all(disk, fd, tail)
        disk.fsync(fd)
    finally:
        disk.close(fd)
    sync_folder(disk, copy)
    return copy


def _is_loss_possible(data: bytes, good: Offset, size: int) -> bool:
    """Return whether one crash can lose this much: a window of records, or one large record."""
    if size <= TORN_CAP:
        return True
    ours = data.startswith((b"[[step]]\nn = %d\n" % (good.number + 1), b"\0"), good.offset)
    return ours and size <= RECORD_CAP + TORN_CAP


def _has_lost_writes(data: bytes, start: int) -> bool:
    """Return whether all zeros from `start` on can be sectors of an append that never reached the disk."""
    for match in re.compile(rb"\0+").finditer(data, start):
        begin, stop = match.span()
        # A part of an append begins at a sector or after a seal, and ends at a sector or before a record.
        begins = begin % SECTOR == 0 or re.search(_SEAL_LINE, data[begin - SEAL_SIZE : begin])
        ends = stop == len(data) or stop % SECTOR == 0 or data.startswith(b"[[step]]\n", stop)
        if stop - begin < LEAST_HOLE and not (begins and ends):
            return False
    return True


def _is_explained_by_loss(data: bytes, piece: Piece, lost_record: int, number: int) -> bool:
    """Return whether a cut that lost `lost_record` may have left this piece, record `number`, as is."""
    block = data[piece.start : piece.stop]
    hole = block.rfind(b"\0")
    if piece.number < 0:
        return hole >= 0 or is_unfinished(block, number)
    if hole < 0:
        return piece.fits and piece.number - 1 - count_pending(block) < lost_record
    if piece.number < lost_record:
        return False
    # If a seal is lost, several records are in one piece; the last of them may be whole.
    start = block.rfind(b"[[step]]\nn = %d\n" % piece.number)
    if start <= hole:
        return True
    return piece.length == len(block) - start and piece.number - 1 - count_pending(block) < lost_record


def is_unfinished(block: bytes, number: int) -> bool:
    """Return True for a possible beginning of record `number`, and for bytes that are no record at all."""
    begins = b"[[step]]\nn = %d\n" % number
    if not block.startswith(begins):
        return begins.startswith(block) or not block.startswith(b"[[step]]\n")
    whole, _, last = block.rpartition(b"\n")
    cut = any(start.startswith(last) or re.fullmatch(rest, last) for start, rest in _CUT_LINES)
    return cut and re.fullmatch(_LINES, whole + b"\n") is not None


def _is_typed_by_hand(block: bytes) -> bool:
    """Return True for printable text that is no record, which a person may have added after the last step."""
    try:
        text = block.decode()
    except UnicodeDecodeError:
        return False
    if text.startswith("[[step]]") or not all(c.isprintable() or c in "\n\t\r" for c in text):
        return False
    # A comment or white space at the end of a file may lack its line feed.
    return text.endswith("\n") or text.isspace() or text.lstrip().startswith("#")


def _explain_damage(data: bytes, piece: Piece, number: int, path: str) -> JournalError:
    try:
        Records(Any, path).strict(data, piece.start, piece.stop, number)
    except JournalError as error:
        words = f"the journal is damaged: {error.message}"
        return DamagedSave(path, error.line, number, words, repair_hint(path))
    line = data[: piece.start].count(b"\n") + 1
    return DamagedSave(path, line, number, "the journal is damaged from here on", repair_hint(path))


def repair_hint(path: str) -> str:
    """Return a hint that names the command to repair the journal, and the copy that it writes."""
    copy = make_printable(os.path.basename(free_repair_path(path)))
    return f"`tocsin check --repair {quote_save(path)}` writes a repaired copy, {copy}"


def free_repair_path(path: str) -> str:
    """Return the path of a repaired copy: `NAME-repaired.toml`, or the first of -2, -3 … that is free."""
    stem, number = path.removesuffix(".toml") + "-repaired", 1
    while os.path.lexists(copy := numbered_file(stem, number)):
        number += 1
    return copy
