"""The names of key presses, as the rest of the program calls them."""

from __future__ import annotations

from typing import Final

_NAMED: Final = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x1b": "escape", "\x7f": "backspace", "\x08": "backspace", " ": "space",
    "\x1b[Z": "shift+tab",
}  # fmt: skip
_LETTERS: Final = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NUMBERS: Final = {
    "1": "home",
    "3": "delete",
    "4": "end",
    "5": "pageup",
    "6": "pagedown",
    "7": "home",
    "8": "end",
}


def key_names(sequence: str) -> tuple[str, ...]:
    """The keys that a sequence stands for: `a`, `enter`, `ctrl+c`, `up`; none for one that nobody knows."""
    if sequence in _NAMED:
        return (_NAMED[sequence],)
    if sequence.isprintable():
        return tuple(sequence)
    if len(sequence) == 1 and "\x01" <= sequence <= "\x1a":
        return (f"ctrl+{chr(ord(sequence) + 96)}",)
    if sequence[:2] in ("\x1b[", "\x1bO"):
        # A modifier stands behind a semicolon: who holds shift or ctrl means the key all the same.
        last, first = sequence[-1], sequence[2:-1].partition(";")[0]
        known = _NUMBERS.get(first) if last == "~" else _LETTERS.get(last)
        return (known,) if known else ()
    return ()
