"""What newcomers of a file bear beside their keys: counters and conditions, in the words of their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.errors import RuleError
from tui.core.fight.text import clean_name
from tui.core.language.actions.health import Afflict, Tally
from tui.core.language.actions.roster import Add
from tui.core.language.grammar import parse
from tui.core.rules import conditions
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Absent
from tui.core.rules.upkeep.counters import count
from tui.core.rules.upkeep.dying import kept_dying, read
from tui.core.rules.upkeep.house import at_zero


class Borne(Struct, frozen=True):
    """What newcomers of the library bear beside the keys of their line: an alias, counters, conditions, death saves.

    `saves` are the death saves of who is dying, in words. `counters` and `conditions` are what stands behind WHO in a line of `count` and of `condition`; `unseen` are the
    names of those conditions that are hidden from the players.
    """

    alias: str = ""
    counters: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    saves: str = ""


class Newcomer(Struct, frozen=True):
    """A line of `add`, and what its creatures bear."""

    add: Add
    borne: Borne = Borne()


_NOBODY = Combatant("c1", "X", "dark")
"""On whom a text is tried before there is anybody."""


def bear(d: Draft, system: InitiativeSystem, who: Sequence[str], borne: Borne, roller: Roller) -> None:
    """These newcomers have the counters and conditions of their file. Raises RuleError."""
    names = ",".join(d.encounter.combatants[k].name for k in who)
    for tally in map(counter, borne.counters):
        count(d, replace(tally, who=names), roller, quiet=True)
    for afflict in map(condition, borne.conditions):
        conditions.afflict(d, system, replace(afflict, who=names), roller)
    # By another house rule nobody is dying, and nothing is owed.
    for k in who if borne.saves else ():
        c = d.encounter.combatants[k]
        if c.hp == 0 and at_zero(d.encounter, c) == "dying":
            kept_dying(d, k, borne.saves)
    hidden = {clean_name(name).lower() for name in borne.unseen}
    d.emit(*(ev.ConditionHid(k, x) for k in who for x in _named(d.encounter.combatants[k], hidden)))


def _named(c: Combatant, names: set[str]) -> Iterator[str]:
    return iter(dict.fromkeys(x.name for x in c.conditions if x.name.lower() in names))


def counter(words: str) -> Tally:
    """What stands behind WHO in a line of `count`, read. Raises RuleError."""
    found = parse(f"count X {words}")
    assert isinstance(found, Tally)
    return found


def condition(words: str) -> Afflict:
    """What stands behind WHO in a line of `condition`, read. Raises RuleError."""
    found = parse(f"condition X {words}")
    assert isinstance(found, Afflict)
    return found


class _Ones:
    """Dice that always show a 1."""

    def roll(self, sides: int) -> int:
        """The face."""
        return min(sides, 1)


def tried(borne: Borne) -> None:
    """Raises RuleError for words that no creature could bear. Whom `of=` names is known only in the fight."""
    if borne.saves:
        read(borne.saves)
    if borne == Borne(borne.alias, saves=borne.saves):
        return
    d = Draft(Encounter("", combatants={"c1": _NOBODY}))
    alone = [replace(condition(words), of="", conc=False) for words in borne.conditions]
    for action in alone:
        conditions.afflict(d, Absent(), replace(action, who="X"), Roller(_Ones()))
    bear(d, Absent(), ("c1",), replace(borne, conditions=()), Roller(_Ones()))
    given = {x.name.lower() for x in d.encounter.combatants["c1"].conditions}
    for name in borne.unseen:
        if clean_name(name).lower() not in given:
            raise RuleError(f"{name} is hidden, and is none of the conditions")
