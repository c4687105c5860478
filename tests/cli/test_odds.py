"""`tocsin odds` from outside: its three forms, its words, its JSON, and that nothing of it happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.program import Program
from tui.core.views.odds import columns, fit
from tui.systems import Registry


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
    assert (min(map(int, heavy["numbers"])), max(map(int, heavy["numbers"]))) == (5, 19)
    assert (mill.folder / "mill.toml").read_bytes() == before


def test_words_say_what_is_exact_and_what_was_taken_for_granted(mill: Program) -> None:
    out = mill.call("odds", "--ascii", "order Fay spell=0").out
    assert out.isascii()
    assert "mill - Dynamic Initiative System - round 1 - exact" in out
    assert "as if: begin; order Bo weapon=1d8 move=yes" in out
    assert "Fay: the place," in out
    assert "Fay: the number, 1 to 8, 4.5 on average" in out


@pytest.mark.parametrize("columns_", ["40", "80", "200"])
def test_no_line_is_wider_than_the_terminal(
    mill: Program, monkeypatch: pytest.MonkeyPatch, columns_: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns_)
    mill.do("add 龍龍龍龍龍龍龍龍龍龍龍龍龍 kind=pc")
    out = mill.call("odds", "--who", "Fay").out
    assert max(map(columns, out.splitlines())) <= max(60, int(columns_))


def test_the_same_question_has_the_same_answer_though_it_is_simulated(tmp_path: Path) -> None:
    program = Program(tmp_path, "late")
    program.call("new", "--system", "classic")
    program.do(
        "add Ana side=heroes", "add Orc", "begin", "roll Ana 10", "roll Orc 10", "roll Ana 3", "roll Orc 15"
    )
    program.do("move Orc before Ana", "add 3 Bo side=heroes")
    once, again, other = (plain(program, *seed)["tries"][0] for seed in ([], [], ["--seed", "7"]))
    assert once == again
    assert once != other
    assert (once["how"], once["kept"]) == ("simulated", None)
    for row in once["rows"]:
        worst = max((p * (1 - p) / once["runs"]) ** 0.5 for p in (*row["places"], row["before_foes"]))
        assert row["error"] == pytest.approx(worst)
        assert row["swing"] is None
    assert "simulated: 400 runs, ±" in program.call("odds").out


def test_systems_are_compared_creature_by_creature(mill: Program) -> None:
    out = mill.call("odds", "--compare").out
    assert "chance to act before every foe, first round" in out
    assert "turns of others to wait for, first round" in out
    assert "places that two rounds lie apart" in out
    heads = out.splitlines()[1].split()
    assert [any(head in name for head in heads) for name in Registry().ids()] == [True] * len(heads)
    # Every creature stands in each of the three tables, those of a group as well.
    assert [sum(line.startswith(f"{name} ") for line in out.splitlines()) for name in ("Fay", "Orc 1")] == [
        3,
        3,
    ]


def test_a_system_that_cannot_order_them_says_why(mill: Program) -> None:
    mill.do("set Ogre side=giants")
    found = {x["system"]: x["why"] for x in plain(mill, "--compare")["systems"]}
    assert "Ogre is on the side giants" in found["dungeon-track"]
    assert found["classic"] == ""
    assert "cannot order these: Ogre is on the side giants" in mill.call("odds", "--compare").out.replace(
        "\n  ", " "
    )


def test_without_a_save_the_lines_make_the_fight(tmp_path: Path) -> None:
    program = Program(tmp_path)
    lines = ("add Ana +3 side=heroes", "add Orc +1")
    ended = program.bare("odds", "--system", "classic", *lines, "--json")
    rows = {r["entry"]: r for r in json.loads(ended.out)["tries"][0]["rows"]}
    # A d20 that is 2 better: 153 + 37 of 400 ways win outright or by the half of 18 + 19 ties.
    won = sum((a + 2 > b) + (a + 2 == b) / 2 for a in range(1, 21) for b in range(1, 21)) / 400
    assert rows["Ana"]["before_foes"] == pytest.approx(won)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 2, "one SAVE is needed"),
        (["--system", "nonsense"], 2, "there is no system nonsense"),
        (["--system", "classic", "add Ana", "order Bo"], 1, "line 2: "),
        (["mill", "damage Foo 3"], 1, "Foo"),
        (["mill", "--who", "Foo"], 1, "Foo has no row in this order"),
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
