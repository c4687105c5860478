"""Textual's bindings, made from the table of commands."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS

from tui.core.fight.agenda import Verb
from tui.ui.state.commands import Command


def key_name(key: str) -> str:
    """Return Textual's name of a key: a letter is itself, `!` is exclamation_mark, ` ` is space."""
    if len(key) != 1 or key.isalnum():
        return key
    name = unicodedata.name(key, "").lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name) or key


_CHARACTERS = {key_name(char): char for char in map(chr, range(32, 127))}
"""The character that a key types, by its Textual name; needed for simulated keys, which come without it."""


def key_character(name: str) -> str:
    """Return the character that a key types, given its name; "" for none."""
    return name if len(name) == 1 else _CHARACTERS.get(name, "")


def key_names(keys: Iterable[str]) -> str:
    """Return keys as a Textual binding writes them, separated by commas."""
    return ",".join(map(key_name, keys))


def bindings_of(commands: Iterable[Command]) -> list[Binding]:
    """Return the binding of every command that has a key; its id is the command's."""
    return [
        Binding(key_names(c.keys), f"screen.command({c.id!r})", c.help, show=False, priority=True, id=c.id)
        for c in commands
        if c.keys
    ]


def keymap_of(commands: Iterable[Command], bound: Iterable[Command]) -> dict[str, str]:
    """Return the keys that differ from those in `bound`, by command id, for `App.set_keymap`.

    Unchanged keys are left out: Textual applies the keymap with every key, and searches all bindings for each
    of its entries (10 ms for the whole table).
    """
    usual = {c.id: c.keys for c in bound}
    return {c.id: key_names(c.keys) for c in commands if c.keys and c.keys != usual.get(c.id)}


def verb_action(system: str, verb: Verb) -> str:
    """Return the name of the Textual action for a verb of a system."""
    return f"screen.verb({system!r}, {verb.name!r})"
