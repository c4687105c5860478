"""What a person's editor does to a save loses nothing: it opens, or is refused with what mends it, and that
mends it."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.disks import FaultyDisk
from tests.kit.journals import AT, HEADER, HOUSE, Event, Noted, fight, journal
from tests.store.editors import WAYS
from tui.cli.show import check_save as cli_check
from tui.store.journal import format as format_
from tui.store.journal import verification as checking
from tui.store.journal.format import Header, Record
from tui.store.journal.reader import Journal, read_journal
from tui.store.journal.verification import (
    MOST_FINDINGS,
    Repaired,
    check_journal,
    repair_journal,
    survey_journal,
)
from tui.store.journal.writer import Writer
from tui.store.problems import JournalError, NotSaved
from tui.systems import Registry


@pytest.mark.parametrize("header", [HEADER, HOUSE], ids=["plain", "house rules"])
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost_and_the_refusal_names_what_mends_it(
    tmp_path: Path, way: str, header: Header
) -> None:
    path = tmp_path / "mill.toml"
    whole = journal(fight(12), header)
    edited = WAYS[way](whole)
    path.write_bytes(edited)
    problem = refusal(path)
    if problem:
        assert "check --repair" in problem.hint
        assert "cut short" not in str(problem)
        assert not check_journal(str(path), Event).sound
    found = read_journal(repair_journal(str(path), Event).path if problem else str(path), Event)
    assert path.read_bytes() == edited
    assert same(found, header, fight(12))
    assert found.torn is None


def refusal(path: Path) -> JournalError | None:
    """Why the file is not opened."""
    try:
        read_journal(str(path), Event)
    except JournalError as error:
        return error
    return None


def same(found: Journal[Any], header: Header, steps: list[Record[Any]]) -> bool:
    assert found.header == header
    assert found.steps == steps
    return True


def test_the_line_feed_that_is_missing_is_written_with_the_next_step(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    for last in (11, 0):
        part = journal(fight(last))
        path.write_bytes(part[:-1])
        writer = Writer.open(str(path), read_journal(str(path), Event), "inline")
        assert writer.torn_copy == ""
        for record in fight(12)[last:]:
            writer.append(record)
        writer.wait()
        writer.close()
        assert path.read_bytes().startswith(part)
        assert read_journal(str(path), Event).steps == fight(12)
    assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_was_edited_counts_also_when_the_editor_did_more(tmp_path: Path, way: str) -> None:
    path = tmp_path / "mill.toml"
    edited = WAYS[way](journal(fight(12)).replace(b'"Orc 9"', b'"Elf"'))
    path.write_bytes(edited)
    with pytest.raises(JournalError) as caught:
        read_journal(str(path), Event)
    assert "check --repair" in caught.value.hint
    found = read_journal(repair_journal(str(path), Event).path, Event)
    assert found.steps[8].events[0].name == "Elf"
    assert [*found.steps[:8], *found.steps[9:]] == [*fight(12)[:8], *fight(12)[9:]]


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_searched_in_pieces_reads_as_in_one(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = Record[Any](1, AT, "note options step", (Noted("options", "a step of [options]"),))
    edited = WAYS[way](journal([said, *fight(6)[1:]], HOUSE))
    whole = survey_journal(edited, Event)
    monkeypatch.setattr(checking, "SEARCH_BYTES", 400)
    monkeypatch.setattr(format_, "SEARCH_BYTES", 400)
    assert survey_journal(edited, Event) == whole


def test_what_stands_between_header_and_first_step_is_named_too() -> None:
    whole = journal(fight(3), HOUSE)
    edited = whole.replace(b'"classic"', b'"dynamic"').replace(b"[[step]]", b"stray = 1\n[[step]]", 1)
    found = survey_journal(edited, Event)
    assert [(x.line, x.step, x.kind) for x in found.findings[:2]] == [(1, 0, "edited"), (12, 1, "unreadable")]


WHOLE = journal(fight(12))


def test_a_repair_writes_beside_and_never_over(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    data = WHOLE.replace(b'"Orc 5"', b'"Elf 5"')[:-4]
    path.write_bytes(data)
    names = ["mill-repaired.toml", "mill-repaired-2.toml", "mill-repaired-3.toml"]
    for name in names:
        mended = repair_journal(str(path), Event)
        assert mended == Repaired(str(tmp_path / name), check_journal(str(path), Event))
        again = read_journal(mended.path, Event)
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
            repair_journal(str(path), Event, disk=disk)
        assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


def _full_after(reading: int) -> Callable[[str, int], int]:
    return lambda _, count: errno.ENOSPC if count > reading else 0


@pytest.mark.parametrize("spoilt", [(b'line = "', b'line = "x'), (b"at = ", b"at ")])
def test_a_check_stops_after_a_hundred_findings_and_says_so_and_a_repair_reads_all(
    tmp_path: Path, spoilt: tuple[bytes, bytes]
) -> None:
    path = tmp_path / "mill.toml"
    whole = journal(fight(300))
    first = whole.index(b"[[step]]")
    half = whole.index(b"\n# 150 ")
    path.write_bytes(whole[:first] + whole[first:half].replace(*spoilt) + whole[half:])
    found = check_journal(str(path), Event)
    assert len(found.findings) == MOST_FINDINGS
    assert not found.sound
    assert whole.splitlines()[found.stop_line - 1] == b"[[step]]"
    words, sound = cli_check("mill", str(tmp_path), Registry())
    assert not sound
    assert "the check stopped before line" in words[-1]
    read_whole = repair_journal(str(path), Event).survey
    assert len(read_whole.findings) >= 149
    assert not read_whole.stop_line
    assert read_whole.steps == survey_journal(path.read_bytes(), Event).steps
