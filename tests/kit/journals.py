"""Journals for tests: events of a small union, records, and whole files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct, to_builtins

from tests.kit.strategies import ENCODABLE, any_text
from tui.store.journal.format import (
    BY_CAP,
    BY_PATTERN,
    ID_PATTERN,
    Header,
    Offset,
    Record,
    RunAgain,
    seal_block,
    write_header,
    write_json,
    write_pending,
    write_step,
    write_string,
)

AT = "2026-11-20T20:44:33Z"
HEADER = Header("mill", "classic", AT, "0.1.0")
HOUSE = Header("mill", "classic", AT, "0.1.0", {"trk.tie": "heroes_first", "dis.fast": True, "n": 3})


class Added(Struct, frozen=True, tag_field="t", tag="added", forbid_unknown_fields=True):
    who: str
    name: str
    hp: int = 0


class Rolled(Struct, frozen=True, tag_field="t", tag="rolled", forbid_unknown_fields=True):
    who: str
    faces: tuple[int, ...]
    typed: bool = False


class Noted(Struct, frozen=True, tag_field="t", tag="noted", forbid_unknown_fields=True):
    key: str
    value: Any


Event = Added | Rolled | Noted


def step(number: int, size: int = 0) -> Record[Any]:
    """Return a record whose kind depends on its number; with `size`, a note of that many characters."""
    if size:
        return Record(number, AT, "note", (Noted("text", "x" * size),))
    if number % 8 == 7:
        rolled = RunAgain(number - 1, AT, 'roll "Orc 1"', "mia 7", (Rolled("c1", (5, 3)),))
        return Record(number, AT, "undo mine=yes", took=(number - 2,), again=(rolled,))
    if number % 8 == 0:
        return Record(number, AT, "redo", (), number - 1, restores=1)
    if number % 4 == 0:
        return Record(number, AT, "undo", (), number // 2)
    if number % 4 == 1:
        return Record(number, AT, f'add "Orc {number}"', (Added(f"c{number}", f"Orc {number}", 7),))
    if number % 4 == 2:
        return Record(number, AT, "roll", (Rolled("c1", (5, 3)), Rolled("c2", (6, 6), typed=True)))
    return Record(number, AT, "note ünï 🜲", (Noted("totals", {"Orc 1": 9, "Ünï": [1.5, True, ""]}),))


def journal(
    steps: list[Record[Any]], header: Header = HEADER, pending: dict[int, int] | None = None
) -> bytes:
    """Return the bytes of a journal with these records.

    `pending` maps a record's number to how many records before it were still on their way to the disk.
    """
    data, crc = seal_block(0, write_header(header), 0)
    for one in steps:
        block = write_step(one) + write_pending((pending or {}).get(one.number, 0))
        piece, crc = seal_block(one.number, block, crc)
        data += piece
    return data


def old_block(one: Record[Any]) -> bytes:
    """Return a record's block as 1.x wrote it: with inline tables whose only tabs are beside keys."""
    block = write_step(one).decode()
    for key, value in (("events", one.events), ("again", one.again)):
        old = _old_tables(to_builtins(value))
        block = block.replace(f"\n{key} = {write_json(value)}\n", f"\n{key} = {old}\n")
    return block.encode()


def _old_tables(value: Any) -> str:
    match value:
        case dict():
            return "{" + ",".join(_old_key(k) + _old_tables(v) for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_old_tables, value)) + "]"
        case str():
            return write_string(value)
        case _:
            return repr(value).replace("True", "true").replace("False", "false")


def _old_key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "_").replace("_", "x").isalnum()
    return f"\t{key} =\t" if bare else f"{write_string(key)} =\t"


def fight(count: int) -> list[Record[Any]]:
    """Return the records 1 to `count`."""
    return [step(number) for number in range(1, count + 1)]


def append(path: Path, events: str) -> None:
    """Append a record with a seal that fits, whatever it says."""
    data = path.read_bytes()
    end = marks(data)[-1]
    block = write_step(Record(end.number + 1, "2026-01-01T00:00:00Z", "x"))
    piece, _ = seal_block(end.number + 1, block + f"events = {events}\n".encode(), end.crc)
    path.write_bytes(data + piece)


def marks(data: bytes) -> list[Offset]:
    """Return the offset after each seal of a valid journal, that of the header first."""
    from tui.store.journal.reader import find_blocks, read_header

    top = read_header(data)[1]
    spans, _ = find_blocks(data, top)
    return [top, *(find_blocks(data[: data.index(b"\n", stop) + 1], top)[1] for _, stop in spans)]


EVIL = [
    "",
    " ",
    '"',
    "\\",
    "\\\\",
    '\\"',
    '"""',
    "'",
    "\t",
    "a\tb",
    "\t =\t",
    '" =\t',
    " =\tx",
    ",\tx =\t1",
    "\n",
    "\r\n",
    "\n[[step]]\n",
    "\n# 1 2 deadbeef\n",
    "# 1 2 deadbeef",
    "\x00",
    "\x1b]52;c;aGk=\x07",
    "\x7f",
    "\x85",
    "\x9b2J",
    "\u2028",
    "\u2029",
    "\u202e",
    "\ufeff",
    "\ufffe",
    "🜲",
    "é",
    "e\u0301",
    "[/]",
    "{}",
    "null",
    "=",
    "\U0010ffff",
]

strings = st.one_of(
    st.sampled_from(EVIL),
    any_text(max_size=12),
    st.lists(st.sampled_from(EVIL), max_size=4).map("".join),
)
keys = st.one_of(st.from_regex(r"[A-Za-z0-9_-]{1,8}", alphabet=ENCODABLE, fullmatch=True), strings)
scalars = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), strings
)
plains = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
events = st.one_of(
    st.builds(Added, strings, strings, st.integers(-99, 99)),
    st.builds(Rolled, strings, st.lists(st.integers(1, 100), max_size=4).map(tuple), st.booleans()),
    st.builds(Noted, strings, plains),
)
moments = st.datetimes().map(lambda when: when.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0"))


seats = st.tuples(st.from_regex(BY_PATTERN, alphabet=ENCODABLE, fullmatch=True), st.just(""))
browsers = st.tuples(
    strings.filter(lambda text: 0 < len(text) <= BY_CAP),
    st.from_regex(ID_PATTERN, alphabet=ENCODABLE, fullmatch=True),
)
senders = st.one_of(seats, browsers)
"""The player and the id of a line, and the seat of a line of 1.x."""


@st.composite
def steps(draw: st.DrawFn, number: int = 1) -> Record[Any]:
    """Draw a record with any values that a record can have."""
    at, line = draw(moments), draw(strings)
    by, mark = draw(st.one_of(st.just(("", "")), senders))
    if draw(st.booleans()):
        to, replaces = draw(st.integers(0, 999_999)), draw(st.booleans()) and by
        if replaces:
            return Record(number, at, line, tuple(draw(st.lists(events, max_size=3))), to, by, id=mark)
        return Record(number, at, line, (), to, by, restores=draw(st.integers(0, 3)), id=mark)
    if draw(st.booleans()):
        took = sorted(draw(st.sets(st.integers(1, 999_999), min_size=1, max_size=3)))
        runs = tuple(
            RunAgain(draw(st.integers(1, 999_999)), draw(moments), draw(strings), sent, happened, ran)
            for sent, ran in draw(st.lists(senders, max_size=3))
            for happened in [tuple(draw(st.lists(events, max_size=2)))]
        )
        return Record(number, at, line, by=by, took=tuple(took), again=runs, id=mark)
    return Record(number, at, line, tuple(draw(st.lists(events, max_size=3))), None, by, id=mark)


HOLD = """
import sys, time
from tui.store.lock import SaveLock
lock = SaveLock.acquire(sys.argv[1])
print(1, flush=True)
time.sleep(99)
"""
"""A program that holds the lock of the save in its first argument."""
