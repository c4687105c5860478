"""Players read one amount of a pool of damage, and its shares only where hit points are open."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of
from tui.core.views.log import story

LINES = ("add Ana owner=Mia hp=9", "add 3 Orc hp=7 group=Orcs", "add Rat hp=3", "add Pet hp=5 owner=Mia")
SHARES = ["Orc 1 takes 7 damage: 0 left", "Orc 2 takes 3 damage: 4 left"]


def told(fight: Table, line: str, viewer: str | None) -> list[str]:
    """Return what a viewer reads of a line."""
    fight.do(line)
    store = fight.store
    before, events = store.at(store.step - 1), store.done(store.step).events
    return [x.text for x in story(before, events, viewer_of(viewer), store.system)]


@pytest.mark.parametrize("health", ["none", "word"])
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("damage Orcs 10 pool=yes", ["Orcs take 10 damage"]),
        ('damage "Orc 3,Rat" 9 pool=yes', ["Orc 3 and Rat take 9 damage"]),
        ("damage Orc* 3 pool=yes", ["Orcs take 3 damage"]),
        ("damage Orcs,Rat 9 pool=yes", ["Orc 1 to 3 and Rat take 9 damage"]),
        ("damage Rat 2 pool=yes", ["Rat takes 2 damage"]),
        ("damage Rat,Pet 5 pool=yes", ["Rat and Pet take 5 damage", "Pet takes 2 damage: 3 left"]),
    ],
)
def test_players_read_one_amount_and_their_own_share(health: str, line: str, words: list[str]) -> None:
    fight = Table("classic")
    fight.do(*LINES, f"option view.health={health}")
    assert told(fight, line, "Mia") == words


@pytest.mark.parametrize(("viewer", "health"), [(None, "none"), (None, "word"), ("Mia", "numbers")])
def test_shares_are_told_where_hit_points_are_open(viewer: str | None, health: str) -> None:
    fight = Table("classic")
    fight.do(*LINES, f"option view.health={health}")
    assert told(fight, "damage Orcs 10 pool=yes", viewer) == SHARES


@pytest.mark.parametrize("hp", [1, 3, 7, 40])
@pytest.mark.parametrize("hidden", ["", 'hide "Orc 2"', 'hide "Orc 1"', 'damage "Orc 1" 40'])
def test_what_players_read_does_not_depend_on_hit_points(hp: int, hidden: str) -> None:
    fight = Table("classic")
    fight.do("add Ana owner=Mia", f"add 3 Orc hp={hp} group=Orcs", "option view.health=none")
    if hidden:
        fight.do(hidden)
    assert told(fight, "damage Orcs 17 pool=yes", "Mia") == ["Orcs take 17 damage"]


def test_a_pool_names_nobody_who_is_hidden() -> None:
    fight = Table("classic")
    fight.do(*LINES, "hide Rat", "ungroup Orcs")
    assert told(fight, 'damage "Orc 1,Rat" 9 pool=yes', "Mia") == ["Orc 1 takes 9 damage"]
    assert told(fight, "damage Rat 1 pool=yes", "Mia") == [] if fight.do("heal Rat 3") else False


TOLD = 'players read Orc 3 to Orc 5, and can tell that 2 come before; `alias "Orc 3" NAME`'


@pytest.mark.parametrize(
    ("system", "before", "line", "notices"),
    [
        ("classic", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1", [TOLD]),
        ("classic", "add 2 Orc hp=1 round=3", "add 3 Orc hp=1", [TOLD]),
        ("classic", "add 2 Orc hp=1", "add 3 Orc hp=1", []),
        ("classic", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1 hidden=yes", []),
        ("classic", "add 2 Orc hp=1 hidden=yes", "add 3 Rat hp=1", []),
        ("dungeon-track", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1", []),
        ("dungeon-track", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1 side=heroes", [TOLD]),
    ],
)
def test_the_game_master_is_told_of_numbers_after_unseen_ones(
    system: str, before: str, line: str, notices: list[str]
) -> None:
    fight = Table(system)
    fight.do(before)
    assert [x.text for x in fight.do(line).notices] == notices
