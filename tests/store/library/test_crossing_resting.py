"""A kept party that rests outside of a fight, creatures of files that join, and cards of many lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.table import Memory, Table
from tests.store.library.shelf import GOBLIN, SYSTEMS, only, shelve, table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import FightState, StatBlock
from tui.core.fight.events import Event
from tui.store.journal.format import Record
from tui.store.library.crossing import MOST_HELD, add_imported, rest_party, set_card
from tui.store.library.service import Library
from tui.store.sources import SeededDice

PARTY = """\
system = "unbound"

[[combatant]]
name = "Ana"
kind = "pc"
hp = 3
max_hp = 20
per = 4

[[combatant]]
name = "Bo"
kind = "pc"
hp = 9
max_hp = 9
"""


def rested(folder: Path, name: str, length: str = "long") -> tuple[str, ...]:
    return rest_party(Library(str(folder), SYSTEMS), SYSTEMS, SeededDice(1), name, length)


def test_a_party_rests_in_the_system_it_was_saved_with_and_stays_beside_as_it_was(tmp_path: Path) -> None:
    path = shelve(tmp_path, "parties", "four", PARTY)
    before = path.read_text(encoding="utf-8")
    assert rested(tmp_path, "four") == ("Ana rests: 20 hit points",)
    assert path.with_name("four.toml.before").read_text(encoding="utf-8") == before
    again = table(tmp_path, "unbound")
    again.store.run("party four")
    assert [(c.name, c.hp, c.number("per")) for c in again.encounter.combatants.values()] == [
        ("Ana", 20, 4),
        ("Bo", 9, 0),
    ]
    assert rested(tmp_path, "four") == ("A long rest: nobody needed anything",)
    assert path.with_name("four.toml.before").read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_a_party_of_no_system_rests_in_the_first(tmp_path: Path) -> None:
    shelve(tmp_path, "parties", "two", '[[combatant]]\nname = "Ana"\nkind = "pc"\nhp = 3\nmax_hp = 20\n')
    assert rested(tmp_path, "two") == ("Ana rests: 20 hit points",)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("none", "", "none"),
        ("bad", '[[combatant]]\nname = "A"\nhp = 1.5\n', "line 3"),
        ("few", '[[combatant]]\nname = "Orc"\n', "no player's character"),
        ("gone", 'system = "gone"\n[[combatant]]\nname = "A"\n', "gone"),
    ],
)
def test_what_cannot_be_read_does_not_rest_and_is_left_as_it_is(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    if text:
        shelve(tmp_path, "parties", name, text)
    with pytest.raises(RuleError, match=says):
        rested(tmp_path, name)
    left = [(x.name, x.read_text()) for x in (tmp_path / "parties").glob("*")]
    assert left == ([(f"{name}.toml", text)] if text else [])


def kept(t: Table) -> list[Record[Event]]:
    assert isinstance(t.store.effects.ledger, Memory)
    return t.store.effects.ledger.steps


def joined(t: Table, *blocks: StatBlock, **more: dict[str, str]) -> list[str]:
    add_imported(t.store, t.store.systems, blocks, "import x", more.get("many", {}), more.get("like", {}))
    return [f"{c.name} {c.hp}/{c.max_hp} {c.ac}" for c in t.encounter.combatants.values()]


def test_of_another_tools_file_a_bare_name_is_taken_from_the_library(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN)
    t = table(tmp_path)
    assert joined(t, StatBlock("goblin"), many={"goblin": "2"}) == ["Goblin 1 7/7 15", "Goblin 2 7/7 15"]
    assert t.store.step == 1
    with_points = joined(table(tmp_path), StatBlock("goblin", hp=3))
    assert with_points == ["goblin 3/3 None"]
    like = joined(table(tmp_path), StatBlock("Snig", hp=4), like={"Snig": "goblin"})
    assert like == ["Snig 4/4 15"]
    assert joined(table(tmp_path), StatBlock("Nobody")) == ["Nobody None/None None"]
    alone = Table("classic")
    assert joined(alone, StatBlock("goblin")) == ["goblin None/None None"]


def test_who_joins_from_a_file_stands_as_the_file_says(tmp_path: Path) -> None:
    t = table(tmp_path)
    held = FightState({"hp": "2", "max_hp": "9"}, ("prone rounds=2",))
    add_imported(t.store, t.store.systems, [StatBlock("Orc", hp=9)], "import x", {}, {}, {"Orc": held})
    c = only(t)
    assert (c.hp, c.max_hp, [x.name for x in c.conditions]) == (2, 9, ["prone"])


def test_a_card_of_many_lines_is_one_step_whose_line_is_cut(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.store.run("add Orc")
    card = "Axe. +5 to hit.\n" * 100
    set_card(t.store, t.store.systems, only(t).id, card)
    assert only(t).card == card.strip()
    assert t.store.step == 2
    (*_, step) = kept(t)
    assert step.line.startswith('set Orc card="Axe. +5 to hit.')
    assert len(step.line) <= MOST_HELD + len('set Orc card=""') + 1
