from __future__ import annotations

import errno
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.store.disks import FaultyDisk
from tests.store.editors import SEAL_LINES, WAYS
from tests.store.journals import AT, HEADER, HOUSE, Added, Event, fight, journal, marks, step
from tui.cli.check import check as cli_check
from tui.store.disk import Disk
from tui.store.journal.check import MOST_FINDINGS, Finding, Repaired, check, header_of, repair, survey
from tui.store.journal.file import JournalFile
from tui.store.journal.format import Record, seal, step_block
from tui.store.journal.reader import read
from tui.store.journal.writer import resealed
from tui.store.problems import DamagedSave, JournalError, NotSaved
from tui.systems import Registry

WHOLE = journal(fight(12))
AT_MARK = [mark.offset for mark in marks(WHOLE)]


def block(number: int) -> bytes:
    """A record with its seal."""
    return WHOLE[AT_MARK[number - 1] : AT_MARK[number]]


def kinds(data: bytes) -> list[tuple[str, int]]:
    return [(finding.kind, finding.step) for finding in survey(data, Event).findings]


def kept(data: bytes) -> list[Record[Any]]:
    return survey(data, Event).steps


def test_a_sound_journal_has_nothing_to_say() -> None:
    found = survey(WHOLE, Event)
    assert (found.findings, found.sound, found.steps, found.header) == ([], True, fight(12), HEADER)
    assert survey(journal([]), Event).sound


def test_a_byte_that_became_a_line_end_is_damage_and_not_the_work_of_an_editor() -> None:
    data = WHOLE.replace(b'"Orc 5"', b'"Orc\r5"', 1)
    found = survey(data, Event)
    assert found.steps == fight(4)
    assert ("unreadable", 5) in [(f.kind, f.step) for f in found.findings]
    assert not any(f.kind == "layout" for f in found.findings)


def test_a_torn_end_is_sound_and_named() -> None:
    found = survey(WHOLE[:-9], Event)
    assert found.sound
    assert found.steps == fight(11)
    line = WHOLE.count(b"\n", 0, AT_MARK[11]) + 1
    assert [(f.kind, f.step, f.line) for f in found.findings] == [("torn", 12, line)]


def test_an_edited_record_counts_as_it_reads_now() -> None:
    data = WHOLE.replace(b'"Orc 5"', b'"Elf of the mill"')
    assert kinds(data) == [("edited", 5)]
    found = survey(data, Event)
    assert found.steps[4] == Record(5, AT, 'add "Orc 5"', (Added("c5", "Elf of the mill", 7),))
    assert found.steps[5:] == fight(12)[5:]
    assert not found.sound
    assert data.splitlines()[found.findings[0].line - 1] == b"[[step]]"


def test_an_edited_header_counts_as_it_reads_now() -> None:
    data = WHOLE.replace(b'"classic"', b'"dynamic"')
    assert kinds(data) == [("edited", 0)]
    assert survey(data, Event).header.system == "dynamic"
    assert kept(data) == fight(12)


def test_an_unreadable_record_ends_what_is_kept() -> None:
    data = WHOLE.replace(b'"Orc 5"', b'"Orc 5')
    assert kinds(data) == [("unreadable", 5), ("missing", 5), ("left out", 6)]
    assert kept(data) == fight(4)
    found = survey(data, Event).findings
    assert "6 to 12" in found[2].message
    assert data.splitlines()[found[0].line - 1].startswith(b"events")


def test_swapped_and_doubled_records_find_their_place() -> None:
    data = WHOLE.replace(block(5) + block(6), block(6) + block(5))
    assert kinds(data) == [("moved", 6)] or kinds(data) == [("moved", 5)]
    assert kept(data) == fight(12)
    data = WHOLE.replace(block(7), block(7) * 2)
    assert kinds(data) == [("twice", 7)]
    assert kept(data) == fight(12)


def test_two_different_records_of_one_number() -> None:
    other = block(7).replace(b'"note', b'"NOTE', 1)
    assert other != block(7)
    data = WHOLE.replace(block(7), other + block(7))
    assert kept(data) == fight(12)  # the one that fits its seal counts
    assert ("twice", 7) in kinds(data)
    data = WHOLE.replace(block(7), other + other.replace(b"NOTE", b"NoTe"))
    assert kept(data) == fight(6)


def test_a_dropped_record_and_a_lost_seal() -> None:
    data = WHOLE.replace(block(7), b"")
    assert kinds(data) == [("missing", 7), ("left out", 8)]
    assert survey(data, Event).findings[0].message == "step 7 is missing or unreadable"
    lost = WHOLE.replace(b"\n# 7 ", b"\n# seven ")
    assert kinds(lost) == [("edited", 7), ("edited", 8)]
    assert kept(lost) == fight(12)


def test_what_an_editor_of_another_system_did() -> None:
    data = b"\xef\xbb\xbf" + WHOLE.replace(b"\n", b"\r\n")
    assert kinds(data) == [("layout", 0), ("layout", 0)]
    assert kept(data) == fight(12)
    assert not survey(data, Event).sound


def test_a_layout_that_only_the_fast_reader_takes_is_named() -> None:
    line = b'[[step]]\nn = 1\nat = 2026-11-20T20:44:33Z\nline = "x"\n'
    line += b'events = [{"t":"noted","key":"k","value":1}]\n'
    head, crc = seal(0, WHOLE[: WHOLE.index(b"# 0 ")], 0)
    data = head + seal(1, line, crc)[0]
    assert kinds(data) == [("unreadable", 1)]


def test_a_step_that_is_impossible_ends_what_is_kept() -> None:
    seen: list[int] = []

    def applies(one: Record[Any]) -> str:
        seen.append(one.number)
        return "nobody is called \x1b Orc 5" if one.number == 5 else ""

    found = survey(WHOLE, Event, "mill.toml", applies)
    assert seen == [1, 2, 3, 4, 5]
    assert found.steps == fight(4)
    assert [f.kind for f in found.findings] == ["not possible", "left out"]
    assert found.findings[0] == Finding(
        WHOLE.count(b"\n", 0, AT_MARK[4]) + 1, 5, "not possible", "nobody is called \ufffd Orc 5"
    )
    assert not found.sound


def test_a_repair_writes_beside_and_never_over(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    data = WHOLE.replace(b'"Orc 5"', b'"Elf 5"')[:-4]
    path.write_bytes(data)
    names = ["mill-repaired.toml", "mill-repaired-2.toml", "mill-repaired-3.toml"]
    for name in names:
        mended = repair(str(path), Event)
        assert mended == Repaired(str(tmp_path / name), check(str(path), Event))
        again = read(mended.path, Event)
        assert again.torn is None
        assert [one.number for one in again.steps] == list(range(1, 12))
        assert again.steps[4].events[0].name == "Elf 5"
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == data
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["mill.toml", *names])


def test_a_repair_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    for name in ("open", "write", "fsync"):
        reading = 1 if name == "open" else 0
        disk = FaultyDisk(_full_after(reading), only=(name,))
        with pytest.raises(NotSaved):
            repair(str(path), Event, disk=disk)
        assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


def _full_after(reading: int) -> Callable[[str, int], int]:
    return lambda _, count: errno.ENOSPC if count > reading else 0


def test_what_has_no_header_cannot_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    for data in (
        b"",
        b"\0" * 99,
        WHOLE[AT_MARK[0] :],
        WHOLE[:40],
        WHOLE.replace(b"created = ", b"created : "),
    ):
        path.write_bytes(data)
        with pytest.raises(JournalError):
            check(str(path), Event)
        with pytest.raises(JournalError):
            repair(str(path), Event)
    assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


def test_a_header_is_read_although_its_seal_does_not_fit() -> None:
    assert header_of(WHOLE) == HEADER
    edited = WHOLE.replace(HEADER.system.encode(), b"unbound", 1)
    assert edited != WHOLE
    assert header_of(b"\xef\xbb\xbf" + edited).system == "unbound"


def test_records_under_their_own_header_are_the_same_file() -> None:
    assert resealed(HEADER, WHOLE) == (WHOLE, marks(WHOLE)[-1])
    other = replace(HEADER, save="elsewhere")
    content, end = resealed(other, WHOLE)
    assert (content, end) == resealed(other, content)
    found = survey(content, Event)
    assert (found.sound, found.header, found.steps) == (True, other, fight(12))


def test_reading_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    assert gc.isenabled()
    read(str(path), Event)
    assert gc.isenabled()
    gc.disable()
    try:
        read(str(path), Event)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_file_of_the_same_size_in_its_place_is_not_written_to(tmp_path: Path) -> None:
    path, end = tmp_path / "mill.toml", marks(WHOLE)[-1]
    path.write_bytes(WHOLE)
    found = path.stat()
    here, size = (found.st_dev, found.st_ino), len(WHOLE)
    JournalFile.open(Disk(), str(path), WHOLE, end, inode=here, size=size).close()
    with pytest.raises(NotSaved, match="another file has taken its place"):
        JournalFile.open(Disk(), str(path), WHOLE, end, inode=(found.st_dev, found.st_ino + 1), size=size)
    with pytest.raises(NotSaved, match="another program has written to it"):
        JournalFile.open(Disk(), str(path), WHOLE, end, inode=here, size=size - 1)


def test_a_record_without_a_number_is_named_without_one() -> None:
    nameless = WHOLE.replace(b"n = 12\n", b"m = 12\n")
    (odd,) = [f for f in survey(nameless, Event).findings if f.kind == "unreadable"]
    assert (odd.step, odd.message.split(":")[0]) == (0, "step 0")


def test_a_repair_of_what_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise ValueError("odd")

    (tmp_path / "mill.toml").write_bytes(WHOLE)
    monkeypatch.setattr("tui.store.journal.check.header_block", refuse)
    with pytest.raises(NotSaved, match="a step cannot be written: odd"):
        repair(str(tmp_path / "mill.toml"), Event)
    assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["alone", "behind a byte order mark"])
def test_a_line_end_that_became_another_is_damage_and_not_the_work_of_an_editor(mark: bytes) -> None:
    found = survey(mark + WHOLE.replace(b"\nn = 5\nat", b"\nn = 5\rat"), Event)
    assert found.steps == fight(4)
    assert ("missing", 5) in [(f.kind, f.step) for f in found.findings]


def test_house_rules_behind_steps_without_seals_are_put_back_too() -> None:
    late = WAYS["house rules behind the steps"](journal(fight(3), HOUSE))
    found = survey(SEAL_LINES.sub(b"", late), Event)
    assert (found.header.options, found.steps) == (HOUSE.options, fight(3))


def test_an_array_of_steps_may_stand_before_the_header() -> None:
    data = WAYS["a formatter of one array"](WHOLE)
    head, _, rest = data.partition(b"step = [")
    found = survey(b"step = [" + rest + head, Event)
    assert (found.header, found.steps) == (HEADER, fight(12))
    assert [(f.line, f.step, f.kind) for f in found.findings] == [(1, 0, "layout")]


@pytest.mark.parametrize(
    "data",
    [
        WHOLE.replace(b'"classic"', b"3", 1),
        WAYS["a formatter of one array"](WHOLE) + b"= 7\n",
        WHOLE.decode().encode("utf-16")[:-1],
    ],
    ids=["its value", "one array", "half a letter"],
)
def test_of_a_header_that_cannot_be_read_no_mending_is_promised(data: bytes) -> None:
    with pytest.raises(DamagedSave) as refused:
        survey(data, Event, "mill.toml")
    assert type(refused.value) is DamagedSave
    assert (refused.value.path, refused.value.step, refused.value.hint) == ("mill.toml", 0, "")


def test_a_header_that_was_edited_hides_neither_that_nothing_follows_nor_a_torn_end() -> None:
    empty = journal([]).replace(b'"classic"', b'"dynamic"')
    for data in (empty, SEAL_LINES.sub(b"", empty)):
        found = survey(data, Event)
        assert (found.header.system, found.steps) == ("dynamic", [])
        assert [(f.line, f.step, f.kind) for f in found.findings] == [(1, 0, "edited")]
    data = WHOLE.replace(b'"classic"', b'"dynamic"')[:-9]
    assert kinds(data) == [("edited", 0), ("torn", 12)]
    assert kept(data) == fight(11)


def test_what_is_no_finished_step_is_counted_behind_the_last_that_is_one() -> None:
    remark = survey(WHOLE + b"# the mill\n", Event)
    assert [(f.step, f.kind) for f in remark.findings] == [(0, "unreadable")]
    lost = WHOLE.replace(b"\n# 11 ", b"\n# eleven ")
    place = lost.index(b"[[step]]\nn = 12\n")
    data = lost[: place + 30]
    assert kept(data) == fight(11)
    assert [(f.line, f.message) for f in survey(data, Event).findings] == [
        (data.count(b"\n", 0, AT_MARK[10]) + 1, "step 11 does not fit its seal; it counts as it reads now"),
        (data.count(b"\n", 0, place) + 1, "30 bytes that are not a finished step"),
    ]


def test_a_header_that_stands_twice_is_no_step() -> None:
    found = survey(WHOLE + WHOLE[: AT_MARK[0]], Event)
    assert found.steps == fight(12)
    (odd,) = found.findings
    assert (odd.line, odd.kind) == (WHOLE.count(b"\n") + 1, "unreadable")
    assert odd.message.endswith("there is more or less than one [[step]] in this block")


@pytest.mark.parametrize(
    ("line", "count"),
    [
        (b"\x06 7 12 0a1b2c3d\n", 12),
        (b"\x06" * 39 + b"\n", 12),
        (b"\x06" * 40 + b"\n", 6),
        (b"to \x06= 3\n", 6),
        (b"# pending \x06\n", 6),
        (b"[[step]] \x06\n", 6),
    ],
)
def test_a_spoilt_line_behind_a_step_may_have_been_its_seal_and_nothing_else(line: bytes, count: int) -> None:
    start = WHOLE.index(b"\n# 7 ") + 1
    data = WHOLE[:start] + line + WHOLE[WHOLE.index(b"\n", start) + 1 :]
    found = survey(data, Event)
    assert found.steps == fight(count)
    if count == 12:
        assert [(f.kind, f.step) for f in found.findings] == [("edited", 7), ("edited", 8)]
    else:
        assert [f.kind for f in found.findings] == ["unreadable", "missing", "left out"]


def test_where_all_seals_are_gone_the_last_step_is_read_and_what_was_cut_off_is_counted() -> None:
    bare = SEAL_LINES.sub(b"", WHOLE)
    assert kept(bare) == fight(12)
    place = bare.index(b"[[step]]\nn = 12\n")
    for data in (bare[:-5], bare[: place + 20]):
        assert kept(data) == fight(11)
        said = f"{len(data) - place} bytes that are not a finished step"
        assert (0, said) in [(f.step, f.message) for f in survey(data, Event).findings]


def test_a_number_that_no_step_has_is_left_out() -> None:
    data = WHOLE.replace(b"\nn = 12\n", b"\nn = 12345678901\n")
    found = survey(data, Event)
    assert found.steps == fight(11)
    assert [(f.step, f.kind) for f in found.findings] == [(12, "missing"), (12345678901, "left out")]


def test_a_block_of_one_line_is_named_for_what_it_is() -> None:
    (odd,) = survey(WHOLE + b"\x06\x06\n# 13 3 00000000\n", Event).findings
    assert (odd.line, odd.step, odd.message) == (WHOLE.count(b"\n") + 1, 0, "step 0: Invalid statement")


def test_of_two_that_are_left_out_under_one_number_the_first_is_named() -> None:
    gone = WHOLE.replace(block(7), b"")
    data = gone.replace(block(8), block(8) * 2)
    place = data.index(b"[[step]]\nn = 8\n")
    found = [f for f in survey(data, Event).findings if f.kind in ("missing", "left out")]
    assert [(f.line, f.step) for f in found] == [(data.count(b"\n", 0, place) + 1, step) for step in (7, 8)]


def test_a_step_with_a_spoilt_line_under_its_seal_is_kept_and_is_not_sound() -> None:
    data = WHOLE + seal(13, step_block(step(13)) + b"\x06\n", marks(WHOLE)[-1].crc)[0]
    found = survey(data, Event)
    assert (found.steps, found.sound) == (fight(13), False)
    assert [(f.kind, f.step) for f in found.findings] == [("edited", 13)]


@pytest.mark.parametrize("spoilt", [(b'line = "', b'line = "x'), (b"at = ", b"at ")])
def test_a_check_stops_after_a_hundred_findings_and_says_so_and_a_repair_reads_all(
    tmp_path: Path, spoilt: tuple[bytes, bytes]
) -> None:
    path = tmp_path / "mill.toml"
    whole = journal(fight(300))
    first = whole.index(b"[[step]]")
    half = whole.index(b"\n# 150 ")
    path.write_bytes(whole[:first] + whole[first:half].replace(*spoilt) + whole[half:])
    found = check(str(path), Event)
    assert len(found.findings) == MOST_FINDINGS
    assert not found.sound
    assert whole.splitlines()[found.stopped - 1] == b"[[step]]"
    words, sound = cli_check("mill", str(tmp_path), Registry())
    assert not sound
    assert "the check stopped before line" in words[-1]
    read_whole = repair(str(path), Event).survey
    assert len(read_whole.findings) >= 149
    assert not read_whole.stopped
    assert read_whole.steps == survey(path.read_bytes(), Event).steps


def test_a_hundredth_finding_at_the_end_of_a_file_stops_nothing() -> None:
    whole = journal(fight(MOST_FINDINGS))
    found = survey(whole.replace(b'line = "', b'line = "x'), Event, most=MOST_FINDINGS)
    assert (len(found.findings), found.stopped, len(found.steps)) == (MOST_FINDINGS, 0, MOST_FINDINGS)
