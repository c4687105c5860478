"""A fight in a few words: how it stands, who is there, and that a long one is not read for a line of a
list."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.store import shelf as briefs
from tui.store.opening import create_empty_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry


def test_those_of_a_kind_who_are_in_the_same_way_are_named_together(tmp_path: Path) -> None:
    path = str(tmp_path / "mill.toml")
    create_empty_save(path, "classic", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(1), how="inline")
    for line in (
        "add Ana hp=9",
        "add 6 Orc hp=7",
        "add Rat",
        "damage Orc* 2",
        'damage "Orc 6" 1',
        'out "Orc 1"',
    ):
        session.store.run(line)
    session.close()
    told = briefs.summarize_save(path, Registry())
    assert told.people == "Ana, Orc 2 to 5 5/7, Orc 6 4/7, Rat"
    assert (told.present, told.out) == (7, 1)


def test_how_a_fight_stands_is_said_by_who_acts_or_what_must_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "mill.toml")
    create_empty_save(path, "classic", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(1), how="inline")
    told = []
    for line in (
        "add Ana hp=9 +20",
        "begin",
        "roll",
        "next",
        "remove Ana",
        "add 2 Orc group=Orcs",
        "roll",
        "next",
    ):
        session.store.run(line)
        session.writer.wait()
        told.append(
            (briefs.summarize_save(path, Registry()).round, briefs.summarize_save(path, Registry()).stands)
        )
    session.close()
    assert told[0] == (0, "no fight runs")
    assert told[2:4] == [(1, "Ana is next in the order"), (1, "Ana acts")]
    assert told[-1][1] == "Orcs act"
    size = Path(path).stat().st_size
    for unaided, long in ((size, False), (size - 1, True)):
        monkeypatch.setattr(briefs, "MOST_SUMMARY_BYTES", unaided)
        assert (briefs.summarize_save(path, Registry()).stands == "too long to preview: open it") == long
