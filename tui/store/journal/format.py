"""What stands in a journal (.github/FORMAT.md): a header, then records, each closed by a seal.

A seal is the line `# NUMBER LENGTH CRC`: the record's number (0 for the header), the length in bytes of the
block before it, and the CRC-32 of that block, begun from the CRC of the seal before it, in 8 hex digits.
A block is everything between two seals. A record written while earlier ones were still on their way to the
disk says so in its last line, `# pending K`: that is what tells a power cut from a damaged disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from zlib import crc32

import msgspec
import tomli_w

from tui.store.journal.plain import NotPlain, line_of, text

FORMAT = 1
SAVE_CAP = 64_000_000  # bytes of a journal
RECORD_CAP = 1_000_000  # bytes of one record
TORN_CAP = 64_000  # bytes that may be lost behind the last good seal, but for one larger record
FIRST_LINE = "# tocsin journal: only ever added to; undo and redo are records too\n"

BY = r"[a-z0-9-]{1,64} [0-9]{1,16}"
"""How `by` is written."""

WINDOW = 4_000_000  # bytes that are searched at once
SEAL_SIZE = 40  # bytes; the line of a seal is shorter
SEAL = re.compile(rb"\n# (\d{1,9}) (\d{1,9}) ([0-9a-f]{8})(?=\n)")

E = TypeVar("E")


class Record(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """One record: what a command caused, or where an undo, redo or goto moved to.

    `number` counts records from 1 in file order; `at` is RFC 3339, UTC, in seconds; `line` is what was asked,
    in the grammar; `events` what happened. `to` makes it a mark instead: the number of lines in force after
    it; a mark has no events. `by`: of a line that came from a player's seat, the seat and the number of its
    answer (`mia 7`), by which no answer is ever taken twice.
    """

    number: int
    at: str
    line: str
    events: tuple[E, ...] = ()
    to: int | None = None
    by: str = ""


class Header(msgspec.Struct, frozen=True):
    """The head of a journal; `created` as in `Step.at`, `options` are house rules: key to plain scalar."""

    save: str
    system: str
    created: str
    tocsin: str
    options: dict[str, bool | int | float | str] = {}
    format: int = FORMAT


class Offset(msgspec.Struct, frozen=True):
    """A place between two records: bytes before it, number and CRC of the last seal before it."""

    offset: int = 0
    number: int = -1
    crc: int = 0


def seal(number: int, block: bytes, crc: int) -> tuple[bytes, int]:
    """The block with its seal, and the seal's CRC; `crc` is that of the seal before it."""
    sealed = crc32(block, crc)
    return b"%b# %d %d %08x\n" % (block, number, len(block), sealed), sealed


def seals(data: bytes, start: int = 0) -> Iterator[re.Match[bytes]]:
    """What looks like a seal from a place on; searched for in windows, for one search of 64 MB would be one long call."""
    while start < len(data):
        end = start
        for found in SEAL.finditer(data, start, start + WINDOW):
            yield found
            end = found.end()
        # A seal may stand across the border of two windows.
        start = max(end, start + WINDOW - 2 * SEAL_SIZE)


def ends_at(before: bytes, mark: Offset) -> bool:
    """Whether these bytes, at least SEAL_SIZE where there are so many, end with the seal of `mark`."""
    found = list(SEAL.finditer(before))
    if not found or found[-1].end() + 1 != len(before):
        return False
    return (int(found[-1][1]), int(found[-1][3], 16)) == (mark.number, mark.crc)


def header_block(header: Header) -> bytes:
    """The header's block, without its seal. Errors: NotPlain, ValueError for a bad `created`."""
    _moment(header.created)
    # line_of refuses what tomli_w would write and no reader of ours take back.
    for value in (header.save, header.system, header.tocsin, *header.options, *header.options.values()):
        line_of(value)
    head = {"format": header.format, "tocsin": header.tocsin, "save": header.save, "system": header.system}
    tail = tomli_w.dumps({"options": header.options}) if header.options else ""
    return (FIRST_LINE + tomli_w.dumps(head) + f"created = {header.created}\n" + tail).encode()


def step_block(step: Record[Any]) -> bytes:
    """A record's block, without its seal. Errors: NotPlain, ValueError; nothing else."""
    # Checked when written, because the reader has no other way to trust the line's layout.
    _moment(step.at)
    if step.number < 1 or (step.to is not None and (step.to < 0 or step.events)):
        raise ValueError("a record counts from 1, and a mark has a place and no events")
    if step.by and not re.fullmatch(BY, step.by):
        raise ValueError("a record is by a seat and a number")
    lines = f"[[step]]\nn = {step.number}\nat = {step.at}\nline = {text(step.line)}\n"
    if step.by:
        lines += f'by = "{step.by}"\n'
    if step.events:
        try:
            events = msgspec.to_builtins(step.events)
        except (TypeError, ValueError) as error:
            raise NotPlain(str(error)) from None
        lines += f"events = {line_of(events)}\n"
    if step.to is not None:
        lines += f"to = {step.to}\n"
    return lines.encode()


def pending_line(count: int) -> bytes:
    """The last line of a block: how many records before it were still on their way to the disk."""
    return b"# pending %d\n" % count if count else b""


def moment(when: datetime) -> str:
    """A TOML date and time as `Step.at` wants it. Errors: ValueError without a zone or far out of range."""
    if when.tzinfo is None:
        raise ValueError("a date without a time zone")
    try:
        return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except OverflowError:
        raise ValueError("a date out of range") from None


def _moment(at: str) -> None:
    if len(at) != 20 or moment(datetime.fromisoformat(at)) != at:
        raise ValueError(f"not a moment in UTC: {at!r}")
