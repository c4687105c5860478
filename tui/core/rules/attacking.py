"""Decide attacks: dice against armour class, or damage with a save, in one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import fitting, quote
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.dice import DiceError, DiceTerm, Notation, parse
from tui.core.fight.encounter import Encounter, arrived
from tui.core.language import values
from tui.core.language.attacks import Attack, read_attacks
from tui.core.language.creature_actions import Strike
from tui.core.language.select import one, several, standing
from tui.core.rules import health, saving
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import MOST_POINTS, Roller
from tui.core.rules.optional import count_hit
from tui.core.rules.system import InitiativeSystem

TO_HIT, BLOW = "attack", "blow"
"""The purposes of the dice of an attack, in the journal."""
_SIDES, _HIGHEST, _LOWEST = 20, 20, 1

Blow = tuple[int, str]
"""Points of damage, and their kind."""


def strike(d: Draft, system: InitiativeSystem, action: Strike, roller: Roller) -> None:
    """Attack each target in the order of the line. Raises RuleError."""
    e = d.encounter
    attacker = _attacker(e, action.who)
    attack = _attack(attacker, action.name)
    targets = [k for word in action.targets for k in _targets(e, word)]
    face = values.whole(action.face, "face=", 1, _SIDES) if action.face else 0
    points = values.whole(action.damage, "damage=", 0, MOST_POINTS) if action.damage else None
    if attack.dc and (action.adv or face):
        key = "adv=" if action.adv else "face="
        raise RuleError(f"{attack.name} has a DC and rolls no d20: {key} means nothing", "leave it out")
    if len(targets) > 1 and (face or (points is not None and not attack.dc)):
        raise RuleError(f"face= and damage= are one target's, not {len(targets)}", "a line for each of them")
    if not attack.dc and (bare := next((k for k in targets if e.combatants[k].ac is None), "")):
        name = e.combatants[bare].name
        raise RuleError(f"nobody has said the armour class of {name}", f"`set {quote(name)} ac=12`")
    _spend(d, attacker, attack)
    given = None if points is None else [(points, attack.damage[0].type)]
    if attack.dc:
        blows = given or list(_rolled(d, roller, attack, "area"))
        saving.lay_down(d, tuple(dict.fromkeys(targets)), blows, (attack.dc, attack.key), half=attack.half)
        return
    for k in targets:
        # A creature that an earlier blow has put out is attacked no more.
        if not d.encounter.combatants[k].out:
            _against(d, system, attacker, attack, k, (face, action.adv, given), roller)


def _attacker(e: Encounter, who: str) -> Combatant:
    """Return the one creature that WHO means: of a group its only living member. Raises RuleError."""
    ids = standing(e, who)
    return _able(e, ids[0] if len(ids) == 1 else one(e, who))


def _able(e: Encounter, who: str) -> Combatant:
    """Return a creature that is in the fight. Raises RuleError."""
    c = e.combatants[who]
    if c.out:
        raise RuleError(f"{c.name} is {c.gone}", f"`back {quote(c.name)}` brings it back")
    if not arrived(e, c):
        raise RuleError(f"{c.name} is not here before round {c.arrives}")
    return c


def _targets(e: Encounter, word: str) -> tuple[str, ...]:
    return tuple(_able(e, k).id for k in standing(e, word))


def _attack(c: Combatant, name: str) -> Attack:
    """Return the attack that a name or its unique beginning means. Raises RuleError."""
    attacks = read_attacks(c.attacks)
    if not attacks:
        line = f'`set {quote(c.name)} attacks="Bite +4 1d6+2 piercing"` gives one'
        raise RuleError(f"{c.name} has no attacks", line)
    usable = [x for x in attacks if x.rolls]
    hint = f"`attack {quote(c.name)} {quote(usable[0].name)} WHO`" if usable else ""
    # Texts are looked through as well: one that is named whole says why nothing is rolled.
    meant = fitting(name, [x.name for x in usable]) or fitting(name, [x.name for x in attacks])
    if len(meant) > 1:
        raise RuleError(f'"{name}" fits {several(meant)}', "write more of the name", kind="ambiguous")
    attack = next((x for x in attacks if meant and x.name == meant[0]), None)
    if attack is None:
        names = f"there are: {several([x.name for x in attacks])}"
        raise RuleError(f'{c.name} has no attack "{name}"', names, kind="unknown_name")
    if not attack.rolls:
        raise RuleError(f"{attack.name} rolls nothing: {attack.text}", hint)
    return attack


def _spend(d: Draft, c: Combatant, attack: Attack) -> None:
    """Take one off the counter that is called like the attack. Raises RuleError when it is at 0."""
    x = next((x for x in c.counters if x.name.lower() == attack.name.lower()), None)
    if x is None:
        return
    if x.n < 1:
        line = f"`count {quote(c.name)} {quote(x.name)} +1` restores one"
        raise RuleError(f"{c.name} has no {x.name} left", line)
    d.emit(ev.Tallied(c.id, replace(x, n=x.n - 1)))


def _against(
    d: Draft,
    system: InitiativeSystem,
    attacker: Combatant,
    attack: Attack,
    target: str,
    how: tuple[int, str, list[Blow] | None],
    roller: Roller,
) -> None:
    """Roll one attack and deal its damage; `how` is the face of the table (0: none), adv=, and its damage."""
    called, adv, given = how
    c = d.encounter.combatants[target]
    bonus, ac = attack.bonus or 0, c.ac or 0
    face, other = (called, 0) if called else _thrown(roller, adv)
    faces = (face, other) if other else (face,)
    source = "table" if called else roller.how
    d.emit(ev.Rolled(TO_HIT, attacker.id, (_SIDES,) * len(faces), faces, source))
    if other and (face < other) == (adv == "adv"):
        face, other = other, face
    hit = face == _HIGHEST or (face > _LOWEST and face + bonus >= ac)
    rolled = (given or _rolled(d, roller, attack, BLOW, double=face == _HIGHEST)) if hit else ()
    dealt = [(*health.resisted(c, points, kind), kind) for points, kind in rolled]
    blows = tuple((points, kind) for points, _, kind in dealt)
    said: list[Literal["die", "damage"]] = ["die"] if called else []
    if hit and given:
        said.append("damage")
    d.emit(ev.Attacked(attacker.id, target, attack.name, face, other, bonus, ac, hit, blows, tuple(said)))
    for why in dict.fromkeys(why for _, why, _ in dealt if why):
        d.announce(why, target, own=True)
    if hit and d.encounter.running:
        count_hit(d, system, target)
    if total := sum(points for points, _ in blows):
        health.damage(d, system, target, total)


def _thrown(roller: Roller, adv: str) -> tuple[int, int]:
    """Return the faces of a d20, the second 0 without advantage or disadvantage. Raises RuleError."""
    try:
        first = roller.dice.roll(_SIDES)
        return first, roller.dice.roll(_SIDES) if adv else 0
    except DiceError as error:
        raise RuleError(str(error)) from None


def _rolled(d: Draft, roller: Roller, attack: Attack, ask: str, *, double: bool = False) -> Iterator[Blow]:
    """Yield what the dice of damage come to, from left to right; `double`: twice as many dice."""
    for part in attack.damage:
        spelt = parse(part.dice)
        points = roller.total(d, _twice(spelt) if double else spelt, ask)
        if points > MOST_POINTS:
            raise RuleError(f"{points} is too much", f"{MOST_POINTS} at the most")
        yield max(0, points), part.type


def _twice(spelt: Notation) -> Notation:
    """Return a notation with all of its dice twice, and its numbers once."""
    terms = [(term, term) if isinstance(term, DiceTerm) else (term,) for term in spelt.terms]
    return Notation(tuple(term for some in terms for term in some))


def attackers(people: Sequence[Combatant]) -> Iterator[tuple[Combatant, Attack]]:
    """Yield what these can do, each attack of creatures with the same attacks once."""
    for text in dict.fromkeys(c.attacks for c in people if c.attacks):
        first = next(c for c in people if c.attacks == text)
        yield from ((first, x) for x in read_attacks(text))
