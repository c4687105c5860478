"""Check the declarations of a class before it is used as an initiative system."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.fight.agenda import Field, Mark, Phase, Verb
from tui.core.rules.system import InitiativeSystem

_TUPLES: Mapping[str, type] = {
    "fields": Field, "options": Field, "verbs": Verb, "marks": Mark, "phases": Phase, "sides": str,
}  # fmt: skip


def find_flaw(system: type[InitiativeSystem]) -> str:
    """Return the flaw that keeps a class from being a system, such as `it lacks dice_for`; "" for none."""
    if missing := ", ".join(sorted(getattr(system, "__abstractmethods__", ()))):
        return f"it lacks {missing}"
    if not (isinstance(system.title, str) and system.title):
        return "it lacks a title"
    for name in ("short", "summary", "credit"):
        if not isinstance(getattr(system, name), str):
            return f"{name} must be a text"
    for name, kind in _TUPLES.items():
        values = getattr(system, name)
        if not (isinstance(values, tuple) and all(isinstance(x, kind) for x in values)):
            return f"{name} must be a tuple of {kind.__name__}: a tuple of one ends in a comma"
    return ""
