"""The card by key: written in the user's editor, pinned while the cursor goes on, scrolled."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import label, members
from tui.store.library.actions import write_card
from tui.ui.keys.base import BaseDesk
from tui.ui.panes.creatures.card import last_top
from tui.ui.state.numbers import number
from tui.ui.state.scene import cards
from tui.ui.state.targets import one

PAGE = 5
"""Rows that a key scrolls a card by."""


def write(desk: BaseDesk, rest: str) -> None:
    """Opens the creature's card in the editor."""
    del rest
    c = one(desk.scene)
    if c is None:
        desk.say("nobody is selected", "warning")
        return

    def take(text: str) -> None:
        write_card(desk.store, desk.store.systems, c.id, text)

    try:
        desk.services.editor.edit(c.card, "card.md", take)
    except RuleError as error:
        desk.refused(error)


def pin(desk: BaseDesk, rest: str) -> None:
    """Pins the card of the current row where it is, or lets it go."""
    del rest
    scene = desk.scene
    if scene.view.pinned:
        desk.show(pinned="")
        desk.say("the card follows the cursor again", "hint")
        return
    first, second = cards(scene)
    key = second or first
    if not key or not members(scene.encounter, key):
        desk.say("there is no card to pin", "hint")
        return
    desk.show(pinned=key)
    desk.say(f"the card of {label(scene.encounter, key)} stays until the same key lets it go", "hint")


def scroll(desk: BaseDesk, rest: str) -> None:
    """Scrolls the lowest card by some rows, `back` up."""
    scene = desk.scene
    back, count = rest.startswith("back"), number(rest.removeprefix("back").strip())
    first, second = cards(scene)
    key, box = (
        (second, desk.placed["second"]) if "second" in desk.placed else (first, desk.placed.get("card"))
    )
    if not key or box is None:
        desk.say("there is no card here to scroll", "hint")
        return
    here = scene.view.scrolled[1] if scene.view.scrolled[0] == key else 0
    top = here + PAGE * (count or 1) * (-1 if back else 1)
    desk.show(scrolled=(key, max(0, min(last_top(scene, key, box.width, box.height), top))))
