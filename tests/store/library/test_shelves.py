"""Shelves and rosters as files: which names count, how many, what is written, and what a refusal leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.store.library.shelf import SYSTEMS, only, shelve, table
from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.store.library import rosters, shelves
from tui.store.library.box import EDITIONS, Edition
from tui.store.library.service import Library
from tui.store.problems import BadFile

# --- shelves


def test_only_plain_names_that_end_in_toml_are_on_a_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b", "a", ".hidden"):
        shelve(tmp_path, "parties", name, "x")
    (tmp_path / "parties" / "note.txt").touch()
    assert shelves.list_shelf_names(str(tmp_path), "party") == ["a", "b"]
    assert shelves.list_shelf_names(str(tmp_path), "creature") == []
    monkeypatch.setattr(shelves, "MOST_FILES", 1)
    assert shelves.list_shelf_names(str(tmp_path), "party") == ["a"]


def test_a_path_is_taken_as_it_is_and_a_name_lies_on_its_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    assert shelves.shelf_file("/saves", "party", "~/x.toml") == "/home/ana/x.toml"
    assert shelves.shelf_file("/saves", "party", "x.toml") == "x.toml"
    assert shelves.shelf_file("/saves", "party", "gate") == "/saves/parties/gate.toml"
    with pytest.raises(RuleError) as refused:
        shelves.shelf_file("/saves", "party", "a/b")
    assert refused.value.message == "'a/b' cannot be the name of a file in parties/: it contains a slash"
    assert refused.value.hint


# --- rosters


def test_a_roster_has_as_many_creatures_as_one_file_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rosters, "MOST_COMBATANTS", 2)
    library = Library(str(tmp_path), SYSTEMS)
    path = shelve(tmp_path, "parties", "two", '[[combatant]]\nname = "A"\n[[combatant]]\nname = "B"\n')
    assert [len(x.names) for x in library.parties()] == [2]
    path.write_text(path.read_text() + '[[combatant]]\nname = "C"\n')
    assert [x.problem for x in library.parties()] == ["two.toml: it has no [[combatant]] tables"]
    with pytest.raises(RuleError) as refused:
        library.newcomers("two", "party", SYSTEMS.get("classic"))
    assert (refused.value.message, refused.value.hint) == (
        "two.toml: it has no [[combatant]] tables",
        "1 to 2 of them, each with a name",
    )
    for count in (2, 3):
        tables = [{"name": "A"}] * count
        if count == 2:
            library.keep_party("kept", tables, system="classic", overwrite=False)
            continue
        with pytest.raises(RuleError) as refused:
            library.keep_party("more", tables, system="classic", overwrite=False)
        assert refused.value.message == "3 kinds of creatures are too many for one file"
        assert refused.value.hint == "2 at most"


PLAIN = "without system= its values count for the running system; there are: "


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("title = 1\n", "it has no [[combatant]] tables", "1 to 500 of them, each with a name"),
        (
            '[[combatant]]\nname = "A"\n[x]\n',
            "x is not known here",
            "only system and [[combatant]] tables",
        ),
        ('system = 3\n[[combatant]]\nname = "A"\n', "there is no system 3", f"{PLAIN}classic"),
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
        rosters.read_roster(
            path.read_bytes(), str(path), lambda *_: None, lambda key, _: (key, ""), ("classic",)
        )
    assert (refused.value.message, refused.value.hint) == (says, hint)


WORDS = sorted(
    {
        word
        for edition in EDITIONS
        for name in Edition(edition).names
        for word in name.split()
        if word.isalpha()
    }
)


def _fight() -> Table:
    fight = table(Path())
    fight.do("option library.box=5.2.1")
    return fight


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_chosen_edition_is_asked_first(edition: str) -> None:
    fight = table(Path())
    fight.do(f"option library.box={edition}", "add Assassin")
    assert only(fight).hp == Edition(edition).read("Assassin").hp


@given(
    st.sampled_from(WORDS), st.integers(1, 8), st.sampled_from(("kind=pc", "owner=Mia", "hp=9", "20 ac15"))
)
@cases(60)
def test_a_hero_or_a_creature_with_hit_points_may_have_any_name(word: str, length: int, rest: str) -> None:
    fight, name = _fight(), word[:length]
    fight.do(f"add {quote(name)} {rest}")
    assert only(fight).name == name


@given(st.sampled_from(WORDS), st.integers(1, 8))
@cases(60)
def test_a_refused_name_says_ways_out_that_work(word: str, length: int) -> None:
    fight, name = _fight(), word[:length]
    try:
        fight.do(f"add {quote(name)}")
    except RuleError as error:
        ways = error.hint.split("`")[1::2]
        assert [way.rpartition(" ")[2] for way in ways[1:]] == ["kind=pc", "as=none"]
        for way in ways:
            _fight().do(way)
