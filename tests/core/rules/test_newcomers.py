"""The line that groups creatures of a kind."""

from __future__ import annotations

from tests.kit.table import Table
from tui.core.rules.newcomers import find_kinds, group_line


def test_a_kind_takes_no_name_of_a_group_on_another_side() -> None:
    table = Table("classic")
    table.do("add 2 Orc side=heroes group=Orcs")
    table.do("add 2 Orc")
    e = table.encounter
    assert group_line(e, find_kinds(e.combatants.values())[0]) == 'group "Orc 3,Orc 4" "Orcs 2"'
