"""Play without a GM: who sits where, and who resolves whose orders."""

from __future__ import annotations

from tui.core.fight.encounter import Encounter, members
from tui.systems.chaos.notes import head_to_head, house_rule


def seats(e: Encounter) -> dict[str, set[str]]:
    """The players in seat order (the order of the roster), each with the sides they play on."""
    found: dict[str, set[str]] = {}
    names: dict[str, str] = {}
    for c in e.combatants.values():
        if c.owner:
            found.setdefault(names.setdefault(c.owner.lower(), c.owner), set()).add(c.side)
    return found


def opponents(e: Encounter, key: str) -> list[str]:
    """The players who may resolve an entry's order, the next in seat order after its owner first (CHA-A17)."""
    people = members(e, key)
    if not people:
        return []
    table = seats(e)
    round_the_table = list(table)
    owner = next((s for s in round_the_table if s.lower() == people[0].owner.lower()), "")
    at = round_the_table.index(owner) + 1 if owner else 0
    after = round_the_table[at:] + round_the_table[:at]
    return [s for s in after if s != owner and table[s] - {people[0].side}]


def resolvers(e: Encounter, key: str) -> tuple[str, ...]:
    """The players who may resolve an entry's order (CHA-24); where nobody is an opponent, everybody at the table."""
    found = opponents(e, key)
    if not found:
        return tuple(seats(e))
    return tuple(found) if _by_hand(e) else (found[0],)


def resolver(e: Encounter, key: str) -> str:
    """Who resolves an entry's order (CHA-24), in words; "" with a GM, and when nobody at the table is an opponent."""
    found = opponents(e, key) if head_to_head(e) else []
    if not found:
        return ""
    return "an opponent of the table's choice" if _by_hand(e) and len(found) > 1 else found[0]


def _by_hand(e: Encounter) -> bool:
    return bool(house_rule(e, "cha.resolver") == "by_hand")
