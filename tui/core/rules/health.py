"""Hit points, and who is out."""

from __future__ import annotations

from typing import assert_never

from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.combatant import Combatant
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.language.actions.health import (
    Afflict,
    Back,
    Clear,
    Damage,
    Heal,
    HealthAction,
    Out,
    Tally,
    Temp,
)
from tui.core.language.select import resolve, standing
from tui.core.rules import conditions
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, amount, is_dice
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import counters, dying, saves
from tui.core.rules.upkeep.house import at_zero, house
from tui.core.rules.upkeep.leaving import leave


def perform(d: Draft, system: InitiativeSystem, action: HealthAction, roller: Roller) -> None:
    """What happens when this is asked. Raises RuleError."""
    match action:
        case Damage():
            _area(d, system, action, roller)
        case Heal(who, text):
            ids = standing(d.encounter, who)
            points = amount(d, roller, text, "heal")
            for k in ids:
                heal(d, k, points)
        case Temp(who, text):
            ids = standing(d.encounter, who)
            points = amount(d, roller, text, "temp")
            for k in ids:
                bolster(d, k, points, away=points == 0 and not is_dice(text))
        case Afflict():
            conditions.afflict(d, system, action, roller)
        case Clear():
            conditions.clear(d, system, action)
        case Tally():
            counters.count(d, action, roller)
        case Out(who):
            _out(d, system, who)
        case Back(who):
            _back(d, system, who)
        case _:
            assert_never(action)


def _area(d: Draft, system: InitiativeSystem, action: Damage, roller: Roller) -> None:
    """Damage as it falls: whole for WHO, half for those of `half=`, nothing for those of `none=`."""
    e = d.encounter
    half, none = (standing(e, who) if who else () for who in (action.half, action.none))
    points = amount(d, roller, action.amount, "damage")
    for k in dict.fromkeys([*standing(e, action.who), *half]):
        # Whoever a blow before has put out takes no more of the same one.
        if k not in none and not d.encounter.combatants[k].out:
            damage(d, system, k, taken(d, k, points // 2 if k in half else points, action.type))


def taken(d: Draft, who: str, points: int, kind: str) -> int:
    """Return what damage of a kind totals: nothing for who is immune to it, half for who resists it, twice for who is vulnerable.

    Without a kind the GM is reminded of what might apply.
    """
    c = d.encounter.combatants[who]
    resists, suffers, immune = _kinds(c.resist), _kinds(c.vulnerable), _kinds(c.immune)
    known = {kind.strip().lower(), "all"} if kind else {"all"}
    if points and immune & known:
        d.announce("{0} is immune: nothing of it", who, own=True)
        return 0
    if not points or (bool(resists & known) and bool(suffers & known)):
        return points
    if resists & known:
        d.announce("{0} resists: half of it", who, own=True)
        return points // 2
    if suffers & known:
        d.announce("{0} is vulnerable: twice as much", who, own=True)
        return points * 2
    if not kind and (resists or suffers or immune):
        told = ((c.immune, "is immune to"), (c.resist, "resists"), (c.vulnerable, "is vulnerable to"))
        said = " and ".join(f"{verb} {literal(text)}" for text, verb in told if text)
        d.announce(f"{{0}} {said}: `type=KIND` behind the damage counts it", who, own=True)
    return points


def _kinds(text: str) -> set[str]:
    return {word.strip().lower() for word in text.split(",") if word.strip()}


def damage(d: Draft, system: InitiativeSystem, who: str, points: int) -> None:
    """Temporary points go first; hit points stop at 0; what 0 does is a house rule."""
    c = d.encounter.combatants[who]
    temp = max(0, c.temp_hp - points)
    rest = points - (c.temp_hp - temp)
    # Monsters without hit points are common: their damage is told and counted by nobody.
    hp = -1 if c.hp is None else max(0, c.hp - rest)
    d.emit(ev.Damaged(who, points, hp, temp))
    if points and hp and conditions.concentrates(c):
        if house(d.encounter, "concentration.dc") == "damage":
            saves.owe_for_concentration(d, who, points)
        else:
            d.announce("{0} is concentrating: the damage may break it", who)
    if d.encounter.running and points:
        system.damaged(d, who, points)
    if points and hp == 0 and not c.out:
        _zero(d, system, c, rest - (c.hp or 0))


def _zero(d: Draft, system: InitiativeSystem, c: Combatant, over: int) -> None:
    """What 0 hit points do by the house rule; damage while dying is a failed save.

    `over`: the points that were left over after 0; as many as the maximum may be death at once.
    """
    if house(d.encounter, "zero.massive") == "dead" and c.most_hp and over >= c.most_hp:
        if c.dying:
            d.emit(ev.DeathSaves(c.id, over=True))
        d.announce("{0} dies of massive damage", c.id)
        d.emit(ev.Died(c.id))
        leave(d, system, (c.id,))
        return
    if c.dying:
        if dying.hurt(d, c, c.dying):
            leave(d, system, (c.id,))
        return
    match at_zero(d.encounter, c):
        case "out":
            leave(d, system, (c.id,))
        case "dying":
            dying.falls(d, c.id)
        case _:
            pass


def heal(d: Draft, who: str, points: int) -> None:
    """Hit points rise to the maximum."""
    c = d.encounter.combatants[who]
    if c.hp is None:
        raise RuleError(f"{c.name} has no hit points to heal", f"`set {quote(c.name)} hp=10` gives some")
    # max with what it has: healing never lowers anybody.
    hp = c.hp + points if c.most_hp is None else max(c.hp, min(c.most_hp, c.hp + points))
    d.emit(ev.Healed(who, points, hp))


def bolster(d: Draft, who: str, points: int, *, away: bool = False) -> None:
    """Temporary points do not add up: the higher number stays; with `away` they are taken away."""
    had = d.encounter.combatants[who].temp_hp
    if not away:
        d.emit(ev.Bolstered(who, max(points, had)))
    elif had:
        d.emit(ev.Bolstered(who, 0))


def _out(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Creatures leave the fight; a turn that nobody is left in ends."""
    ids = resolve(d.encounter, who)
    leaving = tuple(k for k in ids if not d.encounter.combatants[k].out)
    if not leaving:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already out")
    leave(d, system, leaving)


def _back(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Creatures are in the fight again."""
    ids = resolve(d.encounter, who)
    coming = tuple(k for k in ids if d.encounter.combatants[k].out)
    if not coming:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already in the fight")
    d.emit(*(ev.CameBack(k) for k in coming))
    if d.encounter.running:
        system.joined(d, coming)
