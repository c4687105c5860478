"""Let `@side`, patterns and groups in a line mean only creatures in play."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from tui.core.fight.encounter import Encounter
from tui.core.language import actions as a
from tui.core.language.creature_actions import OwnVerb, Remove, RosterAction
from tui.core.language.select import leave_out
from tui.core.rules.system import InitiativeSystem, in_reserve

_NAMED = frozenset({"who", "bearer", "actor", "writer"})
"""The slots of lines that may mean a creature in reserve; those of rolls mean only creatures that owe one."""


def leave_out_reserve(e: Encounter, system: InitiativeSystem, action: a.Action) -> a.Action:
    """Return the action with its sides, patterns and groups cut to the creatures in play.

    Raises RuleError for one that means nobody in play, unless the line edits the roster. Outside a running
    fight nothing changes.
    """
    away = frozenset(c.id for c in in_reserve(e, system)) if e.running else frozenset[str]()
    if not away:
        return action
    if isinstance(action, OwnVerb):
        return _cut_verb(e, system, action, away)
    # Enemies are prepared while they wait: what edits them may mean all of them at once, but removes none.
    edits = isinstance(action, RosterAction) and not isinstance(action, Remove)
    texts = {
        slot.name: leave_out(e, who, away, edits=edits)
        if isinstance(who, str)
        else tuple(leave_out(e, x, away) for x in who)
        for slot in action.syntax.slots
        # The source of a condition may be a whole group, which no list of names is.
        if slot.takes in _NAMED and slot.name != "of" and (who := getattr(action, slot.name))
    }
    return replace(action, **texts) if texts else action


def _cut_verb(e: Encounter, system: InitiativeSystem, action: OwnVerb, away: Collection[str]) -> OwnVerb:
    verb = next((v for v in system.verbs if v.name == action.verb), None)
    if verb is None or verb.brings:
        return action
    takes = [*verb.takes, *(verb.takes[-1:] or ("text",)) * len(action.words)]
    words = [
        leave_out(e, word, away) if kind in ("who", "several") else word
        for word, kind in zip(action.words, takes, strict=False)
    ]
    return replace(action, words=tuple(words))
