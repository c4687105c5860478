"""Conditions: taking hold, ending by hand, and counting the turns that they last."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.fight.combatant import CONCENTRATION, Combatant, Condition
from tui.core.fight.encounter import SIDE, Encounter, label
from tui.core.fight.errors import RuleError
from tui.core.fight.text import clean_name
from tui.core.language.actions.health import Afflict, Clear
from tui.core.language.select import match, resolve, standing
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, counted
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import saves

MOST_CONDITIONS = 32
MOST_ROUNDS = 9_999


def concentrates(c: Combatant) -> bool:
    """Whether a creature concentrates on something."""
    return any(x.name.lower() == CONCENTRATION for x in c.conditions)


def _may_concentrate(c: Combatant) -> None:
    """Raises RuleError for who is out or at 0 hit points."""
    if c.out or c.hp == 0:
        raise RuleError(f"{c.name} is {'out' if c.out else 'at 0'} and cannot concentrate")


def broken(d: Draft) -> None:
    """Concentrations that this line has ended: at 0 hit points, or with whoever goes; all that hung on them ends as well."""
    lost = [k for event in d.events if (k := _loses(event))]
    for who in dict.fromkeys(lost):
        c = d.encounter.combatants.get(who)
        if c and concentrates(c) and (c.out or c.hp == 0):
            d.emit(ev.Cleared(who, CONCENTRATION, over=True))
        if c is None or not concentrates(d.encounter.combatants[who]):
            people = d.encounter.combatants.values()
            held = [(x.id, y) for x in people for y in x.conditions if y.conc and y.of == who]
            d.emit(*(ev.Cleared(k, x.name, over=True, of=x.of) for k, x in held))


def _loses(event: ev.Event) -> str:
    """The creature whose concentration may have ended by this; "" for nobody."""
    match event:
        case ev.WentOut(who) | ev.Removed(who) | ev.Damaged(who, _, 0) | ev.Changed(who, "hp"):
            return who
        case ev.Cleared(who, name) if name.lower() == CONCENTRATION:
            return who
        case _:
            return ""


def afflict(d: Draft, system: InitiativeSystem, action: Afflict, roller: Roller) -> None:
    """A condition on everybody named; without an edge, counted rounds end at the end of a turn."""
    name = clean_name(action.name)
    if not name:
        raise RuleError("a condition needs a name")
    who = standing(d.encounter, action.who)
    of = _whose(d.encounter, action.of) if action.of else ""
    rounds = counted(d, roller, action.rounds, "rounds=", 0, MOST_ROUNDS) if action.rounds else 0
    # What a concentration holds needs no edge of its own.
    # A length that is given counts; `of=` alone only says whose it is.
    until = "" if action.rounds and not rounds else action.until or ("end" if rounds else "")
    dc, key = saves.written(action.save, action.dc)
    if action.conc and of and of not in d.encounter.combatants:
        raise RuleError(f"of={action.of} names a group, and only a creature concentrates")
    for k in who:
        # The turn under way is not one of those it lasts, or one given in one's own would lose one at once.
        fresh = bool(rounds) and until == "end" and system.turn_begun(d.encounter, of or k)
        # Renewed while hidden it stays hidden: players must not learn of it by the renewal.
        hidden = _room(d.encounter.combatants[k], name, of)
        mind = (of or k) if action.conc else of
        if action.conc or name.lower() == CONCENTRATION:
            _may_concentrate(d.encounter.combatants[mind if action.conc else k])
        lasting = Condition(
            name, rounds or (1 if until else 0), until, mind, fresh, hidden, conc=action.conc, dc=dc, key=key
        )
        d.emit(ev.Afflicted(k, lasting))
        if action.conc and not concentrates(d.encounter.combatants[mind]):
            d.emit(ev.Afflicted(mind, Condition(CONCENTRATION)))


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
    carrying = [k for k in who if e.combatants[k].conditions or e.combatants[k].counters]
    if not carrying:
        raise RuleError(f"{label(e, who[0])} has no conditions")
    borne = [x.name for k in carrying for x in e.combatants[k].conditions]
    kept = [x.name for k in carrying for x in e.combatants[k].counters]
    names = list(dict.fromkeys([*borne, *kept]))
    what = f"condition of {label(e, carrying[0])}" if len(carrying) == 1 else "condition"
    low = match(action.name, names, what).lower()
    gone = [
        ev.Cleared(k, x.name, of=x.of)
        for k in carrying
        for x in e.combatants[k].conditions
        if x.name.lower() == low and (not of or x.of == of)
    ]
    spent = [k for k in carrying if not of and any(x.name.lower() == low for x in e.combatants[k].counters)]
    d.emit(*(ev.CounterEnded(k, low) for k in spent))
    if spent and not gone:
        return
    if not gone:
        raise RuleError(f"no {low} there is of {label(e, of)}")
    d.emit(*gone)
