"""Format a journal (.github/FORMAT.md): a header, then records, each closed by a seal.

Events are JSON inside a TOML literal string, which is read without a parser for TOML. Their values are bools,
integers of 64 bits, finite floats, strings, lists, and tables with string keys.

A seal is the line `# NUMBER LENGTH CRC`: the record's number (0 for the header), the length in bytes of the
block before it, and the CRC-32 of that block, begun from the CRC of the seal before it, in 8 hex digits. A
block is everything between two seals. A record that was written before earlier ones were on the disk ends in
the line `# pending K`, which distinguishes a power cut from a damaged disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from zlib import crc32

import msgspec
import tomli_w

DEPTH = 32  # brackets inside brackets, including the outermost
_LEAST, _MOST = -(2**63), 2**63 - 1

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class NotPlain(ValueError):  # noqa: N818 - the word of the journal's format
    """A value that a journal cannot hold: null, NaN, a lone surrogate, an integer over 64 bits."""


def write_string(value: str) -> str:
    """Return a TOML basic string, quotes included, that is read as `value`. Raises NotPlain."""
    # Nearly every string of a fight is plain, and two searches in C are cheaper than a loop over its letters.
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return f'"{"".join(map(_escape_character, value))}"'


def write_json(value: Any) -> str:
    """Return structs or plain data as JSON in a TOML literal string. Raises NotPlain, ValueError."""
    try:
        plain = msgspec.to_builtins(value)
    except TypeError as error:
        raise NotPlain(str(error)) from None
    require_plain(plain)
    json = msgspec.json.encode(plain).decode()
    # In JSON they occur in strings alone: the quote would end the literal string, TOML forbids DEL, and the
    # others end a line for some editors.
    escaped = re.sub("['\x7f-\x9f\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", json)
    return f"'{escaped}'"


def require_plain(value: Any, depth: int = DEPTH) -> None:
    """Raise NotPlain for a value that a journal cannot hold, or that is deeper than `depth`."""
    kind = type(value)
    # By the exact type: to isinstance a bool is an int.
    if kind is str or kind is bool:
        return
    if kind is int:
        is_plain = _LEAST <= value <= _MOST
    elif kind is float:
        # True for finite numbers only: infinity minus itself is not 0, and a NaN equals nothing.
        is_plain = value - value == 0
    else:
        is_plain = kind in (dict, list, tuple) and depth > 0
    if not is_plain or (kind is dict and not all(type(key) is str for key in value)):
        what = "a number of more than 64 bits" if kind is int else f"this {kind.__name__}"
        raise NotPlain(f"a journal cannot hold {what}")
    if kind in (dict, list, tuple):
        for inside in value.values() if kind is dict else value:
            require_plain(inside, depth - 1)


def _escape_character(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    # TOML forbids DEL raw; U+2028 and U+2029 end a line for some editors and would break the framing.
    if char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029":
        return f"\\u{ord(char):04x}"
    if "\ud800" <= char <= "\udfff":
        raise NotPlain(f"a journal cannot hold {char!a}")
    return char


FORMAT = 2
SAVE_CAP = 64_000_000  # bytes of a journal
RECORD_CAP = 1_000_000  # bytes of one record
TORN_CAP = 64_000  # bytes after the last valid seal that may be lost, unless a single record is larger
FIRST_LINE = "# tocsin journal: only ever added to; undo and redo are records too\n"

BY_PATTERN = r"[a-z0-9-]{1,64} [0-9]{1,16}"
"""The pattern of `by` in a record without `id`: a seat of 1.x, and the number of its answer."""
ID_PATTERN = r"[a-z0-9-]{8,40}"
"""The pattern of `id` in a record: the player's browser makes it, once for each line."""
BY_CAP = 400  # characters of a player's name in `by`

SEARCH_BYTES = 4_000_000  # bytes that are searched at once
SEAL_SIZE = 40  # bytes: every line of a seal is shorter
SEAL = re.compile(rb"\n# (\d{1,9}) (\d{1,9}) ([0-9a-f]{8})(?=\n)")

E = TypeVar("E")


class RunAgain(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player's step that a personal undo ran again.

    `n` is the number that it had before; the rest is as in Record.
    """

    n: int
    at: str
    line: str
    by: str
    events: tuple[E, ...] = ()
    id: str = ""


class Record(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """One record of a journal: a step, a mark (undo, redo, goto), or a personal undo.

    With `to` and `events` it is a step of a seat that replaces the steps after the first `to`.
    """

    number: int
    """The number of the record in the file, from 1."""
    at: str
    """The time (RFC 3339, UTC, in seconds)."""
    line: str
    """The line, in the grammar."""
    events: tuple[E, ...] = ()
    to: int | None = None
    """The number of lines in force after a mark, or before a step that replaces others; else None."""
    by: str = ""
    """The player that sent the line; without `id` a seat of 1.x and the number of its answer: `mia 7`; or "".
    """
    took: tuple[int, ...] = ()
    """The numbers of the steps that a personal undo takes out, rising; steps before the first of them stay.
    """
    again: tuple[RunAgain[E], ...] = ()
    """The steps that follow those that stay."""
    restores: int = 0
    """How many personal undos a redo takes back."""
    id: str = ""
    """The id that the player's browser gave to the line, so that no line is run twice; or ""."""

    @property
    def is_late(self) -> bool:
        """Whether this is a player's line that came too late and changed nothing: no step."""
        return bool(self.id) and not self.events and self.to is None and not self.took


class Header(msgspec.Struct, frozen=True):
    """The header of a journal."""

    save: str
    system: str
    created: str
    """The time (RFC 3339, UTC, in seconds)."""
    tocsin: str
    """The version that made the save."""
    options: dict[str, bool | int | float | str] = {}
    """The house rules."""
    format: int = FORMAT


class Offset(msgspec.Struct, frozen=True):
    """A position between two records: the bytes before it, and number and CRC of the seal before it."""

    offset: int
    number: int
    crc: int


def seal_block(number: int, block: bytes, crc: int) -> tuple[bytes, int]:
    """Return the block with its seal, and the seal's CRC; `crc` is that of the seal before it."""
    sealed = crc32(block, crc)
    return b"%b# %d %d %08x\n" % (block, number, len(block), sealed), sealed


def find_seals(data: bytes, start: int = 0) -> Iterator[re.Match[bytes]]:
    """Yield each match of a seal from `start` on, searched by windows, because no call may take long."""
    while start < len(data):
        end = start
        for match in SEAL.finditer(data, start, start + SEARCH_BYTES):
            yield match
            end = match.end()
        # A seal may lie across the border of two windows.
        start = max(end, start + SEARCH_BYTES - 2 * SEAL_SIZE)


def is_end_at(before: bytes, mark: Offset) -> bool:
    """Return whether these bytes end with the seal of `mark`."""
    matches = list(SEAL.finditer(before))
    if not matches or matches[-1].end() + 1 != len(before):
        return False
    return (int(matches[-1][1]), int(matches[-1][3], 16)) == (mark.number, mark.crc)


def write_header(header: Header) -> bytes:
    """Return the header's block, without its seal. Raises NotPlain, and ValueError for a bad `created`."""
    _check_moment(header.created)
    # tomli_w would write values that this program's reader refuses.
    for value in (header.save, header.system, header.tocsin, *header.options, *header.options.values()):
        require_plain(value)
    head = {"format": header.format, "tocsin": header.tocsin, "save": header.save, "system": header.system}
    tail = tomli_w.dumps({"options": header.options}) if header.options else ""
    return (FIRST_LINE + tomli_w.dumps(head) + f"created = {header.created}\n" + tail).encode()


def write_step(step: Record[Any]) -> bytes:
    """Return a record's block, without its seal. Raises NotPlain, ValueError; nothing else."""
    # Checked when written, because the reader cannot check the layout of the line in another way.
    _check_moment(step.at)
    for run in step.again:
        _check_moment(run.at)
    require_fitting(step)
    if step.number < 1:
        raise ValueError(f"it calls itself step {step.number}")
    lines = f"[[step]]\nn = {step.number}\nat = {step.at}\nline = {write_string(step.line)}\n"
    if step.by:
        lines += f"by = {write_string(step.by)}\n"
    if step.id:
        lines += f'id = "{step.id}"\n'
    if step.events:
        lines += f"events = {write_json(step.events)}\n"
    if step.to is not None:
        lines += f"to = {step.to}\n"
    if step.took:
        lines += f"took = [{', '.join(map(str, step.took))}]\n"
    if step.again:
        lines += f"again = {write_json(step.again)}\n"
    if step.restores:
        lines += f"restores = {step.restores}\n"
    return lines.encode()


def _is_sender(by: str, id_: str) -> bool:
    """Return whether a record may have these values of `by` and `id`."""
    if id_:
        return 0 < len(by) <= BY_CAP and re.fullmatch(ID_PATTERN, id_) is not None
    return not by or re.fullmatch(BY_PATTERN, by) is not None


def require_fitting(step: Record[Any]) -> None:
    """Raise ValueError if the keys of a record do not fit together."""
    took, again = step.took, step.again
    # A mark has no events, unless a player's step replaces others.
    mark = step.to is None or (step.to >= 0 and (not step.events or bool(step.by and not step.restores)))
    undo = not took or (step.to is None and not step.events and took[0] > 0)
    rising = list(took) == sorted(set(took))
    reruns = not again or (bool(took) and all(x.by for x in again))
    restores = step.restores == 0 or (step.restores > 0 and step.to is not None)
    if not (mark and undo and rising and reruns and restores):
        raise ValueError("its to, took, again and restores do not fit together")
    if not (_is_sender(step.by, step.id) and all(_is_sender(x.by, x.id) for x in again)):
        raise ValueError("its by and id name no player and line")


def write_pending(count: int) -> bytes:
    """Return the last line of a block: how many records before it were still on their way to the disk."""
    return b"# pending %d\n" % count if count else b""


def write_moment(when: datetime) -> str:
    """Return a TOML date and time for `Record.at`. Raises ValueError without a zone or far out of range."""
    if when.tzinfo is None:
        raise ValueError("a date without a time zone")
    try:
        return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except OverflowError:
        raise ValueError("a date out of range") from None


def _check_moment(at: str) -> None:
    if len(at) != 20 or write_moment(datetime.fromisoformat(at)) != at:
        raise ValueError(f"not a moment in UTC: {at!r}")
