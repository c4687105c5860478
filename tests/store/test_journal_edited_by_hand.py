"""What a person's editor does to a save loses nothing: it opens, or is refused with what mends it, and that
mends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import AT, HEADER, HOUSE, Event, Noted, fight, journal
from tests.store.editors import WAYS
from tui.store.journal import format as format_
from tui.store.journal import verification as checking
from tui.store.journal.format import Header, Record
from tui.store.journal.reader import Journal, read_journal
from tui.store.journal.verification import check_journal, repair_journal, survey_journal
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
