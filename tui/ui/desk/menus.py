"""Run keys in a menu, in something to read, and in a due choice."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight.agenda import PickAsk
from tui.core.fight.encounter import label
from tui.core.language.tokens import quote
from tui.manual import plain
from tui.ui.desk import forms
from tui.ui.desk.base import BaseDesk
from tui.ui.state.scene import Scene, due
from tui.ui.state.view import Explained, Form, Item, Manual, Menu, Page, PickList
from tui.ui.text.press import STEPS, Press

MOST_LETTERS = 100
"""The longest text that narrows a menu."""


def press(desk: BaseDesk, menu: Menu, key: Press) -> None:
    """Take one key."""
    shown = menu.shown
    # In a menu that is narrowed by typing every letter is text.
    by_key = next((i for i in shown if i.key and i.key == key.name and not menu.narrow), None)
    match key.key:
        case "escape" | "ctrl+c":
            desk.show(mode=None)
            if menu.back:
                desk.submit(menu.back)
        case "enter":
            if shown:
                _take(desk, shown[min(menu.at, len(shown) - 1)])
        case "left" | "right" if shown and (kin := shown[min(menu.at, len(shown) - 1)].kin):
            by = menu.turned.get(kin, 0) + (1 if key.key == "right" else -1)
            desk.show(mode=replace(menu, turned={**menu.turned, kin: by}))
        case "tab" | "shift+tab" if len(menu.given) > 1:
            place = menu.given.index(menu.gives) + (1 if key.key == "tab" else -1)
            desk.show(mode=menu.giving(menu.given[place % len(menu.given)]))
        case "up" | "down" | "tab" | "shift+tab":
            _move(desk, menu, -1 if key.key in ("up", "shift+tab") else 1)
        case "backspace":
            desk.show(mode=replace(menu, typed=menu.typed[:-1], at=0))
        case "ctrl+u" if menu.narrow:
            desk.show(mode=replace(menu, typed="", at=0))
        case _ if by_key:
            _take(desk, by_key)
        case _ if menu.narrow and key.char:
            desk.show(mode=replace(menu, typed=(menu.typed + key.char)[:MOST_LETTERS], at=0))
        case "j" | "k":
            _move(desk, menu, 1 if key.key == "j" else -1)
        case _ if by := _ahead(menu, key.char):
            _move(desk, menu, by)
        case _:
            desk.say("Enter takes, Esc goes back", "hint")


def _ahead(menu: Menu, letter: str) -> int:
    """Return how far it is to the next line that begins with a letter; 0 where none does."""
    shown = menu.shown
    at = min(menu.at, len(shown) - 1)
    steps = range(1, len(shown) + 1)
    begins = (by for by in steps if shown[(at + by) % len(shown)].text.lower().startswith(letter.lower()))
    return next(begins, 0) if letter else 0


def _move(desk: BaseDesk, menu: Menu, by: int) -> None:
    if not (shown := menu.shown):
        return
    moved = replace(menu, at=(min(menu.at, len(shown) - 1) + by) % len(shown))
    if line := shown[moved.at].peek:
        desk.submit(line)
    desk.show(mode=moved)


def _take(desk: BaseDesk, item: Item) -> None:
    desk.show(mode=None)
    if item.opens:
        desk.open_prompt(item.line)
    else:
        desk.submit(item.line)


def search(desk: BaseDesk, manual: Manual, key: Press) -> None:
    """Take one key in the help: letters search, arrows go through the entries, Enter opens one whole."""
    shown = manual.shown
    at = min(manual.at, len(shown) - 1)
    match key.key:
        case "escape" | "ctrl+c" | "f1":
            desk.show(mode=None)
        case "up" | "down" | "pageup" | "pagedown" | "home" | "end" | "tab" | "shift+tab":
            by = {"up": -1, "shift+tab": -1, "down": 1, "tab": 1}.get(key.key) or STEPS[key.key]
            desk.show(mode=replace(manual, at=max(0, min(len(shown) - 1, at + by))))
        case "enter" if shown:
            desk.show(mode=_opened(shown[at], manual))
        case "backspace":
            desk.show(mode=replace(manual, typed=manual.typed[:-1], at=0))
        case "ctrl+u":
            desk.show(mode=replace(manual, typed="", at=0))
        case _ if key.char:
            desk.show(mode=replace(manual, typed=(manual.typed + key.char)[:MOST_LETTERS], at=0))
        case _:
            desk.say("letters search, Enter opens, Esc goes back", "hint")


COLUMNS = 78
"""Columns of a chapter: what a screen of 80 shows. A narrower one breaks its lines again."""


def _opened(entry: Explained, manual: Manual) -> Page:
    """Return an entry whole; a chapter from the first line that holds what was typed."""
    if not entry.chapter:
        return Page(entry.head, tuple(x for x in (entry.text, entry.part) if x), back=manual)
    lines = tuple(plain(entry.chapter, COLUMNS))
    words = manual.typed.lower().split()
    first = next((n for n, line in enumerate(lines) if words and all(w in line.lower() for w in words)), 0)
    return Page(entry.text, lines, first, back=manual)


def read(desk: BaseDesk, reading: Page, key: Press) -> None:
    """Take one key."""
    if reading.asks and key.key == "y":
        if not desk.may_answer():
            return
        desk.show(mode=reading.back)
        if isinstance(reading.back, Form):
            forms.send(desk, reading.back)
        else:
            desk.run(reading.line)
    elif by := STEPS.get(key.name):
        desk.show(mode=reading.scrolled(by))
    elif key.name == "W" and not reading.asks and reading.back is None:
        desk.submit("rule")
        # The rule that is being read closes, as any page does with its own key.
        if isinstance(desk.view.mode, Page) and desk.view.mode.title == reading.title:
            desk.show(mode=None)
    elif key.key in ("escape", "enter", "ctrl+c") or key.name in ("q", "?", "w", "W"):
        # A second Enter out of habit says neither yes nor no.
        if not (reading.asks and key.key == "enter"):
            desk.show(mode=reading.back)
    else:
        desk.say("[y] does it, Esc goes back" if reading.asks else "Esc goes back", "hint")


def press_choice(desk: BaseDesk, pick: PickList, key: Press) -> None:
    """Take one key."""
    ask = next((a for a in due(desk.scene) if isinstance(a, PickAsk)), None)
    if ask is None or not ask.names:
        desk.show(mode=None)
        return
    match key.name:
        case "escape" | "ctrl+c":
            desk.show(mode=None)
        case "enter":
            _send(desk, pick, ask)
        case "space":
            _toggle(desk, pick, ask)
        case "A":
            desk.show(mode=replace(pick, chosen=ask.names[: ask.most]))
        case "up" | "k" | "shift+tab":
            desk.show(mode=replace(pick, at=(pick.at - 1) % len(ask.names)))
        case "down" | "j" | "tab":
            desk.show(mode=replace(pick, at=(pick.at + 1) % len(ask.names)))
        case _:
            desk.say("Space chooses, Enter sends, Esc goes back", "hint")


def _toggle(desk: BaseDesk, pick: PickList, ask: PickAsk) -> None:
    key = ask.names[pick.at % len(ask.names)]
    chosen = tuple(k for k in pick.chosen if k != key) if key in pick.chosen else (*pick.chosen, key)
    desk.show(
        mode=replace(
            pick,
            # Of a choice of one the new replaces the old; too many are refused by the rules, in words.
            chosen=chosen[-ask.most :] if ask.most == 1 else chosen,
        )
    )


def _send(desk: BaseDesk, pick: PickList, ask: PickAsk) -> None:
    """Send what was chosen; of a choice of one, the row of the cursor; of all, those left out last."""
    chosen = tuple(k for k in pick.chosen if k in ask.names)
    if not chosen and ask.least == ask.most == 1:
        chosen = (ask.names[pick.at % len(ask.names)],)
    left = [k for k in ask.names if k not in chosen]
    # Where all must be put in order, the last place is no one's choice.
    if ask.least == ask.most == len(ask.names) and len(left) == 1:
        chosen += (left[0],)
    if desk.run("pick " + (_names(desk.scene, chosen) or "none")):
        desk.show(mode=None)


def _names(scene: Scene, keys: tuple[str, ...]) -> str:
    return " ".join(quote(label(scene.encounter, k)) for k in keys)
