"""What a player may send from a terminal of their own, said for the whole fight; the rules then decide as for any line.

Names are looked up in what the player sees, so that no refusal tells of anybody unseen.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members
from tui.core.fight.errors import RuleError
from tui.core.fight.standpoint import Standpoint, owed
from tui.core.fight.text import quote
from tui.core.fight.viewer import Viewer
from tui.core.language.actions import Action, OwnVerb, Undo
from tui.core.language.actions.effects import Area
from tui.core.language.actions.health import Afflict, Clear, Damage, Heal, Out, Temp
from tui.core.language.actions.play import End, Failed, Made, Next, Ok, Order, React, Roll, Total
from tui.core.language.select import entry, fitting, one, several
from tui.core.rules.gmless import Gmless, carried_out, resolves, without_gm
from tui.core.rules.system import InitiativeSystem
from tui.core.views.seen import Seen, seen


def allowed(
    e: Encounter, system: InitiativeSystem, viewer: Viewer, action: Action, saw: Standpoint
) -> Action:
    """The action as it is to be decided, with the names of the whole fight in it. Raises RuleError.

    Refused is what is not this player's to say, and what was meant for a moment that is over.
    """
    shown = seen(e, system, viewer)
    match action:
        case Order(who):
            _in_round(shown, saw)
            key = entry(shown.encounter, who, system.entries(shown.encounter))
            return replace(action, who=_mine(e, shown, viewer, key))
        case React(who):
            _in_round(shown, saw)
            return replace(action, who=_mine(e, shown, viewer, one(shown.encounter, who)))
        case Roll():
            return _roll(e, shown, viewer, action, saw)
        case Total(totals):
            _in_round(shown, saw)
            mine = tuple((_answering(e, shown, viewer, who, saw), n) for who, n in totals)
            return replace(action, totals=mine)
        case Made(names) | Failed(names):
            _in_round(shown, saw)
            return replace(
                action, names=tuple(_answering(e, shown, viewer, who, saw, ticks=True) for who in names)
            )
        case OwnVerb():
            return _own_verb(e, system, shown, viewer, action, saw)
        case Next() | End() | Damage() | Heal() | Afflict() | Clear() | Out():
            _may_resolve(e, system, shown, viewer, action, saw)
            return action
        case Ok() | Undo() | Area() | Temp():
            _at_the_table(e, system, shown, viewer, action, saw)
            return action
        case _:
            raise _refused(_verb(action), system, e)


def plays(e: Encounter, viewer: Viewer) -> bool:
    """Whether a player has a creature in this fight."""
    return any(viewer.mine(c) for c in e.combatants.values())


def _mine(e: Encounter, shown: Seen, viewer: Viewer, key: str) -> str:
    """The name of an entry of this player's."""
    if not any(viewer.mine(c) for c in members(shown.encounter, key)):
        raise RuleError(f"{label(shown.encounter, key)} is not yours", _yours(shown, viewer))
    return label(e, key)


def _yours(shown: Seen, viewer: Viewer) -> str:
    names = [quote(c.name) for c in shown.encounter.combatants.values() if viewer.mine(c)]
    if not names:
        return f"nobody here is yours: `set WHO owner={quote(viewer.name)}` is the GM's to say"
    return f"yours: {several(names)}"


def _refused(verb: str, system: InitiativeSystem, e: Encounter) -> RuleError:
    own = [v.name for v in system.verbs if v.sender == "owner"]
    who = "the players together" if without_gm(system, e) else "the GM"
    return RuleError(
        f"{verb} is not sent from a player's seat",
        f"you may send order, roll, total, made, failed, react{''.join(f', {v}' for v in own)}; the rest is for {who}",
    )


# --- whether it is still the moment


def _in_round(shown: Seen, saw: Standpoint) -> None:
    if shown.encounter.round != saw.round:
        raise _late(f"that was for round {saw.round}; it is round {shown.encounter.round} now")


def _in_turn(shown: Seen, saw: Standpoint) -> None:
    _in_round(shown, saw)
    now, then = label(shown.encounter, shown.encounter.acting), saw.acting
    if now != then:
        meant = f"{then} acted" if then else "nobody acted"
        raise _late(f"{meant} when you sent that; {f'{now} acts' if now else 'nobody acts'} now")


def _late(message: str) -> RuleError:
    return RuleError(message, "send it again if it is still meant")


# --- dice


def _roll(e: Encounter, shown: Seen, viewer: Viewer, action: Roll, saw: Standpoint) -> Roll:
    """A roll that a creature of this player's owes, or a row or side that it belongs to."""
    left = shown.encounter
    asks = [
        x for x in shown.due if isinstance(x, RollAsk) and any(viewer.mine(c) for c in members(left, x.who))
    ]
    names = list(dict.fromkeys(label(left, x.who) for x in asks))
    if not action.who:
        raise RuleError("roll: whose dice?", _owing(names))
    who, ask = _ask(e, shown, viewer, action.who, asks)
    _in_round(shown, saw)
    if saw.due != owed(label(left, ask.who), ask.dice, ask.why.rule):
        raise _late(f"{label(left, ask.who)} owes another roll by now")
    return replace(action, who=who)


def _answering(
    e: Encounter, shown: Seen, viewer: Viewer, who: str, saw: Standpoint, *, ticks: bool = False
) -> str:
    """The name, in the whole fight, of a roller of this player's who owes a roll; with `ticks` a save. Raises RuleError."""
    left = shown.encounter
    asks = [
        x
        for x in shown.due
        if isinstance(x, RollAsk) and x.ticks >= ticks and any(viewer.mine(c) for c in members(left, x.who))
    ]
    name, ask = _ask(e, shown, viewer, who, asks)
    if saw.due and saw.due != owed(label(left, ask.who), ask.dice, ask.why.rule):
        raise _late(f"{label(left, ask.who)} owes another roll by now")
    return name


def _ask(e: Encounter, shown: Seen, viewer: Viewer, who: str, asks: Sequence[RollAsk]) -> tuple[str, RollAsk]:
    """The roll that WHO means, and WHO by the name of the whole fight."""
    left = shown.encounter
    names = list(dict.fromkeys(label(left, x.who) for x in asks))
    if len(found := fitting(who, names)) == 1:
        ask = next(x for x in asks if label(left, x.who) == found[0])
        return label(e, ask.who), ask
    # One of a group or of a side may throw for it (UNB-2), and the log then names it.
    thrower = left.combatants[one(left, who)]
    name = _mine(e, shown, viewer, thrower.id)
    keys = (thrower.id, key_of(thrower), SIDE + thrower.side)
    for ask in asks:
        if ask.who in keys:
            return name, ask
    raise RuleError(f"{thrower.name} owes no roll", _owing(names), kind="not_due")


def _owing(names: list[str]) -> str:
    if not names:
        return "no roll of yours is due"
    more = f", then {several([quote(n) for n in names[1:]])}" if names[1:] else ""
    return f"`roll {quote(names[0])}`{more}"


# --- without a GM


def _own_verb(
    e: Encounter, system: InitiativeSystem, shown: Seen, viewer: Viewer, action: OwnVerb, saw: Standpoint
) -> OwnVerb:
    sender = next((v.sender for v in system.verbs if v.name == action.verb), "")
    if sender == "owner" and action.words:
        _in_round(shown, saw)
        who = _mine(e, shown, viewer, entry(shown.encounter, action.words[0]))
        return replace(action, words=(who, *action.words[1:]))
    if sender == "resolver":
        _may_resolve(e, system, shown, viewer, action, saw)
        return action
    raise _refused(action.verb, system, e)


def _may_resolve(
    e: Encounter, system: InitiativeSystem, shown: Seen, viewer: Viewer, action: Action, saw: Standpoint
) -> None:
    """What whoever resolves the running turn may do, and `next` also whoever resolves the turn that comes."""
    if not without_gm(system, e) or not plays(e, viewer):
        raise _refused(_verb(action), system, e)
    _in_turn(shown, saw)
    if isinstance(action, Next) and action.times != 1:
        raise RuleError("from a seat one turn follows the other", "`next`")
    if not e.turn and not isinstance(action, Next):
        raise RuleError("no turn is being resolved", "`next` starts one")
    if (key := carried_out(system, e)) and not resolves(system, e, key, viewer.name):
        whose = label(shown.encounter, key)
        raise RuleError(f"the turn of {whose} is not yours to resolve", _carriers(e, system, key))


def _carriers(e: Encounter, system: InitiativeSystem, key: str) -> str:
    """Who may carry out a turn, in words."""
    names = system.resolvers(e, key) if isinstance(system, Gmless) else ()
    return (
        f"{' or '.join(names)} does it: `next` there begins and ends it"
        if names
        else "an opponent of its owner does"
    )


def _at_the_table(
    e: Encounter,
    system: InitiativeSystem,
    shown: Seen,
    viewer: Viewer,
    action: Ok | Undo | Area | Temp,
    saw: Standpoint,
) -> None:
    """What is everybody's at a table without a GM: having read the board, damage to many, a step back."""
    if not without_gm(system, e) or not plays(e, viewer):
        raise _refused(_verb(action), system, e)
    if not isinstance(action, Undo):
        _in_round(shown, saw)
    elif action.steps != 1:
        raise RuleError("from seats one step is undone at a time", "`undo`")


def _verb(action: Action) -> str:
    return action.verb if isinstance(action, OwnVerb) else action.syntax.verb
