"""Spell disruption, a house rule: a caster hurt before casting saves, or keeps cantrips only (DIS-17, DIS-A22)."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, RollAsk, say
from tui.core.fight.combatant import Combatant, OwedSave, free_number
from tui.core.fight.encounter import Encounter, members
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.system import names
from tui.core.rules.upkeep_saves import drop
from tui.systems.dynamic.notes import notes_of, rule
from tui.systems.dynamic.pool import Deed
from tui.systems.dynamic.rows import deeds_of

DISRUPTION = "disruption"
"""What these saves are owed for."""
SAVE = 10
"""The difficulty of the Constitution save (DIS-17)."""
_WHY = f"{{0}}, hurt before casting, saves with d20 + Constitution against {SAVE}"


def casts(deeds: Iterable[Deed]) -> bool:
    """Whether a spell that can be disrupted is among these actions: one of level 1 or more."""
    # A cantrip is a spell of level 0, and is never lost.
    return any(x.kind == "spell" and x.flat > 0 for x in deeds)


def hurt(d: Draft, who: str) -> None:
    """Somebody was damaged: a caster owes a save, others are remembered in case they turn to a spell.

    In one's own turn one can act, so that damage then disrupts nothing.
    """
    e = d.encounter
    running = e.turn is not None and who in e.turn.members
    if running or rule(e, "disruption") == "off" or not _may_save(e.combatants[who]):
        return
    if casts(deeds_of(e, who)):
        _owe(d, who, again=rule(e, "disruption") == "each_hit")
    # Remembered, for they may still declare or switch to a spell before their turn.
    elif who not in notes_of(e).hurt:
        d.emit(ev.Noted("hurt", [*notes_of(e).hurt, who]))


def redeclared(d: Draft, key: str) -> None:
    """An entry means to do something else: a spell after damage owes one save, no spell cancels what is owed."""
    if rule(d.encounter, "disruption") == "off":
        return
    casting = casts(deeds_of(d.encounter, key))
    for c in members(d.encounter, key):
        n = notes_of(d.encounter)
        asked, done = n.saves.get(c.id, (0, 0))
        if casting and c.id in n.hurt and _may_save(c):
            _owe(d, c.id, again=rule(d.encounter, "disruption") == "each_hit")
            d.emit(ev.Noted("hurt", [k for k in n.hurt if k != c.id]))
        elif not casting and asked > done:
            d.emit(ev.Noted("saves", [done, done], c.id), ev.Noted("hurt", [*n.hurt, c.id]))
            drop(d, c.id, DISRUPTION)


def _owe(d: Draft, who: str, *, again: bool) -> None:
    """One more save; without `again` only the first of the round."""
    asked, done = notes_of(d.encounter).saves.get(who, (0, 0))
    if again or not asked:
        number = free_number(d.encounter.combatants[who])
        save = OwedSave(number, DISRUPTION, SAVE, "con", why=_WHY, rule="DIS-17")
        d.emit(ev.Noted("saves", [asked + 1, done], who), ev.SaveOwed(who, save))


def _may_save(c: Combatant) -> bool:
    """Whether a creature still has a turn in this round, and a spell to lose in it."""
    return not c.out and not {"acted", "barred", "cantrips"}.intersection(c.marks)


def saves(e: Encounter) -> tuple[Ask, ...]:
    """The saves that journals of earlier versions know as owed; all others are among what the creatures owe."""
    if rule(e, "disruption") == "off":
        return ()
    owed = notes_of(e).saves
    found = []
    for c in e.combatants.values():
        asked, done = owed.get(c.id, (0, 0))
        if done + sum(x.cause == DISRUPTION for x in c.owes) < asked and _may_save(c):
            why = say(_WHY, c.id, rule="DIS-17")
            found.append(RollAsk(f"save{done} {c.id}", c.id, (20,), why, ticks=True))
    return tuple(found)


def rolled(d: Draft, who: str, face: int) -> None:
    """A save that an earlier version asked for is rolled."""
    saved(d, who, made=face + d.encounter.combatants[who].number("con") >= SAVE)


def saved(d: Draft, who: str, *, made: bool) -> None:
    """A save is made, or failed: then only cantrips are left, and no further save is owed."""
    asked, done = notes_of(d.encounter).saves.get(who, (0, 0))
    d.emit(ev.Noted("saves", [max(asked, done + 1), done + 1], who))
    told = "makes the save: the spell stands" if made else "fails the save: the spell is lost"
    d.announce(f"{{0}} {told}", who, rule="DIS-17")
    if not made:
        d.mark((who,), "cantrips", "round")
        drop(d, who, DISRUPTION)


def is_owed(e: Encounter, who: str) -> bool:
    """Whether the house rule asks a creature for its saves."""
    return rule(e, "disruption") != "off" and _may_save(e.combatants[who])


def forget(d: Draft) -> None:
    """With the round all saves are over."""
    for c in list(d.encounter.combatants.values()):
        if c.owes:
            drop(d, c.id, DISRUPTION)


def must_be_able(e: Encounter, key: str, deeds: Iterable[Deed], line: str) -> None:
    """Raises RuleError for a spell of a creature that failed a save; `line` is what would work instead."""
    lost = [c.id for c in members(e, key) if "cantrips" in c.marks]
    if lost and casts(deeds):
        hint = f"`{line} {quote(names(e, [key]))} spell=0`"
        raise RuleError(f"{names(e, lost)} has lost the spell and may cast cantrips only", hint, "DIS-17")
