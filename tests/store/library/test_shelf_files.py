"""Shelves and rosters as files: which names count, how many, what is written, and what a refusal leaves."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.kit.disks import FaultyDisk
from tests.store.library.test_library import SYSTEMS, shelve, table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import StatBlock
from tui.store.library import creatures, importing, rosters, shelves
from tui.store.library.importing import Problem
from tui.store.library.service import Library
from tui.store.problems import BadFile, NotSaved


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


# --- shelves


def test_only_plain_names_that_end_in_toml_are_on_a_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b", "a", ".hidden"):
        shelve(tmp_path, "parties", name, "x")
    (tmp_path / "parties" / "note.txt").touch()
    assert shelves.names(str(tmp_path), "party") == ["a", "b"]
    assert shelves.names(str(tmp_path), "encounter") == []
    monkeypatch.setattr(shelves, "MOST_FILES", 1)
    assert shelves.names(str(tmp_path), "party") == ["a"]


def test_a_file_that_goes_while_it_is_listed_is_passed_over(tmp_path: Path) -> None:
    first = shelve(tmp_path, "parties", "a", "x")
    second = shelve(tmp_path, "parties", "b", "x")
    found = []
    for path, status in shelves.files(str(tmp_path), "party"):
        found.append((os.path.basename(path), status.st_size))
        second.unlink(missing_ok=True)
    assert found == [("a.toml", 1)]
    assert first.exists()


def test_a_path_is_taken_as_it_is_and_a_name_lies_on_its_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    assert shelves.place("/saves", "party", "~/x.toml") == "/home/ana/x.toml"
    assert shelves.place("/saves", "party", "x.toml") == "x.toml"
    assert shelves.place("/saves", "encounter", "gate") == "/saves/encounters/gate.toml"
    with pytest.raises(RuleError) as refused:
        shelves.place("/saves", "party", "a/b")
    assert refused.value.message == "'a/b' cannot be the name of a file in parties/: it holds a slash"
    assert refused.value.hint


def test_a_file_is_written_private_and_whole_or_not_at_all(tmp_path: Path) -> None:
    path, before = tmp_path / "parties" / "four.toml", descriptors()
    shelves.write(str(path), "one")
    with pytest.raises(FileExistsError):
        shelves.write(str(path), "two")
    assert path.read_text() == "one"
    shelves.write(str(path), "two", over=True)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("two", 0o600)
    for over in (True, False):
        with pytest.raises(NotSaved) as refused:
            shelves.write(
                f"{path}{over}", "x", over=over, disk=FaultyDisk(lambda *_: errno.ENOSPC, ("write",))
            )
        assert (refused.value.message, refused.value.hint) == ("the disk is full", "nothing was written")
        assert refused.value.code == errno.ENOSPC
    assert os.listdir(tmp_path / "parties") == ["four.toml"]
    assert descriptors() == before


def test_several_files_are_written_through_the_same_disk(tmp_path: Path) -> None:
    disk = FaultyDisk()
    assert len(shelves.write_all(str(tmp_path), "a", ["1", "2"], disk)) == 2
    assert disk.log.count("link") == 2
    assert [os.path.basename(x) for x in shelves.write_all(str(tmp_path), "a", ["3"])] == ["a-3.toml"]
    assert shelves.write_all(str(tmp_path), "a", []) == []


def test_a_mistake_and_a_roster_say_what_they_hold() -> None:
    mistake = shelves.Mistake("hp", "what")
    assert (mistake.key, mistake.message, mistake.hint, str(mistake)) == ("hp", "what", "", "what")
    assert shelves.RosterFile("a", "b", ("Ana", "6 Orc"), 2).summary == "Ana, 6 Orc (2 later)"
    assert shelves.RosterFile("a", "b", ("Ana",)).summary == "Ana"
    assert shelves.RosterFile("a", "b", ("Ana",), 1, "bad").summary == "bad"


# --- rosters


def test_a_roster_has_as_many_creatures_as_one_file_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rosters, "MOST", 2)
    library = Library(str(tmp_path), SYSTEMS)
    path = shelve(tmp_path, "parties", "two", '[[combatant]]\nname = "A"\n[[combatant]]\nname = "B"\n')
    assert [len(x.names) for x in library.rosters("party")] == [2]
    path.write_text(path.read_text() + '[[combatant]]\nname = "C"\n')
    assert [x.problem for x in library.rosters("party")] == ["two.toml: it has no [[combatant]] tables"]
    with pytest.raises(RuleError) as refused:
        library.newcomers("two", "party", SYSTEMS.get("classic"))
    assert (refused.value.message, refused.value.hint) == (
        "two.toml: it has no [[combatant]] tables",
        "1 to 2 of them, each with a name",
    )
    for count in (2, 3):
        tables = [{"name": "A"}] * count
        if count == 2:
            library.keep("party", "kept", tables, system="classic", over=False)
            continue
        with pytest.raises(RuleError) as refused:
            library.keep("party", "more", tables, system="classic", over=False)
        assert refused.value.message == "3 kinds of creatures are too many for one file"
        assert refused.value.hint == "2 at the most"


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("title = 1\n", "it has no [[combatant]] tables", "1 to 500 of them, each with a name"),
        (
            '[[combatant]]\nname = "A"\n[x]\n',
            "there is no place for x",
            "only system and [[combatant]] tables",
        ),
        ('system = 3\n[[combatant]]\nname = "A"\n', "system is a text", 'system = "classic"'),
        ("[[combatant]]\nname = 3\n", "a name is missing", 'name = "Ana"'),
        ("combatant = [3]\n", "a name is missing", 'name = "Ana"'),
        ('[[combatant]]\nname = "A"\nhp = [1.5]\n', "hp is neither text nor a whole number", ""),
        ('[[combatant]]\nname = "A"\nalias = 3\n', "alias is a text", ""),
        (
            f'[[combatant]]\nname = "A"\nconditions = {["prone"] * 33}\n',
            "conditions is a list of texts",
            'conditions = ["poisoned"]',
        ),
        (
            '[[combatant]]\nname = "A"\ncounters = 3\n',
            "counters is a list of texts",
            'counters = ["Fire 1 reset=1d6>=5"]',
        ),
    ],
)
def test_each_mistake_of_a_roster_has_its_words_and_what_would_work(
    tmp_path: Path, text: str, says: str, hint: str
) -> None:
    path = shelve(tmp_path, "parties", "bad", text)
    with pytest.raises(BadFile) as refused:
        rosters.read(str(path), lambda *_: None, lambda key, _: key, ("classic",))
    assert (refused.value.message, refused.value.hint) == (says, hint)


def test_a_file_says_of_which_system_it_is(tmp_path: Path) -> None:
    for text, system in (('system = "chaos"\n', "chaos"), ("system = 3\n", ""), ("", "")):
        assert rosters.system_of(str(shelve(tmp_path, "parties", "x", text))) == system
    assert rosters.text_of([{"name": "A"}, {"name": "B"}], "") == (
        '[[combatant]]\nname = "A"\n\n[[combatant]]\nname = "B"\n'
    )
    assert rosters.text_of([{"name": "A"}], "chaos") == 'system = "chaos"\n\n[[combatant]]\nname = "A"\n'


# --- what an import says


def test_a_part_that_was_not_read_is_named_with_its_line_if_it_has_one() -> None:
    assert str(Problem("a.json", 3, "odd")) == "a.json, line 3: odd"
    assert str(Problem("a.json", 0, "odd")) == "a.json: odd"
    assert str(importing.Progress(0, 2, "a.json")) == "1 of 2 files: a.json"
    assert importing.origin("") == "worked out"
    assert importing.origin("x.hp") == "from x.hp"
    assert importing.shown("/a/" + "x" * 81) == "x" * 80 + "…"


def test_what_the_library_did_not_take_is_counted_and_listed() -> None:
    assert importing.stocked((), (), ()) == []
    assert importing.stocked((("Orc", "a"),), (), ()) == [
        "1 creature not taken: the library has others of the name; --over puts the new ones in their place",
        "  Orc: a",
    ]
    assert importing.stocked((("Orc", "a"), ("Elf", "b")), (("Rat", "c"),), ("Ana",)) == [
        "2 creatures not taken: the library has others of the name; --over puts the new ones in their place",
        "  Orc: a",
        "  Elf: b",
        "1 in place of others of the name",
        "  Rat: was in c",
        "1 with nothing but a name, which the library does not keep: Ana",
    ]
    for count, more in ((199, None), (200, "and 1 more; --json lists them")):
        lines = importing.stocked([("Orc", "a")] * count, (), ())
        assert len(lines) == 200 + (more is not None)
        assert (lines[-1] == more) == (more is not None)
    assert importing.clashed((), over=False) == []


def test_files_of_a_folder_come_in_order_and_hidden_ones_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.md", "a.md", ".hidden", "in/c.md", ".git/x"):
        (tmp_path / "pack" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pack" / name).touch()
    (tmp_path / "link").symlink_to("pack")
    folder = str(tmp_path / "pack")
    assert [(name, named) for _, name, named in importing._files([folder])] == [
        ("pack/a.md", False),
        ("pack/b.md", False),
        ("pack/in/c.md", False),
    ]
    assert list(importing._files([str(tmp_path / "link")])) == [(str(tmp_path / "link"), "link", True)]
    monkeypatch.setattr(importing, "MOST_FILES", 3)
    assert len(list(importing._files([folder]))) == 3
    monkeypatch.setattr(importing, "MOST_FILES", 2)
    with pytest.raises(BadFile) as refused:
        list(importing._files([folder]))
    assert (refused.value.line, refused.value.message, refused.value.hint) == (
        0,
        "more than 2 files",
        "import them in parts",
    )


# --- lines that keep and fetch


def test_a_line_that_keeps_says_how_many_and_where(tmp_path: Path) -> None:
    t = table(tmp_path)

    def said(line: str) -> list[str]:
        return [m.text for m in t.store.run(line).notices]

    for line in ("add Ana owner=Ann hp=9", "add Orc hp=7", "add Elf hp=5"):
        t.store.run(line)
    assert said("save party one") == ["party one: 1 creature saved in parties/one.toml"]
    assert said("save encounter two") == ["encounter two: 2 creatures saved in encounters/two.toml"]
    assert said("save encounter elf Elf") == ["encounter elf: 1 creature saved in encounters/elf.toml"]
    assert shelves.names(str(tmp_path), "encounter") == ["elf", "two"]
    listed = Library(str(tmp_path), SYSTEMS).rosters("encounter")
    assert [x.names for x in listed] == [("Elf",), ("Orc", "Elf")]
    for line, says in (("party one", "Ana is here already"), ("load two", "Orc, Elf are here already")):
        with pytest.raises(RuleError) as refused:
            t.store.run(line)
        assert refused.value.message == says
        assert refused.value.hint == f"`remove {'Ana' if 'Ana' in says else 'Orc,Elf'}` makes room"
    t.store.run("remove Ana")
    with pytest.raises(RuleError) as refused:
        t.store.run("save party none")
    assert refused.value.message == "nobody is there to save as party none"
    assert refused.value.hint == "`save party none WHO` names them"


def test_what_was_just_written_is_found_without_being_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library(str(tmp_path), SYSTEMS)
    library.stock_creatures("new", [StatBlock(name, hp=3) for name in ("Orc", "Elf")])

    def reached(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(creatures, "read", reached)
    assert library.names("creature") == ["Elf", "Orc"]
    assert Library(str(tmp_path), SYSTEMS).names("creature", "e") == ["Elf"]
