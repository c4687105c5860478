"""Run the actions on hit points, conditions and counters, and those that take creatures out or back."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.combatant import CONCENTRATION, Combatant, Condition, is_pc
from tui.core.fight.encounter import GM, SIDE, Encounter, label, sides
from tui.core.language import creature_actions as ca
from tui.core.language.select import labels, match_name, resolve, resolve_standing
from tui.core.rules import effects, saving_throws, upkeep
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, is_dice, roll_amount, roll_count
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import house_rule, take_out, zero_option, zero_rule

MOST_CONDITIONS = 32
MOST_ROUNDS = 9_999


def is_concentrating(c: Combatant) -> bool:
    """Return whether a creature has the condition concentration."""
    return any(x.name.lower() == CONCENTRATION for x in c.conditions)


def break_concentrations(d: Draft) -> None:
    """End concentrations that 0 hit points or a removal break, and all conditions that depend on them.

    The creatures' state decides and not the events, so that no event can be forgotten.
    """
    for c in d.encounter.combatants.values():
        if (c.out or c.hp == 0) and is_concentrating(c):
            d.emit(ev.Cleared(c.id, CONCENTRATION, over=True))
    people = d.encounter.combatants
    # Creatures that moved to another save are treated as lost: this save knows nothing about them.
    broken = {k for k, c in people.items() if not is_concentrating(c)} | set(d.encounter.gone)
    conditions = [(c.id, x) for c in people.values() for x in c.conditions if x.conc and x.of in broken]
    d.emit(*(ev.Cleared(k, x.name, over=True, of=x.of) for k, x in conditions))


def _split_conditions(d: Draft, action: ca.Afflict, roller: Roller) -> list[ca.Afflict]:
    """Return an action for each condition between commas; all last equally long."""
    names = [part for part in action.name.split(",") if part.strip()]
    if len(names) < 2:
        return [action]
    if action.conc:
        line = f"`condition {quote(action.who)} {quote(names[0])} conc=yes`"
        raise RuleError("a concentration holds one condition", line)
    if action.rounds:
        action = replace(action, rounds=str(roll_count(d, roller, action.rounds, "rounds=", 0, MOST_ROUNDS)))
    return [replace(action, name=name.strip()) for name in names]


def afflict(d: Draft, system: InitiativeSystem, action: ca.Afflict, roller: Roller) -> None:
    """Give a condition to each creature of WHO. Raises RuleError.

    Rounds without `until=` end at the end of a turn.
    """
    name = _condition_name(clean_name(action.name))
    if not name:
        raise RuleError("a condition needs a name")
    who = resolve_standing(d.encounter, action.who)
    origin = ""
    if action.of:
        origin = _source_of(d.encounter, action.of)
    elif action.conc:
        origin = _acting_concentrator(d.encounter, action)
    rounds = roll_count(d, roller, action.rounds, "rounds=", 0, MOST_ROUNDS) if action.rounds else 0
    # A condition kept by concentration needs no end of its own. A given length counts; `of=` alone only names
    # the source.
    until = "" if action.rounds and not rounds else action.until or ("end" if rounds else "")
    dc, key = saving_throws.read_save(action.save, action.dc)
    does = effects.read_effect(action)
    if action.conc and origin and origin not in d.encounter.combatants:
        raise RuleError(f"of={action.of} names a group, and only a creature concentrates")
    for k in who:
        # The running turn does not count towards the length; otherwise a condition given in a creature's own
        # turn would lose one turn at once.
        fresh = bool(rounds) and until == "end" and system.turn_begun(d.encounter, origin or k)
        # A condition that is renewed while hidden stays hidden: players must not learn of it by the renewal.
        hidden = _check_room(d.encounter.combatants[k], name, origin)
        mind = d.encounter.combatants[origin if action.conc else k]
        if (action.conc or name.lower() == CONCENTRATION) and (mind.out or mind.hp == 0):
            raise RuleError(f"{mind.name} is {'out' if mind.out else 'at 0'} and cannot concentrate")
        lasting = Condition(
            name, rounds or (1 if until else 0), until, origin, fresh, hidden, action.conc, dc, key, *does
        )
        d.emit(ev.Afflicted(k, lasting))
    # This comes after all the conditions: the log merges equal events into one line only if nothing comes
    # between them.
    if action.conc and not is_concentrating(d.encounter.combatants[origin]):
        d.emit(ev.Afflicted(origin, Condition(CONCENTRATION)))


def _condition_name(name: str) -> str:
    """Return `concentration` for "concentrating", else the name."""
    return CONCENTRATION if name.lower() == "concentrating" else name


def _acting_concentrator(e: Encounter, action: ca.Afflict) -> str:
    """Return the acting creature, which concentrates if `of=` is missing. Raises RuleError."""
    if e.turn and e.acting in e.combatants:
        return e.acting
    reason = f"{label(e, e.acting)} act together" if e.turn else "nobody acts"
    line = f"`condition {quote(action.who)} {quote(action.name)} of=WHO conc=yes`"
    raise RuleError(f"name the creature that concentrates: {reason}", line)


def _source_of(e: Encounter, who: str) -> str:
    """Return the key of the creature or group in `of=`. Raises RuleError for anything else."""
    keys = resolve(e, who)
    if len(keys) == 1:
        return keys[0]
    bunches = {e.combatants[k].group for k in keys}
    group = bunches.pop() if len(bunches) == 1 else ""
    if group and {c.id for c in e.combatants.values() if c.group == group} == set(keys):
        return SIDE + group
    raise RuleError(f"of={who} names {len(keys)} creatures", "name one creature, or a group")


def _check_room(c: Combatant, name: str, origin: str) -> bool:
    """Raise RuleError if no condition can be added; return whether an equal one is hidden."""
    same = [x for x in c.conditions if x.name.lower() == name.lower() and x.of == origin]
    if len(c.conditions) >= MOST_CONDITIONS and not same:
        raise RuleError(f"{c.name} carries {MOST_CONDITIONS} conditions already")
    return any(x.hidden for x in same)


def clear_condition(d: Draft, action: ca.Clear) -> None:
    """Run `clear`: end a condition or counter; `of=` chooses between two of one name. Raises RuleError."""
    e = d.encounter
    origin = _source_of(e, action.of) if action.of else ""
    who = resolve_standing(e, action.who)
    carrying = [k for k in who if e.combatants[k].conditions or e.combatants[k].counters]
    if not carrying:
        raise RuleError(f"{label(e, who[0])} has no conditions")
    borne = [x.name for k in carrying for x in e.combatants[k].conditions]
    counters = [x.name for k in carrying for x in e.combatants[k].counters]
    names = list({x.lower(): x for x in (*borne, *counters)}.values())
    title = f"condition of {label(e, carrying[0])}" if len(carrying) == 1 else "condition"
    low = match_name(_condition_name(action.name), names, title).lower()
    gone, spent = list[ev.Event](), list[ev.Event]()
    for c in (e.combatants[k] for k in carrying):
        same = [x for x in c.conditions if x.name.lower() == low and (not origin or x.of == origin)]
        gone += [ev.Cleared(c.id, x.name, of=x.of) for x in same]
        if not origin and any(x.name.lower() == low for x in c.counters):
            spent.append(ev.CounterEnded(c.id, low))
    if not gone and not spent:
        raise RuleError(f"no condition {low} comes from {label(e, origin)}")
    d.emit(*spent, *gone)


def run_health_action(d: Draft, system: InitiativeSystem, action: ca.HealthAction, roller: Roller) -> None:
    """Run an action on hit points, conditions or counters. Raises RuleError."""
    match action:
        case ca.Damage():
            _damage_many(d, system, action, roller)
        case ca.Heal(who, text) | ca.Temp(who, text):
            ids = resolve_standing(d.encounter, who)
            points = roll_amount(d, roller, text, action.syntax.verb)
            for k in ids:
                if isinstance(action, ca.Heal):
                    heal(d, k, points)
                else:
                    give_temporary(d, k, points, remove=points == 0 and not is_dice(text))
        case ca.Afflict():
            for one in _split_conditions(d, action, roller):
                afflict(d, system, one, roller)
        case ca.Clear():
            clear_condition(d, action)
        case ca.Tally():
            upkeep.change_counter(d, action, roller)
        case ca.Out(who):
            _take_out(d, system, who)
        case ca.Back(who):
            _bring_back(d, system, who)
        case ca.Stable(who):
            _stabilise(d, who)


def _damage_many(d: Draft, system: InitiativeSystem, action: ca.Damage, roller: Roller) -> None:
    """Damage WHO fully, those of `half=` by half, those of `none=` not at all."""
    e = d.encounter
    half, none = (resolve_standing(e, who) if who else () for who in (action.half, action.none))
    points = roll_amount(d, roller, action.amount, "damage")
    targets = resolve_standing(e, action.who)
    if all(e.combatants[k].out for k in targets):
        names = labels(e, targets)
        raise RuleError(f"{names} {'is' if len(targets) == 1 else 'are'} out", f"`back {quote(names)}` first")
    for k in dict.fromkeys([*targets, *half]):
        # A creature that an earlier part of the same line put out takes no more damage from it.
        if k not in none and not d.encounter.combatants[k].out:
            take_damage(d, system, k, damage_taken(d, k, points // 2 if k in half else points, action.type))


def damage_taken(d: Draft, who: str, points: int, kind: str) -> int:
    """Return the damage after immunity, resistance and vulnerability, and announce the difference.

    Without a kind the GM is reminded of what might apply.
    """
    c = d.encounter.combatants[who]
    counted, reason = resist(c, points, kind)
    if reason:
        d.announce(reason, who, own=True)
    elif points and not kind and any(map(_damage_kinds, (c.resist, c.vulnerable, c.immune))):
        pairs = ((c.immune, "no"), (c.resist, "half"), (c.vulnerable, "double"))
        words = "; ".join(f"{share} {literal(kinds)}" for kinds, share in pairs if kinds)
        d.announce(f"{{0}} with `type=`: {words}", who, own=True)
    return counted


def resist(c: Combatant, points: int, kind: str) -> tuple[int, str]:
    """Return the damage after immunity, resistance and vulnerability, and the reason for a difference.

    The reason is "" if the damage is unchanged.
    """
    known = {kind.strip().lower(), "all"}
    resists, suffers, immune = (bool(_damage_kinds(x) & known) for x in (c.resist, c.vulnerable, c.immune))
    if points and immune:
        return 0, "{0} is immune: no damage"
    if not points or resists == suffers:
        return points, ""
    if resists:
        return points // 2, "{0} resists: half damage"
    return points * 2, "{0} is vulnerable: double damage"


def _damage_kinds(text: str) -> set[str]:
    return {word.strip().lower() for word in text.split(",") if word.strip()}


def take_damage(d: Draft, system: InitiativeSystem, who: str, points: int, *, share: bool = False) -> None:
    """Take damage from temporary points, then from hit points down to 0, and apply the rule for 0."""
    c = d.encounter.combatants[who]
    temp = max(0, c.temp_hp - points)
    rest = points - (c.temp_hp - temp)
    # Monsters without hit points are common: their damage is shown in the log but not subtracted.
    hp = -1 if c.hp is None else max(0, c.hp - rest)
    d.emit(ev.Damaged(who, points, hp, temp, share))
    if points and hp and is_concentrating(c):
        if house_rule(d.encounter, "concentration.dc") == "damage":
            saving_throws.owe_save(d, who, CONCENTRATION, max(10, points // 2), "con")
        else:
            d.announce("{0} is concentrating: the damage may break it", who)
    if d.encounter.running and points:
        system.damaged(d, who, points)
    if points and hp == 0 and not c.out:
        _apply_zero(d, system, c, rest - (c.hp or 0))


def _apply_zero(d: Draft, system: InitiativeSystem, c: Combatant, excess: int) -> None:
    """Apply the house rule for 0 hit points; damage while dying is a failed death save.

    `excess`: the points that were left after 0. With `zero.massive` they kill if they reach the maximum.
    """
    if house_rule(d.encounter, "zero.massive") == "dead" and c.most_hp and excess >= c.most_hp:
        if c.dying:
            d.emit(ev.DeathSaves(c.id, over=True))
        d.announce("{0} dies of massive damage", c.id)
        d.emit(ev.Died(c.id))
        take_out(d, system, (c.id,))
        return
    if c.dying:
        if upkeep.fail_by_damage(d, c, c.dying):
            take_out(d, system, (c.id,))
        return
    match zero_rule(d.encounter, c):
        case "out":
            take_out(d, system, (c.id,))
        case "dying":
            upkeep.start_dying(d, c.id)
        case _:
            pass


def heal(d: Draft, who: str, points: int) -> None:
    """Raise hit points, at most to the maximum. Raises RuleError without hit points."""
    c = d.encounter.combatants[who]
    if c.hp is None:
        raise RuleError(f"{c.name} has no hit points to heal", f"`set {quote(c.name)} hp=10` sets them")
    # The maximum of both keeps healing from ever lowering hit points that are above the most.
    hp = c.hp + points if c.most_hp is None else max(c.hp, min(c.most_hp, c.hp + points))
    d.emit(ev.Healed(who, points, hp))


def give_temporary(d: Draft, who: str, points: int, *, remove: bool) -> None:
    """Set temporary points if they are higher; with `remove` remove them."""
    had = d.encounter.combatants[who].temp_hp
    if not remove:
        d.emit(ev.Bolstered(who, max(points, had)))
    elif had:
        d.emit(ev.Bolstered(who, 0))


def _take_out(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Run `out`. Raises RuleError if all creatures are out already."""
    ids = resolve(d.encounter, who)
    leaving = tuple(k for k in ids if not d.encounter.combatants[k].out)
    if not leaving:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already out")
    take_out(d, system, leaving)


def _bring_back(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Run `back`. Raises RuleError if no creature is out."""
    ids = resolve(d.encounter, who, out_first=True)
    coming = tuple(k for k in ids if d.encounter.combatants[k].out)
    if not coming:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already in the fight")
    d.emit(*(ev.CameBack(k) for k in coming))
    upkeep.react_to_returning(d, system, coming)


def _stabilise(d: Draft, who: str) -> None:
    """Run `stable`: dying creatures owe no more death saves and stay at 0 hit points."""
    e = d.encounter
    ids = resolve_standing(e, who)
    falling = [k for k in ids if (dying := e.combatants[k].dying) and not dying.stable]
    if not falling:
        c = e.combatants[ids[0]]
        if c.dying:
            raise RuleError(f"{c.name} is stable already")
        rule = "" if zero_rule(e, c) == "dying" else f"`option {zero_option(c)}=dying` gives death saves at 0"
        raise RuleError(f"{c.name} is not dying", rule)
    for k in falling:
        upkeep.stabilise(d, k)


_SHORT_REST_RESETS = ("short", "turn", "round")
"""The values of `reset` that a short rest restores, besides recharge dice; a long rest restores `long` too.
"""


def run_rest(d: Draft, system: InitiativeSystem, action: ca.Rest) -> None:
    """Let creatures rest: those named, or all on the sides of the players. Raises RuleError."""
    e = d.encounter
    if e.running and (e.phase == "rolls" or any(system.in_combat(e, side) for side in sides(e))):
        raise RuleError("nobody can rest while the fight runs", "`finish` ends it")
    people = resolve(e, action.who) if action.who else [c.id for c in players_sides(e)]
    if not people:
        raise RuleError("there is no player's character", f"`rest {action.length} WHO` lets WHO rest")
    rested = [
        rest_creature(d, system, k, long=action.length == "long", is_named=bool(action.who)) for k in people
    ]
    if not any(rested) and not (action.length == "long" and any(e.combatants[k].dead for k in people)):
        # Only the game master reads this: creatures that rested may be hidden.
        known = [c for k in people if (c := e.combatants[k]).hp is not None]
        hurt = action.length == "short" and any((c.hp or 0) < (c.most_hp or 0) for c in known)
        gives = "no counters to restore; hit points need a long rest" if hurt else "nobody needed anything"
        d.announce(f"A {action.length} rest: {gives}", GM, own=True)


def players_sides(e: Encounter) -> list[Combatant]:
    """Return the creatures on the sides that have a player's character."""
    sides = {c.side for c in e.combatants.values() if is_pc(c)}
    return [c for c in e.combatants.values() if c.side in sides]


def rest_creature(d: Draft, system: InitiativeSystem, who: str, *, long: bool, is_named: bool) -> bool:
    """Let a creature rest; return whether it gained anything. The dead gain only if they are named."""
    c = d.encounter.combatants[who]
    if c.dead and not is_named:
        if long:
            d.announce("{0} is dead and does not rest: `rest long {0}` brings it back", who, own=True)
        return False
    if c.out and not c.dead and not (long and c.hp == 0):
        d.announce("{0} stays out: `back {0}` brings it back", who, own=True)
    resets = (*_SHORT_REST_RESETS, "long") if long else _SHORT_REST_RESETS
    spent = (x for x in c.counters if x.n < x.most and (x.reset in resets or ">=" in x.reset))
    full = tuple(replace(x, n=x.most, owes=False) for x in spent)
    hp = -1 if c.hp is None else c.hp if c.most_hp is None else max(c.hp, c.most_hp)
    up = long and c.out and (c.hp == 0 or c.dead) and hp > 0
    healed = long and (c.hp not in (None, hp) or c.temp_hp > 0 or c.dying is not None or up)
    if not full and not healed:
        return False
    d.emit(ev.Rested(who, long, full, hp if long else -1, up))
    if up:
        upkeep.react_to_returning(d, system, (who,))
    return True
