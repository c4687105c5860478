"""Settle saving throws, areas and 0 hit points, and their consequences at the end of a line."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.combatant import AREA, CONCENTRATION, DYING, Combatant, OwedSave
from tui.core.fight.encounter import Encounter, PendingArea, has_arrived
from tui.core.language.creature_actions import Area
from tui.core.language.select import labels, resolve_standing
from tui.core.rules import health, saving_throws, upkeep
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, roll_amount
from tui.core.rules.optional import count_area_hit, has_hit_count, own_saves
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import take_out, zero_rule

# --- answers


def answer_save(d: Draft, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...]) -> bool:
    """Answer a save or a recharge with its dice; return False if the ask is neither."""
    if ask.purpose == "recharge":
        upkeep.apply_recharge(d, ask.who, ask.subject.removeprefix(f"{ask.who} "), faces)
        return True
    # This cheap test comes first, so that not each of a hundred initiative dice makes a new encounter.
    if ask.save is None:
        return False
    c = d.encounter.combatants.get(ask.who)
    save = saving_throws.find_save(c, ask.key) if c else None
    if c is None or save is None:
        return False
    if save.cause == DYING:
        if upkeep.apply_death_save(d, c.id, faces[0]):
            take_out(d, system, (c.id,))
    else:
        _settle_save(d, system, c, save, made=faces[0] + saving_throws.save_bonus(c, save) >= save.dc)
    settle_saves(d, system)
    return True


def tick_save(d: Draft, system: InitiativeSystem, ask: RollAsk, *, made: bool) -> None:
    """Answer a save that was made or failed without a number."""
    c = d.encounter.combatants.get(ask.who)
    save = saving_throws.find_save(c, ask.key) if c and ask.save else None
    if c is None or save is None:
        own_saves(system).ticked(d, ask, made=made)
    elif save.cause == DYING:
        if upkeep.tick_death_save(d, c.id, made=made):
            take_out(d, system, (c.id,))
    else:
        _settle_save(d, system, c, save, made=made)
    settle_saves(d, system)


def _settle_save(d: Draft, system: InitiativeSystem, c: Combatant, save: OwedSave, *, made: bool) -> None:
    d.emit(ev.SaveSettled(c.id, save.number, made))
    match save.cause:
        case "concentration":
            if not made:
                d.emit(ev.Cleared(c.id, CONCENTRATION, over=True))
        case "condition":
            if made:
                d.emit(ev.Cleared(c.id, save.name, over=True, of=save.of))
        case "area" | "attack":
            pass
        case _:
            own_saves(system).saved(d, c.id, save, made=made)


# --- coming to rest


def settle_saves(d: Draft, system: InitiativeSystem) -> None:
    """Break concentrations, drop saves that have lost their reason and deal areas, until nothing changes."""
    while True:
        before = len(d.events)
        health.break_concentrations(d)
        for c in [c for c in d.encounter.combatants.values() if c.owes]:
            gone = (x for x in c.owes if _is_over(d.encounter, system, c, x))
            d.emit(*(ev.SaveDropped(c.id, x.number) for x in gone))
        _deal_area(d, system)
        if len(d.events) == before:
            return


def _is_over(e: Encounter, system: InitiativeSystem, c: Combatant, save: OwedSave) -> bool:
    """Return whether the reason for a save is gone, or the creature is staged for a later round."""
    match save.cause:
        case _ if not has_arrived(e, c):
            return True
        case "area":
            return e.area is None
        case "attack":
            return False
        case "dying" | "concentration" | "condition":
            return saving_throws.is_moot(c, save)
        case _:
            return not e.running or not own_saves(system).owes(e, c.id, save)


def settle_line(d: Draft, system: InitiativeSystem) -> None:
    """Apply the rule for 0 hit points at the end of a line, then `settle_saves`, then end empty turns."""
    for who in _fallen_in_line(d):
        c = d.encounter.combatants.get(who)
        if c is not None and c.hp == 0 and not c.out:
            _apply_zero_rule(d, system, c)
    settle_saves(d, system)
    # The last creature of a turn may have been put out: nobody could end that turn any more.
    upkeep.end_empty_turns(d, system)


def _fallen_in_line(d: Draft) -> list[str]:
    """Return the ids that a line brought to 0 without damage, or put under another rule for 0."""
    people = d.encounter.combatants.values()
    fallen: list[str] = []
    for event in d.events:
        match event:
            case ev.Added(c):
                fallen.append(c.id)
            case ev.Changed(who, "hp" | "owner") | ev.FieldSet(who, "kind"):
                fallen.append(who)
            case ev.OptionSet(key) if key.startswith("zero."):
                fallen += [c.id for c in people]
            case _:
                pass
    return list(dict.fromkeys(fallen))


def _apply_zero_rule(d: Draft, system: InitiativeSystem, c: Combatant) -> None:
    """Apply the house rule for 0 hit points to a creature at 0."""
    rule = zero_rule(d.encounter, c)
    if c.dying and rule != "dying":
        d.emit(ev.DeathSaves(c.id, over=True))
    if rule == "out":
        take_out(d, system, (c.id,))
    elif rule == "dying" and c.dying is None:
        upkeep.start_dying(d, c.id)


# --- damage to many


def start_area(d: Draft, system: InitiativeSystem, action: Area, roller: Roller) -> None:
    """Start damage to all of WHO; it is dealt when all saves against it are known. Raises RuleError."""
    check_no_area(d, system)
    e = d.encounter
    if not action.damage:
        raise RuleError("area: damage= is missing", f"`area {quote(action.who)} damage=8d6 dc=15 save=dex`")
    keys = resolve_standing(e, action.who)
    who = tuple(c.id for c in e.combatants.values() if c.id in keys and not c.out and has_arrived(e, c))
    if not who:
        hint = "`back` brings them back" if any(e.combatants[k].out for k in keys) else "they arrive later"
        raise RuleError(f"{labels(e, keys)}: none of them is in the fight", hint)
    dc, key = saving_throws.read_save(action.save, action.dc)
    made = _named_in_area(e, who, "made", action.made)
    failed = _named_in_area(e, who, "failed", action.failed)
    if both := [k for k in made if k in failed]:
        raise RuleError(f"area: {labels(e, both)} is in made= and in failed=", "name each once")
    hits = action.hit == "yes"
    if hits and not (e.running and has_hit_count(system, e)):
        raise RuleError("area: hits do not count in this fight", "leave hit=yes out")
    points = roll_amount(d, roller, action.damage, "area", "area")
    kind = action.type.strip()
    lay_area(d, PendingArea(points, who, made, failed, kind, dc, key, action.half != "no", hits))


def lay_area(d: Draft, area: PendingArea) -> None:
    """Let the creatures of an area owe saves whose result is not known."""
    d.emit(ev.AreaLaid(area))
    for k in area.who if area.dc else ():
        if k not in (*area.made, *area.failed):
            saving_throws.owe_save(d, k, AREA, area.dc, area.key)


def check_no_area(d: Draft, system: InitiativeSystem) -> None:
    """Raise RuleError while saves against an area are owed."""
    if d.encounter.area:
        # In saves of older versions an area may wait for a creature that has not arrived.
        settle_saves(d, system)
    if (e := d.encounter).area:
        ids = list(dict.fromkeys(c.id for c, x in saving_throws.saves_due(e) if x.cause == AREA))
        first = quote(e.combatants[ids[0]].name) if ids else "WHO"
        hint = f"`roll`, `made {first}` or `failed {first}`"
        raise RuleError(f"saves against the area are owed first: {labels(e, ids)}", hint)


def _named_in_area(e: Encounter, who: Iterable[str], word: str, text: str) -> tuple[str, ...]:
    """Return the creatures that `made=` or `failed=` names. Raises RuleError for one outside the area."""
    if not text:
        return ()
    keys = resolve_standing(e, text)
    if strange := [k for k in keys if k not in who]:
        raise RuleError(
            f"area: {word}={text} names {labels(e, strange)} outside the area", "name creatures of WHO"
        )
    return keys


def _deal_area(d: Draft, system: InitiativeSystem) -> None:
    """Deal the damage of an area, in roster order, if no save against it is owed."""
    area = d.encounter.area
    if area is None or any(x.cause == AREA for c in d.encounter.combatants.values() for x in c.owes):
        return
    d.emit(ev.AreaOver())
    for k in area.who:
        c = d.encounter.combatants.get(k)
        # A creature that went out in between takes nothing, even if it is back by now.
        if c is None or c.out or (area.dc and k not in (*area.made, *area.failed)):
            continue
        dealt = 0
        for points, kind in ((area.points, area.kind), *area.more):
            damage = points if k not in area.made else points // 2 if area.half else 0
            dealt += health.damage_taken(d, k, damage, kind)
        if area.hits and dealt and d.encounter.running:
            count_area_hit(d, system, k)
        health.take_damage(d, system, k, dealt)


def drop_area(d: Draft) -> None:
    """Drop the damage of an area without dealing it."""
    if d.encounter.area:
        d.emit(ev.AreaOver(dropped=True))
