"""`tocsin import`: into the library or a fight, whole or not at all, with one clear line for what cannot
be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit import shapes
from tests.kit.program import Ended, Program


def program(tmp_path: Path) -> Program:
    found = Program(tmp_path / "saves")
    (tmp_path / "saves").mkdir()
    (tmp_path / "in").mkdir()
    assert found.call("new").code == 0
    return found


def given(tmp_path: Path, name: str, data: bytes) -> str:
    path = tmp_path / "in" / name
    path.write_bytes(data)
    return str(path)


def take_in(p: Program, *words: str) -> Ended:
    return p.bare("import", "--saves", str(p.folder), *words)


def test_a_file_goes_into_the_library_and_its_creatures_are_known_by_name(tmp_path: Path) -> None:
    p = program(tmp_path)
    code, out, _ = take_in(p, given(tmp_path, "a.json", shapes.packed([shapes.LURKER])))
    assert (code, out.splitlines()[0]) == (0, "Open5e: 1 creature")
    assert "  ac from armor_class: 1" in out.splitlines()
    assert p.call("do", "add 2 bog lurker").code == 0
    people = json.loads(p.call("show", "--json").out)["combatants"]
    assert [(c["name"], c["hp"], c["fields"]) for c in people] == [
        ("Bog Lurker 1", 22, {"mod": 2, "passive": 13}),
        ("Bog Lurker 2", 22, {"mod": 2, "passive": 13}),
    ]
    assert shapes.LURKER["actions"][0]["desc"] in people[0]["card"]


def test_the_same_again_changes_nothing_and_another_of_the_name_only_on_purpose(tmp_path: Path) -> None:
    p = program(tmp_path)
    first = given(tmp_path, "a.json", shapes.packed(shapes.LURKER))
    take_in(p, first)
    before = sorted((p.folder / "creatures").glob("*.toml"))
    assert take_in(p, first)[1].splitlines()[-1] == "nothing new to keep"
    other = given(tmp_path, "b.json", shapes.packed({**shapes.LURKER, "hit_points": 30}))
    code, _, err = take_in(p, other)
    assert (code, "another Bog Lurker" in err, err.count("\n")) == (1, True, 1)
    assert sorted((p.folder / "creatures").glob("*.toml")) == before
    assert take_in(p, "--over", other)[0] == 0
    p.call("do", 'add "bog lurker"')
    assert json.loads(p.call("show", "--json").out)["combatants"][0]["hp"] == 30


def test_into_a_fight_is_one_step(tmp_path: Path) -> None:
    p = program(tmp_path)
    file = given(
        tmp_path,
        "party.json",
        b'[{"Name": "Brin", "Player": "player", "HP": {"Value": 20}, "AC": {"Value": 15}},'
        b'{"Name": "Col", "Player": "player", "HP": {"Value": 9}, "AC": {"Value": 12}}]',
    )
    assert take_in(p, "--into", "fight", file)[0] == 0
    state = json.loads(p.call("show", "--json").out)
    assert ([(c["name"], c["side"]) for c in state["combatants"]], state["step"]) == (
        [("Brin", "heroes"), ("Col", "heroes")],
        1,
    )
    code, _, err = take_in(p, "--into", "fight", file)
    assert (code, "Brin is already there" in err) == (1, True)
    assert json.loads(p.call("show", "--json").out)["step"] == 1
    assert not (p.folder / "creatures").exists()


def test_fighters_of_a_saved_fight_stand_as_they_did_and_are_kept_as_no_kinds(tmp_path: Path) -> None:
    p = program(tmp_path)
    file = given(tmp_path, "fight.json", shapes.sample("improved-initiative-fight"))
    assert take_in(p, "--into", "fight", file)[0] == 0
    people = json.loads(p.call("show", "--json").out)["combatants"]
    assert [(c["name"], c["hp"], c["max_hp"], c["side"], c["hidden"], c["out"]) for c in people] == [
        ("Bog Lurker", 3, 22, "dark", False, False),
        ("Bog Ogre", 0, 30, "dark", False, True),
        ("Bog Elk 1", 9, 9, "dark", True, False),
        ("Bog Elk 2", 0, 9, "dark", False, True),
        ("Old Elk", 9, 9, "dark", False, False),
        ("Ana", 7, 20, "heroes", False, False),
        ("Bog Toad", 5, 5, "dark", False, False),
    ]
    assert [[x["name"] for x in c["conditions"]] for c in people[:2]] == [["Prone"], ["Down", "Slow"]]
    assert not (p.folder / "creatures").exists()
    # A row of an encounter is no kind either, and the creature of its note is one.
    file = given(tmp_path, "cats.md", shapes.sample("fantasy-statblocks-and-encounter"))
    _, out, _ = take_in(p, "--into", "fight", file)
    assert out.splitlines()[-1] == "Bog Cat (BOG) kept in the library"


def test_an_encounter_of_names_is_filled_from_the_library(tmp_path: Path) -> None:
    p = program(tmp_path)
    (p.folder / "creatures").mkdir(parents=True)
    (p.folder / "creatures" / "mine.toml").write_text('[[creature]]\nname = "Goblin"\nhp = 7\nac = 15\n')
    file = given(
        tmp_path,
        "gate.md",
        b"```encounter\ncreatures:\n  - 2: goblin\n  - Stranger, ally\n  - Goblin, hidden\n```\n",
    )
    code, _, err = take_in(p, file)
    assert (code, "of goblin, Stranger, Goblin B only the name is known" in err) == (1, True)
    assert take_in(p, "--into", "fight", file)[0] == 0
    state = json.loads(p.call("show", "--json").out)
    assert [(c["name"], c["hp"], c["ac"], c["side"], c["hidden"]) for c in state["combatants"]] == [
        ("Goblin 1", 7, 15, "dark", False),
        ("Goblin 2", 7, 15, "dark", False),
        ("Stranger", None, None, "heroes", False),
        ("Goblin B", 7, 15, "dark", True),
    ]
    assert state["step"] == 1


def test_what_is_piped_in_is_taken_as_a_file_is(tmp_path: Path) -> None:
    p = program(tmp_path)
    first = shapes.sample("text-newer")
    found = subprocess.run(
        [sys.executable, "-m", "tui", "import", "-", "--over", "--saves", str(p.folder)],
        input=b"\xef\xbb\xbf" + first + b"\n" + first.replace(b"HP 22", b"HP 23"),
        capture_output=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(b"a stat block as text: 2 creatures")
    p.call("do", 'add "bog lurker"')
    assert [(c["name"], c["hp"]) for c in p.state()[0]["combatants"]] == [("Bog Lurker", 23)]


def test_a_look_keeps_nothing(tmp_path: Path) -> None:
    p = program(tmp_path)
    code, out, _ = take_in(p, "--look", "--json", given(tmp_path, "a.csv", shapes.sample("csv")))
    found = json.loads(out)
    assert (code, found["creatures"][0]["name"], found["formats"]) == (
        0,
        "Bog Lurker",
        [{"name": "CSV or TSV", "count": 1}],
    )
    assert not (p.folder / "creatures").exists()


def test_a_look_shows_the_values_of_each_creature(tmp_path: Path) -> None:
    _, out, _ = take_in(program(tmp_path), "--look", given(tmp_path, "a.csv", shapes.sample("csv-attacks")))
    assert out.splitlines()[-1].startswith(
        "Bog Troll: 84 HP, AC 15, Multiattack: Two of them.; Bite +7 1d6+4"
    )


@pytest.mark.parametrize(
    ("name", "data", "code", "says"),
    [
        ("a.zip", b"PK\x03\x04....", 3, "a.zip: this is a zip archive; unpack it first"),
        ("a.png", b"\x89PNG\r\n", 3, "a.png: this is a picture\n"),
        ("a.json", b"[" * 10_000, 3, "nested too deep"),
        ("a.toml", b"[x\n", 3, "a.toml, line 1:"),
    ],
)
def test_what_cannot_be_is_one_line_and_changes_nothing(
    tmp_path: Path, name: str, data: bytes, code: int, says: str
) -> None:
    p = program(tmp_path)
    before = sorted(p.folder.rglob("*"))
    ended = take_in(p, given(tmp_path, name, data))
    assert (ended[0], says in ended[2], ended[2].count("\n")) == (code, True, 1), ended[2]
    assert sorted(p.folder.rglob("*")) == before


def test_a_clash_refuses_no_other(tmp_path: Path) -> None:
    p = program(tmp_path)
    given(tmp_path, "a.json", shapes.packed([shapes.LURKER, {**shapes.LURKER, "name": "Hag"}]))
    given(
        tmp_path,
        "b.json",
        shapes.packed([{**shapes.LURKER, "hit_points": 30}, {**shapes.LURKER, "name": "Imp"}]),
    )
    code, _, err = take_in(p, str(tmp_path / "in"))
    assert code == 0
    assert "1 creature not taken: of each name the first (--over takes the last) counts" in err
    assert "  Bog Lurker: taken from in/a.json, not from in/b.json" in err
    assert take_in(p, str(tmp_path / "in"))[0] == 0
    (tmp_path / "in" / "a.json").write_bytes(shapes.packed({**shapes.LURKER, "name": "Owl"}))
    code, out, err = take_in(p, "--json", str(tmp_path / "in"))
    assert code == 0
    assert [x["name"] for x in json.loads(out)["left"]] == ["Bog Lurker"]
    assert "1 creature not taken: the library has others of the same name" in err
    code, out, err = take_in(p, "--over", str(tmp_path / "in"))
    assert (code, "1 replaced others of the same name" in err) == (0, True)
    for name, hp in (("Bog Lurker", 30), ("Hag", 22), ("Imp", 22), ("Owl", 22)):
        p.call("do", f'add "{name}"')
        assert json.loads(p.call("show", "--json").out)["combatants"][-1]["hp"] == hp


def test_many_files_that_hold_nothing_are_counted_by_the_kind_of_reason(tmp_path: Path) -> None:
    p = program(tmp_path)
    given(tmp_path, "a.json", shapes.packed(shapes.LURKER))
    for i in range(7):
        given(tmp_path, f"{i}.md", b"# words")
    given(tmp_path, "0.PNG", b"\x89PNG\r\n")
    given(tmp_path, "0.TXT", b"# words")
    given(tmp_path, "n.md", b"```statblock\nname: A\nhp: [1\n```\n")
    _, _, err = take_in(p, f"{tmp_path / 'in'}/")
    assert "9 files skipped" in err
    assert "  8: this is text without a stat block (.md 7, .txt 1)" in err
    assert "  1: this is a picture (.png 1)" in err
    assert "in/n.md, line 4: this statblock block is not YAML" in err


def test_a_row_of_an_encounter_takes_from_the_library_what_it_does_not_say(tmp_path: Path) -> None:
    p = program(tmp_path)
    take_in(p, given(tmp_path, "a.json", shapes.packed(shapes.LURKER)))
    rows = b"```encounter\ncreatures:\n  - [[Bog Lurker, Jim], 30]\n  - Bog lurker, 5\n```\n"
    assert take_in(p, "--into", "fight", given(tmp_path, "gate.md", rows))[0] == 0
    people = json.loads(p.call("show", "--json").out)["combatants"]
    assert [(c["name"], c["hp"], c["ac"]) for c in people] == [("Jim", 30, 13), ("Bog Lurker", 5, 13)]
    assert all(shapes.LURKER["actions"][0]["desc"] in c["card"] for c in people)


def test_nobody_waits_for_a_pipe_and_no_link_is_followed(tmp_path: Path) -> None:
    p = program(tmp_path)
    os.mkfifo(tmp_path / "in" / "pipe.json")
    (tmp_path / "in" / "link.json").symlink_to(given(tmp_path, "a.json", shapes.packed(shapes.LURKER)))
    for name in ("pipe.json", "link.json"):
        assert take_in(p, str(tmp_path / "in" / name))[0] == 3
    big = tmp_path / "in" / "big.json"
    big.touch()
    os.truncate(big, 2_000_000_000)
    assert "larger than 64 MB" in take_in(p, str(big))[2]
