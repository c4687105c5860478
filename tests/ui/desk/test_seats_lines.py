"""Lines of seats at the game master's desk: all whose lines went are named, and a notice goes in time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kit.keyboard import Player
from tests.kit.table import Memory
from tui.store.dependencies import StoreEffects
from tui.store.sources import SeededDice

LONG = "Bartholomew of the Long Marches"
PEOPLE = ("Mia", "Jon", "Pat")


@pytest.fixture
def written() -> Player:
    p = Player(
        "chaos", [*(f'add "{LONG} {who}" owner={who} hp=9' for who in PEOPLE), "add Orc hp=9", "begin"]
    )
    for number, who in enumerate(PEOPLE, 1):
        for order in ("action=strike", "action=run"):
            p.store.run(f'order "{LONG} {who}" {order}', by=f"{who.lower()} {number}")
    return p


def clock_of(p: Player, time: Callable[[], str]) -> None:
    p.store.effects = StoreEffects(Memory(), SeededDice(1), time)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 18)])
def test_every_player_whose_line_went_is_named_before_any_text_is_cut(
    written: Player, size: tuple[int, int]
) -> None:
    written.size = size
    written.press("u")
    said = " ".join(written.picture()["now"])
    assert "took back: begin; lines of Mia, Jon and Pat no longer" in said


def test_undo_as_a_line_asks_with_the_name_of_the_step_and_its_player() -> None:
    p = Player("chaos", ["add Ana owner=Mia hp=9", "add Orc hp=9", "begin"])
    p.store.run("order Ana action=wait", by="mia 1")
    p.store.run("damage Orc 1")
    p.press(":", "'undo 2'", "enter")
    assert "Undo damage Orc, Mia's order Ana? [y] undoes it" in " ".join(p.picture()["now"])


def test_a_notice_goes_with_a_step_of_a_seat_once_it_has_been_there_to_read() -> None:
    p = Player("chaos", ["add Ana owner=Mia hp=9", "add Orc hp=9", "begin"])
    now = ["12:00:00"]
    clock_of(p, lambda: f"2026-01-01T{now[0]}Z")
    p.press("n")
    refused = p.message()
    assert refused
    now[0] = "12:00:02"
    p.store.run("order Ana action=wait", by="mia 1")
    assert p.message() == refused
    now[0] = "12:00:09"
    p.store.run("order Ana action=run", by="mia 2")
    assert p.message() == ""
    # What is being typed keeps the reason with it.
    p.press(":", "'damage Foo 3'", "enter")
    refused = p.message()
    now[0] = "12:00:30"
    p.store.run("order Ana action=hide", by="mia 3")
    assert p.message() == refused != ""
