"""Deal one amount of damage to several creatures, from one to the next."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE
from tui.core.language.creature_actions import Damage
from tui.core.language.select import resolve_standing
from tui.core.rules.draft import Draft
from tui.core.rules.health import damage_taken, resist, take_damage
from tui.core.rules.numbers import Roller, roll_amount
from tui.core.rules.system import InitiativeSystem


def damage_in_turn(d: Draft, system: InitiativeSystem, action: Damage, roller: Roller) -> None:
    """Deal one amount to the creatures of WHO in roster order. Raises RuleError.

    Each creature takes as much as brings it to 0; the last one takes all that is left.
    """
    if action.half or action.none:
        message = "damage: pool=yes goes from one to the next, half= and none= mean nothing"
        raise RuleError(message, "leave them out")
    e = d.encounter
    keys = resolve_standing(e, action.who)
    people = [c for k, c in e.combatants.items() if k in keys and not c.out and c.hp != 0]
    if not people:
        raise RuleError(f"no creature of {action.who} is above 0", f"`damage {quote(action.who)} 1`")
    points = roll_amount(d, roller, action.amount, "damage")
    _announce_pool(d, keys, points)
    for at, c in enumerate(people, 1):
        absorbed = points if at == len(people) or c.hp is None else _damage_needed(c, points, action.type)
        if absorbed or not points:
            take_damage(d, system, c.id, damage_taken(d, c.id, absorbed, action.type), share=True)
        points -= absorbed
        if points <= 0:
            return


def _announce_pool(d: Draft, keys: Sequence[str], points: int) -> None:
    """Announce one amount for all who may take a part, to viewers who may not read the parts.

    Whom it reached would tell their hit points, so all are named, those at 0 too.
    """
    people, group = d.encounter.combatants, d.encounter.combatants[keys[0]].group
    if group and {c.id for c in people.values() if c.group == group and not c.out} == set(keys):
        about: tuple[str, ...] = (SIDE + group,)
    else:
        about = tuple(k for k in keys if not people[k].hidden) or tuple(keys)
    *first, last = (f"{{{i}}}" for i in range(len(about)))
    who = f"{', '.join(first)} and {last} take" if first else "{0} takes"
    d.emit(ev.Announced(f"{who} {points} damage", about, pooled=True))


def _damage_needed(c: Combatant, most: int, kind: str) -> int:
    """Return how much damage before resistance brings a creature to 0, at most `most`; 0 if it is immune."""
    room = (c.hp or 0) + c.temp_hp
    damage, _ = resist(c, most, kind)
    if damage == 0:
        return 0  # immune: none of the damage is used up
    if damage <= room:
        return most
    # Resistance rounds down: this is the least damage of which at least `room` points remain.
    return next(n for n in range((room + 1) // 2, most + 1) if resist(c, n, kind)[0] >= room)
