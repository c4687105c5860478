"""`tocsin party|creatures`, and what a line that writes no record counts for."""

from __future__ import annotations

import json
from pathlib import Path

from tests.kit.program import Program


def library(folder: Path) -> Program:
    program = Program(folder)
    program.call("new")
    program.call(
        "do",
        "add Ana owner=Ann",
        "add 2 Orc hp=7",
        "add Wolf round=3",
        "save party four",
    )
    (folder / "creatures").mkdir()
    (folder / "creatures" / "mine.toml").write_text(
        '[[creature]]\nname = "Ogre"\n\n[[creature]]\nname = "Bad"\nhp = "x"\n'
    )
    return program


def test_parties_are_listed_with_who_is_in_them(tmp_path: Path) -> None:
    program = library(tmp_path)
    (tmp_path / "parties" / "bad.toml").write_text("[[combatant]]\nhp = 3\n")
    lines = program.bare("party", "--saves", str(tmp_path)).out.splitlines()
    assert [line.split()[0] for line in lines] == ["bad", "four"]
    assert "bad.toml, line 1: a name is missing" in lines[0]
    found = json.loads(program.bare("party", "--json", "--saves", str(tmp_path)).out)
    assert [(x["name"], x["creatures"], bool(x["problem"])) for x in found] == [
        ("bad", [], True), ("four", ["Ana"], False),
    ]  # fmt: skip


def test_creatures_are_on_standard_output_and_mistakes_beside_it(tmp_path: Path) -> None:
    program = library(tmp_path)
    (tmp_path / "conditions").mkdir(exist_ok=True)
    (tmp_path / "conditions" / "my.toml").write_text('[[condition]]\nname = "webbed"\nat = "end"\n')
    ended = program.bare("creatures", "--saves", str(tmp_path))
    assert (ended.code, ended.out.splitlines()) == (0, ["Bad", "Ogre"])
    assert "mine.toml, line 6: hp takes a whole number" in ended.err
    assert "my.toml, line 3: condition: at=end needs what happens then; `condition X webbed" in ended.err
    found = json.loads(program.bare("creatures", "--json", "--saves", str(tmp_path)).out)
    assert [(c["name"], c["line"]) for c in found["creatures"]] == [("Bad", 4), ("Ogre", 1)]
    assert len(found["problems"]) == 2


def test_an_empty_library_is_no_mistake(tmp_path: Path) -> None:
    program = Program(tmp_path)
    assert tuple(program.bare("party", "--saves", str(tmp_path))) == (0, "", "")
    listed = program.bare("creatures", "--saves", str(tmp_path))
    assert (listed.code, listed.out) == (0, "")
    assert "331 creatures of SRD 5.2.1 and 322 creatures of SRD 5.1" in listed.err


def test_words_find_creatures_of_library_and_box(tmp_path: Path) -> None:
    program = Program(tmp_path)
    (tmp_path / "creatures").mkdir()
    (tmp_path / "creatures" / "mine.toml").write_text('[[creature]]\nname = "Red Goblin"\nhp = 3\n')
    found = program.bare("creatures", "gob", "--saves", str(tmp_path))
    assert [" ".join(line.split()) for line in found.out.splitlines()] == [
        "Red Goblin 3 hit points, your library",
        "Goblin Boss CR 1, AC 17, 21 hit points, SRD 5.2.1",
        "Goblin Minion CR 1/8, AC 12, 7 hit points, SRD 5.2.1",
        "Goblin Warrior CR 1/4, AC 15, 10 hit points, SRD 5.2.1",
        "Goblin CR 1/4, AC 15, 7 hit points, SRD 5.1",
    ]


def test_a_line_that_is_no_step_counts_as_a_line(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.call("new")
    ended = program.call("do", "add Ana 9 owner=Ann", "save party one", "add Bo 9 side=dark", "nonsense")
    assert (ended.code, "line 4:" in ended.err) == (1, True)
    assert [line.split()[0] for line in ended.out.splitlines()] == ["Ana", "party", "Bo"]
    again = program.call("do", "save party one")
    assert (again.code, "over=yes" in again.err) == (1, True)
    assert program.call("show", "--json").code == 0
