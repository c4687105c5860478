"""What is asked before it is done: empty orders, dice before the intents, another system in a fight."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, Player
from tui.core.rules.now import now as now_line
from tui.ui.modes.page import Page

CHAOS = ("add Ana side=red owner=Mia hp=18", "add Orc side=blue", "begin")
DYNAMIC = (
    "add Fay owner=Lu hp=9",
    "add Ogre hp=30 side=dark",
    "add 2 Gnoll hp=9 side=dark group=Gnolls",
    "begin",
)


def now(p: Player) -> str:
    return " ".join(" ".join(p.picture()["now"]).split())


def test_esc_on_the_board_leaves_the_cursor_where_it_is() -> None:
    p = Player(lines=FIGHT).press("j", "j")
    here = p.desk.view.track
    assert p.press("escape", "escape").desk.view.track == here != ""


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (60, 18), (80, 24)])
def test_a_notice_never_covers_now(size: tuple[int, int]) -> None:
    p = Player(lines=FIGHT)
    p.size = size
    acting = p.picture()["now"][0].split()[1]
    p.press("L")
    assert p.message()
    assert acting in p.picture()["now"][0]


def test_the_rule_is_read_from_the_reasons_of_a_row() -> None:
    p = Player(lines=FIGHT).press("w", "W")
    assert isinstance(p.desk.view.mode, Page)
    assert p.desk.view.mode.title != "Ana"
    assert p.press("W").desk.view.mode is None


def test_nothing_is_offered_in_an_empty_fight_that_needs_somebody() -> None:
    p = Player()
    assert {"begin", "edit", "undo"}.isdisjoint(p.picture()["hints"][0].split())
    assert "undo" in Player(lines=("add Ana", "remove Ana")).picture()["hints"][0]


def test_where_now_cites_no_rule_that_of_the_row_that_acts_is_read() -> None:
    p = Player(lines=FIGHT)
    assert not now_line(p.store.encounter, p.store.system).rule
    p.press("W")
    assert isinstance(page := p.desk.view.mode, Page)
    assert page.title in p.store.system.clauses
