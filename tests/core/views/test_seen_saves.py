"""Who reads the DC of a save, and which word players read for a creature's health."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.core.views.told import log
from tests.kit.table import Table
from tui.core.fight.viewer import GAME_MASTER, viewer_of
from tui.serve.page import make_page

FIGHT = ("add Ana owner=Mia hp=90", "add Bo owner=Jon hp=90", "add Orc hp=90", "begin")
DC = 17
SAVES = (
    ("area {} damage=3 dc=17 save=dex",),
    ("condition {} slow save=wis dc=17",),
    ("condition {} concentration", "damage {} 35"),
)


def told(fight: Table, name: str | None) -> str:
    """Return everything that a viewer is shown."""
    viewer = GAME_MASTER if name is None else viewer_of(name)
    page = make_page(fight.store, name)[0].decode() if name is not None else ""
    return json.dumps([fight.state(name), page, log(fight, viewer)])


def played(lines: Sequence[str], who: str, *more: str) -> Table:
    fight = Table("classic")
    fight.do(*FIGHT, "roll Ana 15", "roll Bo 10", "roll Orc 5", *more, *(line.format(who) for line in lines))
    return fight


@pytest.mark.parametrize("lines", SAVES)
@pytest.mark.parametrize("who", ["Ana", "Orc"])
def test_only_the_creatures_player_reads_the_dc_of_its_save(lines: Sequence[str], who: str) -> None:
    fight = played(lines, who)
    assert str(DC) in told(fight, None)
    assert (str(DC) in told(fight, "Mia")) == (who == "Ana")
    for name in ("Jon", ""):
        assert str(DC) not in told(fight, name)
    hidden = played(lines, who, "option view.dc=false")
    assert str(DC) not in told(hidden, "Mia")
    assert str(DC) in told(hidden, None)


def test_the_rest_of_a_save_is_told() -> None:
    fight = played(("condition {} slow save=wis dc=17",), "Orc")
    assert "Orc: slow until a save ends it (wis)" in log(fight)
    fight.do("area Orc damage=3 dc=17 save=dex")
    assert "Orc owes the save: dex, 3 damage" in log(fight)
    (due,) = fight.state("Mia")["due"]
    assert due["save"] == {"for": "area", "name": "", "key": "dex"}
    assert due["why"] == "Orc owes a save"


@pytest.mark.parametrize(
    ("keys", "lines", "word"),
    [
        ("hp=9", (), "unhurt"),
        ("hp=9", ("damage Orc 1",), "hurt"),
        ("hp=9", ("damage Orc 5",), "bloodied"),
        ("hp=9", ("damage Orc 9",), "down"),
        ("hp=9", ("damage Orc 2", "out Orc"), "down"),
        ("hp=9", ("out Orc",), "out"),
        ("", (), ""),
        ("", ("damage Orc 3",), ""),
        ("", ("out Orc",), "out"),
    ],
)
def test_players_read_a_word_for_the_health(keys: str, lines: Sequence[str], word: str) -> None:
    fight = Table("classic")
    fight.do("add Ana owner=Mia", f"add Orc {keys}", *lines)
    assert fight.state("Mia")["combatants"][1]["health"] == word
