"""`add` and `set`: dice in numbers, fields of other systems, short forms, maxima, arrivals, aliases."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.kit.table import Table
from tui.core.fight.combatant import Combatant
from tui.systems import Registry


def one(t: Table, name: str) -> Combatant:
    return next(c for c in t.encounter.combatants.values() if c.name == name)


SYSTEMS = Registry()

_TYPICAL = {
    "int": "3",
    "ints": "2,1",
    "bool": "yes",
    "dice": "1d8",
    "text": "strike",
    "creature": "Bo",
    "name": "Bo",
}


def _sheet(system: str) -> str:
    """A value for every field of a system."""
    fields = SYSTEMS.get(system).fields
    return " ".join(
        f"{f.key}={f.choices[-1] if f.choices else _TYPICAL[f.kind]}" for f in fields if f.key != "kind"
    )


@pytest.mark.parametrize("through", [1, 2])
@pytest.mark.parametrize("first", SYSTEMS.ids())
def test_each_system_finds_its_own_values_again(first: str, through: int) -> None:
    for between in permutations([x for x in SYSTEMS.ids() if x != first], through):
        t = Table(first, systems=SYSTEMS)
        t.do("add Bo", f"add Ana {_sheet(first)}")
        before = one(t, "Ana").fields
        for name in between:
            t.do(f"system {name}", *([f"set Ana {_sheet(name)}"] if _sheet(name) else []))
            own = {f.key for f in SYSTEMS.get(name).fields}
            shown = {k: v for k, v in one(t, "Ana").fields.items() if k in own}
        t.do(f"system {first}")
        titles = {f.key: f.title for name in between for f in SYSTEMS.get(name).fields}
        theirs = {f.key for f in SYSTEMS.get(first).fields if titles.get(f.key) == f.title}
        after = one(t, "Ana").fields
        # What both call the same is one value, and the last that was set.
        assert {k: v for k, v in after.items() if k in before and k not in theirs} == {
            k: v for k, v in before.items() if k not in theirs
        }
        t.do(f"system {between[-1]}")
        assert {k: v for k, v in one(t, "Ana").fields.items() if k in shown} == shown
