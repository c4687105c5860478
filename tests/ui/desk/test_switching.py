"""The menu of a switch: a row for each kind of action, and what is given up for it, with price and place."""

from __future__ import annotations

from tests.kit.keyboard import Player
from tui.core.rules.on_screen import on_screen
from tui.ui.modes.menu import Menu

LINES = (
    "add Fay kind=pc",
    "add Sela kind=pc",
    "add Ogre",
    "begin",
    "order Fay weapon=1d6 move=yes",
    "order Sela weapon=1d8",
    "roll Fay 2 1",
    "roll Sela 6",
    "roll Ogre 8",
    "next",
)


def menu(p: Player) -> Menu:
    """The menu that is open."""
    mode = p.desk.view.mode
    assert isinstance(mode, Menu)
    return mode


def test_a_switch_has_a_row_for_each_kind_and_left_and_right_change_the_dice() -> None:
    p = Player("dynamic", LINES).press("s")
    assert [i.kin for i in menu(p).visible_items] == ["action", "weapon", "spell", ""]
    assert len(p.picture()["orders"]) >= 5
    # The next larger one than the d6 that she has declared, and from there in a ring.
    p.press("down")
    assert menu(p).visible_items[1].line.endswith("weapon=1d8")
    p.press("right")
    assert menu(p).visible_items[1].line.endswith("weapon=1d10")
    p.press("left", "left")
    assert menu(p).visible_items[1].line.endswith("weapon=1d4")
    p.press("up", "enter")
    assert p.asked() == ["switch Fay action=1"]


def test_a_weapon_is_first_the_one_that_was_declared_last() -> None:
    p = Player("dynamic", LINES).press("s", "tab", "tab")
    assert menu(p).current_price == "move"
    assert menu(p).visible_items[0].line.endswith("weapon=1d6")
    p = Player("dynamic", ["option dis.switch_pays=old", *LINES[:4]])
    for line in (
        "order Fay weapon=2d6",
        "order Sela",
        "roll",
        "next 4",
        "order Fay spell=0",
        "order Sela",
        "roll",
    ):
        p.store.run(line)
    while p.store.encounter.acting != "c1":
        p.store.run("next")
    p.press("s")
    rows = {i.kin: i.line for i in menu(p).visible_items}
    assert rows["weapon"].endswith("weapon=2d6")


def test_tab_goes_through_what_is_given_up_a_move_and_nothing_among_it() -> None:
    p = Player("dynamic", LINES).press("s", "down")
    gives = []
    for _ in menu(p).prices:
        gives.append(menu(p).current_price)
        assert f"gives up: {menu(p).current_price}" in p.picture()["orders"][0]
        p.press("tab")
    assert gives == ["the same kind, or the first", "weapon 1d6", "move", "nothing, it is added"]
    assert menu(p).current_price == gives[0]
    p.press("tab", "tab")
    now = " ".join(p.picture()["now"])
    assert "Fay gives up move for other action: 3 + 6 = 9" in now
    p.press("enter")
    assert p.asked() == ["switch Fay from=move action=1"]
    assert p.store.encounter.orders["c1"] == {"weapon": "1d6", "action": "1"}


def test_every_way_to_switch_is_a_line_that_is_taken() -> None:
    p = Player("dynamic", LINES)
    choices = on_screen(p.store.system).choices(p.store.encounter, "switch")
    assert len(choices) > 30
    for choice in choices:
        p.store.run(choice.line)
        p.store.run("undo")


def test_dice_that_were_chosen_stay_when_something_else_is_given_up() -> None:
    p = Player("dynamic", LINES).press("s", "down", "right", "right")
    chosen = menu(p).visible_items[1].text
    p.press("tab", "tab")
    assert menu(p).current_price == "move"
    assert chosen in [i.text for i in menu(p).visible_items]
