"""What a step decided comes before its dice; the track's title names the side of who acts."""

from __future__ import annotations

from tests.kit.keyboard import Player


def test_the_order_stands_before_the_dice_that_made_it() -> None:
    p = Player("classic", ["add Ana mod=3", "add Bo", "add Cid", "begin"]).press("r")
    shown = p.text()
    assert "The order: " in shown
    assert shown.index("The order: ") < shown.index(" rolls ")


def test_the_title_of_the_track_names_the_side_of_who_acts_when_a_champion_is_placed() -> None:
    lines = [
        "option dun.radius=1",
        "add Ana kind=pc per=1 int=9",
        "add 2 Skeleton group=Skeletons per=9 int=9 distance=3",
        "begin",
        "meet Ana",
        "roll Ana 1 2",
        'roll "Skeleton 1" 3 4',
        "next",
        "add Chief rank=champion per=5 int=1 distance=9",
        "place Chief",
        "roll Ana 1 2",
        "roll Chief 6 5",
    ]
    p = Player("dungeon-track", lines)
    assert "The heroes' turn" not in p.text()
    assert "The dark side's turn" in p.text()
