"""The files of creatures: written as they are read, cut into pieces, and found through an index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import any_text
from tests.kit.table import NoDice
from tests.store.library.shelf import table
from tui.core.base.errors import RuleError
from tui.core.base.text import TEXT_LIMIT, clean_name, clean_page
from tui.core.fight.combatant import StatBlock
from tui.store.library import creatures
from tui.store.library.creatures import read_conditions, read_creature
from tui.store.problems import BadFile

# --- stat blocks as text

_text = any_text(max_size=60)
BLOCKS = st.builds(
    StatBlock,
    name=_text.map(clean_name).filter(lambda n: bool(n) and not set(n) & set(',"') and not n.startswith("@")),
    source=_text.map(clean_page),
    hp=st.none() | st.integers(0, 999),
    hp_dice=st.sampled_from(["", "2d6", "3d8+4"]),
    ac=st.none() | st.integers(0, 30),
    initiative=st.none() | st.integers(-9, 20),
    fields=st.dictionaries(st.sampled_from(["per", "int", "stealth"]), st.integers(-9, 30)),
    counters=st.sampled_from([(), ("Fire 1",)]),
    conditions=st.sampled_from([(), ("prone", "sick")]),
    card=(_text | st.just('a\n[[creature]]\nname = "x"') | st.just('"""\n\\')).map(clean_page),
)


@given(st.lists(BLOCKS, min_size=1, max_size=4))
def test_what_is_written_is_read_again(blocks: list[StatBlock]) -> None:
    data = "".join(map(creatures.write_creature, blocks)).encode()
    found = list(creatures.slice_creatures(data, "x.toml"))
    read = [creatures.read_creature(data[s.start : s.end], "x.toml", s.line, lambda *_: None) for s in found]
    assert read == blocks
    assert [s.name for s in found] == [b.name for b in blocks]


@given(st.binary(max_size=200) | any_text(max_size=200).map(lambda t: f"[[creature]]\n{t}".encode()))
def test_bytes_of_any_kind_are_refused_and_nothing_else(data: bytes) -> None:
    try:
        for s in creatures.slice_creatures(data, "x.toml"):
            creatures.read_creature(data[s.start : s.end], "x.toml", s.line, lambda *_: None)
    except BadFile:
        pass


def test_nothing_is_read_before_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(*_: object) -> None:
        raise AssertionError("the library was touched")

    monkeypatch.setattr(os, "scandir", reached)
    t = table(tmp_path)
    t.store.run("note nobody is added")
    assert not isinstance(t.dice, NoDice)


def one(text: str) -> StatBlock:
    """The creature of these lines, of a game in which every field is known."""
    return read_creature(f"[[creature]]\n{text}".encode(), "x.toml", 5, lambda _key, _text: None)


NAMED = 'name = "Goblin"\n'

# --- cutting


# --- one creature


def test_a_creature_has_what_its_table_says_and_nothing_else() -> None:
    assert one(NAMED) == StatBlock("Goblin")
    assert one(NAMED + 'hp_dice = ""\ncounters = []\nsource = ""\ncard = ""\n') == StatBlock("Goblin")
    full = one(
        NAMED + "hp = 7\nhp_dice = '2D6'\nac = -9\ninitiative = -2\nsource = 'S'\ncard = 'C'\nper = 9\n"
    )
    assert full == StatBlock("Goblin", "S", 7, "2d6", -9, -2, {"per": 9}, (), "C")


def test_other_keys_are_asked_of_the_systems_in_words_and_kept_as_they_are() -> None:
    asked = list[tuple[str, str]]()
    data = b"[[creature]]\nname = 'A'\nflies = true\nper = 9\nsaves = [1, 2]\nsize = 'Big'\n"
    block = read_creature(data, "x.toml", 1, lambda key, text: asked.append((key, text)))
    assert asked == [("flies", "true"), ("per", "9"), ("saves", "1,2"), ("size", "Big")]
    assert block.fields == {"flies": True, "per": 9, "saves": [1, 2], "size": "Big"}

    def refuse(key: str, _text: str) -> None:
        if key == "per":
            raise RuleError("no per", "none")

    with pytest.raises(BadFile) as refused:
        read_creature(data, "x.toml", 1, refuse)
    assert (refused.value.line, refused.value.message, refused.value.hint) == (4, "no per", "none")


# --- conditions


def told(folder: Path, text: str) -> list[str]:
    """What is wrong with a file of conditions."""
    (folder / "conditions").mkdir(exist_ok=True)
    (folder / "conditions" / "own.toml").write_text(text, encoding="utf-8")
    found = list[BadFile]()
    read_conditions(str(folder), found.append)
    return [f"{x.line}: {x.message} ({x.hint})" for x in found]


HEXED = '[[condition]]\nname = "hexed"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEXED, []),
        (HEXED + 'rounds = 3\nuntil = "end"\ntext = "x"\n', []),
        (HEXED + 'rounds = "1d4"\nuntil = "start"\n', []),
        ("[[condition]]\n", ['1: a name is missing (name = "hexed")']),
        ("[[condition]]\nname = 3\n", ['2: a name is missing (name = "hexed")']),
        (
            HEXED + "tint = 3\nsize = 1\n",
            [
                (
                    "4: a condition has no size (there are: name, text, rounds, until, conc, save, dc, "
                    "at, damage, type, heal, note)"
                )
            ],
        ),
        (HEXED + 'at = "middle"\n', ['3: condition: at= takes start or end, not "middle" ()']),
        (
            HEXED + 'at = "start"\n',
            ["3: condition: at=start needs what happens then (`condition X hexed at=start damage=1d6`)"],
        ),
        (
            HEXED + 'heal = "1"\n',
            ["2: condition: at= is missing: start or end of the turn (`condition X hexed at=start heal=1`)"],
        ),
        (HEXED + "conc = 1\n", ["3: conc must be true or false ()"]),
        (HEXED + "text = 3\n", [f"3: text is a text of at most {TEXT_LIMIT} characters ()"]),
        (HEXED + f'text = "{"x" * TEXT_LIMIT}"\n', []),
        (
            HEXED + f'text = "{"x" * (TEXT_LIMIT + 1)}"\n',
            [f"3: text is a text of at most {TEXT_LIMIT} characters ()"],
        ),
        (
            "condition = 3\n",
            ['1: this file may hold only [[condition]] tables ([[condition]], name = "hexed")'],
        ),
        (
            HEXED + "[x]\n",
            ['3: this file may hold only [[condition]] tables ([[condition]], name = "hexed")'],
        ),
        ("", ['0: this file may hold only [[condition]] tables ([[condition]], name = "hexed")']),
    ],
)
def test_a_condition_is_read_strictly(tmp_path: Path, text: str, says: list[str]) -> None:
    assert told(tmp_path, text) == says


def test_the_tables_own_condition_wins_and_has_all_that_it_says(tmp_path: Path) -> None:
    assert told(tmp_path, '[[condition]]\nname = "Prone"\nrounds = 2\nuntil = "end"\ntext = "mine"\n') == []
    prone = read_conditions(str(tmp_path))["prone"]
    assert (prone.name, prone.text, prone.rounds, prone.until) == ("Prone", "mine", "2", "end")
    blinded = read_conditions(str(tmp_path))["blinded"]
    assert (blinded.rounds, blinded.until) == ("", "")
    assert blinded.text.startswith("Cannot see")
    assert creatures.read_conditions("/nowhere").keys() == read_conditions(str(tmp_path)).keys()
