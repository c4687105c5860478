"""What must be known while an order runs: who may break in and with which key; before it what is to be read, by place."""

from __future__ import annotations

from tests.ui.keyboard import Player
from tui.ui.state.view import Form

LINES = (
    "add Ana side=red owner=Mia hp=18", "add Bo side=red owner=Tom", "add 2 Orc side=blue", "begin",
    'order Ana reaction="Bo falls => shout" action="strike or else dodge"', 'order Bo ready="shoot whoever casts"',
    "lock missing=empty", "roll Bo 20", "roll Ana 19", "roll",
)  # fmt: skip


def orders(p: Player) -> str:
    return " ".join(" ".join(p.picture()["orders"]).split())


def test_cha_7_beside_the_running_order_stands_who_may_interrupt_with_the_keys() -> None:
    p = Player("chaos", [*LINES, "ok", "next", "next"])
    acting = p.store.encounter.combatants[p.store.encounter.acting].name
    assert acting == "Ana"
    shown = orders(p)
    assert "may interrupt" in shown
    assert "F Bo (shoot whoever casts)" in shown
    assert "f Bo, Orc 1\N{EN DASH}2: the first opportunity attack" in shown
    assert "f Ana" not in shown, "in one's own turn one breaks in on nobody"
    p.store.run("react Bo")
    assert "Bo, Orc" not in orders(p), "Bo has spent the reaction"


def test_the_list_is_not_shown_to_a_screen_that_the_players_read() -> None:
    p = Player("chaos", [*LINES, "ok", "next", "next"])
    p.desk.show(masked=True)
    assert "may interrupt" not in p.text()


def test_cha_15_each_line_of_the_board_has_its_place_and_the_arrows_scroll_it() -> None:
    p = Player("chaos", LINES)
    p.size = (80, 18)
    board = p.picture()["orders"]
    assert board[0].startswith("── [Read before play goes on]")
    assert [row.split()[:2] for row in board[1:3]] == [["1", "Bo"], ["2", "Ana:"]]
    assert "j/k scroll" in p.picture()["hints"][0]
    p.size = (30, 9)
    first = p.picture()["orders"]
    p.press("j")
    assert p.picture()["orders"] != first
    assert p.desk.view.track == ""


def test_fields_without_a_text_share_a_row_where_there_is_little_room() -> None:
    p = Player("chaos", [*LINES, *("ok", *["next"] * 5)]).press("o")
    assert isinstance(p.desk.view.mode, Form)
    p.size = (80, 40)
    assert "empty:" not in p.text()
    p.size = (80, 12)
    shown = orders(p)
    assert "empty:" in shown
    assert "strike" in shown
    p.press("tab")
    assert ">" in shown


def test_what_stands_as_last_round_is_explained_while_it_is_written() -> None:
    p = Player("chaos", [*LINES, *("ok", *["next"] * 5)]).press("o")
    assert "= is as last round" in p.picture()["now"][1]
    p.press("escape", "o", "enter")
    p.press("escape")
    fresh = Player("chaos", LINES[:4]).press("o")
    assert "as last round" not in fresh.text()
