"""The journal's own language, piece by piece: what can be written, and what each refusal says and where."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.store.disks import FaultyDisk
from tests.store.journals import AT, HEADER, HOUSE, Added, Event, Noted, fight, journal, marks, step
from tui.store.disk import Disk
from tui.store.journal import format as form
from tui.store.journal import records
from tui.store.journal.check import survey
from tui.store.journal.format import (
    Header,
    NotPlain,
    Offset,
    Record,
    as_json,
    ends_at,
    header_block,
    line_of,
    moment,
    pending_line,
    seal,
    seals,
    step_block,
)
from tui.store.journal.reader import as_header, frames, head, parse, read, read_from, relaid
from tui.store.journal.records import Records, pending, record_of
from tui.store.journal.recovery import (
    Torn,
    free_copy,
    judge,
    keep_tail,
    mending,
    unfinished,
)
from tui.store.journal.writer import Writer, _bounded, resealed
from tui.store.problems import DamagedSave, Edited, JournalError, NewerFormat, NotAJournal, NotSaved, Rewound

WHOLE = journal(fight(4))
MARKS = marks(WHOLE)
NOTED = '{\tt =\t"noted",\tkey =\t"k",\tvalue =\t1}'


# --- values


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a", '"a"'),
        ('" ', '"\\" "'),
        ("\x1f\x9f\xa0", '"\\u001f\\u009f\xa0"'),
        ("a\\b", '"a\\\\b"'),
        ("'a'", "\"'a'\""),
        ('"\\\n\t\r', '"\\"\\\\\\n\\t\\r"'),
        ("\x7f\x80\u2028é", '"\\u007f\\u0080\\u2028é"'),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-(2**63), "-9223372036854775808"),
        (2**63 - 1, "9223372036854775807"),
        (1.5, "1.5"),
        ([], "[]"),
        ([1, "a"], '[1, "a"]'),
        ((1, 2), "[1, 2]"),
        ({}, "{}"),
        ({"a_b-1": 1, "a b": [True]}, '{\ta_b-1 =\t1,"a b" =\t[true]}'),
    ],
)
def test_a_value_is_one_line_that_json_reads_too(value: object, line: str) -> None:
    assert line_of(value) == line
    back = json.loads(as_json(line.encode()))
    assert back == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (2**63, "an integer of more than 64 bits"),
        (-(2**63) - 1, "an integer of more than 64 bits"),
        (float("inf"), "a number that is not finite"),
        (float("nan"), "a number that is not finite"),
        ("\ud800", "half of a surrogate pair"),
        ("a\udfffb", "half of a surrogate pair"),
        (None, "NoneType is not plain data"),
        ({1: 2}, "a table's key is not a string"),
        (b"x", "bytes is not plain data"),
    ],
)
def test_what_both_formats_cannot_hold_is_refused(value: object, why: str) -> None:
    for whole in (value, [value], {"a": value}):
        with pytest.raises(NotPlain) as refused:
            line_of(whole)
        assert str(refused.value) == why


def test_a_value_is_as_deep_as_may_be() -> None:
    deep: object = 1
    for _ in range(32):
        deep = [deep]
    assert line_of(deep) == "[" * 32 + "1" + "]" * 32
    for value in ([deep], {"a": deep}, [[deep]]):
        with pytest.raises(NotPlain) as refused:
            line_of(value)
        assert str(refused.value) == "more than 32 levels deep"


def test_a_moment_is_in_seconds_and_utc() -> None:
    assert moment(datetime(2026, 1, 2, 3, 4, 5, 999, UTC)) == "2026-01-02T03:04:05Z"
    east = timezone(timedelta(hours=2))
    assert moment(datetime(2026, 1, 2, 1, 0, tzinfo=east)) == "2026-01-01T23:00:00Z"
    assert moment(datetime(1, 1, 1, tzinfo=UTC)).endswith("1-01-01T00:00:00Z")
    with pytest.raises(ValueError, match="a date without a time zone"):
        moment(datetime(2026, 1, 2))  # noqa: DTZ001 - that is what is refused
    with pytest.raises(ValueError, match="a date out of range"):
        moment(datetime(1, 1, 1, tzinfo=east))


# --- records


@pytest.mark.parametrize(
    ("record", "block"),
    [
        (Record(1, AT, "x"), f'[[step]]\nn = 1\nat = {AT}\nline = "x"\n'),
        (Record(7, AT, "x", (), 0), f'[[step]]\nn = 7\nat = {AT}\nline = "x"\nto = 0\n'),
        (Record(7, AT, "x", (), None, "mia 3"), f'[[step]]\nn = 7\nat = {AT}\nline = "x"\nby = "mia 3"\n'),
        (
            Record(2, AT, "x", (Noted("k", 1),)),
            f'[[step]]\nn = 2\nat = {AT}\nline = "x"\nevents = [{NOTED}]\n',
        ),
    ],
)
def test_a_record_is_these_lines(record: Record[Any], block: str) -> None:
    assert step_block(record) == block.encode()
    assert Records(Event).step(block.encode(), 0, len(block), record.number) == record
    assert Records(Event).strict(block.encode(), 0, len(block), None) == record


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (Record(0, AT, "x"), "a record counts from 1, and a mark has a place and no events"),
        (Record(1, AT, "x", (), -1), "a record counts from 1, and a mark has a place and no events"),
        (
            Record(1, AT, "x", (Noted("k", 1),), 1),
            "a record counts from 1, and a mark has a place and no events",
        ),
        (Record(1, AT, "x", (), None, "Mia 3"), "a record is by a seat and a number"),
        (Record(1, AT, "x", (), None, "mia"), "a record is by a seat and a number"),
        (Record(1, "2026-01-01", "x"), "not a moment in UTC: '2026-01-01'"),
        (Record(1, "2026-11-20 20:44:33Z", "x"), "not a moment in UTC: '2026-11-20 20:44:33Z'"),
        (Record(1, AT, "\ud800"), "half of a surrogate pair"),
    ],
)
def test_a_record_that_cannot_be_is_not_written(record: Record[Any], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        step_block(record)


def test_a_header_is_these_lines_and_comes_back() -> None:
    header = replace(HEADER, options={"a.b": True, "n": 3})
    text = header_block(header).decode()
    assert text == (
        "# tocsin journal: only ever added to; undo and redo are records too\n"
        f'format = 1\ntocsin = "0.1.0"\nsave = "mill"\nsystem = "classic"\ncreated = {AT}\n'
        '[options]\n"a.b" = true\nn = 3\n'
    )
    data, crc = seal(0, text.encode(), 0)
    assert head(data) == (header, Offset(len(data), 0, crc))
    for bad, why in (
        (replace(HEADER, created="x"), "Invalid isoformat|not a moment"),
        (replace(HEADER, save="\ud800"), "half of a surrogate pair"),
        (replace(HEADER, options={"a": 2**70}), "an integer of more than 64 bits"),
    ):
        with pytest.raises(ValueError, match=why):
            header_block(bad)
    raw: dict[str, Any] = {
        "format": 1,
        "tocsin": "x",
        "save": "a",
        "system": "b",
        "created": datetime.now(UTC),
    }
    assert as_header(raw).format == 1
    with pytest.raises(ValueError, match="its format is impossible"):
        as_header(raw | {"format": 0})


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"n": 0}, "it calls itself step 0"),
        ({"to": -1}, "a mark has a place and no events"),
        ({"to": 1, "events": [{}]}, "a mark has a place and no events"),
        ({"events": [float("inf")]}, "a number that is not finite"),
    ],
)
def test_a_table_that_is_no_record_says_why(table: dict[str, Any], why: str) -> None:
    whole = {"n": 1, "at": datetime.now(UTC), "line": "x", **table}
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        record_of(whole)
    assert record_of({"n": 1, "at": datetime.now(UTC), "line": "x", "to": 0, "by": "mia 1"}).to == 0


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    [
        (f"n = 3\nat = {AT}\nline = 'x'\n", 3, "it calls itself step 3"),
        ("n = 2\nat = 'x'\nline = 'x'\n", 3, "Invalid RFC3339 encoded datetime - at `$.at`"),
        (f"n = 2\nat = {AT}\nline = x\n", 6, "Invalid value"),
        ("n = 2\n[[step]]\nn = 3\n", 3, "there is more or less than one [[step]] in this block"),
        ("n = 2\n[x]\n", 3, "there is more or less than one [[step]] in this block"),
    ],
)
def test_a_block_that_is_no_record_is_named_by_its_line(lines: str, line: int, why: str) -> None:
    data = f"# one\n# two\n[[step]]\n{lines}".encode()
    with pytest.raises(JournalError) as refused:
        Records(Event, "mill.toml").step(data, 12, len(data), 2)
    assert (refused.value.step, refused.value.path) == (2, "mill.toml")
    assert (refused.value.line, refused.value.message) == (line, why)


def test_events_of_the_wrong_type_are_named_by_the_line_of_the_events() -> None:
    block = step_block(Record(1, AT, "x", (Added("c1", "Orc"),))).replace(b'"Orc"', b"7")
    data = b"# one\n" + block
    with pytest.raises(JournalError) as refused:
        Records(Event).step(data, 6, len(data), 1)
    assert refused.value.line == 6
    assert records._line_of_events(b"a\nevents = x", 0, 12) == 2
    assert records._line_of_events(b"a\nb\nevents = x", 2, 14) == 2
    assert records._line_of_events(b"a\nb\n", 0, 4) == 1
    assert records._line_of_events(b"\nevents = x", 0, 11) == 2


def test_what_another_hand_laid_out_is_bounded_by_its_record_and_in_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    block = f"[[step]]\nn = 1\nat = {AT}\nline = 'x'\n".encode()
    reader = Records(Event, room=2 * len(block))
    for _ in range(2):
        assert reader.step(block, 0, len(block), 1).line == "x"
    assert reader.foreign == 2 * len(block)
    with pytest.raises(JournalError, match="it is not written as tocsin writes, and too large"):
        reader.step(block, 0, len(block), 1)
    monkeypatch.setattr(records, "RECORD_CAP", len(block))
    assert Records(Event).strict(block, 0, len(block), 1).line == "x"
    monkeypatch.setattr(records, "RECORD_CAP", len(block) - 1)
    with pytest.raises(JournalError, match="too large"):
        Records(Event).strict(block, 0, len(block), 1)


def test_what_was_pending_is_the_last_line_alone() -> None:
    assert (pending_line(0), pending_line(7)) == (b"", b"# pending 7\n")
    block = step_block(step(1))
    assert (pending(block), pending(block + pending_line(7)), pending(block + b"# pending 7\nx")) == (0, 7, 0)


# --- seals


def test_a_place_is_known_by_the_seal_before_it() -> None:
    for mark in MARKS:
        before = WHOLE[: mark.offset]
        assert ends_at(before, mark)
        assert not ends_at(before, replace(mark, number=mark.number + 1))
        assert not ends_at(before, replace(mark, crc=mark.crc ^ 1))
        assert not ends_at(before + b"x", mark)
        assert not ends_at(before[:-1], mark)
    assert not ends_at(b"", MARKS[0])
    assert len(list(seals(WHOLE))) == 5
    assert len(list(seals(WHOLE, MARKS[2].offset))) == 2


def test_seals_are_found_across_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [m.start() for m in seals(WHOLE)]
    for window in range(90, 140, 7):
        monkeypatch.setattr(form, "WINDOW", window)
        assert [m.start() for m in seals(WHOLE)] == whole


def test_records_under_another_header_have_the_mark_of_their_end() -> None:
    content, end = resealed(Header("a much longer name", "classic", AT, "0.1.0"), WHOLE)
    assert marks(content)[-1] == end
    assert (end.offset, end.number) == (len(content), 4)
    assert frames(content, marks(content)[0])[1] == end
    empty, end = resealed(HEADER, journal([]))
    assert (empty, end) == (journal([]), marks(journal([]))[-1])


def test_a_step_and_a_save_have_their_bounds() -> None:
    _bounded(1_000_000, 63_000_000)
    with pytest.raises(NotSaved) as refused:
        _bounded(1_000_001, 0)
    assert (refused.value.message, refused.value.hint) == (
        "the step is too large: more than 1 MB",
        "do it in several lines",
    )
    with pytest.raises(NotSaved) as refused:
        _bounded(1, 64_000_000)
    assert (refused.value.message, refused.value.hint) == (
        "the save has reached its 64 MB",
        "start a new save for what follows",
    )


# --- heads


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfea", "it is no longer UTF-8 but UTF-16: an editor has changed that"),
        (b"\xfe\xffa", "it is no longer UTF-8 but UTF-16: an editor has changed that"),
        (b"\xef\xbb\xbfa", "a byte order mark stands before the first line: an editor has put it there"),
        (b"a\r\n", "the lines end as on Windows: an editor has changed that"),
        (b"a\rb\rc\n", "the lines end as on old Macs: an editor has changed that"),
        (b"a\rb\n", ""),
        (b"a\n" * 2_048 + b"\r\n", ""),
    ],
)
def test_what_an_editor_did_to_every_line_is_known(data: bytes, why: str) -> None:
    assert relaid(data) == why


@pytest.mark.parametrize(
    ("data", "kind", "line", "number", "why"),
    [
        (b"", NotAJournal, 1, -1, "the file is empty"),
        (b"hello", NotAJournal, 1, -1, "this is not a tocsin save"),
        (
            WHOLE.replace(b"format = 1", b"format = 2"),
            NewerFormat,
            2,
            0,
            "a newer version wrote this save (format 2)",
        ),
        (
            WHOLE.replace(b"classic", b"dynamic"),
            Edited,
            1,
            0,
            "the header does not fit its seal: it was changed by hand",
        ),
        (WHOLE.replace(b'"classic"', b"3", 1), DamagedSave, 1, 0, "the header is damaged: "),
        (WHOLE.replace(b"created = ", b"created : "), DamagedSave, 6, 0, "the header is damaged: "),
        (b"\xef\xbb\xbf" + WHOLE, Edited, 1, 0, "a byte order mark stands before the first line"),
        (WHOLE.replace(b"\n", b"\r"), Edited, 1, 0, "the lines end as on old Macs"),
        (WHOLE.replace(b"\n", b"\r\n"), Edited, 1, 0, "the lines end as on Windows"),
        (journal([]).replace(b"\n", b"\r\n"), Edited, 8, 0, "the lines end as on Windows"),
        (WHOLE.decode().encode("utf-16"), Edited, 1, 0, "it is no longer UTF-8 but UTF-16"),
        ("hello".encode("utf-16"), NotAJournal, 1, -1, "this is not a tocsin save"),
        (b"# my save\n" + WHOLE, Edited, 1, 0, "the header does not fit its seal: "),
        (WHOLE[: WHOLE.index(b"# 0 ")], Edited, 7, 0, "the header has no seal: "),
    ],
)
def test_a_head_that_is_none_says_why(
    data: bytes, kind: type[JournalError], line: int, number: int, why: str
) -> None:
    with pytest.raises(JournalError) as refused:
        head(data, "mill.toml")
    assert type(refused.value) is kind
    assert (refused.value.step, refused.value.message[: len(why)]) == (number, why)
    assert refused.value.line == line
    hints = {NotAJournal: "", NewerFormat: "update tocsin to open it"}
    assert refused.value.hint == hints.get(kind, mending("mill.toml"))


def test_bare_bytes_are_of_no_file() -> None:
    found = parse(WHOLE, Event)
    assert (found.path, found.inode, found.lacking) == ("", (0, 0), 0)


def test_a_follower_reads_on_from_its_mark_alone(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    for number, mark in enumerate(MARKS):
        news = read_from(str(path), mark, Event)
        assert (news.steps, news.end) == (fight(4)[number:], MARKS[4])
    with pytest.raises(Rewound) as refused:
        read_from(str(path), replace(MARKS[2], crc=MARKS[2].crc ^ 1), Event)
    assert (refused.value.line, refused.value.step) == (0, 2)
    with pytest.raises(JournalError, match="there is no such file") as gone:
        read_from(str(tmp_path / "none.toml"), MARKS[0], Event)
    assert (gone.value.line, gone.value.step) == (0, -1)


def test_a_missing_line_feed_is_lent_and_paid_back(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    for data, count in ((WHOLE, 4), (journal([]), 0)):
        path.write_bytes(data[:-1])
        found = read(str(path), Event)
        assert (found.lacking, found.end, len(found.steps)) == (1, marks(data)[-1], count)
        writer = Writer.open(str(path), found, "inline")
        assert path.read_bytes() == data
        writer.close()
        assert read(str(path), Event).lacking == 0


def test_a_lenient_reading_ends_behind_its_last_good_record() -> None:
    spoilt = WHOLE.replace(b'"c2"', b'"c9"', 1)
    found = parse(spoilt, Event, "mill.toml", lenient=True)
    assert found.problem
    assert found.end == MARKS[len(found.steps)]


# --- ends


def test_a_torn_end_says_how_much_is_lost() -> None:
    lost = "the end is unfinished: 9 bytes of step 4 that never were on the disk whole"
    assert Torn(1, 2, 4, 9).words == lost
    assert Torn(1, 2, 4, 9, 1).words == f"{lost}, with 1 whole step behind it"
    assert Torn(1, 2, 4, 9, 2).words == f"{lost}, with 2 whole steps behind it"


def test_every_beginning_of_a_record_is_unfinished_and_nothing_else() -> None:
    block = WHOLE[MARKS[1].offset : MARKS[2].offset]
    assert all(unfinished(block[:n], 2) for n in range(len(block) - 1))
    assert not unfinished(block[:30], 3)
    assert not unfinished(b"[[step]]\nn = 2\nx = 3\n", 2)
    assert not unfinished(b"[[step]]\nn = 2\nat = x", 2)
    assert unfinished(b"\x99garbage", 2)
    assert not unfinished(b"[[step]]\nn = 7", 2)


def test_each_cut_of_a_journal_is_torn_and_each_line_typed_behind_it_is_by_hand() -> None:
    for cut in range(MARKS[3].offset + 1, len(WHOLE) - 1):
        verdict = judge(WHOLE[:cut], MARKS[3], "mill.toml")
        assert isinstance(verdict, Torn), cut
        assert (verdict.offset, verdict.number, verdict.size) == (MARKS[3].offset, 4, cut - MARKS[3].offset)
        assert (verdict.line, verdict.behind) == (WHOLE.count(b"\n", 0, MARKS[3].offset) + 1, 0)
    for typed in (b"hello\n", b"# a remark", b" \n", "ünï\n".encode()):
        found = judge(WHOLE + typed, MARKS[4], "mill.toml")
        assert isinstance(found, Edited)
        assert found.message.endswith("it was added by hand")
        assert (found.line, found.step) == (WHOLE.count(b"\n") + 1, 5)


def test_a_tail_is_kept_under_the_first_free_name(tmp_path: Path) -> None:
    path = str(tmp_path / "mill.toml")
    assert [keep_tail(Disk(), path, b"%d" % n) for n in (1, 2)] == [
        str(tmp_path / f"mill.torn-{n}") for n in (1, 2)
    ]
    assert (tmp_path / "mill.torn-2").read_bytes() == b"2"
    assert free_copy(path) == str(tmp_path / "mill-repaired.toml")
    (tmp_path / "mill-repaired.toml").symlink_to("nowhere")
    assert free_copy(path) == str(tmp_path / "mill-repaired-2.toml")
    assert mending(path) == f"`tocsin check --repair {path}` writes a repaired copy, mill-repaired-2.toml"
    for name in ("none.toml", "./none.toml"):
        assert mending(name) == "`tocsin check --repair none.toml` writes a repaired copy, none-repaired.toml"


def test_house_rules_behind_the_steps_are_put_back_and_named() -> None:
    data = journal(fight(2), HOUSE)
    start = data.index(b"[options]")
    stop = data.index(b"\n# 0 ") + 1
    options = data[start:stop]
    moved = data[:start] + data[stop:] + options
    found = survey(moved, Event)
    assert found.header.options == HOUSE.options
    line = moved[: moved.rindex(b"[options]")].count(b"\n") + 1
    assert (line, "[options] comes after the steps") in [(f.line, f.message) for f in found.findings]
    assert not found.sound


# --- what a reader refuses


def test_a_record_that_reads_well_and_is_not_the_next_one_is_refused() -> None:
    block = step_block(step(1))
    with pytest.raises(JournalError, match="it calls itself step 1"):
        Records(Event).step(block, 0, len(block), 2)
    never = step_block(Record(1, AT, "x")).replace(AT.encode(), b"2026-02-30T00:00:00Z")
    with pytest.raises(JournalError):
        Records(Event).step(never, 0, len(never), 1)
    both = step_block(Record(1, AT, "x", (Noted("k", 1),))) + b"to = 0\n"
    with pytest.raises(JournalError, match="a mark has a place and no events"):
        Records(Event).step(both, 0, len(both), 1)


def test_a_follower_refuses_a_record_that_cannot_be_read(tmp_path: Path) -> None:
    block = step_block(Record(5, AT, "x", (Added("c1", "Orc"),))).replace(b'"Orc"', b"7")
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE + seal(5, block, MARKS[4].crc)[0])
    with pytest.raises(JournalError) as refused:
        read_from(str(path), MARKS[4], Event)
    assert refused.value.step == 5


@pytest.mark.parametrize(
    ("data", "broken"),
    [
        (WHOLE, {"fdatasync": 5, "replace": 5}),
        (WHOLE[:-1], {"write": 5}),
        (WHOLE[:-9], {"ftruncate": 5}),
        (WHOLE[:-9], {"write": 5}),
    ],
)
def test_an_opening_that_the_disk_refuses_leaves_nothing_open(
    tmp_path: Path, data: bytes, broken: dict[str, int]
) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(data)
    journal_read, before = read(str(path), Event), len(os.listdir("/proc/self/fd"))
    disk = FaultyDisk(lambda name, _: broken.get(name, 0))
    with pytest.raises(NotSaved, match="the disk reports an error"):
        Writer.open(str(path), journal_read, "inline", disk=disk)
    assert len(os.listdir("/proc/self/fd")) == before
    Writer.open(str(path), read(str(path), Event), "inline").close()
    assert len(os.listdir("/proc/self/fd")) == before
