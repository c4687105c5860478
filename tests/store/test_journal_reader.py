from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.journals import (
    AT,
    EVIL,
    HEADER,
    HOUSE,
    Event,
    Noted,
    fight,
    journal,
    marks,
    old_block,
    step,
    steps,
)
from tests.kit.tiers import cases
from tui.store.journal.format import Header, Offset, Record, seal_block, write_header, write_step
from tui.store.journal.reader import find_blocks, parse_journal, read_header, read_journal, read_news
from tui.store.journal.records import Records
from tui.store.problems import JournalError


@given(steps())
def test_a_record_reads_back_by_both_ways_also_one_of_1_x(one: Record[Any]) -> None:
    for block in (write_step(one), old_block(one)):
        records = Records(Event)
        assert records.step(block, 0, len(block), 1) == one
        assert records.foreign == 0
        assert records.strict(block, 0, len(block), 1) == one


@given(steps(3), st.booleans(), st.data())
def test_a_record_that_is_cut_anywhere_is_torn(one: Record[Any], old: bool, data: st.DataObject) -> None:
    before = journal(fight(2))
    piece, _ = seal_block(3, (old_block if old else write_step)(one), marks(before)[-1].crc)
    # Without its last byte alone, the line feed, it is whole.
    cut = parse_journal(before + piece[: data.draw(st.integers(1, len(piece) - 2))], Event)
    assert (cut.steps, cut.torn is None) == (fight(2), False)


@given(st.lists(steps(), max_size=6), st.sampled_from([HEADER, HOUSE]))
def test_a_journal_reads_back_and_stays_plain_toml(drawn: list[Record[Any]], header: Header) -> None:
    told = [replace(s, number=i) for i, s in enumerate(drawn, 1)]
    data = journal(told, header)
    found = parse_journal(data, Event)
    assert (found.header, found.steps, found.torn, found.end.number) == (header, told, None, len(told))
    tables = tomllib.loads(data.decode())
    assert [record["n"] for record in tables.get("step", [])] == [s.number for s in told]
    assert tables.get("options", {}) == header.options


@given(st.lists(steps(), min_size=1, max_size=5), st.data())
def test_framing_from_a_mark_ends_where_reading_does(drawn: list[Record[Any]], data: st.DataObject) -> None:
    whole = journal([replace(s, number=i) for i, s in enumerate(drawn, 1)])
    assert find_blocks(whole, data.draw(st.sampled_from(marks(whole))))[1] == parse_journal(whole, Event).end


def test_a_follower_sees_what_was_added_and_nothing_half(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    whole = journal(fight(6))
    places = marks(whole)
    for mark in places:
        for size in range(mark.offset, len(whole) + 1, 5):
            path.write_bytes(whole[:size])
            news = read_news(str(path), mark, Event)
            last = max(place.number for place in places if place.offset <= size)
            assert news.end == places[last]
            assert news.steps == fight(6)[mark.number : last]


def test_a_follower_notices_that_the_file_is_another(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    mine = journal(fight(6))
    mark = marks(mine)[4]
    others = [
        mine[: mark.offset - 1],
        journal(fight(2)),
        journal([step(n, 9) for n in range(1, 9)]),
        b"x" * 9000,
        b"",
    ]
    for other in others:
        path.write_bytes(other)
        with pytest.raises(JournalError, match="was replaced or cut"):
            read_news(str(path), mark, Event)


@cases(300)
@given(steps(), st.booleans(), st.data())
def test_where_both_ways_take_a_changed_block_they_agree(
    one: Record[Any], old: bool, data: st.DataObject
) -> None:
    block = bytearray((old_block if old else write_step)(one))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(block)))
        new = data.draw(
            st.sampled_from([b"\t", b" =\t", b'"', b",", b"{", b"}", b"\\", b'" =\t', b"=", b"0", b"\n"])
        )
        block[place : place + data.draw(st.integers(0, 2))] = new
    agree(bytes(block))


def agree(block: bytes) -> None:
    """Both ways of reading a block give the same record, or one of them refuses."""
    try:
        strict = Records(Any).strict(block, 0, len(block), 1)
    except JournalError:
        return
    assert Records(Any).step(block, 0, len(block), 1) == strict


def test_a_record_that_cannot_be_written_is_refused() -> None:
    for bad in (
        Record(0, AT, "x"),
        Record(1, "2026-13-20T20:44:33Z", "x"),
        Record(1, "2026-11-20", "x"),
        Record(1, AT, "x", (Noted("a", 1),), 3),
        Record(1, AT, "x", (), -1),
        Record(1, AT, "\ud800"),
        Record(1, AT, "x", (), None, "Mia 7"),
        Record(1, AT, "x", (), None, "mia 7\nto = 3"),
        Record(1, AT, "x", (Noted("a", None),)),
        Record(1, AT, "x", (Noted("a", object()),)),
    ):
        with pytest.raises(ValueError):
            write_step(bad)
    with pytest.raises(ValueError):
        write_header(Header("mill\ud800", "classic", AT, "0.1.0"))
    with pytest.raises(ValueError):
        write_header(Header("mill", "classic", "today", "0.1.0"))


def test_a_header_reads_back_whatever_its_strings_hold() -> None:
    for evil in EVIL:
        header = Header(evil, evil, AT, "0.1.0", {evil: evil, "n": 1, "f": 1.5, "b": False})
        block, crc = seal_block(0, write_header(header), 0)
        assert read_header(block) == (header, Offset(len(block), 0, crc))


def test_keys_of_later_versions_are_passed_over_and_later_formats_refused() -> None:
    block = write_header(HEADER)
    more, crc = seal_block(0, block + b'colour = "red"\n', 0)
    assert read_header(more) == (HEADER, Offset(len(more), 0, crc))
    newer = journal(fight(3)).replace(b"format = 2", b"format = 3")
    for data in (newer, newer[:90], b"format = 7\n[new]\nshape = true\n"):
        with pytest.raises(JournalError, match="a newer version") as caught:
            parse_journal(data, Event, "mill.toml")
        assert caught.value.line > 0


def test_a_lenient_reading_stops_at_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    data = journal(fight(9))
    path.write_bytes(data.replace(b'"Orc 5"', b'"Orc 6"'))
    with pytest.raises(JournalError):
        read_journal(str(path), Event)
    found = read_journal(str(path), Event, lenient=True)
    assert found.steps == fight(4)
    assert found.problem is not None
    assert found.problem.step == 5
    assert found.end == marks(data)[4]
