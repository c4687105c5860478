"""Names that are in use, counted, so that a thousand creatures are checked in one walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tui.core.fight.combatant import Combatant


class NamesInUse:
    """What creatures, groups and sides are called, in lower case, and by how many creatures.

    `camps` counts by group, as it is written, the sides of its members, as they are written.
    """

    def __init__(self, people: Iterable[Combatant]) -> None:
        self.names: Counter[str] = Counter()
        self.groups: Counter[str] = Counter()
        self.sides: Counter[str] = Counter()
        self.camps: dict[str, Counter[str]] = {}
        for c in people:
            self.put(c)

    def put(self, c: Combatant) -> None:
        """A creature is there, under these names."""
        self._count(c, 1)

    def drop(self, c: Combatant) -> None:
        """It is no longer there, or is about to change."""
        self._count(c, -1)

    def _count(self, c: Combatant, by: int) -> None:
        self.names[c.name.lower()] += by
        self.sides[c.side.lower()] += by
        if c.group:
            self.groups[c.group.lower()] += by
            self.camps.setdefault(c.group, Counter())[c.side] += by

    def split(self, group: str, side: str) -> bool:
        """Whether a group has somebody on another side."""
        return any(count for other, count in self.camps.get(group, {}).items() if other != side)
