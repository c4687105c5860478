"""`tocsin odds` from outside: its two forms, its words, its JSON, and that nothing of it happens."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.kit.program import Program
from tui.core.base.text import columns
from tui.core.views.odds_lines import fit


@pytest.fixture
def mill(tmp_path: Path) -> Program:
    program = Program(tmp_path, "mill")
    program.call("new", "--system", "dynamic")
    program.do("add Fay kind=pc", "add Bo kind=pc", "add 2 Orc group=Orcs", "add Ogre size=large")
    return program


def plain(program: Program, *words: str) -> dict[str, Any]:
    ended = program.call("odds", "--json", *words)
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def test_each_line_is_tried_by_itself_and_nothing_happens(mill: Program) -> None:
    before = (mill.folder / "mill.toml").read_bytes()
    found = plain(mill, "order Fay weapon=1d8 spell=3", "order Fay spell=0")
    heavy, light = ({r["entry"]: r for r in t["rows"]}["Fay"] for t in found["tries"])
    assert [t["line"] for t in found["tries"]] == ["order Fay weapon=1d8 spell=3", "order Fay spell=0"]
    assert heavy["mean"] > light["mean"]
    assert heavy["before_foes"] < light["before_foes"]
    assert sum(heavy["places"]) == pytest.approx(1)
    assert {int(n) for n in heavy["numbers"]} <= set(range(5, 20))
    assert (mill.folder / "mill.toml").read_bytes() == before


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine plays less often in two seconds."""
    monkeypatch.setattr("tui.cli.odds.monotonic", lambda: 0.0)


def test_the_same_question_has_the_same_answer_with_its_error(mill: Program) -> None:
    once, again, other = (plain(mill, *seed) for seed in ([], [], ["--seed", "7"]))
    assert once == again != other
    table = once["tries"][0]
    assert (table["how"], table["runs"]) == ("played", 625)
    errors = [
        max((p * (1 - p) / 625) ** 0.5 for p in (*row["places"], row["before_foes"])) for row in table["rows"]
    ]
    assert [row["error"] for row in table["rows"]] == pytest.approx(errors)
    assert table["error"] == pytest.approx(max(errors))


def test_words_say_how_often_it_was_played_and_what_was_assumed(mill: Program) -> None:
    out = mill.call("odds", "--ascii", "order Fay spell=0").out
    assert out.isascii()
    assert "mill, Dynamic Initiative System, round 1, played 625 times, error 2%" in out
    assert "assuming: begin; lock missing=empty" in out
    assert re.search(r"\d\.\d%", out) is None, "whole per cents"


def test_an_order_that_is_rolled_is_told_instead_of_its_odds(tmp_path: Path) -> None:
    program = Program(tmp_path, "late")
    program.call("new", "--system", "classic")
    program.do("add Ana side=heroes", "add Orc", "begin", "roll Ana 3", "roll Orc 15")
    assert program.call("odds").out.splitlines() == [
        "late, Classic, round 1, the order is rolled",
        "",
        "Orc, Ana",
    ]
    table = plain(program)["tries"][0]
    assert (table["how"], table["runs"], table["error"]) == ("rolled", 0, 0)


@pytest.mark.parametrize("columns_", ["40", "80", "200"])
def test_no_line_is_wider_than_the_terminal(
    mill: Program, monkeypatch: pytest.MonkeyPatch, columns_: str
) -> None:
    monkeypatch.setattr("tui.cli.odds.monotonic", count(0, 9).__next__)  # as few plays as there may be
    monkeypatch.setenv("COLUMNS", columns_)
    mill.do("add 龍龍龍龍龍龍龍龍龍龍龍龍龍 kind=pc")
    out = mill.call("odds").out
    assert max(map(columns, out.splitlines())) <= max(60, int(columns_))


def test_without_a_save_the_lines_make_the_fight(tmp_path: Path) -> None:
    program = Program(tmp_path)
    lines = ("add Ana +3 side=heroes", "add Orc +1")
    ended = program.bare("odds", "--system", "classic", *lines, "--json")
    rows = {r["entry"]: r for r in json.loads(ended.out)["tries"][0]["rows"]}
    won = sum((a + 2 > b) + (a + 2 == b) / 2 for a in range(1, 21) for b in range(1, 21)) / 400
    assert abs(rows["Ana"]["before_foes"] - won) < 3 * rows["Ana"]["error"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 2, "one SAVE is needed"),
        (["--system", "nonsense"], 2, "there is no system nonsense"),
        (["--system", "classic", "add Ana", "order Bo"], 1, "line 2: "),
        (["mill", "damage Foo 3"], 1, "Foo"),
        (["nobody"], 3, "nobody"),
    ],
)
def test_what_cannot_be_told_is_one_line(mill: Program, words: list[str], code: int, says: str) -> None:
    ended = mill.bare("odds", "--saves", str(mill.folder), *words)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err
    assert ended.err.count("\n") == 1


def test_names_are_cut_and_filled_by_columns() -> None:
    assert fit("龍龍龍", 5) == "龍龍 "
    assert fit("Ana", 5) == "Ana  "
    assert columns(fit("e\u0301" * 9, 4)) == 4
