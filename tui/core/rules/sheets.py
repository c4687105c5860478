"""What `add` and `set` say of creatures, read into values: one sheet for each creature, dice rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.language import values
from tui.core.language.actions.roster import Add
from tui.core.rules.draft import Draft
from tui.core.rules.fields import declared
from tui.core.rules.names import name_for
from tui.core.rules.numbers import Roller, counted, is_dice
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Systems
from tui.core.rules.upkeep.bearing import Newcomer

Reader = Callable[[str, Literal["party", "encounter"]], Sequence[Newcomer]]
"""Gives the newcomers of a file, by its name and its kind (party, encounter)."""


class Kept(Struct, frozen=True):
    """The library, as far as the rules ask for it: its files, and what it knows of somebody who is added by a line."""

    read: Reader
    known: Callable[[Add], Newcomer]


class Sources(Struct, frozen=True):
    """What the roster needs from outside: all systems for their fields, dice, and the library."""

    systems: Systems
    roller: Roller
    kept: Kept | None = None


def sheets(
    d: Draft, system: InitiativeSystem, keys: Mapping[str, str], sources: Sources, count: int
) -> list[dict[str, Plain]]:
    """The values of every key for so many creatures; dice are rolled key by key, for one creature after the other."""
    found: list[dict[str, Plain]] = [{} for _ in range(count)]
    for key, text in keys.items():
        fields = declared(key, system, sources.systems)
        # Read anew for each: five orcs with hp=2d8 have five different numbers.
        for sheet in found:
            sheet[key] = _value(d, fields, text, sources.roller)
    return found


def _value(d: Draft, fields: Sequence[Field], text: str, roller: Roller) -> Plain:
    """What a text means for the first of some fields of one key that can read it. Raises RuleError."""
    for field in fields:
        try:
            return _read(d, field, text, roller)
        except RuleError:
            # Two systems may declare one key differently; the last refusal is the one to show.
            if field is fields[-1]:
                raise
    raise RuleError("no system has it")


def _read(d: Draft, field: Field, text: str, roller: Roller) -> Plain:
    if text == "":
        return ""
    if field.kind == "name":
        return name_for(text)
    if field.kind == "int" and is_dice(text):
        return counted(d, roller, text, f"{field.key}=", field.least, field.most)
    return values.read(field, text)


def within_maximum(c: Combatant) -> None:
    """Raises RuleError for hit points above the maximum."""
    if c.hp is not None and c.most_hp is not None and c.hp > c.most_hp:
        raise RuleError(
            f"hp={c.hp} is above the maximum of {c.name}, {c.most_hp}",
            f"`set {quote(c.name)} max_hp={c.hp} hp={c.hp}` raises it",
        )
