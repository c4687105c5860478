"""Count the spell slots of characters by their levels, as the rules of 5th edition have them."""

from __future__ import annotations

from collections.abc import Sequence

LEVELS = ("Cantrips", "1st level", "2nd level", "3rd level", *(f"{n}th level" for n in range(4, 10)))
"""The headings of spells by their level."""
_SLOTS = (
    "2", "3", "42", "43", "432", "433", "4331", "4332", "43331", "43332", "433321", "433321", "4333211",
    "4333211", "43332111", "43332111", "433321111", "433331111", "433332111", "433332211",
)  # fmt: skip
"""By the level of a caster: the slots of each level of spells."""
_THIRD = 3


def spell_slots(casters: Sequence[tuple[int, int]], rank: int) -> int:
    """Return the slots of a level of spells by the levels and divisors (1, 2 or 3) of casting classes."""
    alone = len(casters) == 1
    level = sum(-(-levels // divisor) if alone else levels // divisor for levels, divisor in casters)
    if alone and casters[0][1] == _THIRD and casters[0][0] < _THIRD:
        return 0
    row = _SLOTS[min(level, len(_SLOTS)) - 1] if level > 0 else ""
    return int(row[rank - 1]) if 0 < rank <= len(row) else 0


def pact(levels: int) -> str:
    """Return the slots of a pact: `Pact slots (2/Short Rest). 3rd level.`; "" without levels of one."""
    if levels <= 0:
        return ""
    count, rank = 1 + (levels > 1) + (levels > 10) + (levels > 16), min(5, (levels + 1) // 2)
    return f"Pact slots ({count}/Short Rest). {LEVELS[rank]}."


def held(count: int | None) -> str:
    """Return ` (4 slots)`; "" for none."""
    return f" ({count} slot{'s' * (count != 1)})" if count else ""
