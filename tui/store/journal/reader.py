"""Read a journal: find its records by their seals, judge its end, decode the records.

Nothing is written. Writer and followers read alike. A torn tail is reported, and only `Writer.open` cuts it.
"""

from __future__ import annotations

import os
import re
from datetime import datetime
from typing import Annotated, Any, Final, Generic, TypeVar
from zlib import crc32

import msgspec

from tui.store.disk import Disk, read_part, read_regular
from tui.store.journal.format import (
    FIRST_LINE,
    FORMAT,
    SAVE_CAP,
    SEAL,
    SEAL_SIZE,
    TORN_CAP,
    Header,
    Offset,
    Record,
    find_seals,
    is_end_at,
    write_moment,
)
from tui.store.journal.records import Records, Span, pause_gc
from tui.store.journal.recovery import Torn, judge_end, repair_hint
from tui.store.problems import (
    BadFile,
    DamagedSave,
    Edited,
    JournalError,
)
from tui.store.safetoml import parse_toml

E = TypeVar("E")

_FORMAT = rb'(?:\A|[\r\n]|\xef\xbb\xbf)[ \t]*"?format"?[ \t]*=[ \t]*(\d{1,9})\b'
_TODAY = f"{FIRST_LINE}format = {FORMAT}\n".encode()
_HEAD_BYTES = 4096  # bytes at the beginning in which a journal is recognised
LINE_ENDS_CHANGED: Final = "an editor has changed the line ends"
_SEAL_WITHOUT_END = rb"\n# \d{1,9} \d{1,9} [0-9a-f]{8}\Z"


class RawHeader(msgspec.Struct, frozen=True):
    """The header as the TOML parser returns it; keys of later versions are ignored."""

    format: Annotated[int, msgspec.Meta(ge=1)]
    tocsin: str
    save: str
    system: str
    created: datetime
    options: dict[str, bool | int | float | str] = {}


class Journal(msgspec.Struct, Generic[E], frozen=True):
    """A journal that was read."""

    path: str
    header: Header
    data: bytes
    """The bytes of the file; those before `end.offset` are good."""
    spans: list[Span]
    """The blocks of `steps` in `data`."""
    steps: list[Record[E]]
    start: Offset
    end: Offset
    torn: Torn | None = None
    """The unfinished end that was ignored; None without one."""
    problem: JournalError | None = None
    """The damage at which a lenient reading stopped; None without one."""
    inode: tuple[int, int] = (0, 0)
    """Device and inode of the file; (0, 0) for bytes alone."""
    missing_bytes: int = 0
    """The number of bytes at the end of `data` that the file lacks: 1 if an editor removed the line feed."""


class News(msgspec.Struct, Generic[E], frozen=True):
    """The records after the offset that a follower had, and the new offset."""

    steps: list[Record[E]]
    end: Offset


def read_journal(path: str, event_type: Any, *, lenient: bool = False) -> Journal[Any]:
    """Return the journal at `path`. Raises JournalError for any error in the file."""
    data, status = read_journal_bytes(path)
    journal = parse_journal(data, event_type, path, lenient=lenient)
    return msgspec.structs.replace(journal, inode=(status.st_dev, status.st_ino))


def read_journal_bytes(path: str, disk: Disk | None = None) -> tuple[bytes, os.stat_result]:
    """Return the bytes of a journal and its stat, not parsed. Raises JournalError."""
    try:
        return read_regular(disk or Disk(), path, SAVE_CAP)
    except BadFile as error:
        raise JournalError(path, 0, -1, error.message, error.hint) from None


def parse_journal(data: bytes, event_type: Any, path: str = "", *, lenient: bool = False) -> Journal[Any]:
    """Return the journal in `data`.

    Raises JournalError; with `lenient` only for a header that cannot be used.
    """
    header, start = read_header(data, path)
    spans, end = find_blocks(data, start)
    # A record is whole if only the line feed after its seal is missing.
    lacking = 0
    if re.search(_SEAL_WITHOUT_END, data[-SEAL_SIZE:]):
        ended = data + b"\n"
        if (more := find_blocks(ended, start))[1].offset == len(ended):
            data, (spans, end), lacking = ended, more, 1
    verdict = judge_end(data, end, path) if end.offset < len(data) else None
    torn = verdict if isinstance(verdict, Torn) else None
    problem = verdict if isinstance(verdict, JournalError) else None
    if problem and not lenient:
        raise problem
    with pause_gc():
        steps, bad = Records(event_type, path).steps(data, spans, start.number + 1)
    if bad:
        bad = type(bad)(path, bad.line, bad.step, bad.message, bad.hint or repair_hint(path))
        if not lenient:
            raise bad
        # Nothing after a bad record counts, not even a torn end.
        torn, problem, spans, end = None, bad, spans[: len(steps)], start
        if spans and (match := SEAL.match(data, spans[-1][1] - 1)):
            end = Offset(match.end() + 1, int(match[1]), int(match[3], 16))
    return Journal(path, header, data, spans, steps, start, end, torn, problem, missing_bytes=lacking)


def read_news(path: str, since: Offset, event_type: Any) -> News[Any]:
    """Return the records after `since`, without one that is only half written.

    Raises JournalError if the file does not continue from `since` or cannot be opened.
    """
    # The seal before the offset is read too: it proves that this is still the file that was followed.
    back = min(since.offset, SEAL_SIZE)
    try:
        data, _ = read_part(Disk(), path, SAVE_CAP, since.offset - back, SAVE_CAP)
    except BadFile as error:
        raise JournalError(path, 0, -1, error.message, error.hint) from None
    if not is_end_at(data[:back], since):
        raise JournalError(path, 0, since.number, "the file was replaced or cut; it is read again")
    spans, end = find_blocks(data, Offset(back, since.number, since.crc))
    steps, bad = Records(event_type, path).steps(data, spans, since.number + 1)
    if bad:
        raise bad
    return News(steps, Offset(since.offset - back + end.offset, end.number, end.crc))


def find_blocks(data: bytes, since: Offset) -> tuple[list[Span], Offset]:
    """Return the blocks after `since` up to the first wrong seal, and the offset after the last of them."""
    spans: list[Span] = []
    start, number, crc = since.offset, since.number, since.crc
    # Split at the seals before anything is parsed, so that one bad block cannot spoil its neighbours.
    for match in find_seals(data, start):
        stop = match.start() + 1
        sealed = crc32(data[start:stop], crc)
        if match[0] != b"\n# %d %d %08x" % (number + 1, stop - start, sealed):
            break
        spans.append((start, stop))
        start, number, crc = match.end() + 1, number + 1, sealed
    return spans, Offset(start, number, crc)


def read_header(data: bytes, path: str = "") -> tuple[Header, Offset]:
    """Return the header and the offset after its seal.

    `data` may be only the first bytes. Raises JournalError.
    """
    _check_is_journal(data, path)
    # Bounded: a large file that is no journal must not be searched to its end for a seal.
    match = SEAL.search(data, 0, TORN_CAP)
    block = data[: match.start() + 1] if match else data[:TORN_CAP].partition(b"\n[[step]]")[0]
    try:
        raw = msgspec.convert(parse_toml(block, path), RawHeader)
        made = write_moment(raw.created)
    except (BadFile, ValueError) as error:
        if reason := explain_layout(data):
            raise Edited(path, 1, 0, reason, repair_hint(path)) from None
        line, words = (error.line, error.message) if isinstance(error, BadFile) else (1, str(error))
        raise DamagedSave(path, line, 0, f"the header is damaged: {words}", repair_hint(path)) from None
    if match is None and data.endswith(block) and re.search(_SEAL_WITHOUT_END, block):
        return read_header(data + b"\n", path)  # only the line feed after its seal is missing
    if match is None:
        reason = (
            explain_layout(data)
            or "the header has no seal: another program has rewritten the file, or it is damaged"
        )
        raise Edited(path, block.count(b"\n") + 1, 0, reason, repair_hint(path))
    if match[0] != b"\n# 0 %d %08x" % (len(block), sealed := crc32(block)):
        words = "the header does not fit its seal: it was changed by hand"
        raise Edited(path, 1, 0, words, repair_hint(path))
    header = Header(raw.save, raw.system, made, raw.tocsin, raw.options, raw.format)
    return header, Offset(match.end() + 1, 0, sealed)


def explain_layout(data: bytes) -> str:
    """Return how an editor changed all lines (encoding, line ends), in words; "" if it has not."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return "an editor has changed the encoding"
    first = data[:_HEAD_BYTES]
    # A single carriage return is a damaged byte, not the work of an editor.
    changed = b"\r\n" in first or first.count(b"\r") > first.count(b"\n")
    return LINE_ENDS_CHANGED if changed else ""


def _check_is_journal(data: bytes, path: str) -> None:
    # True for nearly every journal: no pattern needs to be compiled.
    if data.startswith(_TODAY):
        return
    start = data[:_HEAD_BYTES]
    match = re.search(_FORMAT, start)
    if match is None and start.startswith((b"\xff\xfe", b"\xfe\xff")) and b"f\0o\0r\0m\0a\0t\0" in start:
        raise Edited(path, 1, 0, explain_layout(data), repair_hint(path))
    if match is None and not start.startswith(b"# tocsin journal"):
        raise JournalError(path, 1, -1, "this is not a tocsin save" if data else "the file is empty")
    # Before the header is parsed: a later format may contain values that this version cannot read.
    if match and int(match[1]) > FORMAT:
        line = start[: match.start(1)].count(b"\n") + 1
        words = f"a newer version wrote this save (format {int(match[1])})"
        raise JournalError(path, line, 0, words, "update tocsin to open it")
