"""A kind of creature as the library knows it, before anybody of it stands on the table."""

from __future__ import annotations

from msgspec import Struct

from tui.core.fight.combatant import Plain


class StatBlock(Struct, frozen=True, omit_defaults=True):
    """What a book says of a kind of creature.

    `hp` are its average hit points, `hp_dice` the notation that rolls them; `initiative` is the number that is added
    to its roll for initiative. `fields` are keys of `add` that some system declares, `counters` the words of `count`
    behind the name (`"Fire Breath" 1 reset=1d6>=5`). `card` is the rest, to be read by people. Numbers that no
    source gives are None.
    """

    name: str
    source: str = ""
    hp: int | None = None
    hp_dice: str = ""
    ac: int | None = None
    initiative: int | None = None
    fields: dict[str, Plain] = {}
    counters: tuple[str, ...] = ()
    card: str = ""

    @property
    def bare(self) -> bool:
        """Whether it is a name and no more."""
        return self == StatBlock(self.name, self.source)


class ConditionText(Struct, frozen=True, omit_defaults=True):
    """What a condition does, in words; how long it usually lasts: `rounds` and `until` as in a line, "" for no end."""

    name: str
    text: str = ""
    rounds: str = ""
    until: str = ""
