"""What is added to the d20 of a creature, a formation, a group (CHA-12, CHA-28)."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry

_EDGE = {"adv": 1, "dis": -1}


def adjustment(e: Encounter, entry: Entry) -> tuple[int, int]:
    """What an entry adds to its d20, and 1 for advantage, -1 for disadvantage (CHA-12, CHA-28)."""
    people = [e.combatants[k] for k in entry.members]
    if len(people) == 1:
        return _counted(people[0])
    found = [(_counted(c), _size(c)) for c in people]
    return _shared((bonus, n) for (bonus, _), n in found), _shared((edge, n) for (_, edge), n in found)


def too_few(e: Encounter, entry: Entry) -> int:
    """A bonus in the entry that does not count, because it touches less than half of a formation; 0 for none."""
    for c in (e.combatants[k] for k in entry.members):
        if c.number("bonus") and not _counts(c):
            return c.number("bonus")
    return 0


def _counted(c: Combatant) -> tuple[int, int]:
    """Bonus and edge of one combatant, if they count."""
    return (c.number("bonus"), _EDGE.get(c.word("adv"), 0)) if _counts(c) else (0, 0)


def _counts(c: Combatant) -> bool:
    """Whether bonus and edge touch at least half of the formation; they do unless it is said of how many."""
    return "affected" not in c.fields or 2 * c.number("affected") >= _size(c)


def _size(c: Combatant) -> int:
    """How many creatures one combatant stands for."""
    return max(1, c.number("formation", 1))


def _shared(weighted: Iterable[tuple[int, int]]) -> int:
    """Of (value, creatures) what at least half of the creatures have: of bonuses, and of penalties."""
    found = list(weighted)
    up = _of_half((value, n) for value, n in found)
    # Bonuses and penalties apart: half with +2 and half with -1 have both, as each touches half (CHA-28).
    return up - _of_half((-value, n) for value, n in found)


def _of_half(weighted: Iterable[tuple[int, int]]) -> int:
    """The best value that at least half of the creatures have, or better; 0 where that is less."""
    found = sorted(weighted, reverse=True)
    total, so_far = sum(n for _, n in found), 0
    for value, n in found:
        so_far += n
        if 2 * so_far >= total:
            return max(value, 0)
    return 0
