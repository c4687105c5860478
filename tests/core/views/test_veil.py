"""Creatures in reserve do not exist for players until they come into play."""

from __future__ import annotations

import json

import pytest

from tests.core.views.told import log
from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of
from tui.serve.page import make_page

PARTY = ("add Ana owner=Mia", "add Bo kind=pc", "add 2 Orc hp=5")
DUNGEONS = ("dungeon-universalis", "dungeon-track")


def shown(fight: Table, name: str) -> str:
    """Return everything that a player is shown: table, page and log."""
    viewer = viewer_of(name)
    page = make_page(fight.store, name)[0].decode()
    return json.dumps([fight.state(name), page, log(fight, viewer)])


@pytest.mark.parametrize("system", DUNGEONS)
def test_enemies_behind_a_door_are_nowhere_until_they_are_met(system: str) -> None:
    fight = Table(system)
    fight.do(*PARTY, "begin", "add Dragon hp=40 rank=leader")
    for name in ("Mia", ""):
        told = shown(fight, name)
        assert [x for x in ("Orc", "Dragon", "reserve", "`meet", "`place") if x in told] == []
    fight.do('meet Ana with="Orc 1,Orc 2"')
    assert [x["name"] for x in fight.state("Mia")["combatants"]] == ["Ana", "Bo", "Orc 1", "Orc 2"]
    assert log(fight).count("Orc 1 and Orc 2 join the dark side") == 1
    assert "Dragon" not in shown(fight, "Mia")


@pytest.mark.parametrize("system", DUNGEONS)
@pytest.mark.parametrize("line", ['meet Ana with="Orc 1,Orc 2"', 'place "Orc 1" "Orc 2"'])
def test_who_is_hidden_stays_hidden_when_it_is_met_or_placed(system: str, line: str) -> None:
    fight = Table(system)
    fight.do(*PARTY, 'hide "Orc 2"', "begin")
    told = [x.text for x in fight.do(line).notices]
    assert told == ['Orc 2 stays hidden from the players; `reveal "Orc 2"`']
    assert "Orc 1 joins the dark side" in log(fight)
    assert "Orc 2" not in shown(fight, "Mia")
    fight.do('reveal "Orc 2"')
    assert "Orc 2" in shown(fight, "Mia")


def test_who_arrives_in_a_later_round_is_told_of_then() -> None:
    fight = Table("classic")
    fight.do(*PARTY[:2], "add Wolf round=2", "begin", "roll Ana 9", "roll Bo 8")
    assert "Wolf" not in shown(fight, "Mia")
    fight.do("next 3")
    assert log(fight)[-3:] == ["Round 2 begins", "Wolf joins the dark side", "Wolf arrives"]
    fight.do("undo")
    assert "Wolf" not in json.dumps(fight.state("Mia"))


@pytest.mark.parametrize(
    ("keys", "seen"),
    [
        ("kind=pc", ["Jon", "Mia"]),
        ("owner=Jon", ["Jon", "Mia"]),
        ("owner=Jon kind=monster", ["Jon"]),
        ("kind=npc side=heroes", []),
        ("", []),
    ],
)
def test_only_characters_and_own_creatures_are_seen_before_they_arrive(keys: str, seen: list[str]) -> None:
    fight = Table("classic")
    fight.do(*PARTY, f"add Late {keys} round=3", "begin")
    assert [name for name in ("Jon", "Mia", "") if "Late" in shown(fight, name)][: len(seen)] == seen
    assert ("Late" in shown(fight, "")) == (len(seen) == 2)


def test_a_creature_that_left_the_reserve_stays_unknown() -> None:
    fight = Table("classic")
    fight.do(*PARTY[:2], "add Wolf round=2", "condition Ana cursed of=Wolf", "remove Wolf")
    fight.do("begin", "roll Ana 9", "roll Bo 8", "next 3")
    assert "cursed" in shown(fight, "Mia")
    assert "Wolf" not in shown(fight, "Mia")


def test_without_a_game_master_the_reserve_is_open() -> None:
    fight = Table("chaos", {"cha.mode": "head-to-head"})
    fight.do("add Ana owner=Mia", "add Bo owner=Jon", "add Wolf owner=Jon kind=monster round=2")
    assert "Wolf" in shown(fight, "Mia")
