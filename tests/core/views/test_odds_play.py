"""What fights are played on with: dice out of a source of chance."""

from __future__ import annotations

import pytest

from tui.core.views.odds_play import ChanceDice


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_dice_out_of_chance_show_every_face_and_no_other(sides: int) -> None:
    chances = iter([(at + 0.5) / sides for at in range(sides)])
    dice = ChanceDice(lambda: next(chances))
    assert [dice.roll(sides) for _ in range(sides)] == list(range(1, sides + 1))
    assert ChanceDice(lambda: 0.0).roll(sides) == 1
    assert ChanceDice(lambda: 1 - 1e-12).roll(sides) == sides
