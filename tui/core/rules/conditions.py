"""Conditions: taking hold, ending by hand, and counting the turns that they last."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition
from tui.core.fight.encounter import SIDE, Encounter, label
from tui.core.fight.errors import RuleError
from tui.core.fight.text import clean_name
from tui.core.language.actions.health import Afflict, Clear
from tui.core.language.select import match, resolve, standing
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, counted
from tui.core.rules.system import InitiativeSystem

MOST_CONDITIONS = 32
MOST_ROUNDS = 9_999


def afflict(d: Draft, system: InitiativeSystem, action: Afflict, roller: Roller) -> None:
    """A condition on everybody named; without an edge, counted rounds end at the end of a turn."""
    name = clean_name(action.name)
    if not name:
        raise RuleError("a condition needs a name")
    who = standing(d.encounter, action.who)
    of = _whose(d.encounter, action.of) if action.of else ""
    rounds = counted(d, roller, action.rounds, "rounds=", 0, MOST_ROUNDS) if action.rounds else 0
    until = action.until or ("end" if rounds or of else "")
    for k in who:
        # The turn under way is not one of those it lasts, or one given in one's own would lose one at once.
        fresh = bool(rounds) and until == "end" and system.turn_begun(d.encounter, of or k)
        # Renewed while hidden it stays hidden: players must not learn of it by the renewal.
        hidden = _room(d.encounter.combatants[k], name, of)
        lasting = Condition(name, rounds or (1 if until else 0), until, of, fresh=fresh, hidden=hidden)
        d.emit(ev.Afflicted(k, lasting))


def _whose(e: Encounter, who: str) -> str:
    """The creature or the group whose turns count. Raises RuleError for several that are neither."""
    found = resolve(e, who)
    if len(found) == 1:
        return found[0]
    bunches = {e.combatants[k].group for k in found}
    group = bunches.pop() if len(bunches) == 1 else ""
    if group and {c.id for c in e.combatants.values() if c.group == group} == set(found):
        return SIDE + group
    raise RuleError(f"of={who} names {len(found)} creatures", "name one creature, or a group")


def _room(c: Combatant, name: str, of: str) -> bool:
    """Whether the condition is there already and hidden. Raises RuleError when there is no room for one more."""
    same = [x for x in c.conditions if x.name.lower() == name.lower() and x.of == of]
    if len(c.conditions) >= MOST_CONDITIONS and not same:
        raise RuleError(f"{c.name} carries {MOST_CONDITIONS} conditions already")
    return any(x.hidden for x in same)


def clear(d: Draft, system: InitiativeSystem, action: Clear) -> None:
    """A condition is gone; a unique beginning of its name is enough; `of` chooses among two of one name."""
    del system
    e = d.encounter
    of = _whose(e, action.of) if action.of else ""
    who = standing(e, action.who)
    carrying = [k for k in who if e.combatants[k].conditions]
    if not carrying:
        raise RuleError(f"{label(e, who[0])} has no conditions")
    names = list(dict.fromkeys(x.name for k in carrying for x in e.combatants[k].conditions))
    what = f"condition of {label(e, carrying[0])}" if len(carrying) == 1 else "condition"
    low = match(action.name, names, what).lower()
    gone = [
        ev.Cleared(k, x.name, of=x.of)
        for k in carrying
        for x in e.combatants[k].conditions
        if x.name.lower() == low and (not of or x.of == of)
    ]
    if not gone:
        raise RuleError(f"no {low} there is of {label(e, of)}")
    d.emit(*gone)
