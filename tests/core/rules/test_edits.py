"""Edits of the roster, one line each: what they write, what the system hears of them, what is refused."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.core.rules.listener import Listener
from tests.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
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
    roster.perform(d, system, action, SOURCES)
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


@pytest.mark.parametrize("line", ["set Bo round=3", "set Ana,Bo round=3", "set Bo,Ana round=3"])
def test_who_acts_is_not_put_off_to_a_later_round(line: str) -> None:
    with pytest.raises(RuleError) as refused:
        edited(RUNNING, line)
    assert (refused.value.message, refused.value.hint) == ("Bo is acting", "`end` ends the turn first")
    assert edited(BEFORE, line)[0].encounter.combatants["c2"].arrives == 3


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("set Ana group=Bo", "a group cannot be called Bo: it is the name of a creature"),
        ("set Ana group=dark", "a group cannot be called dark: it is a side"),
        ("set Ana side=Pack", "a side cannot be called Pack: it is a group"),
        ("set Ana group=heroes", "a group cannot be called heroes: it is a side"),
        ("group Ana heroes", "a group cannot be called heroes: it is a side"),
        ("set Ana side=Pack group=Pack", "a side cannot be called Pack: it is a group"),
        ("set Ana side=gold group=gold", "a group cannot be called gold: it is a side"),
        ("add Zap side=gold group=gold", "a group cannot be called gold: it is a side"),
        ("set Ana side=Rat", "a side cannot be called Rat: it is the name of a creature"),
        ("set Cy group=Pack", "the group Pack is on the side heroes, Cy on red"),
        ("set Ana,Cy group=Band", "the group Band is on the side heroes, Cy on red"),
        ("set Ana hp=10", "hp=10 is above the maximum of Ana, 9"),
        ("set Ana hp=12 max_hp=11", "hp=12 is above the maximum of Ana, 11"),
    ],
)
def test_a_value_that_does_not_fit_the_others_is_refused(line: str, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        edited(BEFORE, line)
    assert refused.value.message == says


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


@pytest.mark.parametrize("line", ["set Ana hp=20 max_hp=25", "set Ana max_hp=25 hp=20"])
def test_the_maximum_is_set_before_the_hit_points(line: str) -> None:
    assert edited(BEFORE, line)[0].events == [ev.Changed("c1", "max_hp", 25), ev.Changed("c1", "hp", 20)]


def test_what_is_cleared_is_empty_again() -> None:
    worn = Combatant("c1", "Ana", "heroes", note="brave", resist="fire", temp_hp=3, temp_max=2, owner="Mia")
    e = Encounter(combatants={"c1": worn})
    d = edited(e, "set Ana note= resist= temp_hp= temp_max= owner=")[0]
    assert d.encounter.combatants["c1"] == Combatant("c1", "Ana", "heroes")


def test_a_maximum_that_is_reached_changes_no_hit_points() -> None:
    assert edited(BEFORE, "set Ana max_hp=9")[0].events == [ev.Changed("c1", "max_hp", 9)]
    lower = edited(BEFORE, "set Ana max_hp=8")[0].events
    assert lower == [ev.Changed("c1", "max_hp", 8), ev.Changed("c1", "hp", 8)]


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


def test_every_system_knows_what_kind_a_creature_is_of() -> None:
    assert edited(BEFORE, "set Ana kind=pc")[0].events == [ev.FieldSet("c1", "kind", "pc")]
    with pytest.raises(RuleError):
        edited(BEFORE, "set Ana kind=hero")


def test_neither_side_nor_group_has_the_alias_of_its_creature() -> None:
    masked = Encounter(combatants={"c1": Combatant("c1", "Ana", "heroes", alias="Mask")})
    for line in ("set Ana side=Mask", "set Ana group=mask", "group Ana mask"):
        with pytest.raises(RuleError, match=r"(?i)cannot be called mask: it is the name of a creature"):
            edited(masked, line)


def test_a_whole_group_changes_its_side_in_one_line_and_a_part_of_it_does_not() -> None:
    pair = PEOPLE | {"c5": Combatant("c5", "Di", "heroes", alias="Mask", group="Pack")}
    e = Encounter(combatants=pair, serial=5)
    for line in ("set @Pack side=dark", "set Di,Bo side=dark"):
        people = edited(e, line)[0].encounter.combatants
        assert [people[k].side for k in ("c2", "c5")] == ["dark", "dark"]
    for line, says in (
        ("set Di side=dark", "the group Pack is on the side heroes, Di on dark"),
        ("set Ana,Di side=dark", "the group Pack is on the side heroes, Di on dark"),
        ("set Ana,Bo,Di side=Pack", "a group cannot be called Pack: it is a side"),
        ("set Ana,Bo,Di side=Bo", "a side cannot be called Bo: it is the name of a creature"),
        ("set Ana,Bo,Di side=mask", "a side cannot be called mask: it is the name of a creature"),
    ):
        with pytest.raises(RuleError) as refused:
            edited(e, line)
        assert refused.value.message == says
