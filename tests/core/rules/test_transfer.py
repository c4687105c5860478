"""Creatures as a file of the library holds them, and what the library adds to a line."""

from __future__ import annotations

from typing import Any

from tests.kit.table import Table
from tui.core.rules.transfer import write_tables
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
