"""Actions back into lines: `parse(words(action)) == action`."""

from __future__ import annotations

from tui.core.language.actions import Action, OwnVerb
from tui.core.language.tokens import pairs, quote


def words(action: Action) -> str:
    """The line that asks for this action."""
    if isinstance(action, OwnVerb):
        return " ".join([action.verb, *map(quote, action.words), *pairs(action.keys)])
    return action.syntax.write(action)
