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
    "rating": "1/4",
}


def _sheet(system: str) -> str:
    """A value for every field of a system."""
    fields = SYSTEMS.get(system).fields
    return " ".join(
        f"{f.key}={f.choices[-1] if f.choices else _TYPICAL[f.kind]}" for f in fields if f.key != "kind"
    )


@pytest.mark.parametrize("through", [1, 2])
@pytest.mark.parametrize("first", SYSTEMS.ids())
def test_a_system_finds_again_what_no_other_has_used(first: str, through: int) -> None:
    for between in permutations([x for x in SYSTEMS.ids() if x != first], through):
        t = Table(first, systems=SYSTEMS)
        t.do("add Bo", f"add Ana {_sheet(first)}")
        before = one(t, "Ana").fields
        for name in between:
            t.do(f"system {name}", *([f"set Ana {_sheet(name)}"] if _sheet(name) else []))
        t.do(f"system {first}")
        used = {f.key for name in between for f in SYSTEMS.get(name).fields}
        after = one(t, "Ana").fields
        assert {k: after.get(k) for k in before if k not in used} == {
            k: v for k, v in before.items() if k not in used
        }
