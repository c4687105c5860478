"""Creatures as a file of the library holds them, and what the library adds to a line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.table import Table
from tui.core.fight.combatant import StatBlock
from tui.core.language.creature_actions import Add
from tui.core.rules.creature_fields import Newcomer
from tui.core.rules.transfer import add_known, write_tables
from tui.systems import Registry


def tables(t: Table, *, full: bool = False) -> list[dict[str, Any]]:
    """Everybody as a file has them."""
    e, systems = t.encounter, Registry()
    return write_tables(e.combatants.values(), e, t.store.system, systems, full=full)


def test_a_file_has_what_a_creature_holds_and_no_key_of_what_it_does_not() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia kind=pc +3 hp=18 ac=15 hidden=yes", "add 2 Orc hp=7", "damage Ana 4")
    t.do("condition Ana blessed rounds=2", "condition Ana held save=wis dc=15", "condition Ana prone")
    assert tables(t) == [
        {
            "name": "Ana",
            "hp": 14,
            "max_hp": 18,
            "ac": 15,
            "owner": "Mia",
            "kind": "pc",
            "hidden": True,
            "mod": 3,
            "conditions": ["blessed rounds=2 until=end", "held save=wis dc=15", "prone"],
        },
        {"name": "Orc", "count": 2, "hp": 7},
    ]
    assert "conditions" not in tables(t, full=True)[0]
    assert tables(t, full=True)[0]["hp"] == 18


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ({}, {"hp": "7", "ac": "13", "mod": "2", "card": "Shortbow +4"}),
        ({"ac": "15"}, {"hp": "7", "ac": "15", "mod": "2", "card": "Shortbow +4"}),
        ({"max_hp": "9"}, {"max_hp": "9", "ac": "13", "mod": "2", "card": "Shortbow +4"}),
    ],
)
def test_a_line_takes_from_the_library_what_it_does_not_give_itself(
    words: dict[str, str], keys: dict[str, str]
) -> None:
    t = Table("classic")
    block = StatBlock(
        "Goblin", hp=7, hp_dice="2d6", ac=13, initiative=2, counters=("Nimble 1",), card="Shortbow +4"
    )
    result = add_known(Newcomer(Add("goblin", keys=words)), block, t.encounter, t.store.system)
    assert result.add.name == "Goblin"
    assert dict(result.add.keys) == keys
    assert result.borne.counters == ("Nimble 1",)
    rolled = Table("classic")
    rolled.do("option library.hp=rolled")
    assert add_known(Newcomer(Add("goblin")), block, rolled.encounter, t.store.system).add.keys["hp"] == "2d6"
    bare = add_known(Newcomer(Add("goblin")), StatBlock("Goblin"), t.encounter, t.store.system)
    assert dict(bare.add.keys) == {}
