"""Turns whose creatures leave them, running or interrupted: who leaves has had the turn of the round."""

from __future__ import annotations

from tests.kit.table import Table
from tui.core.fight.agenda import RollAsk


def test_damage_in_the_own_turn_disrupts_a_spell_that_is_switched_to() -> None:
    t = Table("dynamic", {"dis.disruption": "once"})
    t.do("add Ana kind=pc hp=9", "add Orc", "begin", "order Ana action=1")
    t.do("roll", dice=[1, 8])
    t.do("next", "damage Ana 2", "switch Ana spell=2")
    assert [x.save.cause for x in t.due() if isinstance(x, RollAsk) and x.save] == ["disruption"]
