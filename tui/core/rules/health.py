"""Hit points and conditions."""

from __future__ import annotations

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition
from tui.core.fight.dice import Dice, DiceError, RollResult, evaluate, parse
from tui.core.fight.errors import RuleError
from tui.core.fight.text import clean_name
from tui.core.language import actions as a
from tui.core.language.select import one, resolve
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem

MOST_CONDITIONS = 32
MOST_POINTS = 99_999


class Amount(Struct, frozen=True):
    """Points after dice and scale, and the dice behind them."""

    points: int
    rolled: RollResult


def amount(d: Draft, dice: Dice, how: str, text: str, scale: str = "") -> int:
    """The points an amount means; its dice are rolled now and recorded. `/2` rounds down."""
    try:
        rolled = evaluate(parse(text), dice)
    except DiceError as error:
        raise RuleError(str(error)) from None
    if rolled.faces:
        sides, faces = tuple(f.sides for f in rolled.faces), tuple(f.face for f in rolled.faces)
        d.emit(ev.Rolled("amount", "GM", sides, faces, how))
    points = rolled.total // 2 if scale == "/2" else rolled.total * 2 if scale else rolled.total
    if points > MOST_POINTS:
        raise RuleError(f"{points} is too much", f"{MOST_POINTS} at the most")
    return max(0, points)


def scaled(text: str) -> tuple[str, str]:
    """An amount and its scale: `9/2` is half of 9, `9*2` twice."""
    scale = text[-2:] if text[-2:] in ("/2", "*2") else ""
    return text.removesuffix(scale), scale


def damage(d: Draft, system: InitiativeSystem, who: str, points: int) -> None:
    """Temporary points go first; hit points stop at 0; 0 puts nobody out."""
    c = d.encounter.combatants[who]
    temp = max(0, c.temp_hp - points)
    rest = points - (c.temp_hp - temp)
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
        raise RuleError(f"{c.name} has no hit points to heal", f'`set "{c.name}" hp=N` gives some')
    hp = c.hp + points if c.max_hp is None else max(c.hp, min(c.max_hp, c.hp + points))
    d.emit(ev.Healed(who, points, hp))


def bolster(d: Draft, who: str, points: int) -> None:
    """Temporary points do not add up: the higher number stays."""
    d.emit(ev.Bolstered(who, max(points, d.encounter.combatants[who].temp_hp)))


def afflict(d: Draft, action: a.Afflict) -> None:
    """A condition on everybody named; without an edge, counted rounds end at the end of a turn."""
    name = clean_name(action.name)
    if not name:
        raise RuleError("a condition needs a name")
    if not 0 <= action.rounds <= 9999:
        raise RuleError(f"rounds= takes 0 to 9999, not {action.rounds}")
    of = one(d.encounter, action.of) if action.of else ""
    until = action.until or ("end" if action.rounds or of else "")
    rounds = action.rounds or (1 if until else 0)
    for who in resolve(d.encounter, action.who):
        _room(d.encounter.combatants[who], name)
        d.emit(ev.Afflicted(who, Condition(name, rounds, until, of)))


def _room(c: Combatant, name: str) -> None:
    if len(c.conditions) >= MOST_CONDITIONS and name.lower() not in {x.name.lower() for x in c.conditions}:
        raise RuleError(f"{c.name} carries {MOST_CONDITIONS} conditions already")


def clear(d: Draft, action: a.Clear) -> None:
    """A condition is gone; a unique beginning of its name is enough."""
    from tui.core.language.select import match

    for who in resolve(d.encounter, action.who):
        c = d.encounter.combatants[who]
        if not c.conditions:
            raise RuleError(f"{c.name} has no conditions")
        d.emit(ev.Cleared(who, match(action.name, [x.name for x in c.conditions], f"condition of {c.name}")))
