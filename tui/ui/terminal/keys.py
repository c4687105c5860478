"""Keys by the sequences that terminals send for them. Nothing is guessed: what nobody knows is no key."""

from __future__ import annotations

import re
from typing import Final

Typed = tuple[str, str]
"""A key's name, and the character it types, "" for none."""

CONTROLS: Final = {
    "\r": "enter", "\t": "tab", "\x08": "backspace", "\x7f": "backspace", "\x1b": "escape", "\x00": "ctrl+@",
    "\x1c": "ctrl+backslash", "\x1d": "ctrl+right_square_bracket", "\x1e": "ctrl+circumflex_accent",
    "\x1f": "ctrl+underscore",
}  # fmt: skip
"""Single characters; what is not among them is ctrl and a letter."""

WHOLE: Final = {
    "\x1b[Z": "shift+tab", "\x1b[~": "shift+tab", "\x1bOM": "enter",
    "\x1b[a": "shift+up", "\x1b[b": "shift+down", "\x1b[c": "shift+right", "\x1b[d": "shift+left",
    "\x1bOa": "ctrl+up", "\x1bOb": "ctrl+up", "\x1bOc": "ctrl+right", "\x1bOd": "ctrl+left",
    "\x1b[7$": "shift+home", "\x1b[8$": "shift+end", "\x1b[7^": "ctrl+end", "\x1b[8^": "ctrl+home",
    "\x1b[5A": "ctrl+up", "\x1b[5B": "ctrl+down", "\x1b[5C": "ctrl+right", "\x1b[5D": "ctrl+left",
    "\x1b[2;7~": "", "\x1b[2;8~": "", "\x1b[5;7~": "", "\x1b[5;8~": "", "\x1b[6;7~": "", "\x1b[6;8~": "",
}  # fmt: skip
"""Sequences that follow no rule; an empty name is no key."""

LETTERS: Final = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
FUNCTIONS: Final = {"P": "f1", "Q": "f2", "R": "f3", "S": "f4"}
NUMBERS: Final = {
    1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end",
    11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11",
    24: "f12",
}  # fmt: skip
KEYPAD: Final = dict(zip("jkmnopqrstuvwxy", "*+-./0123456789", strict=True))

MODIFIERS: Final = {"2": "shift+", "5": "ctrl+", "6": "ctrl+shift+"}
RXVT: Final = {"$": "2", "^": "5"}
"""How rxvt ends a sequence with shift and with ctrl."""

WITH_ALT: Final = {"3": "", "4": "shift+", "7": "ctrl+", "8": "ctrl+shift+", "9": ""}
"""Alt and a key that types nothing are two keys, as of old: escape, and the key."""

_CURSOR: Final = re.compile(r"\x1b(?:\[(?:1;(?P<how>\d))?|O)(?P<letter>[A-DFHP-S])")
_NUMBERED: Final = re.compile(r"\x1b\[(?P<number>\d+)(?:;(?P<how>\d))?(?P<end>[~$^])")
_CONSOLE: Final = re.compile(r"\x1b\[\[([A-E])")


def keys(sequence: str) -> list[Typed]:
    """The keys that a character or a sequence stands for; none if nobody knows it."""
    if len(sequence) == 1:
        return _character(sequence)
    if sequence in WHOLE:
        return [(WHOLE[sequence], "")] if WHOLE[sequence] else []
    if found := _CURSOR.fullmatch(sequence):
        return _modified(LETTERS.get(found["letter"]) or FUNCTIONS[found["letter"]], found["how"])
    if found := _NUMBERED.fullmatch(sequence):
        return _modified(NUMBERS.get(int(found["number"]), ""), found["how"] or RXVT.get(found["end"]))
    if found := _CONSOLE.fullmatch(sequence):
        return [(f"f{'ABCDE'.index(found[1]) + 1}", "")]
    if sequence.startswith("\x1bO") and sequence[2:] in KEYPAD:
        return _character(KEYPAD[sequence[2:]])
    return []


def _character(character: str) -> list[Typed]:
    if character == " ":
        return [("space", " ")]
    if character.isprintable():
        return [(character, character)]
    if character in CONTROLS:
        return [(CONTROLS[character], "")]
    return [(f"ctrl+{chr(ord(character) + 96)}", "")] if ord(character) < 32 else []


def _modified(name: str, how: str | None) -> list[Typed]:
    if not name:
        return []
    if not how or how in MODIFIERS:
        return [(MODIFIERS.get(how or "", "") + name, "")]
    return [("escape", ""), (WITH_ALT[how] + name, "")] if how in WITH_ALT else []
