"""Adding, naming, grouping, hiding, hit points and conditions, by lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.fight.combatant import Combatant


def one(table: Table, name: str) -> Combatant:
    return next(c for c in table.encounter.combatants.values() if c.name == name)


@given(st.integers(0, 40), st.integers(0, 20), st.integers(0, 60))
def test_damage_takes_temporary_points_first_and_stops_at_0(hp: int, temp: int, amount: int) -> None:
    table = Table("classic")
    table.do(f"add Ana hp={hp} temp_hp={temp}", f"damage Ana {amount}")
    ana = one(table, "Ana")
    assert ana.temp_hp == max(0, temp - amount)
    assert ana.hp == max(0, hp - max(0, amount - temp))
    assert not ana.out
