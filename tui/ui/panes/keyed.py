"""Replace command lines in sentences by keys."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.base.errors import RuleError
from tui.core.language.tokens import tokens
from tui.ui.state.commands import COMMANDS
from tui.ui.text.fit import plain
from tui.ui.text.rows import Piece, Row, words

_WHOLE_VERBS = frozenset(c.words for c in COMMANDS if "{" not in c.words and c.id not in ("go", "order"))
"""Verbs whose key sends the bare verb: a line with more words is not shown as the key."""
_OF_ITS_ROW = "turn"
"""The verb whose key acts on the current row; its line shows the key and the row's name."""
_CHOOSING_VERB = "pick"
"""The verb whose key opens a list to choose from; the names in its line are left out."""


def add_keys(text: str, keys: Mapping[str, str], *, whole: bool = False) -> Row:
    """Return a text with keys for the lines in backticks, each with its verb or, if `whole`, all words."""
    parts = text.split("`")
    # A backtick without a partner is part of a name, from an older save.
    ends = [] if len(parts) % 2 else [f"`{parts.pop()}"]
    row: list[Piece] = []
    for number, part in enumerate([*parts, "", *ends] if ends else parts):
        row += _key(part, keys, whole=whole) if number % 2 and part else plain(part)
    return tuple(row)


def keyed_text(text: str, keys: Mapping[str, str], *, whole: bool = False) -> str:
    """Return the same as plain text: a line `next` becomes `[n] next`."""
    return words(add_keys(text, keys, whole=whole))


def _key(line: str, keys: Mapping[str, str], *, whole: bool) -> Row:
    """Return the key for a line and its words; `:` and the line if no key does the same.

    A call of the program, which is typed in a shell, stays as it is.
    """
    verb, _, rest = line.partition(" ")
    typed: Row = ((line if verb == "tocsin" else f":{line}", "text"),)
    # The key knows or asks which creature is meant; anything else has to be typed.
    if verb not in keys or (rest and verb in _WHOLE_VERBS):
        return typed
    words = verb
    if rest and verb == _OF_ITS_ROW:
        words = f"on {rest}"  # on another row the key means that row
    elif verb != _CHOOSING_VERB:
        try:
            is_named = whole or any(t.key or t.text.isdecimal() for t in tokens(rest))
        except RuleError:
            return typed  # a backtick in a name, from an older save, has cut the line
        words = line if is_named else verb
    return (f"[{keys[verb]}]", "key"), (f" {words}", "text")


def key_row(key: str, does: str) -> Row:
    """Return a key in brackets and what it does."""
    return (f"[{key}]", "key"), (f" {does}", "text")
