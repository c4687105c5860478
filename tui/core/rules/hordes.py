"""Let damage run through a group as through one pool: what one member does not need goes to the next."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.combatant import Combatant
from tui.core.language.creature_actions import Damage
from tui.core.language.select import standing
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, amount
from tui.core.rules.system import InitiativeSystem


def pool(d: Draft, system: InitiativeSystem, action: Damage, roller: Roller) -> None:
    """Damage the members one after the other, in roster order. Raises RuleError."""
    if action.half or action.none:
        raise RuleError(
            "damage: pool=yes goes from one to the next, half= and none= mean nothing", "leave them out"
        )
    e = d.encounter
    named = standing(e, action.who)
    people = [c for k, c in e.combatants.items() if k in named and not c.out and c.hp != 0]
    if not people:
        raise RuleError(f"nobody of {action.who} is above 0", f"`damage {quote(action.who)} 1`")
    left = amount(d, roller, action.amount, "damage")
    for at, c in enumerate(people, 1):
        absorbed = left if at == len(people) or c.hp is None else _needed(c, left, action.type)
        if absorbed or not left:
            health.damage(d, system, c.id, health.taken(d, c.id, absorbed, action.type))
        left -= absorbed
        if left <= 0:
            return


def _needed(c: Combatant, most: int, kind: str) -> int:
    """Return how much of the damage a creature uses up until it is at 0, before its resistance."""
    room = (c.hp or 0) + c.temp_hp
    taken, _ = health.resisted(c, most, kind)
    if taken == 0:
        return 0  # nothing of it is used up
    if taken <= room:
        return most
    # Resistance rounds down: the least damage that comes to all of its points.
    return next(n for n in range((room + 1) // 2, most + 1) if health.resisted(c, n, kind)[0] >= room)
