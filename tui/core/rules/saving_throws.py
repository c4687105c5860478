"""List the saving throws that are due, compute their bonuses, and put them into words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, Saving, Sentence, literal, say_because
from tui.core.fight.combatant import (
    AREA,
    ATTACK,
    CONCENTRATION,
    CONDITION,
    DYING,
    Combatant,
    OwedSave,
    next_save_number,
)
from tui.core.fight.encounter import Encounter, has_arrived
from tui.core.language import values
from tui.core.rules.draft import Draft

SAVE = "save "
"""The first word of the purpose of a saving throw's die."""
LEAST_DC, MOST_DC = 1, 99


def save_bonus(c: Combatant, save: OwedSave) -> int:
    """Return the bonus to a save's die: from `saves=`, else the creature's field of that key; 0 for none."""
    if save.cause == DYING or not save.key:
        return 0
    known = values.read_bonuses(c.save_bonus)
    if save.key in known or save.cause in (AREA, CONDITION, ATTACK):
        return known.get(save.key, 0)
    return c.number(save.key)


def owe_save(
    d: Draft, who: str, cause: str, dc: int, key: str = "", *, name: str = "", origin: str = ""
) -> None:
    """Let a creature owe one more save."""
    number = next_save_number(d.encounter.combatants[who])
    d.emit(ev.SaveOwed(who, OwedSave(number, cause, dc, key, name, origin)))


def drop_saves(d: Draft, who: str, cause: str) -> None:
    """Drop the saves of this cause that a creature owes."""
    d.emit(*(ev.SaveDropped(who, x.number) for x in d.encounter.combatants[who].owes if x.cause == cause))


def saves_due(e: Encounter) -> Iterator[tuple[Combatant, OwedSave]]:
    """Yield the saves that are due now, in roster order; one creature's as they fell due."""
    acting = e.actors
    for c in e.combatants.values():
        if c.owes and not c.out and has_arrived(e, c):
            for x in c.owes:
                if not x.kept or c.id in acting:
                    yield c, x


def is_secret(c: Combatant, save: OwedSave) -> bool:
    """Return whether a save is against a condition that players do not see."""
    return save.cause == CONDITION and any(x.hidden for x in c.conditions if x.fits(save.name, save.of))


def is_moot(c: Combatant, save: OwedSave) -> bool:
    """Return whether the condition, concentration or dying that a save is about is gone."""
    match save.cause:
        case "concentration":
            return all(x.name.lower() != CONCENTRATION for x in c.conditions)
        case "condition":
            return not any(x.fits(save.name, save.of) and x.dc for x in c.conditions)
        case "dying":
            return c.dying is None or not c.dying.owes
        case _:
            return False


def find_save(c: Combatant, purpose: str) -> OwedSave | None:
    """Return the save for which an ask with this key was made; None once it is rolled or dropped."""
    return next((x for x in c.owes if purpose == f"{SAVE}{c.id} {x.number}"), None)


def _save_reason(c: Combatant, save: OwedSave) -> Sentence:
    """Return the sentence that says why a save is owed."""
    if save.why:
        return Sentence(save.why, (c.id,), save.rule)
    target = " ".join([f"DC {save.dc}", *([save.key] if save.key else [])])
    match save.cause:
        case "dying":
            return say_because("{0} owes a death save", "10 or more", c.id)
        case "concentration":
            return say_because("{0} owes a concentration save", f"DC {save.dc}", c.id)
        case "condition" | "attack":
            return say_because("{0} owes a save against " + literal(save.name), target, c.id)
        case _:
            return say_because("{0} owes a save", target, c.id)


def ask_save(c: Combatant, x: OwedSave) -> RollAsk:
    """Return the ask for the die of a save."""
    saving, why = Saving(x.cause, x.name, x.dc, x.key, save_bonus(c, x)), _save_reason(c, x)
    ask = RollAsk(f"{SAVE}{c.id} {x.number}", c.id, (20,), why, save=saving, ticks=True)
    return replace(ask, secret=True) if is_secret(c, x) else ask


def read_save(save: str, dc: str) -> tuple[int, str]:
    """Return the DC and the ability of `save=` and `dc=`; DC 0 if neither gives one. Raises RuleError."""
    shown = clean(save, 24)
    if re.fullmatch(r"[+-]?[0-9]+", save.strip()):
        if dc:
            both = f"save={shown} and dc={clean(dc, 24)} give two DCs"
            raise RuleError(both, "`save=wis dc=15`", kind="bad_value")
        save, dc = "", save
    if save and not re.fullmatch(r"[A-Za-z]{1,24}", save.strip()):
        message = f'save= takes a key such as dex, not "{shown}"'
        raise RuleError(message, "`save=dex dc=15`", kind="bad_value")
    if save and not dc:
        raise RuleError(f"save={shown} has no DC", f"`save={shown} dc=15`")
    return values.read_int(dc, "dc=", LEAST_DC, MOST_DC) if dc else 0, save.strip().lower()
