"""What a reader of journals refuses, with the line, the step and the hint; and what it passes for sound."""

from __future__ import annotations

import errno
import gc
import os
from pathlib import Path
from typing import Any

import pytest

from tests.store.journals import AT, Added, Event, Noted, fight, journal, marks
from tui.store.disk import Disk
from tui.store.journal import records
from tui.store.journal.format import Record, seal, step_block
from tui.store.journal.reader import parse, read, read_from
from tui.store.journal.records import Records, no_gc
from tui.store.problems import JournalError

WHOLE = journal(fight(4))
MARKS = marks(WHOLE)
NOTE = step_block(Record(1, AT, "x", (Noted("k", 2**63 - 1),)))


def refusal(block: bytes, number: int = 1) -> JournalError:
    """How a block is refused that stands behind another one."""
    data = NOTE + block
    with pytest.raises(JournalError) as refused:
        Records(Event, "mill.toml").step(data, len(NOTE), len(data), number)
    return refused.value


# --- a file


def test_a_file_that_is_not_there_is_named_without_a_line(tmp_path: Path) -> None:
    path = str(tmp_path / "none.toml")
    for reading in (lambda: read(path, Event), lambda: read_from(path, MARKS[1], Event)):
        with pytest.raises(JournalError) as refused:
            reading()
        error = refused.value
        assert (error.path, error.line, error.step, error.message) == (path, 0, -1, "there is no such file")


def test_a_follower_whose_disk_fails_says_so_and_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_disk: Disk, _fd: int, _size: int, _offset: int) -> bytes:
        raise OSError(errno.EIO, "the disk\x07 is broken")

    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    before = len(os.listdir("/proc/self/fd"))
    with monkeypatch.context() as patched:
        patched.setattr(Disk, "read", broken)
        with pytest.raises(JournalError) as refused:
            read_from(str(path), MARKS[1], Event)
    assert len(os.listdir("/proc/self/fd")) == before
    assert (refused.value.path, refused.value.line, refused.value.step) == (str(path), 0, -1)
    assert refused.value.message.startswith("the disk")
    assert "\x07" not in refused.value.message
    assert read_from(str(path), MARKS[1], Event).steps == fight(4)[1:]
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("bad", [1, 2, 4])
def test_a_lenient_reading_ends_before_the_record_that_cannot_be_read(bad: int) -> None:
    block = step_block(Record(bad, AT, "x", (Added("c1", "Orc"),))).replace(b'"Orc"', b"7")
    good = journal(fight(bad - 1))
    data = good + seal(bad, block, marks(good)[-1].crc)[0] + b"[[step]]\nn = %d" % (bad + 1)
    found = parse(data, Event, "mill.toml", lenient=True)
    assert (found.steps, found.end, found.torn) == (fight(bad - 1), marks(good)[-1], None)
    assert found.problem is not None
    assert (found.problem.line, found.problem.step) == (good.count(b"\n") + 5, bad)
    assert (
        found.problem.hint == "`tocsin check --repair mill.toml` writes a repaired copy, mill-repaired.toml"
    )
    with pytest.raises(JournalError) as refused:
        parse(data, Event, "mill.toml")
    assert str(refused.value) == str(found.problem)


# --- a record


def test_what_we_wrote_ourselves_is_never_counted_as_laid_out_by_another() -> None:
    found = Records(Event, room=0)
    spans = [(a.offset, WHOLE.index(b"\n# ", a.offset) + 1) for a in MARKS[:-1]]
    assert found.steps(WHOLE, spans, 1) == (fight(4), None)
    assert found.steps(NOTE, [(0, len(NOTE))], 1)[1] is None
    assert found.foreign == 0


def test_a_number_of_more_than_64_bits_is_refused_in_any_layout() -> None:
    large = NOTE.replace(b"9223372036854775807", b"9223372036854775808")
    negative = NOTE.replace(b"9223372036854775807", b"-9223372036854775809")
    for block in (large, negative, large.replace(b"line = ", b"line  =  ")):
        assert block != NOTE
        refusal(block)


def test_the_size_of_a_record_and_not_its_place_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "RECORD_CAP", len(NOTE))
    assert Records(Event).strict(NOTE + NOTE, len(NOTE), 2 * len(NOTE), 1).line == "x"


def test_what_nobody_could_have_written_is_refused() -> None:
    seat = step_block(Record(1, AT, "x", (), None, "mia 7"))
    assert Records(Event).step(seat, 0, len(seat), 1).by == "mia 7"
    assert refusal(seat.replace(b"mia", b"Mia")).message == "a record is by a seat and a number"


@pytest.mark.parametrize(
    ("block", "line", "message"),
    [
        (NOTE.replace(b"n = 1", b"n = 2"), 1, "it calls itself step 2"),
        (NOTE + b"to = 0\n", 1, "a mark has a place and no events"),
        (NOTE.replace(b'"k"', b"7"), 5, "Expected `str`, got `int` - at `$[0].key`"),
        (NOTE.replace(b"line = ", b"mine = "), 1, "Object contains unknown field `mine`"),
        (NOTE.replace(AT.encode(), b"2026-02-30T20:44:33Z"), 3, ""),
    ],
)
def test_a_refusal_names_the_line_of_what_is_wrong(block: bytes, line: int, message: str) -> None:
    error = refusal(block)
    assert (error.path, error.line, error.step) == ("mill.toml", NOTE.count(b"\n") + line, 1)
    assert error.message.startswith(message)


def test_a_record_in_rising_order_and_one_before_it_are_named_by_their_own_lines() -> None:
    data = b"".join(step_block(one) for one in fight(3))
    starts = [data.index(b"[[step]]\nn = %d\n" % n) for n in (1, 2, 3)]
    found = Records(Any, "mill.toml")
    for n in (1, 3, 2):
        with pytest.raises(JournalError) as refused:
            found.strict(data, starts[n - 1], [*starts, len(data)][n], 9)
        assert refused.value.line == data[: starts[n - 1]].count(b"\n") + 1


# --- the collector


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_rests_while_records_are_read_and_is_then_as_before(on: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        with no_gc():
            assert not gc.isenabled()
        assert gc.isenabled() is on
    finally:
        (gc.enable if was else gc.disable)()
