"""Creatures of one kind that stand singly: their common name, and the line that makes one row of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.text import numbered
from tui.core.language.tokens import quote

# The regular spellings, and the -f of those whom one meets in a fight: Wolf, Elf, Dwarf, Thief, but not Reef.
_PLURALS = (
    (r"(?i)(?<=[aeou]l|ar|ie)f$", "ves"),
    (r"(?<=[^aeiou])y$", "ies"),
    (r"(s|x|z|ch|sh)$", r"\1es"),
)


class Kind(Struct, frozen=True):
    """Several creatures of one side whose names differ only by a number: `stem` 1, `stem` 2 …; ids in order."""

    stem: str
    side: str
    members: tuple[str, ...]

    def names(self, e: Encounter) -> str:
        """Their names, with commas."""
        return ", ".join(e.combatants[k].name for k in self.members)


def stem_of(name: str) -> str:
    """The common name of a numbered one, `Orc` of `Orc 3`; "" for any other."""
    found = numbered(name)
    return found[0] if found else ""


def kinds(people: Iterable[Combatant]) -> list[Kind]:
    """The kinds among these creatures that have at least two members outside any group, in roster order."""
    found: dict[tuple[str, str], list[str]] = {}
    for c in people:
        if not c.group and (stem := stem_of(c.name)):
            found.setdefault((stem, c.side), []).append(c.id)
    return [Kind(stem, side, tuple(ids)) for (stem, side), ids in found.items() if len(ids) > 1]


def plural_of(name: str) -> str:
    """The usual English plural of a name: Orcs, Wolves, Harpies, Witches."""
    for ending, instead in _PLURALS:
        if re.search(ending, name):
            return re.sub(ending, instead, name)
    return f"{name}s"


def group_line(e: Encounter, kind: Kind) -> str:
    """`group "Orc 1,Orc 2" Orcs`: the line that makes one row of a kind."""
    names = ",".join(e.combatants[k].name for k in kind.members)
    return f"group {quote(names)} {quote(_group_name(e, kind))}"


def _group_name(e: Encounter, kind: Kind) -> str:
    """The plural; a group of that name on the same side is joined, any other name in use is avoided."""
    plural = plural_of(kind.stem)
    people = e.combatants.values()
    used = {c.name.lower() for c in people} | {c.side.lower() for c in people}
    used |= {c.group.lower() for c in people if c.group and c.side != kind.side}
    return next(n for n in [plural, *(f"{plural} {i}" for i in range(2, 2100))] if n.lower() not in used)
