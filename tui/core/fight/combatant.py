"""Define one creature of the fight, and its stat block, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NewType

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import PAGE_LIMIT, clean_page
from tui.core.fight.dice import ANY_SOURCE

EntryKey = NewType("EntryKey", str)
"""What names an entry: the id of a creature, or `@` and the name of a group or a side."""

Plain = Any
"""Plain data: bool, int, float, str, lists of them and string-keyed tables of them; never null."""


BEGUN_MARK = "begun"
"""The mark of a creature that has begun its turn in this round and then delayed."""

MISSED_MARK = "missed"
"""The mark of a creature that gets no turn in this round any more, and whose edges have been counted."""

STORED_NAMES = {"round": "arrives", "saves": "save_bonus"}
"""The attribute of `Combatant` for each key of a line that has another name."""

HEALED_MARK = "healed"
"""The mark of a creature that is out and has regained hit points."""


DYING, AREA, CONCENTRATION, CONDITION, ATTACK = "dying", "area", "concentration", "condition", "attack"
"""The causes of a saving throw; a system may add its own. `attack` is an attack that does no damage."""

DEATH_SAVE_DC = 10
"""The least face of the d20 that makes a death save."""


class Condition(Struct, frozen=True, omit_defaults=True):
    """A condition of a creature."""

    name: str
    rounds: int = 0
    """The number of edges of turns until the condition ends; 0 if it lasts until it is cleared."""
    until: str = ""
    """The edge that is counted: `start` or `end` of a turn."""
    of: str = ""
    """The key of the creature whose turns are counted; "" for the bearer."""
    fresh: bool = False
    """Whether the condition was given in the turn that still runs: the end of that turn is not counted."""
    hidden: bool = False
    """Whether the condition is hidden from players."""
    conc: bool = False
    """Whether the condition ends with the concentration of `of`."""
    dc: int = 0
    """The total that ends the condition, in a save at the end of each of the bearer's turns; 0 for no save.
    """
    key: str = ""
    """The ability that is added to that save, such as `wis`."""
    at: str = ""
    """The edge of each of the bearer's turns (`start` or `end`) at which the effect is due; "" for no effect.
    """
    damage: str = ""
    """The dice of damage that are due at `at`; "" for none."""
    type: str = ""
    """The kind of the damage due at `at`, such as `fire`; "" for no kind."""
    heal: str = ""
    """The dice of healing that are due at `at`; "" for none."""
    note: str = ""
    """The text of which the GM is reminded at `at`; "" for none."""

    def fits(self, name: str, origin: str) -> bool:
        """Return whether it has this name, in any letter case, and this source, or any for ANY_SOURCE."""
        return self.name.lower() == name.lower() and origin in (self.of, ANY_SOURCE)


class OwedSave(Struct, frozen=True, omit_defaults=True):
    """A saving throw that a creature owes."""

    number: int
    """The number of this save among those of one creature, from 1."""
    cause: str
    """The reason for the save: dying, concentration, area, condition, attack, or a cause of the running
    system.
    """
    dc: int = 0
    """The least total that makes the save."""
    key: str = ""
    """The ability whose number is added to the save, such as `wis`; "" for none."""
    name: str = ""
    """The name of the condition that the save may end; "" for none."""
    of: str = ""
    """The key of the creature from which that condition comes; "" for none."""
    why: str = ""
    """The sentence that asks for a save with a cause of the system, with `{0}` for the creature; else ""."""
    rule: str = ""
    """The clause of a save with a cause of the system; else ""."""
    kept: bool = False
    """Whether the save waits until the creature acts again."""


class OwedEffect(Struct, frozen=True, omit_defaults=True):
    """Damage or healing of a condition that fell due at an edge of a turn."""

    number: int
    """The number of this effect among those of one creature, from 1."""
    name: str
    of: str = ""
    damage: str = ""
    type: str = ""
    heal: str = ""
    hidden: bool = False
    kept: bool = False
    """Whether the effect waits until the creature acts again."""


class Dying(Struct, frozen=True, omit_defaults=True):
    """The death saves of a creature at 0 hit points."""

    good: int = 0
    """The number of saves that were made."""
    bad: int = 0
    """The number of saves that failed."""
    stable: bool = False
    """Whether the creature is stable: it rolls no more death saves."""
    owes: bool = False
    """Whether the creature owes a death save in the running turn."""


class Counted(Struct, frozen=True, omit_defaults=True):
    """A counter, such as spell slots."""

    name: str
    n: int
    """The number of uses that are left."""
    most: int = 0
    """The largest value of `n`; 0 for no maximum."""
    reset: str = "never"
    """The event that restores the counter: `turn`, `round`, `short`, `long`, `never`, or a die such as
    `1d6>=5`.
    """
    owes: bool = False
    """Whether the die of `reset` is owed in the running turn."""


class Combatant(Struct, frozen=True, omit_defaults=True):
    """A creature in a fight."""

    id: str
    name: str
    side: str
    group: str = ""
    owner: str = ""
    """The name of the player that owns the creature, the first of several; "" for none."""
    hp: int | None = None
    """The present hit points; None if they are not counted."""
    max_hp: int | None = None
    temp_hp: int = 0
    ac: int | None = None
    out: bool = False
    hidden: bool = False
    note: str = ""
    arrives: int = 0
    """The round in which the creature arrives; 0 for a creature that is here."""
    value: int | None = None
    """The fixed number on the track; None if the creature rolls."""
    fields: dict[str, Plain] = {}
    """Values of the fields that initiative systems declare, by key."""
    conditions: tuple[Condition, ...] = ()
    marks: dict[str, str] = {}
    """The edge at which each mark ends, by mark: `turn` (of this creature), `round` or `fight`."""
    alias: str = ""
    """The name that players read instead; "" for none."""
    temp_max: int = 0
    """The points added to `max_hp` for a while; may be negative."""
    resist: str = ""
    vulnerable: str = ""
    immune: str = ""
    save_bonus: str = ""
    """The bonuses to saving throws by ability, written `dex+5 wis+2`; "" for none."""
    dying: Dying | None = None
    counters: tuple[Counted, ...] = ()
    card: str = ""
    """The stat block or another text for the GM, several lines; "" for none."""
    owes: tuple[OwedSave, ...] = ()
    """The saving throws that the creature owes."""
    dead: bool = False
    """Whether the creature is dead; a dead creature is also `out`."""
    attacks: str = ""
    """The attacks, written like the value of `attacks=` in a line; "" for none."""
    effects: tuple[OwedEffect, ...] = ()
    """The effects of conditions that the creature owes."""
    shown: bool = False
    """Whether the creature has begun a turn since the fight began."""
    former: tuple[str, ...] = ()
    """The names that the creature had before it was renamed, the first one first."""
    side_given: bool | None = None
    """Whether a line named the side, which then does not follow the kind; None if that is not known."""
    co_owners: str = ""
    """The names of the other players that own the creature, with commas; "" for none."""

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of all players that own the creature."""
        return (self.owner, *filter(None, self.co_owners.split(","))) if self.owner else ()

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
    counters = tuple(replace(x, owes=False) if x.owes else x for x in c.counters)
    return replace(c, owes=(), effects=(), dying=dying, counters=counters)


def is_pc(c: Combatant) -> bool:
    """Return whether a player owns the creature, or its kind is `pc`."""
    return bool(c.owner) or c.word("kind") == "pc"


def health_word(c: Combatant) -> str:
    """Return unhurt, hurt, bloodied (half or less), down or out, for viewers who may not see hit points.

    "" for a creature without hit points that is not out.
    """
    is_hurt = c.hp is not None and c.most_hp is not None and c.hp < c.most_hp
    if c.hp == 0 or (c.out and is_hurt):
        return "down"
    if c.out or c.hp is None:
        return "out" if c.out else ""
    return "unhurt" if not is_hurt else "hurt" if 2 * c.hp > (c.most_hp or 0) else "bloodied"


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
    """The values by key of `add`, for keys that some initiative system declares."""
    counters: tuple[str, ...] = ()
    """The words of `count` after WHO: `"Fire Breath" 1 reset=1d6>=5`."""
    card: str = ""
    """The rest of the book's text, for people."""
    conditions: tuple[str, ...] = ()
    """The words of `condition` after WHO."""

    @property
    def bare(self) -> bool:
        """Whether the block has only a name and a source."""
        return self == StatBlock(self.name, self.source)


class FightState(Struct, frozen=True):
    """The state of a creature of an imported file within its fight."""

    keys: Mapping[str, str]
    """The values by key of `add`, such as the hit points that are left."""
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
