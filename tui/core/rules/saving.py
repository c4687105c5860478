"""What comes of saving throws, of damage to many, and of 0 hit points; and how a step comes to rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.combatant import AREA, CONCENTRATION, DYING, Combatant, OwedSave
from tui.core.fight.encounter import Encounter, PendingArea
from tui.core.language.creature_actions import Area
from tui.core.language.select import listing, standing
from tui.core.rules import health, saving_throws, upkeep
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, amount
from tui.core.rules.optional import count_hit, counts_hits, own_saves
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import RECHARGE, at_zero, leave

# --- answers


def answered(d: Draft, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...]) -> bool:
    """Return whether these dice were for a save or a recharge, and have been counted."""
    if ask.key.startswith(RECHARGE):
        upkeep.fallen(d, ask.who, ask.key.removeprefix(f"{RECHARGE}{ask.who} "), faces)
        return True
    # First, for it costs nothing: of a hundred dice for the order not every one makes a new encounter.
    if ask.save is None:
        return False
    c = d.encounter.combatants.get(ask.who)
    save = saving_throws.of_purpose(c, ask.key) if c else None
    if c is None or save is None:
        return False
    if save.cause == DYING:
        if upkeep.saved(d, c.id, faces[0]):
            leave(d, system, (c.id,))
    else:
        _settle(d, system, c, save, made=faces[0] + saving_throws.bonus(c, save) >= save.dc)
    come_to_rest(d, system)
    return True


def ticked(d: Draft, system: InitiativeSystem, ask: RollAsk, *, made: bool) -> None:
    """Answer a save without a number: it was made or failed."""
    c = d.encounter.combatants.get(ask.who)
    save = saving_throws.of_purpose(c, ask.key) if c and ask.save else None
    if c is None or save is None:
        own_saves(system).ticked(d, ask, made=made)
    elif save.cause == DYING:
        if upkeep.ticked(d, c.id, made=made):
            leave(d, system, (c.id,))
    else:
        _settle(d, system, c, save, made=made)
    come_to_rest(d, system)


def _settle(d: Draft, system: InitiativeSystem, c: Combatant, save: OwedSave, *, made: bool) -> None:
    d.emit(ev.SaveSettled(c.id, save.number, made))
    match save.cause:
        case "concentration":
            if not made:
                d.emit(ev.Cleared(c.id, CONCENTRATION, over=True))
        case "condition":
            if made:
                d.emit(ev.Cleared(c.id, save.name, over=True, of=save.of))
        case "area":
            pass
        case _:
            own_saves(system).saved(d, c.id, save, made=made)


# --- coming to rest


def come_to_rest(d: Draft, system: InitiativeSystem) -> None:
    """Settle what follows from events: broken concentrations, saves no longer owed, damage of areas."""
    while True:
        before = len(d.events)
        health.broken(d)
        for c in [c for c in d.encounter.combatants.values() if c.owes]:
            gone = (x for x in c.owes if _is_over(d.encounter, system, c, x))
            d.emit(*(ev.SaveDropped(c.id, x.number) for x in gone))
        _fall(d, system)
        if len(d.events) == before:
            return


def _is_over(e: Encounter, system: InitiativeSystem, c: Combatant, save: OwedSave) -> bool:
    """Return whether nothing is left that a save could be against."""
    match save.cause:
        case "area":
            return e.area is None
        case "dying" | "concentration" | "condition":
            return saving_throws.bare(c, save)
        case _:
            return not e.running or not own_saves(system).owes(e, c.id, save)


def at_rest(d: Draft, system: InitiativeSystem) -> None:
    """Settle the same at the end of a line, and apply the rule for 0 hit points."""
    for who in _fallen(d):
        c = d.encounter.combatants.get(who)
        if c is not None and c.hp == 0 and not c.out:
            _rule(d, system, c)
    come_to_rest(d, system)
    # Whatever has taken the last of a turn out, no one could end it any more.
    upkeep.end_empty_turns(d, system)


def _fallen(d: Draft) -> list[str]:
    """Return those that the line has brought to 0 other than by damage, or under another rule at 0."""
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


def _rule(d: Draft, system: InitiativeSystem, c: Combatant) -> None:
    """Apply the house rule for 0 hit points to a creature at 0."""
    rule = at_zero(d.encounter, c)
    if c.dying and rule != "dying":
        d.emit(ev.DeathSaves(c.id, over=True))
    if rule == "out":
        leave(d, system, (c.id,))
    elif rule == "dying" and c.dying is None:
        upkeep.falls(d, c.id)


# --- damage to many


def lay(d: Draft, system: InitiativeSystem, action: Area, roller: Roller) -> None:
    """Damage to everybody named; it falls when all saves against it are known. Raises RuleError."""
    e = d.encounter
    must_be_over(e)
    if not action.damage:
        raise RuleError("area: damage= is missing", f"`area {quote(action.who)} damage=8d6 dc=15 save=dex`")
    named = standing(e, action.who)
    who = tuple(k for k in e.combatants if k in named and not e.combatants[k].out)
    if not who:
        raise RuleError(f"{listing(e, named)}: nobody of them is in the fight", "`back` brings back")
    dc, key = saving_throws.written(action.save, action.dc)
    made, failed = (
        _among(e, who, word, text) for word, text in (("made", action.made), ("failed", action.failed))
    )
    if both := [k for k in made if k in failed]:
        raise RuleError(f"area: {listing(e, both)} stands in made= and in failed=", "name each once")
    hits = action.hit == "yes"
    if hits and not (e.running and counts_hits(system, e)):
        raise RuleError("area: no hits are counted in this fight", "leave hit=yes out")
    points = amount(d, roller, action.damage, "area", "area")
    kind = action.type.strip()
    d.emit(ev.AreaLaid(PendingArea(points, who, made, failed, kind, dc, key, action.half != "no", hits)))
    for k in who if dc else ():
        if k not in made and k not in failed:
            saving_throws.owe(d, k, AREA, dc, key)


def lay_down(
    d: Draft, who: Sequence[str], blows: Sequence[tuple[int, str]], save: tuple[int, str], *, half: bool
) -> None:
    """Let these creatures owe a save (DC and key) against points of damage by kind. Raises RuleError."""
    must_be_over(d.encounter)
    people = tuple(k for k in d.encounter.combatants if k in who)
    (points, kind), *more = blows
    area = PendingArea(points, people, (), (), kind, *save, half, more=tuple(more))
    d.emit(ev.AreaLaid(area))
    for k in people:
        saving_throws.owe(d, k, AREA, *save)


def must_be_over(e: Encounter) -> None:
    """Raise RuleError while saves against an area are owed."""
    if e.area:
        owing = list(dict.fromkeys(c.id for c, x in saving_throws.due(e) if x.cause == AREA))
        first = quote(e.combatants[owing[0]].name) if owing else "WHO"
        hint = f"`roll`, `made {first}` or `failed {first}`"
        raise RuleError(f"saves against the area are owed first: {listing(e, owing)}", hint)


def _among(e: Encounter, who: Iterable[str], word: str, text: str) -> tuple[str, ...]:
    """Return those of the area whom `made=` or `failed=` names. Raises RuleError for anybody else."""
    if not text:
        return ()
    keys = standing(e, text)
    if strange := [k for k in keys if k not in who]:
        raise RuleError(
            f"area: {word}={text} names {listing(e, strange)}, who is not in the area", "name those of WHO"
        )
    return keys


def _fall(d: Draft, system: InitiativeSystem) -> None:
    """Apply the damage of an area, in roster order, when no save against it is owed any more."""
    area = d.encounter.area
    if area is None or any(x.cause == AREA for c in d.encounter.combatants.values() for x in c.owes):
        return
    d.emit(ev.AreaOver())
    for k in area.who:
        c = d.encounter.combatants.get(k)
        # Who went out in between takes nothing, also when it is back by now.
        if c is None or c.out or (area.dc and k not in (*area.made, *area.failed)):
            continue
        taken = 0
        for points, kind in ((area.points, area.kind), *area.more):
            left = points if k not in area.made else points // 2 if area.half else 0
            taken += health.taken(d, k, left, kind)
        if area.hits and taken and d.encounter.running:
            count_hit(d, system, k)
        health.damage(d, system, k, taken)


def dropped(d: Draft) -> None:
    """Give an area up with the fight: no one takes its damage."""
    if d.encounter.area:
        d.emit(ev.AreaOver(dropped=True))
