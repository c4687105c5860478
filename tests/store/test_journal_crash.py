"""Crash points: whatever a write leaves behind when it stops half-way, the journal opens at a state that
was."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.store.journals import Event, fight, journal, marks, step
from tui.store.journal.format import RECORD_CAP, TORN_CAP, Offset, pending_line, seal, step_block
from tui.store.journal.reader import parse, read
from tui.store.journal.recovery import HOLE, Torn, judge
from tui.store.journal.writer import Writer
from tui.store.problems import DamagedSave, Edited, JournalError

SECTOR = 512


def test_cut_at_every_byte_of_the_last_records() -> None:
    told = fight(6)
    whole = journal(told)
    places = marks(whole)
    for size in range(places[3].offset, len(whole) + 1):
        found = parse(whole[:size], Event, "mill.toml")
        # The line feed behind a seal says nothing: without it the record is whole.
        last = max(mark.number for mark in places if mark.offset <= size + 1)
        assert found.steps == told[:last]
        assert (found.torn is None) == ({size, size + 1} & {mark.offset for mark in places} != set())
        assert found.lacking == (size + 1 in {mark.offset for mark in places})


def test_a_torn_tail_is_kept_aside_before_it_is_cut(tmp_path: Path) -> None:
    whole = journal(fight(6))
    good = marks(whole)[5].offset
    for size in range(good + 1, len(whole) - 1, 7):
        path = tmp_path / "mill.toml"
        path.write_bytes(whole[:size])
        found = read(str(path), Event)
        assert path.read_bytes() == whole[:size]  # looking changes nothing
        writer = Writer.open(str(path), found, "inline")
        assert path.read_bytes() == whole[:good]
        copy = Path(writer.torn_copy)
        assert copy.read_bytes() == whole[good:size]
        assert copy.parent == tmp_path
        assert copy.name.startswith("mill.torn-")
        assert copy.stat().st_mode & 0o777 == 0o600
        writer.append(step(6))
        writer.wait()
        writer.close()
        assert path.read_bytes() == whole
        assert parse(whole, Event).torn is None


def sectors(start: int, stop: int) -> list[tuple[int, int]]:
    """The pieces in which the bytes from `start` to `stop` reach a disk."""
    edges = [start, *range(start - start % SECTOR + SECTOR, stop, SECTOR), stop]
    return list(pairwise(edges))


def test_sectors_of_an_append_that_arrived_out_of_order() -> None:
    told = [*fight(4), step(5, size=1800)]
    whole = journal(told)
    good = marks(whole)[4].offset
    pieces = sectors(good, len(whole))
    assert len(pieces) >= 4
    for missing in range(1, 1 << len(pieces)):
        data = bytearray(whole)
        for i, (start, stop) in enumerate(pieces):
            if missing >> i & 1:
                data[start:stop] = bytes(stop - start)
        found = parse(bytes(data), Event, "mill.toml")
        assert found.steps == told[:4]
        assert found.torn is not None


def test_a_later_record_that_arrived_first_is_lost_with_the_earlier_one() -> None:
    told = fight(8)
    pending = {6: 1, 7: 2, 8: 3}  # 5 was on its way while these were written
    whole = journal(told, pending=pending)
    places = marks(whole)
    for first in (5, 6, 7):
        data = bytearray(whole)
        hole = places[first - 1].offset + 9, places[first].offset - 3
        data[hole[0] : hole[1]] = bytes(hole[1] - hole[0])
        found = parse(bytes(data), Event, "mill.toml")
        assert found.steps == told[: first - 1]
        assert found.torn == Torn(
            places[first - 1].offset,
            data.count(b"\n", 0, places[first - 1].offset) + 1,
            first,
            len(whole) - places[first - 1].offset,
            7 - first,  # the seal of the lost one went as well, so the next is not known by itself
        )


def test_a_hole_in_what_was_safe_is_damage() -> None:
    told = fight(8)
    for pending in ({}, {6: 1}, {7: 2, 8: 1}, {8: 7}):
        whole = journal(told, pending=pending)
        places = marks(whole)
        data = bytearray(whole)
        data[places[4].offset + 9 : places[5].offset - 3] = bytes(places[5].offset - places[4].offset - 12)
        with pytest.raises(DamagedSave) as caught:
            parse(bytes(data), Event, "mill.toml")
        assert not isinstance(caught.value, Edited)
        assert caught.value.step == 5
        assert caught.value.line >= data.count(b"\n", 0, places[4].offset) + 1


def test_a_changed_seal_of_the_last_record_is_no_torn_tail() -> None:
    whole = journal(fight(5))
    last = whole.rindex(b"\n# 5 ") + 1
    for place in range(last + 2, len(whole) - 1):
        for other in b"9f":
            data = bytearray(whole)
            if data[place] == other:
                continue
            data[place] = other
            with pytest.raises(JournalError) as caught:
                parse(bytes(data), Event, "mill.toml")
            assert caught.value.step == 5


def test_how_much_may_be_torn() -> None:
    whole = journal(fight(5))
    good = parse(whole, Event).end
    for size, torn in ((TORN_CAP, True), (TORN_CAP + 1, False)):
        verdict = judge(whole + b"x" * size, good, "mill.toml")
        assert isinstance(verdict, Torn) is torn
    large, _ = large_record(6, 900_000)
    assert isinstance(judge(whole + large[:-20], good, "mill.toml"), Torn)
    assert isinstance(judge(whole + bytes(4096) + large[4096:], good, "mill.toml"), Torn)
    assert isinstance(
        judge(whole + large[:200] + b"x" * (RECORD_CAP + TORN_CAP), good, "mill.toml"), DamagedSave
    )


def large_record(number: int, size: int) -> tuple[bytes, int]:
    return seal(number, step_block(step(number, size)) + pending_line(2), 0)


def test_a_broken_record_before_good_ones_is_damage() -> None:
    told = fight(7)
    whole = journal(told)
    places = marks(whole)
    broken = whole[: places[4].offset] + b"[[step\n" + whole[places[4].offset + 8 :]
    dropped = whole[: places[4].offset] + whole[places[5].offset :]
    swapped = (
        whole[: places[3].offset]
        + whole[places[4].offset : places[5].offset]
        + whole[places[3].offset : places[4].offset]
        + whole[places[5].offset :]
    )
    twice = whole[: places[5].offset] + whole[places[4].offset :]
    for data in (broken, dropped, swapped, twice):
        with pytest.raises(DamagedSave) as caught:
            parse(data, Event, "mill.toml")
        assert caught.value.line > 5
        assert caught.value.step in {4, 5, 6}


def test_a_last_record_that_is_spoilt_and_not_cut_short_is_damage() -> None:
    whole = journal(fight(5))
    good: Offset = marks(whole)[4]
    data = whole[: good.offset + 30] + b"\x07\x07\x07" + whole[good.offset + 33 :]
    with pytest.raises(DamagedSave) as caught:
        parse(data, Event, "mill.toml")
    assert caught.value.step == 5
    hole = whole[: good.offset + 30] + bytes(HOLE) + whole[good.offset + 30 + HOLE :]
    assert parse(hole, Event, "mill.toml").steps == fight(4)


def test_zeros_are_a_lost_write_only_where_a_piece_of_one_ends() -> None:
    told = [*fight(4), step(5, size=1800), step(6)]
    whole = journal(told, pending={6: 1})
    good, fifth = marks(whole)[4].offset, marks(whole)[5].offset
    first = good - good % SECTOR + SECTOR
    for start, stop, torn in (
        (first, first + SECTOR, True),
        (first + 3, first + 3 + HOLE, True),
        (first + 3, first + 2 + HOLE, False),
        (first, first + 5, False),
        (first + SECTOR - 5, first + SECTOR, False),
        (good, first, True),
        (fifth - 5, fifth, False),
    ):
        data = whole[:start] + bytes(stop - start) + whole[stop:]
        assert isinstance(judge(data, marks(whole)[4], "x"), Torn) is torn, (start, stop)
    # What was known to be safe is not lost by a power cut, wherever its zeros are.
    safe = journal(told)
    data = safe[:first] + bytes(SECTOR) + safe[first + SECTOR :]
    assert isinstance(judge(data, marks(safe)[4], "x"), DamagedSave)


@pytest.mark.parametrize(
    ("tail", "kind"),
    [
        (b"[[st", Torn),
        (b"[[step]]\nn = 6", Torn),
        (b"[[step]]\nn = 6\nat = 2026-11-20T20:44:33Z\nlin", Torn),
        (b'[[step]]\nn = 6\nat = 2026-11-20T20:44:33Z\nline = "x"\n# pending 2\n# 6 41 0a', Torn),
        (b'[[step]]\nn = 6\nat = 2026-11-20T20:44:33Z\nline = "x"\n# 6 41 0a1b2c3', Torn),
        (b'[[step]]\nn = 6\nat = 2026-11-20T20:44:33Z\nline = "x"\n# 6 41 0a1b2c3g', DamagedSave),
        (b"[[step]]\nn = 7\nat = 2026", DamagedSave),
        (b'[[step]]\nn = 6\nat = 2026-11-20T20:44:3\x00Z\nline = "x', DamagedSave),
        (b'[[step]]\nn = 6\nat = today\nline = "x', DamagedSave),
        (b'[[step]]\nn = 6\nat = 2026-11-20T20:44:33Z\nmine = "x', DamagedSave),
        (b"# a remark", Edited),
        (b" \n\t\n", Edited),
        (b"here the mill burnt\n", Edited),
        (b"\xff\xfe\x07garbage", Torn),
    ],
)  # fmt: skip
def test_what_stands_behind_the_last_seal_is_named_for_what_it_is(tail: bytes, kind: type) -> None:
    whole = journal(fight(5))
    verdict = judge(whole + tail, marks(whole)[-1], "mill.toml")
    assert type(verdict) is kind
    assert isinstance(verdict, Torn) or "check --repair mill.toml" in verdict.hint
