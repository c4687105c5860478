"""What a person's editor does to a save loses nothing: it opens, or is refused with what mends it, and that
mends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.store.editors import WAYS
from tests.store.journals import AT, HEADER, HOUSE, Event, Noted, fight, journal
from tui.store.journal import check as checking
from tui.store.journal import format as format_
from tui.store.journal.check import check, repair, survey
from tui.store.journal.format import Header, Record
from tui.store.journal.reader import Journal, read
from tui.store.journal.writer import Writer
from tui.store.problems import JournalError


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
        assert not check(str(path), Event).sound
    found = read(repair(str(path), Event).path if problem else str(path), Event)
    assert path.read_bytes() == edited
    assert same(found, header, fight(12))
    assert found.torn is None


def refusal(path: Path) -> JournalError | None:
    """Why the file is not opened."""
    try:
        read(str(path), Event)
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
        writer = Writer.open(str(path), read(str(path), Event), "inline")
        assert writer.torn_copy == ""
        for record in fight(12)[last:]:
            writer.append(record)
        writer.wait()
        writer.close()
        assert path.read_bytes().startswith(part)
        assert read(str(path), Event).steps == fight(12)
    assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_was_edited_counts_also_when_the_editor_did_more(tmp_path: Path, way: str) -> None:
    path = tmp_path / "mill.toml"
    edited = WAYS[way](journal(fight(12)).replace(b'"Orc 9"', b'"Elf"'))
    path.write_bytes(edited)
    with pytest.raises(JournalError) as caught:
        read(str(path), Event)
    assert "check --repair" in caught.value.hint
    found = read(repair(str(path), Event).path, Event)
    assert found.steps[8].events[0].name == "Elf"
    assert [*found.steps[:8], *found.steps[9:]] == [*fight(12)[:8], *fight(12)[9:]]


<<<<<<< HEAD
HEAD = "the header does not fit its seal: it was changed by hand"
NO_SEAL = "the header has no seal: another program has rewritten the file, or it is damaged"
MARK = "a byte order mark stands before the first line: an editor has put it there"
WINDOWS = "the lines end as on Windows: an editor has changed that"


def changed(*lines: int) -> list[str]:
    """What is found where each step from the third back was changed, on these lines."""
    first = 4 - len(lines)
    return [
        f"{line}: step {step} does not fit its seal; it counts as it reads now"
        for step, line in enumerate(lines, first)
    ]


FOUND = {
    "no last line feed": ["29: the last line feed is missing; the next step adds it"],
    "Windows line ends": [f"1: {WINDOWS}"],
    "old Mac line ends": ["1: the lines end as on old Macs: an editor has changed that"],
    "byte order mark": [f"1: {MARK}"],
    "byte order mark and Windows line ends": [f"1: {MARK}", "1: lines end as on Windows"],
    "UTF-16": ["1: it is no longer UTF-8 but UTF-16: an editor has changed that"],
    "a remark at the end": ["30: 27 bytes that are not a finished step"],
    "a remark without line feed": ["30: 7 bytes that are not a finished step"],
    "a remark behind the last seal": changed(24),
    "a remark at the beginning": [f"1: {HEAD}"],
    "a remark in a step": [f"1: {HEAD}", *changed(24)],
    "blank lines at the end": ["30: 2 bytes that are not a finished step"],
    "blanks at the end": ["30: 2 bytes that are not a finished step"],
    "a blank line between steps": changed(24),
    "blanks at the end of lines": changed(12, 18, 24),
    "tabs made blanks": changed(12, 18, 24),
    "keys in another order": changed(12, 18, 24),
    "house rules behind the steps": ["26: [options] comes after the steps"],
    "no remarks": [f"1: {NO_SEAL}", *changed(11, 16, 21)],
    "a formatter": [f"1: {NO_SEAL}", *changed(12, 20, 43)],
    "a formatter that sorts": [f"1: {NO_SEAL}", *changed(12, 20, 43)],
    "a formatter of one array": ["1: all steps stand in one array: another program has rewritten it"],
    "other brackets": changed(12, 18, 24),
    "indented": [f"1: {NO_SEAL}", *changed(12, 18, 24)],
    "indented, a remark first": [f"1: {NO_SEAL}", *changed(13, 19, 25)],
    "blanks at the end of lines trimmed": [],
    "line ends changed twice": [f"1: {WINDOWS}"],
    "a remark first, old Mac line ends, then a line": [f"1: {WINDOWS}", f"1: {HEAD}"],
    "a formatter, then blanks": [f"1: {NO_SEAL}", *changed(12, 20, 43)],
    "a formatter, then a byte order mark": [f"1: {MARK}", f"1: {NO_SEAL}", *changed(12, 20, 43)],
    "a formatter, then a remark": [f"1: {NO_SEAL}", *changed(12, 20, 43)],
    "letters as escapes": changed(24),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_done_is_said_with_its_line_and_only_a_line_feed_may_lack(way: str) -> None:
    found = survey(WAYS[way](journal(fight(3), HOUSE)), Event)
    assert [f"{x.line}: {x.message}" for x in found.findings] == FOUND[way]
    assert {x.kind for x in found.findings} <= {"layout", "edited", "unreadable"}
    assert not any(x.step for x in found.findings if x.kind == "layout")
    assert found.sound is (way in ("no last line feed", "blanks at the end of lines trimmed"))


=======
>>>>>>> 56647748 (Test saves with one machine beside a model)
@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_searched_in_pieces_reads_as_in_one(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = Record[Any](1, AT, "note options step", (Noted("options", "a step of [options]"),))
    edited = WAYS[way](journal([said, *fight(6)[1:]], HOUSE))
    whole = survey(edited, Event)
    monkeypatch.setattr(checking, "WINDOW", 400)
    monkeypatch.setattr(format_, "WINDOW", 400)
    assert survey(edited, Event) == whole


def test_what_stands_between_header_and_first_step_is_named_too() -> None:
    whole = journal(fight(3), HOUSE)
    edited = whole.replace(b'"classic"', b'"dynamic"').replace(b"[[step]]", b"stray = 1\n[[step]]", 1)
    found = survey(edited, Event)
    assert [(x.line, x.step, x.kind) for x in found.findings[:2]] == [(1, 0, "edited"), (12, 1, "unreadable")]
