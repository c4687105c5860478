"""The menu of a switch: a row for each kind of action, and what is given up for it, with price and place."""

from __future__ import annotations

from tests.kit.keyboard import Player
from tui.core.rules.on_screen import on_screen

LINES = (
    "add Fay kind=pc", "add Sela kind=pc", "add Ogre", "begin", "order Fay weapon=1d6 move=yes",
    "order Sela weapon=1d8", "roll Fay 2 1", "roll Sela 6", "roll Ogre 8", "next",
)  # fmt: skip


def test_every_way_to_switch_is_a_line_that_is_taken() -> None:
    p = Player("dynamic", LINES)
    choices = on_screen(p.store.system).choices(p.store.encounter, "switch")
    assert len(choices) > 30
    for choice in choices:
        p.store.run(choice.line)
        p.store.run("undo")
