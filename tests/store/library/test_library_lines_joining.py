"""Creatures of files that join, and cards of many lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.table import Memory, Table
from tests.store.library.shelf import GOBLIN, only, shelve, table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import FightState, StatBlock
from tui.core.fight.events import Event
from tui.store.journal.format import Record
from tui.store.library.library_lines import add_imported, keep_imported


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


def test_a_kept_creature_comes_out_of_the_library_alike(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.do(
        'add Gate Guard mod=2+1d4 19 ac16 attacks="Spear +4 1d6+2" saves="dex+2" cr=1/2 card=gruff',
        "set Gate Guard resist=cold vulnerable=fire immune=acid",
        "count Gate Guard Rally 1 max=2 reset=long",
        "damage Gate Guard 4",
        "condition Gate Guard prone",
    )
    before = t.store.step
    result = t.store.run("keep creature gate as=Doorman")
    assert (t.store.step, result.lines[0].text) == (before, "Doorman is kept in creatures/doorman.toml")
    other = table(tmp_path)
    assert [x.text for x in other.store.run("add 2 doormen").lines][-1] == "2 Doormen: your library"
    one, c = other.encounter.combatants["c1"], t.encounter.combatants["c1"]
    assert (one.hp, one.max_hp, one.ac, one.attacks, one.save_bonus) == (19, 19, 16, c.attacks, c.save_bonus)
    assert (one.fields, one.card, one.conditions) == (c.fields, "gruff", ())
    assert (one.resist, one.vulnerable, one.immune) == ("cold", "fire", "acid")
    assert [(x.name, x.n, x.most) for x in one.counters] == [("Rally", 2, 2)]


def test_another_of_the_name_stays_unless_it_is_written_over(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.do("add 2 Orc +2 15", 'keep creature "Orc 1"', 'set "Orc 2" max_hp=20 hp=20')
    assert t.store.run('keep creature "Orc 1"').lines[0].text == "the library has Orc already, alike"
    with pytest.raises(RuleError, match="another Orc") as refused:
        t.store.run('keep creature "Orc 2"')
    assert refused.value.hint == "`over=yes` writes over it, `as=NAME` keeps both"
    t.do('keep creature "Orc 2" over=yes', "remove Orc*")
    other = table(tmp_path)
    other.store.run("add Zed as=orc")
    assert [(c.name, c.max_hp) for c in other.encounter.combatants.values()] == [("Zed", 20)]


def test_only_what_has_numbers_is_kept(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.store.run("add Fog")
    for line, says in (
        ("keep creature Fog", "has no numbers"),
        ("keep creature Orc", "no combatant is called"),
    ):
        with pytest.raises(RuleError, match=says):
            t.store.run(line)


def test_a_pasted_creature_that_joins_is_kept_and_another_of_its_name_stays(tmp_path: Path) -> None:
    t = table(tmp_path)
    library = t.store.effects.library
    heroes = (StatBlock("Ana", hp=9, fields={"kind": "pc"}), StatBlock("Bo", hp=9, fields={"owner": "Mia"}))
    blocks = [*heroes, StatBlock("Ogre", hp=59, ac=11), StatBlock("Bare")]
    assert keep_imported(library, "pasted", blocks) == "Ogre kept in the library"
    assert keep_imported(library, "pasted", [StatBlock("Ogre", hp=1)]) == ""
    t.store.run("add ogre")
    assert t.encounter.combatants["c1"].hp == 59
