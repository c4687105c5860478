"""Whom `@side`, patterns and groups mean, and which side a creature is on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.systems import Registry

ROSTER = ("add Ana kind=pc hp=9", "add 2 Orc hp=9 group=Orcs", "add 2 Wolf hp=9 round=3")
LINES = (
    "damage {} 1", "damage {} 1 pool=yes", "damage Ana 2 half={}", "heal {} 1", "temp {} 3",
    "condition {} prone", "count {} luck 2", "out {}", "area {} damage=3", "area {} damage=3 dc=12",
    "attack Ana blow {}",
)  # fmt: skip
EDITS = ("set {} note=x", "hide {}", "group {} Pack")
REMOVAL = "remove {}"


def changed(fight: Table, line: str) -> set[str]:
    """Return the names of the creatures that a line changes or removes."""
    before = fight.encounter.combatants
    fight.do(line)
    after = fight.encounter.combatants
    return {c.name for k, c in before.items() if after.get(k) != c}


def classic() -> Table:
    fight = Table("classic")
    fight.do(*ROSTER, 'set Ana attacks="blow dc9 str 1"', "begin")
    fight.do("roll Ana 9", "roll Orcs 4", "next", "damage Orc* 2", 'damage "Wolf 1,Wolf 2" 2')
    return fight


@pytest.mark.parametrize("line", [*LINES, *EDITS, REMOVAL])
@pytest.mark.parametrize("who", ["@dark", "*o*", "@Orcs,@dark", "Orcs"])
def test_who_is_not_there_is_not_meant(line: str, who: str) -> None:
    fight = classic()
    if who == "Orcs":
        fight.do('group "Wolf 1" Orcs')
    assert not {"Wolf 1", "Wolf 2"} & changed(fight, line.format(who))


@pytest.mark.parametrize("line", [*LINES, REMOVAL])
def test_a_pattern_of_creatures_that_are_not_there_means_nobody(line: str) -> None:
    error = classic().refuse(line.format("Wolf*"), "nobody of Wolf* is in play")
    assert error.hint == "creatures in reserve are named one by one: Wolf 1, Wolf 2"


@pytest.mark.parametrize("line", [*LINES[:2], *LINES[3:-3], *EDITS, REMOVAL])
def test_a_name_means_who_is_not_there(line: str) -> None:
    assert "Wolf 1" in changed(classic(), line.format('"Wolf 1"'))


@pytest.mark.parametrize("line", EDITS)
def test_a_reserve_is_edited_as_a_whole(line: str) -> None:
    assert changed(classic(), line.format("Wolf*")) == {"Wolf 1", "Wolf 2"}


@pytest.mark.parametrize("system", ["dungeon-universalis", "dungeon-track"])
def test_enemies_behind_a_door_are_meant_by_name_and_by_the_words_that_open_it(system: str) -> None:
    fight = Table(system)
    fight.do("add Ana kind=pc hp=9", "add 3 Orc hp=9", "begin")
    fight.refuse("damage @dark 1", "nobody of @dark is in play")
    fight.do('meet Ana with="Orc 1"', "roll Ana 6 5", 'roll "Orc 1" 1 2', "pick none")
    assert changed(fight, "damage Orc* 1") == {"Orc 1"}
    fight.do("place Orc*")
    assert changed(fight, "damage Orc* 1") == {"Orc 1", "Orc 2", "Orc 3"}


def side(fight: Table, name: str) -> str:
    return next(c.side for c in fight.encounter.combatants.values() if c.name == name)


KEYS = st.sampled_from(
    ["kind=pc", "kind=npc", "kind=monster", "owner=Mia", "owner=none", "owner=Jon kind=npc"]
)


@pytest.mark.parametrize("system", Registry().ids())
@cases(10)
@given(first=KEYS, edits=st.lists(KEYS, max_size=4))
def test_a_side_that_a_line_named_stays(system: str, first: str, edits: list[str]) -> None:
    fight = Table(system)
    fight.do(f"add Bo side=dark {first}", "add Cat note=x")
    for edit in edits:
        fight.do(f"set Bo {edit} note={len(fight.ledger.steps)}")
        assert side(fight, "Bo") == "dark"
