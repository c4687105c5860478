"""Edits of the roster, one line each: what they write, what the system hears of them, what is refused."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.core.rules.listener import Listener
from tests.kit.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Turn
from tui.core.language.creature_actions import Add, Group, Set, Ungroup
from tui.core.language.grammar import parse
from tui.core.rules import roster
from tui.core.rules.creature_fields import Sources
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller
from tui.systems import Registry

SOURCES = Sources(Registry(), Roller(NoDice()))
ANA = Combatant("c1", "Ana", "heroes", hp=9, max_hp=9)
BO = Combatant("c2", "Bo", "heroes", group="Pack", hp=9, max_hp=9)
CY = Combatant("c3", "Cy", "red", hp=9, max_hp=9)
RAT = Combatant("c4", "Rat", "dark", arrives=3, hp=9, max_hp=9)
PEOPLE = {c.id: c for c in (ANA, BO, CY, RAT)}
BEFORE = Encounter(combatants=PEOPLE, serial=4)
RUNNING = Encounter(combatants=PEOPLE, serial=4, phase="turns", round=2, turn=Turn("c2", ("c2",)))


class EditListener(Listener):
    """A system that also notes whose row changed."""

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Note who was in another row."""
        del d
        self.heard.append(("regrouped", dict(before)))


def edited(e: Encounter, line: str) -> tuple[Draft, list[tuple[object, ...]]]:
    """Return what a line of the roster writes, and what the system hears."""
    d, system, action = Draft(e), EditListener(), parse(line)
    assert isinstance(action, Add | Group | Set | Ungroup)
    roster.run_roster_action(d, system, action, SOURCES)
    return d, system.heard


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ("set Ana group=Band", [("regrouped", {"c1": "c1"})]),
        ("set Ana,Bo group=Pack", [("regrouped", {"c1": "c1"})]),
        ("set Ana,Bo group=Band", [("regrouped", {"c1": "c1", "c2": "@Pack"})]),
        ("set Bo group=", [("regrouped", {"c2": "@Pack"})]),
        ("set Bo group=Pack", []),
        ("set Ana hp=3", []),
        ("set Rat hp=3", []),
        ("set Ana round=3", [("left", ("c1",))]),
        ("set Ana,Cy round=5", [("left", ("c1", "c3"))]),
        ("set Ana round=2", []),
        ("set Ana round=1", []),
        ("set Rat round=0", []),
        ("group Ana,Bo Band", [("regrouped", {"c1": "c1", "c2": "@Pack"})]),
        ("ungroup Bo", [("regrouped", {"c2": "@Pack"})]),
        ("add Zed", [("joined", ("c5",))]),
        ("add 2 Zed", [("joined", ("c5", "c6"))]),
        ("add Zed round=2", [("joined", ("c5",))]),
        ("add Zed round=3", []),
        ("set Ana round=4 group=Band", [("regrouped", {"c1": "c1"}), ("left", ("c1",))]),
    ],
)
def test_a_system_hears_of_new_rows_and_of_those_who_come_later_while_a_fight_runs(
    line: str, heard: list[tuple[object, ...]]
) -> None:
    assert edited(RUNNING, line)[1] == heard
    assert edited(BEFORE, line)[1] == []


@pytest.mark.parametrize(
    ("line", "who", "group", "side"),
    [
        ("set Cy side=blue group=red", "c3", "red", "blue"),
        ("set Cy side=heroes group=Pack", "c3", "Pack", "heroes"),
        ("set Bo side=dark", "c2", "Pack", "dark"),
        ("set Bo group=Bande", "c2", "Bande", "heroes"),
    ],
)
def test_names_that_an_edit_gives_up_are_free_in_the_same_line(
    line: str, who: str, group: str, side: str
) -> None:
    c = edited(BEFORE, line)[0].encounter.combatants[who]
    assert (c.group, c.side) == (group, side)


@pytest.mark.parametrize(("there", "line", "fits"), [(1999, "add Orc", True), (2000, "add Orc", False),
    (1998, "add 2 Orc", True), (1999, "add 2 Orc", False), (1999, "add 1 Orc", True)])  # fmt: skip
def test_a_fight_holds_two_thousand(there: int, line: str, fits: bool) -> None:  # of a table
    people = {f"c{n}": Combatant(f"c{n}", f"Rat {n}", "dark") for n in range(1, there + 1)}
    e = Encounter(combatants=people, serial=there)
    if fits:
        assert len(edited(e, line)[0].encounter.combatants) == there + int(line.split()[1] == "2") + 1
        return
    with pytest.raises(RuleError, match="a fight holds 2000 combatants at the most"):
        edited(e, line)


def test_neither_side_nor_group_has_the_alias_of_its_creature() -> None:
    masked = Encounter(combatants={"c1": Combatant("c1", "Ana", "heroes", alias="Mask")})
    for line in ("set Ana side=Mask", "set Ana group=mask", "group Ana mask"):
        with pytest.raises(RuleError, match=r"(?i)cannot be called mask: it is the name of a creature"):
            edited(masked, line)
