"""Dice out of a source of chance, and the bars of a row whose odds are known."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tui.core.odds.spread import Standing
from tui.core.views.odds import ASCII_ONLY, RowOdds, bars
from tui.core.views.odds_play import ChanceDice


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_dice_out_of_chance_show_every_face_and_no_other(sides: int) -> None:
    chances = iter([(at + 0.5) / sides for at in range(sides)])
    dice = ChanceDice(lambda: next(chances))
    assert [dice.roll(sides) for _ in range(sides)] == list(range(1, sides + 1))
    assert ChanceDice(lambda: 0.0).roll(sides) == 1
    assert ChanceDice(lambda: 1 - 1e-12).roll(sides) == sides


def test_the_bars_of_a_row_say_how_often_it_does_not_act_and_what_it_throws() -> None:
    row = RowOdds("c1", "Ana", "heroes", ("c1",), Standing((0.25, 0.5), 0.25), total={2: 0.25, 4: 0.75})
    assert bars(row, ASCII_ONLY) == [
        "Ana: the place, 1.7 on average; does not act: 25.0%",
        f"    1   25.0%  {'#' * 30}",
        f"    2   50.0%  {'#' * 60}",
        "",
        "Ana: the number, 2 to 4, 3.5 on average",
        f"    2   25.0%  {'#' * 20}",
        "    3    0.0%",
        f"    4   75.0%  {'#' * 60}",
    ]
    always = replace(row, standing=Standing((0.5, 0.5), 0.5), total={3: 1.0})
    assert bars(always, replace(ASCII_ONLY, width=36)) == [
        "Ana: the place, 1.5 on average",
        f"    1   50.0%  {'#' * 20}",
        f"    2   50.0%  {'#' * 20}",
    ]
