"""Find the side that a creature's hero, owner or kind gives it, and move it there unless a line named one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import USUAL_SIDES, Encounter
from tui.core.fight.viewer import players
from tui.core.language.select import match_name
from tui.core.rules.creature_fields import find_fields
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems, is_gmless


def usual_side(e: Encounter, sheet: Mapping[str, Plain], system: InitiativeSystem, systems: Systems) -> str:
    """Return the side of a creature whose line names none; `sheet` has its values by key.

    A companion is on its hero's side. Else it is the first side for players' creatures, and the second for
    all others. Without a GM each player is a side.
    """
    if hero := _find_hero(e, sheet, system, systems):
        return hero.side
    owner = sheet.get("owner")
    if owner and is_gmless(system, e):
        return next((name for name in players(e) if name.lower() == str(owner).lower()), str(owner))
    first, second = system.sides or USUAL_SIDES
    return first if owner or sheet.get("kind") == "pc" else second


def _find_hero(
    e: Encounter, sheet: Mapping[str, Plain], system: InitiativeSystem, systems: Systems
) -> Combatant | None:
    """Return the creature that the sheet names as the one to act with; None if it names none."""
    for key, value in sheet.items():
        if isinstance(value, str) and names_hero(key, system, systems):
            names = {c.name: c for c in e.combatants.values()}
            try:
                return names[match_name(value, list(names), "hero")]
            except RuleError:
                return None
    return None


def names_hero(key: str, system: InitiativeSystem, systems: Systems) -> bool:
    """Return whether the value of a field is the name of another creature."""
    try:
        return any(f.kind == "creature" for f in find_fields(key, system, systems))
    except RuleError:
        return False  # a field of a system that is no longer there


def follow_kind(
    d: Draft,
    system: InitiativeSystem,
    systems: Systems,
    before: Combatant,
    sheet: Mapping[str, Plain],
    among: Collection[str],
) -> None:
    """Move a creature to the side of its new kind, owner or hero, unless a line named its side.

    `before` is the creature before the values of `sheet` were set. The end of an owner moves nobody, and a
    member of a group stays with the members that are not `among` those that the line edits.
    """
    e, c = d.encounter, d.encounter.combatants[before.id]
    given = [key for key, value in sheet.items() if value]
    moves = "kind" in sheet or "owner" in given or any(names_hero(key, system, systems) for key in given)
    if not moves or "side" in sheet or before.side_given:
        return
    # A fight of an older version does not say whether a line named the side: if it is not the usual one, a
    # line did.
    if before.side_given is None and before.side != usual_side(e, _sheet_of(before), system, systems):
        return
    side = usual_side(e, _sheet_of(c), system, systems)
    others = (x for x in e.combatants.values() if c.group and x.group == c.group and x.id not in among)
    if side != c.side and all(x.side == side for x in others):
        d.emit(ev.Changed(c.id, "side", side, usual=True))


def _sheet_of(c: Combatant) -> dict[str, Plain]:
    return {**c.fields, "owner": c.owner}
