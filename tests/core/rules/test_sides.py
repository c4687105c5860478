"""Which side a creature is on: its line's, its hero's, or that of its owner and kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.systems import Registry


def side(fight: Table, name: str) -> str:
    return next(c.side for c in fight.encounter.combatants.values() if c.name == name)


@pytest.mark.parametrize(
    ("add", "edit", "where"),
    [
        ("", "kind=pc", "heroes"),
        ("", "owner=Mia", "heroes"),
        ("kind=pc", "kind=monster", "dark"),
        ("owner=Mia", "owner=none", "heroes"),
        ("owner=Mia", "owner=", "heroes"),
        ("owner=Mia", "owner=none kind=npc", "dark"),
        ("side=dark", "kind=pc", "dark"),
        ("side=heroes", "kind=monster", "heroes"),
        ("side=heroes kind=pc", "owner=Mia", "heroes"),
        ("", "kind=pc side=dark", "dark"),
        ("", "hp=5", "dark"),
    ],
)
@pytest.mark.parametrize("system", ["classic", "dungeon-track"])
def test_kind_and_owner_move_a_creature_whose_side_no_line_named(
    system: str, add: str, edit: str, where: str
) -> None:
    fight = Table(system)
    fight.do(f"add Bo {add}", f"set Bo {edit}")
    assert side(fight, "Bo") == where


def test_an_owner_who_is_gone_leaves_a_creature_that_its_kind_still_moves() -> None:
    fight = Table("classic")
    fight.do("add Bo owner=Mia", "set Bo owner=none", "set Bo kind=monster")
    assert side(fight, "Bo") == "dark"
    fight.do("set Bo side=heroes", "set Bo kind=npc")
    assert side(fight, "Bo") == "heroes"


@pytest.mark.parametrize("system", ["classic", "dungeon-universalis"])
def test_a_companion_is_on_its_heros_side(system: str) -> None:
    fight = Table(system)
    fight.do("add Ana kind=pc", "add Dog acts_with=Ana kind=npc", "add Cat", "set Cat acts_with=Ana")
    assert side(fight, "Dog") == side(fight, "Cat") == "heroes"
    fight.do("add Bat acts_with=Ana side=dark", "add Owl acts_with=Nobody")
    assert side(fight, "Bat") == side(fight, "Owl") == "dark"


def test_a_group_moves_as_a_whole_or_stays() -> None:
    fight = Table("classic")
    fight.do("add 2 Orc group=Orcs", 'set "Orc 1" owner=Mia')
    assert side(fight, "Orc 1") == "dark"
    fight.do("set Orcs kind=pc")
    assert side(fight, "Orc 1") == side(fight, "Orc 2") == "heroes"


def test_without_a_game_master_an_owner_is_a_side() -> None:
    fight = Table("chaos", {"cha.mode": "head-to-head"})
    fight.do("add Ana owner=Mia", "add Bo", "set Bo owner=Mia")
    assert side(fight, "Bo") == "Mia"


@pytest.mark.parametrize("name", ["everybody", "Everybody", "EVERYBODY"])
def test_no_player_has_the_name_of_the_public_view(name: str) -> None:
    fight = Table("classic")
    fight.do("add Ana")
    fight.refuse(f"add Bo owner={name}", f"a player cannot be called {name}")
    fight.refuse(f"set Ana owner={name}", f"a player cannot be called {name}")


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
