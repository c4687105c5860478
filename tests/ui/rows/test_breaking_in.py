"""What must be known while an order runs: who may break in, with which key; and what is read before it."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player

LINES = (
    "add Ana side=red owner=Mia hp=18",
    "add Bo side=red owner=Tom",
    "add 2 Orc side=blue",
    "begin",
    'order Ana reaction="Bo falls => shout" action="strike or else dodge"',
    'order Bo ready="shoot whoever casts"',
    "lock missing=empty",
    "roll Bo 20",
    "roll Ana 19",
    "roll",
)


def test_a_long_order_names_the_key_that_scrolls_it_until_the_next_turn() -> None:
    long = " ".join(f"word{number}" for number in range(120))
    p = Player("chaos", [*LINES[:4], f'order Ana action="{long}"', *LINES[5:], "ok", "next", "next"])
    assert "[>]" in p.picture()["orders"][0]
    assert "word119" not in p.text().split("Log")[0]
    p.press(*[">"] * 20)
    assert "word119" in " ".join(p.picture()["orders"])
    p.press("n")
    assert p.desk.view.card_top == ("", 0)
    assert p.desk.view.tops == {}


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_hidden_is_never_cut_and_stands_before_all_conditions(width: int) -> None:
    conditions = [f"condition Shade curse{number} rounds=3" for number in range(8)]
    p = Player(
        lines=[
            "add Ana hp=9",
            "add Shade hp=5 hidden=yes",
            *conditions,
            "begin",
            "roll Ana 9",
            "roll Shade 5",
            "next",
        ]
    )
    p.size = (width, 24)
    p.press("z")
    row = next(row for row in p.picture()["track"] if "Sha" in row)
    assert "HIDDEN" in row.split("curse")[0]
    assert "HIDDEN Shade" in " ".join(p.picture()["now"]) or width < 40


def test_on_a_narrow_screen_who_may_break_in_stays_when_the_cursor_goes_to_another_row() -> None:
    p = Player("chaos", [*LINES, "ok", "next"])
    p.size = (60, 18)
    assert "may interrupt" in p.text()
    for _ in range(3):
        p.press("j")
        assert "may interrupt" in p.text()
