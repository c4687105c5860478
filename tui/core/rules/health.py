"""Hit points, and who is out."""

from __future__ import annotations

from typing import assert_never

from tui.core.fight import events as ev
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.language.actions.health import Afflict, Back, Clear, Damage, Heal, HealthAction, Out, Temp
from tui.core.language.select import resolve, standing
from tui.core.rules import conditions, play
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, amount
from tui.core.rules.system import InitiativeSystem


def perform(d: Draft, system: InitiativeSystem, action: HealthAction, roller: Roller) -> None:
    """What happens when this is asked. Raises RuleError."""
    match action:
        case Damage(who, text):
            ids = standing(d.encounter, who)
            points = amount(d, roller, text, "damage")
            for k in ids:
                damage(d, system, k, points)
        case Heal(who, text):
            ids = standing(d.encounter, who)
            points = amount(d, roller, text, "heal")
            for k in ids:
                heal(d, k, points)
        case Temp(who, text):
            ids = standing(d.encounter, who)
            points = amount(d, roller, text, "temp")
            for k in ids:
                bolster(d, k, points)
        case Afflict():
            conditions.afflict(d, system, action, roller)
        case Clear():
            conditions.clear(d, system, action)
        case Out(who):
            _out(d, system, who)
        case Back(who):
            _back(d, system, who)
        case _:
            assert_never(action)


def damage(d: Draft, system: InitiativeSystem, who: str, points: int) -> None:
    """Temporary points go first; hit points stop at 0; 0 puts nobody out."""
    c = d.encounter.combatants[who]
    temp = max(0, c.temp_hp - points)
    rest = points - (c.temp_hp - temp)
    # Monsters without hit points are common: their damage is told and counted by nobody.
    hp = -1 if c.hp is None else max(0, c.hp - rest)
    d.emit(ev.Damaged(who, points, hp, temp))
    if points and any(x.name.lower() == "concentration" for x in c.conditions):
        d.announce("{0} is concentrating: the damage may break it", who)
    if d.encounter.running and points:
        system.damaged(d, who, points)


def heal(d: Draft, who: str, points: int) -> None:
    """Hit points rise to the maximum."""
    c = d.encounter.combatants[who]
    if c.hp is None:
        raise RuleError(f"{c.name} has no hit points to heal", f"`set {quote(c.name)} hp=N` gives some")
    # max with what it has: healing never lowers anybody.
    hp = c.hp + points if c.max_hp is None else max(c.hp, min(c.max_hp, c.hp + points))
    d.emit(ev.Healed(who, points, hp))


def bolster(d: Draft, who: str, points: int) -> None:
    """Temporary points do not add up: the higher number stays."""
    d.emit(ev.Bolstered(who, max(points, d.encounter.combatants[who].temp_hp)))


def _out(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Creatures leave the fight; a turn that nobody is left in ends."""
    ids = resolve(d.encounter, who)
    leaving = tuple(k for k in ids if not d.encounter.combatants[k].out)
    if not leaving:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already out")
    d.emit(*(ev.WentOut(k) for k in leaving))
    play.gone(d, system, leaving)


def _back(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Creatures are in the fight again."""
    ids = resolve(d.encounter, who)
    coming = tuple(k for k in ids if d.encounter.combatants[k].out)
    if not coming:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already in the fight")
    d.emit(*(ev.CameBack(k) for k in coming))
    if d.encounter.running:
        system.joined(d, coming)
