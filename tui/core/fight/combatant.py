"""Define one creature of the fight, and its stat block, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import PAGE_LIMIT, clean_page
from tui.core.fight.dice import ANY

Plain = Any
"""Plain data: bool, int, float, str, lists of them and string-keyed tables of them; never null."""


BEGUN = "begun"
"""The mark of a creature that has begun a turn in this round and delayed it."""

STORED = {"round": "arrives", "saves": "save_bonus"}
"""Attributes of a creature by the key that a line has for them, where the two differ."""

HEALED = "healed"
"""The mark of a creature that is out and has been given hit points since."""


DYING, AREA, CONCENTRATION, CONDITION = "dying", "area", "concentration", "condition"
"""What a saving throw is owed for; a system has causes of its own."""

ENOUGH = 10
"""The die of a death save that makes it."""


class Condition(Struct, frozen=True, omit_defaults=True):
    """A condition of a creature."""

    name: str
    rounds: int = 0
    """How many edges of turns are left; 0: until it is cleared."""
    until: str = ""
    """Which edge counts: `start` or `end` of a turn."""
    of: str = ""
    """The key whose turns count; "" for the bearer's own."""
    fresh: bool = False
    """Whether the turn in which it was given still runs: the end of that turn does not count."""
    hidden: bool = False
    """Whether players do not see it."""
    conc: bool = False
    """Whether it ends with the concentration of `of`."""
    dc: int = 0
    """What a save at the end of each of the bearer's turns must reach to end it; 0 for no save."""
    key: str = ""
    """The ability that is added to that save, such as `wis`."""
    at: str = ""
    """The edge (`start` or `end`) of each of the bearer's turns at which its effect falls due."""
    damage: str = ""
    """The dice of damage that fall due then."""
    type: str = ""
    """The kind of that damage."""
    heal: str = ""
    """The dice of healing that fall due then."""
    note: str = ""
    """What the GM is reminded of in that turn."""

    def fits(self, name: str, origin: str) -> bool:
        """Return whether it has this name, in any letter case, and this source; ANY is every source."""
        return self.name.lower() == name.lower() and origin in (self.of, ANY)


class OwedSave(Struct, frozen=True, omit_defaults=True):
    """A saving throw that a creature owes."""

    number: int
    """Counts the saves of one creature, from 1."""
    cause: str
    """dying, concentration, area, condition, or a cause of the running system."""
    dc: int = 0
    """The total that makes it."""
    key: str = ""
    """The ability whose number is added to the die."""
    name: str = ""
    """The condition that it may end."""
    of: str = ""
    """The source of that condition."""
    why: str = ""
    """For a cause of the system: the sentence that asks for it; `{0}` is the creature."""
    rule: str = ""
    """For a cause of the system: the clause."""
    kept: bool = False
    """Whether it waits until the creature acts again."""


class OwedEffect(Struct, frozen=True, omit_defaults=True):
    """Damage or healing of a condition that fell due at an edge of a turn."""

    number: int
    """Counts the effects of one creature, from 1."""
    name: str
    of: str = ""
    damage: str = ""
    type: str = ""
    heal: str = ""
    hidden: bool = False
    kept: bool = False
    """Whether it waits until the creature acts again."""


class Dying(Struct, frozen=True, omit_defaults=True):
    """The death saves of a creature at 0 hit points."""

    good: int = 0
    """How many were made."""
    bad: int = 0
    """How many failed."""
    stable: bool = False
    """Whether it owes no more of them."""
    owes: bool = False
    """Whether it owes one in the running turn."""


class Counted(Struct, frozen=True, omit_defaults=True):
    """A counter, such as spell slots."""

    name: str
    n: int
    """How many are left."""
    most: int = 0
    """The maximum; 0 for none."""
    reset: str = "never"
    """What restores it: `turn`, `round`, `short`, `long`, `never`, or a die such as `1d6>=5`."""
    owes: bool = False
    """Whether that die is owed in the running turn."""


class Combatant(Struct, frozen=True, omit_defaults=True):
    """A creature in a fight."""

    id: str
    name: str
    side: str
    group: str = ""
    owner: str = ""
    """The player; "" for none."""
    hp: int | None = None
    """Its hit points; None if none were given."""
    max_hp: int | None = None
    temp_hp: int = 0
    ac: int | None = None
    out: bool = False
    hidden: bool = False
    note: str = ""
    arrives: int = 0
    """The round of a staged arrival; 0 for a creature that is here."""
    value: int | None = None
    """A fixed place on the track; None if it rolls."""
    fields: dict[str, Plain] = {}
    """Values of the fields that initiative systems declare, by key."""
    conditions: tuple[Condition, ...] = ()
    marks: dict[str, str] = {}
    """For each mark, the edge at which it ends: `turn` (its own), `round` or `fight`."""
    alias: str = ""
    """The name that players read instead; "" for none."""
    temp_max: int = 0
    """What is added to `max_hp` for a while, in points; may be negative."""
    resist: str = ""
    vulnerable: str = ""
    immune: str = ""
    save_bonus: str = ""
    """What a die for a saving throw adds, by ability: `dex+5 wis+2`."""
    dying: Dying | None = None
    counters: tuple[Counted, ...] = ()
    card: str = ""
    """Its stat block or other text for the GM, in lines."""
    owes: tuple[OwedSave, ...] = ()
    """The saving throws that are due."""
    dead: bool = False
    """Whether it is out for good."""
    attacks: str = ""
    """Its attacks, written like `attacks=` of a line."""
    effects: tuple[OwedEffect, ...] = ()
    """The effects of conditions that are due."""
    shown: bool = False
    """Whether it has begun a turn since the last `begin`."""

    @property
    def gone(self) -> str:
        """`dead` or `out` for a creature that is out of the fight; "" for any other."""
        return ("dead" if self.dead else "out") if self.out else ""

    @property
    def most_hp(self) -> int | None:
        """The maximum with `temp_max`, at least 0; None if there is no maximum."""
        return None if self.max_hp is None else max(0, self.max_hp + self.temp_max)

    def number(self, key: str, default: int = 0) -> int:
        """Return the field `key` if it is a whole number, else `default`."""
        value = self.fields.get(key, default)
        return value if isinstance(value, int) else default

    def word(self, key: str) -> str:
        """Return the field `key` if it is text, else ""."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""


def with_counter(c: Combatant, name: str, counter: Counted | None) -> Combatant:
    """Return the creature with this counter, replacing one of the same name; None removes it."""
    low = name.lower()
    counters = [counter if x.name.lower() == low else x for x in c.counters]
    if counter is not None and all(x is not counter for x in counters):
        counters.append(counter)
    return replace(c, counters=tuple(x for x in counters if x is not None))


def next_save_number(c: Combatant) -> int:
    """Return the highest number of the creature's owed saves plus 1."""
    return max((x.number for x in c.owes), default=0) + 1


def without_debts(c: Combatant) -> Combatant:
    """Return the creature without owed saves, effects, death saves and dice of recharges."""
    dying = replace(c.dying, owes=False) if c.dying and c.dying.owes else c.dying
    counters = (
        tuple(replace(x, owes=False) for x in c.counters) if any(x.owes for x in c.counters) else c.counters
    )
    return replace(c, owes=(), effects=(), dying=dying, counters=counters)


def is_pc(c: Combatant) -> bool:
    """Return whether a player owns the creature, or its kind is `pc`."""
    return bool(c.owner) or c.word("kind") == "pc"


def health_word(c: Combatant) -> str:
    """Return unhurt, hurt, bloodied (half or less) or down, for viewers who may not see hit points."""
    if c.out or c.hp == 0:
        return "down"
    if c.hp is None or c.most_hp is None or c.hp >= c.most_hp:
        return "unhurt"
    return "hurt" if 2 * c.hp > c.most_hp else "bloodied"


class StatBlock(Struct, frozen=True, omit_defaults=True):
    """A kind of creature from a book; numbers are None if the source has none."""

    name: str
    source: str = ""
    hp: int | None = None
    """The average hit points."""
    hp_dice: str = ""
    """The dice notation of the hit points."""
    ac: int | None = None
    initiative: int | None = None
    """The number that is added to a roll for initiative."""
    fields: dict[str, Plain] = {}
    """Keys of `add` that some system declares."""
    counters: tuple[str, ...] = ()
    """The words of `count` after WHO: `"Fire Breath" 1 reset=1d6>=5`."""
    card: str = ""
    """The rest of the text, for people."""
    conditions: tuple[str, ...] = ()
    """The words of `condition` after WHO."""

    @property
    def bare(self) -> bool:
        """Whether it has nothing but name and source."""
        return self == StatBlock(self.name, self.source)


class FightState(Struct, frozen=True):
    """How a creature of an imported file stands in its fight."""

    keys: Mapping[str, str]
    """Keys of `add`, such as the hit points that are left."""
    conditions: tuple[str, ...] = ()
    """The words of `condition` after WHO."""


def make_variant(base: StatBlock, own: StatBlock) -> StatBlock:
    """Return `base` with the name of `own` and every value that `own` has; the cards are joined."""
    stated = {
        key: value
        for key in ("hp", "hp_dice", "ac", "initiative", "source", "counters", "conditions")
        if (value := getattr(own, key)) not in (None, "", ())
    }
    card = clean_page(f"{own.card}\n\n{base.card}".strip(), PAGE_LIMIT)
    return replace(base, name=own.name, card=card, fields={**base.fields, **own.fields}, **stated)


class ConditionText(Struct, frozen=True, omit_defaults=True):
    """A condition of the library: its text, and the usual keys of a line of `condition`."""

    name: str
    text: str = ""
    rounds: str = ""
    until: str = ""
    conc: bool = False
    save: str = ""
    dc: str = ""
    at: str = ""
    damage: str = ""
    type: str = ""
    heal: str = ""
    note: str = ""
