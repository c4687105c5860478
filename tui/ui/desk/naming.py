"""Let a word of the screen name its row, and refuse further words that it does not use."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import key_of, label
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.texts import COPIES
from tui.ui.panes.screen import TAB
from tui.ui.state.scene import current, current_entry
from tui.ui.text.press import number

ROWS = ("go", "higher", "lower", "select", "all", "fold", "why", "spend", "counters", "secret", "card")
"""Words that act on the current row, or on the row named after them."""
_ENTRY_WORDS = ("go", "higher", "lower")
"""The words of `ROWS` that act on a row of the track."""
_NUMBER_WORDS = ("up", "down", "pageup", "pagedown", "top", "bottom", "aim", "go-on")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "panes": ("back", *TAB),
    "quit": ("anyway",),
    "q": ("anyway",),
    "copy": COPIES,
    "act-when": ("after",),
}
_WORDS_ALONE = (
    "left", "right", "zoom", "escape", "mask", "repaint", "suspend", "read", "config", "times", "over",
    "zero", "all-done",
)  # fmt: skip
_HINTS = {"blast": "`area WHO damage=8d6 dc=15` says it in one line"}


def check(desk: BaseDesk, word: str, rest: str) -> None:
    """Raise RuleError if a word of the screen is followed by words or a number that it does not take."""
    if not rest:
        return
    if word in _HINTS:
        raise RuleError(f"{word} takes no words", _HINTS[word])
    if word in _WORDS_ALONE:
        raise RuleError(f"{word} takes no words", f":{word}")
    if word in _NUMBER_WORDS and number(rest) is None:
        raise RuleError(f'{word} takes a number, not "{rest}"', f":{word} 3")
    if word == "card-scroll" and number(rest.removeprefix("back").strip() or "1") is None:
        raise RuleError(f'card-scroll takes back and a number, not "{rest}"', ":card-scroll back 2")
    if word in _CHOICES and rest not in _CHOICES[word]:
        words = ", ".join(_CHOICES[word])
        raise RuleError(f'{word} does not take "{rest}"', f"it takes {words}")
    if word == "verbs" and rest not in {v.name for v in desk.store.system.verbs}:
        raise RuleError(f'{desk.store.system.title} has no word "{rest}"', ":verbs lists them")
    if word == "command" and rest not in desk.keys.by_id:
        raise RuleError(f'no command is called "{rest}"', ":palette lists them")


def names_row(word: str, rest: str) -> bool:
    """Return whether a word of the screen is followed by the name of a row."""
    return bool(rest) and word in ROWS and (word, rest) != ("fold", "all")


def go_to(desk: BaseDesk, word: str, rest: str) -> None:
    """Put the cursor on the row that a line names. Raises RuleError if there is none."""
    before, e = desk.view, desk.store.encounter
    keys = resolve(e, unquote_name(rest))
    rows = dict.fromkeys(key_of(e.combatants[k]) for k in keys)
    if len(rows) > 1 or (len(keys) > 1 and not next(iter(rows)).startswith("@")):
        raise RuleError(f"{word} takes one row, not {len(keys)}", f":{word} {label(e, keys[0])}")
    row = next(iter(rows))
    desk.show(track=row, roster="" if word in _ENTRY_WORDS else keys[0], filter="", focus=None, log=0)
    if word in _ENTRY_WORDS:
        desk.show(focus="track", rows="track")
    else:
        desk.show(focus="roster", rows="roster")
    # Selected rows go before the cursor, and would be used instead.
    if word not in ("select", "all"):
        desk.show(selected=(), half_damage=())
    at = current_entry(desk.scene) if word in _ENTRY_WORDS else current(desk.scene)
    if at not in (row, *keys):
        desk.view = before
        raise RuleError(f"{label(e, row)} has no row here", "`back` brings a creature back")


def unquote_name(rest: str) -> str:
    """Return the name after a word of the screen, with or without quotes."""
    parts = tokens(rest)
    return parts[0].text if len(parts) == 1 and not parts[0].key else rest
