"""Check names against those in use, which are counted once for all newcomers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name, quote
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter
from tui.core.language.select import NEVER_NAMES


class NamesInUse:
    """The number of creatures that use each name, in lower case: as name or alias, group, or side.

    `camps` counts the sides of the members of each group.
    """

    def __init__(self, people: Iterable[Combatant]) -> None:
        self.names: Counter[str] = Counter()
        self.groups: Counter[str] = Counter()
        self.sides: Counter[str] = Counter()
        self.camps: dict[str, Counter[str]] = {}
        for c in people:
            self.put(c)

    def put(self, c: Combatant) -> None:
        """Count the names of a creature."""
        self._count(c, 1)

    def drop(self, c: Combatant) -> None:
        """Stop counting the names of a creature that is removed or about to change."""
        self._count(c, -1)

    def _count(self, c: Combatant, by: int) -> None:
        # Names are counted and not only collected, so that a name that two creatures have stays in use when
        # one leaves.
        self.names[c.name.lower()] += by
        if c.alias and c.alias.lower() != c.name.lower():
            self.names[c.alias.lower()] += by
        self.sides[c.side.lower()] += by
        if c.group:
            self.groups[c.group.lower()] += by
            self.camps.setdefault(c.group, Counter())[c.side] += by

    def split(self, group: str, side: str) -> bool:
        """Return whether a group has a member on another side."""
        return any(count for other, count in self.camps.get(group, {}).items() if other != side)


def check_name(text: str) -> str:
    """Return a name, cleaned. Raises RuleError for one that a line could not write."""
    name = clean_name(text)
    if not name:
        raise RuleError("a name needs at least one character")
    if "," in name or '"' in name or name.startswith(SIDE):
        raise RuleError(f"{name} cannot be a name", "no comma, no quote, no @ at its beginning")
    return name


def check_free(in_use: NamesInUse, sides_: Sequence[str], name: str, hint: str = "") -> None:
    """Raise RuleError if a creature, a group or a side has this name.

    `sides_` are the sides that the system always has.
    """
    low = name.lower()
    hint = hint or _suggest_free(in_use, sides_, name)
    if low in NEVER_NAMES:
        raise RuleError(f"{name} means something else in a line", hint)
    if in_use.names[low]:
        raise RuleError(f"{name} is already there", hint)
    if in_use.groups[low] or in_use.sides[low] or low in map(str.lower, sides_):
        what = "group" if in_use.groups[low] else "side"
        raise RuleError(f"{name} is already the name of a {what}", hint)


def _suggest_free(in_use: NamesInUse, sides_: Sequence[str], name: str) -> str:
    """Return a hint with a free name like this one."""
    known = {s.lower() for s in sides_}
    stem, _, number = name.rpartition(" ")
    stem = stem if number.isdecimal() and stem else name
    used = (in_use.names, in_use.groups, in_use.sides)
    # The tries outnumber the names, so that at least one of them is free.
    tries = (f"{stem} {n}" for n in range(2, sum(map(len, used)) + len(known) + 4))
    text = next(x for x in tries if x.lower() not in known and not any(t[x.lower()] for t in used))
    return f"{quote(text)} is free"


def check_places(e: Encounter, sides_: Sequence[str], c: Combatant, in_use: NamesInUse) -> None:
    """Raise RuleError unless side and group have names of their own, and the group is on one side."""
    if sides_ and c.side not in sides_:
        raise RuleError(f"there is no side {c.side} here", " or ".join(f"side={s}" for s in sides_))
    _check_own_name(c.side, "side", c, in_use, sides_)
    if not c.group:
        return
    _check_own_name(c.group, "group", c, in_use, sides_)
    if in_use.split(c.group, c.side):
        creatures = (x for x in e.combatants.values() if x.group == c.group and x.side != c.side)
        side = next(creatures).side
        hint = f"a group belongs to one side: set {quote(c.name)} side={quote(side)}"
        raise RuleError(f"the group {c.group} is on the side {side}, {c.name} on {c.side}", hint)


def _check_own_name(name: str, title: str, c: Combatant, in_use: NamesInUse, sides_: Sequence[str]) -> None:
    """Raise RuleError if a side or group has the name of something else."""
    low, others = name.lower(), in_use.groups if title == "side" else in_use.sides
    is_side = title == "group" and low in {c.side.lower(), *(s.lower() for s in sides_)}
    if low in (c.name.lower(), c.alias.lower()) or in_use.names[low]:
        what = "the name of a creature"
    elif is_side or others[low]:
        what = "a group" if title == "side" else "a side"
    else:
        return
    hint = _suggest_free(in_use, sides_, name)
    raise RuleError(f"a {title} cannot be called {name}: it is {what}", hint)
