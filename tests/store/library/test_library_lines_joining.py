"""Creatures of files that join, and cards of many lines."""

from __future__ import annotations

from pathlib import Path

from tests.kit.table import Memory, Table
from tests.store.library.shelf import GOBLIN, only, shelve, table
from tui.core.fight.combatant import FightState, StatBlock
from tui.core.fight.events import Event
from tui.store.journal.format import Record
from tui.store.library.library_lines import MOST_HELD, add_imported, set_card


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
