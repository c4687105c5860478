"""Decide attacks: dice against armour class, or damage with a save, in one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations_with_replacement, product
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import names_beginning, quote
from tui.core.fight import events as ev
from tui.core.fight.combatant import ATTACK, Combatant, Counted
from tui.core.fight.dice import DiceError, DiceTerm, Notation, parse
from tui.core.fight.encounter import Encounter, PendingArea, has_arrived
from tui.core.language import values
from tui.core.language.attacks import Attack, Strikes, read_attacks, read_multiattack
from tui.core.language.creature_actions import Strike
from tui.core.language.select import list_names, refuse_several, resolve_living, resolve_standing
from tui.core.rules import health, saving, saving_throws
from tui.core.rules.draft import Draft, refuse_early
from tui.core.rules.numbers import MOST_POINTS, Roller, bound_points, roll_count
from tui.core.rules.optional import count_area_hit
from tui.core.rules.system import InitiativeSystem

TO_HIT, BLOW = "attack", "blow"
"""The purposes of the dice of an attack, in the journal."""
_SIDES, _HIGHEST, _LOWEST = 20, 20, 1

Blow = tuple[int, str]
"""Points of damage, and their kind."""


def run_attack(d: Draft, system: InitiativeSystem, action: Strike, roller: Roller) -> None:
    """Run `attack`: attack each target in the order of the line. Raises RuleError."""
    e = d.encounter
    line = _Attacks(d, system, action, roller, _check_able(e, resolve_living(e, action.who)))
    attack = find_attack(line.attacker, action.name)
    targets = [_check_able(e, k).id for word in action.targets for k in resolve_standing(e, word)]
    if series := read_series(line.attacker, attack):
        line.run_series(series, targets)
    elif attack.rolls:
        line.run_one(attack, targets, action.adv)
    else:
        usable = next((x for x in read_attacks(line.attacker.attacks) if x.rolls), None)
        hint = f"`attack {quote(line.attacker.name)} {quote(usable.name)} WHO`" if usable else ""
        raise RuleError(f"{attack.name} rolls nothing: {attack.text}", hint)


class _Attacks(Struct, frozen=True):
    """The attacks of one line."""

    d: Draft
    system: InitiativeSystem
    action: Strike
    roller: Roller
    attacker: Combatant

    def run_one(self, attack: Attack, targets: Sequence[str], adv: str) -> None:
        """Attack each target with one entry. Raises RuleError."""
        d, action = self.d, self.action
        people = d.encounter.combatants
        face = values.read_int(action.face, "face=", 1, _SIDES) if action.face else 0
        points = values.read_int(action.damage, "damage=", 0, MOST_POINTS) if action.damage else None
        if attack.dc and (adv or face):
            key = "adv=" if adv else "face="
            raise RuleError(f"{attack.name} has a DC and rolls no d20: {key} means nothing", "leave it out")
        if points is not None and not attack.damage:
            raise RuleError(f"{attack.name} does no damage", "leave damage= out")
        if len(targets) > 1 and (face or (points is not None and not attack.dc)):
            reason = f"face= and damage= are one target's, not {len(targets)}"
            raise RuleError(reason, "a line for each of them")
        if not attack.dc and (bare := next((k for k in targets if people[k].ac is None), "")):
            name = people[bare].name
            raise RuleError(f"the armour class of {name} is not known", f"`set {quote(name)} ac=12`")
        if x := find_counter(people[self.attacker.id], attack):
            d.emit(ev.Tallied(self.attacker.id, replace(x, n=x.n - 1)))
        given = None if points is None else [(points, attack.damage[0].type)]
        if attack.dc:
            self._owe_saves(attack, tuple(dict.fromkeys(targets)), given)
            return
        for k in targets:
            # A creature that an earlier attack of the same line put out is not attacked again.
            if not d.encounter.combatants[k].out:
                self._attack_target(attack, k, face, adv, given)

    def _owe_saves(self, attack: Attack, targets: tuple[str, ...], given: list[Blow] | None) -> None:
        """Let targets owe a save against the damage of an attack, or against the attack if it has none."""
        if not attack.damage:
            for k in targets:
                saving_throws.owe_save(self.d, k, ATTACK, attack.dc, attack.key, name=attack.name)
            return
        saving.check_no_area(self.d, self.system)
        (points, kind), *more = given or _roll_damage(self.d, self.roller, attack, "area")
        who = tuple(k for k in self.d.encounter.combatants if k in targets)
        save = (attack.dc, attack.key, attack.half)
        saving.lay_area(self.d, PendingArea(points, who, (), (), kind, *save, more=tuple(more)))

    def run_series(self, series: Sequence[Strikes], targets: Sequence[str]) -> None:
        """Make the attacks of a Multiattack in order; the last target takes the rest. Raises RuleError."""
        if self.action.face or self.action.damage:
            raise RuleError("face= and damage= are one attack's", "a line for each attack")
        if any(len(part.names) > 1 for part in series):
            verb, whom = f"attack {quote(self.attacker.name)}", " ".join(map(quote, self.action.targets))
            lines = [f"`{verb} {quote(way)} {whom}`" for way in list_choices(series)]
            raise RuleError("the attacks of this Multiattack must be chosen", list_names(lines))
        if len(targets) > (most := sum(part.count for part in series)):
            raise RuleError(f"{most} attacks cannot have {len(targets)} targets", "name fewer")
        d, names = self.d, list[str]()
        for part in series:
            n = roll_count(d, self.roller, part.dice, "attack", 1, part.count) if part.dice else part.count
            names += part.names[:1] * n
        attacks = {x.name: x for x in read_attacks(self.attacker.attacks)}
        for made, name in enumerate(names):
            target = targets[min(made, len(targets) - 1)]
            c = d.encounter.combatants[target]
            # A target at 0 is attacked only if somebody names it for the first attack.
            if c.out or d.encounter.area or (c.hp == 0 and made):
                left = Counter(names[made:])
                d.notices.append(", ".join(f"{n} {name}" for name, n in left.items()) + " left")
                return
            self.run_one(attacks[name], [target], "" if attacks[name].dc else self.action.adv)

    def _attack_target(
        self, attack: Attack, target: str, called: int, adv: str, given: list[Blow] | None
    ) -> None:
        """Roll one attack and deal its damage.

        `called`: the typed d20, 0 for none; `given`: the typed damage, None for none.
        """
        d = self.d
        c = d.encounter.combatants[target]
        bonus, ac = attack.bonus or 0, c.ac or 0
        face, other = (called, 0) if called else _roll_d20(self.roller, adv)
        faces = (face, other) if other else (face,)
        source = "table" if called else self.roller.how
        d.emit(ev.Rolled(TO_HIT, self.attacker.id, (_SIDES,) * len(faces), faces, source))
        if other and (face < other) == (adv == "adv"):
            face, other = other, face
        hit = face == _HIGHEST or (face > _LOWEST and face + bonus >= ac)
        rolled = (given or _roll_damage(d, self.roller, attack, BLOW, double=face == _HIGHEST)) if hit else ()
        dealt = [(*health.resist(c, points, kind), kind) for points, kind in rolled]
        blows = tuple((points, kind) for points, _, kind in dealt)
        said: list[Literal["die", "damage"]] = ["die"] if called else []
        if hit and given:
            said.append("damage")
        who, typed = self.attacker.id, tuple(said)
        d.emit(ev.Attacked(who, target, attack.name, face, other, bonus, ac, hit, blows, typed))
        for reason in dict.fromkeys(reason for _, reason, _ in dealt if reason):
            d.announce(reason, target, own=True)
        if hit and d.encounter.running:
            count_area_hit(d, self.system, target)
        if total := sum(points for points, _ in blows):
            health.take_damage(d, self.system, target, total)


# --- several attacks in one line


def read_series(c: Combatant, attack: Attack) -> tuple[Strikes, ...]:
    """Return the parts of an entry that is a Multiattack; none for any other entry."""
    return () if attack.rolls else read_multiattack(attack.text, read_attacks(c.attacks))


def list_choices(series: Sequence[Strikes]) -> list[str]:
    """Return every way to make a Multiattack that leaves a choice: `2 Scimitar`, `1 Scimitar, 1 Shortbow`."""
    ways = [combinations_with_replacement(part.names, part.count) for part in series]
    counted = (Counter(chain.from_iterable(way)) for way in product(*ways))
    return list(dict.fromkeys(", ".join(f"{n} {name}" for name, n in way.items()) for way in counted))


def _check_able(e: Encounter, who: str) -> Combatant:
    """Return a creature that is here and not out. Raises RuleError."""
    c = e.combatants[who]
    if c.out:
        raise RuleError(f"{c.name} is {c.gone}", f"`back {quote(c.name)}` brings it back")
    if not has_arrived(e, c):
        raise refuse_early(c)
    return c


def find_attack(c: Combatant, name: str) -> Attack:
    """Return the attack of a name or its unique beginning, or several as a Multiattack writes them.

    Raises RuleError.
    """
    attacks = read_attacks(c.attacks)
    if not attacks:
        line = f'`set {quote(c.name)} attacks="Bite +4 1d6+2 piercing"` gives one'
        raise RuleError(f"{c.name} has no attacks", line)
    usable = [x.name for x in attacks if x.rolls or read_series(c, x)]
    # Attacks that are only text are searched too: if one is named in full, the refusal says why nothing is
    # rolled.
    names = [x.name for x in attacks]
    meant = names_beginning(name, usable) or names_beginning(name, names)
    if len(meant) > 1:
        raise refuse_several(name, meant)
    if meant:
        return next(x for x in attacks if x.name == meant[0])
    if read_multiattack(name, attacks):
        return Attack(name, text=name)
    reason = f'{c.name} has no attack "{name}"'
    raise RuleError(reason, f"there are: {list_names(names)}", kind="unknown_name")


def find_counter(c: Combatant, attack: Attack) -> Counted | None:
    """Return the counter that an attack spends, which has its name; None if it spends none.

    Raises RuleError if the counter is at 0.
    """
    x = next((x for x in c.counters if x.name.lower() == attack.name.lower()), None)
    if x is not None and x.n < 1:
        line = f"`count {quote(c.name)} {quote(x.name)} +1` restores one"
        raise RuleError(f"{c.name} has no {x.name} left", line)
    return x


def _roll_d20(roller: Roller, adv: str) -> tuple[int, int]:
    """Return two faces of a d20; the second is 0 without advantage or disadvantage. Raises RuleError."""
    try:
        first = roller.dice.roll(_SIDES)
        return first, roller.dice.roll(_SIDES) if adv else 0
    except DiceError as error:
        raise RuleError(str(error)) from None


def _roll_damage(
    d: Draft, roller: Roller, attack: Attack, ask: str, *, double: bool = False
) -> Iterator[Blow]:
    """Yield points and kind of each part of the damage; with `double`, twice as many dice are rolled."""
    for part in attack.damage:
        spelt = parse(part.dice)
        yield bound_points(roller.total(d, _double_dice(spelt) if double else spelt, ask)), part.type


def _double_dice(spelt: Notation) -> Notation:
    """Return a notation with twice its dice; its numbers are unchanged."""
    terms = [(term, term) if isinstance(term, DiceTerm) else (term,) for term in spelt.terms]
    return Notation(tuple(term for some in terms for term in some))


def list_attacks(people: Sequence[Combatant]) -> Iterator[tuple[Combatant, Attack]]:
    """Yield each creature with each of its attacks; of creatures with equal attacks only the first counts."""
    for text in dict.fromkeys(c.attacks for c in people if c.attacks):
        first = next(c for c in people if c.attacks == text)
        yield from ((first, x) for x in read_attacks(text))
