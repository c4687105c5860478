"""Keep the party: ask for its name, and offer the last."""

from __future__ import annotations

from tui.core.language.tokens import quote, tokens
from tui.ui.desk.base import BaseDesk

OVER = " over=yes"
"""What may be typed behind a name that is kept already."""
LOOKED_BACK = 500
"""How many steps back the party is looked for that was added last."""


def ask(desk: BaseDesk) -> None:
    """Open the prompt with the name under which the party was kept or added last."""
    name = _last(desk)
    desk.open_prompt(name, "party")
    if name in _names(desk):
        desk.say(f"Enter replaces the party that is kept as {name}; another name keeps both", "hint")


def line_of(desk: BaseDesk, name: str) -> str:
    """Return the line that keeps the party under a name; the one that was offered is replaced."""
    bare = name.removesuffix(OVER).strip()
    replaces = bare != name or (name == _last(desk) and name in _names(desk))
    return f"save party {quote(bare)}{OVER if replaces else ''}"


def _last(desk: BaseDesk) -> str:
    if desk.kept:
        return desk.kept
    store = desk.store
    for step in range(store.step, max(0, store.step - LOOKED_BACK), -1):
        words = [t.text for t in tokens(line) if not t.key] if (line := store.done(step).line) else []
        if words[:1] == ["party"] and len(words) > 1 and words[1] in _names(desk):
            return words[1]
    return ""


def _names(desk: BaseDesk) -> set[str]:
    library = desk.store.effects.library
    return {file.name for file in library.rosters("party")} if library else set()
