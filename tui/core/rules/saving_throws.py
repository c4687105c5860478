"""Saving throws: what makes one due, what its die adds, in which words it is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.fight import events as ev
from tui.core.fight.agenda import Saving, Sentence, literal, reasoned
from tui.core.fight.combatant import (
    AREA,
    CONCENTRATION,
    CONDITION,
    DYING,
    Combatant,
    OwedSave,
    free_number,
)
from tui.core.fight.encounter import Encounter, arrived
from tui.core.language import values
from tui.core.rules.draft import Draft
from tui.core.table_lines import save_words

SAVE = "save "
"""How the purpose of a saving throw's die begins."""
LEAST_DC, MOST_DC = 1, 99
_CONSTITUTION = "con"


def bonus(c: Combatant, save: OwedSave) -> int:
    """Return what a save adds to its die: the creature's number for the key, or for `con` that field."""
    if save.cause == DYING or not save.key:
        return 0
    known = values.bonuses(c.save_bonus)
    if save.key in known or save.cause in (AREA, CONDITION):
        return known.get(save.key, 0)
    return c.number(save.key)


def owe(d: Draft, who: str, cause: str, dc: int, key: str = "", *, name: str = "", of: str = "") -> None:
    """Let a creature owe one more save."""
    number = free_number(d.encounter.combatants[who])
    d.emit(ev.SaveOwed(who, OwedSave(number, cause, dc, key, name, of)))


def owe_for_concentration(d: Draft, who: str, points: int) -> None:
    """Let a creature that concentrates and was damaged owe a save."""
    owe(d, who, CONCENTRATION, max(10, points // 2), _CONSTITUTION)


def drop(d: Draft, who: str, cause: str) -> None:
    """Drop the saves of this cause that a creature owes."""
    d.emit(*(ev.SaveDropped(who, x.number) for x in d.encounter.combatants[who].owes if x.cause == cause))


def due(e: Encounter) -> Iterator[tuple[Combatant, OwedSave]]:
    """Return the saves that are due now, in roster order, a creature's own as they fell due."""
    acting = e.actors
    for c in e.combatants.values():
        if c.owes and not c.out and arrived(e, c):
            for x in c.owes:
                if not x.kept or c.id in acting:
                    yield c, x


def hides(c: Combatant, save: OwedSave) -> bool:
    """Return whether a save is against a condition that is hidden from the players."""
    return save.cause == CONDITION and any(x.hidden for x in c.conditions if _is(x.name, x.of, save))


def _is(name: str, of: str, save: OwedSave) -> bool:
    return name.lower() == save.name.lower() and of == save.of


def bare(c: Combatant, save: OwedSave) -> bool:
    """Return whether nothing is left that a save could be against."""
    match save.cause:
        case "concentration":
            return all(x.name.lower() != CONCENTRATION for x in c.conditions)
        case "condition":
            return not any(_is(x.name, x.of, save) and x.dc for x in c.conditions)
        case "dying":
            return c.dying is None or not c.dying.owes
        case _:
            return False


def purpose(c: Combatant, save: OwedSave) -> str:
    """Return the key under which its die is recorded."""
    return f"{SAVE}{c.id} {save.number}"


def of_purpose(c: Combatant, purpose_: str) -> OwedSave | None:
    """Return the save whose die is recorded under this key, if the creature owes it."""
    return next((x for x in c.owes if purpose(c, x) == purpose_), None)


def reason(c: Combatant, save: OwedSave) -> Sentence:
    """Return why a save is owed."""
    if save.why:
        return Sentence(save.why, (c.id,), save.rule)
    against = " ".join([f"DC {save.dc}", *([save.key] if save.key else [])])
    match save.cause:
        case "dying":
            return reasoned("{0} owes a death save", "10 or more", c.id)
        case "concentration":
            return reasoned("{0} owes a concentration save", f"DC {save.dc}", c.id)
        case "condition":
            return reasoned("{0} owes a save against " + literal(save.name), against, c.id)
        case _:
            return reasoned("{0} owes a save", against, c.id)


def saving(c: Combatant, save: OwedSave) -> Saving:
    """Return the save as its ask names it."""
    return Saving(save.cause, save.name, save.dc, save.key, bonus(c, save))


def words(save: OwedSave) -> str:
    """Return a save in words: `concentration save`, `save against poisoned`."""
    return save_words(save.cause, save.name)


def written(save: str, dc: str) -> tuple[int, str]:
    """Return the DC and the key that `save=` and `dc=` of a line mean; 0 without a DC. Raise RuleError."""
    if re.fullmatch(r"[+-]?[0-9]+", save.strip()):
        if dc:
            raise RuleError(
                f"save={clean(save, 24)} and dc={clean(dc, 24)} are two DCs",
                "`save=wis dc=15`",
                kind="bad_value",
            )
        save, dc = "", save
    if save and not re.fullmatch(r"[A-Za-z]{1,24}", save.strip()):
        raise RuleError(
            f'save= takes a key such as dex, not "{clean(save, 24)}"', "`save=dex dc=15`", kind="bad_value"
        )
    if save and not dc:
        raise RuleError(
            f"save={clean(save, 24)} needs to know what it must reach", f"`save={clean(save, 24)} dc=15`"
        )
    return values.whole(dc, "dc=", LEAST_DC, MOST_DC) if dc else 0, save.strip().lower()
