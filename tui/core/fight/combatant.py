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
"""The mark of a creature that has begun a turn this round and delayed it."""

STORED = {"round": "arrives", "saves": "save_bonus"}
"""The attributes that a line calls otherwise than the creature does."""

HEALED = "healed"
"""The mark of a creature that is out and was given hit points since."""


DYING, AREA, CONCENTRATION, CONDITION = "dying", "area", "concentration", "condition"
"""What a saving throw is owed for; a system has causes of its own."""

ENOUGH = 10
"""What a death save must reach."""


class Condition(Struct, frozen=True, omit_defaults=True):
    """Something that holds a creature for a while.

    `rounds` counts the edges that are left (0: until it is cleared by hand); `until` says which edge counts
    (`start` or `end`); `of` is the key of the creature or group whose turn's edges count ("": the bearer's
    own). While it is `fresh` the turn in which it was given still runs, and the end of that one does not
    count. With `conc` it lasts as long as the concentration of `of`. With a `dc` the bearer saves at the end
    of each of its turns, adding its number for `key`, and ends it. With `at` it owes `damage` (dice, of a
    `type`) or `heal` at that edge (`start` or `end`) of each of its turns; `note` is then read in that turn.
    """

    name: str
    rounds: int = 0
    until: str = ""
    of: str = ""
    fresh: bool = False
    hidden: bool = False
    conc: bool = False
    dc: int = 0
    key: str = ""
    at: str = ""
    damage: str = ""
    type: str = ""
    heal: str = ""
    note: str = ""

    def fits(self, name: str, of: str) -> bool:
        """Return whether it is called so and is of that creature or group; ANY stands for all."""
        return self.name.lower() == name.lower() and of in (self.of, ANY)


class OwedSave(Struct, frozen=True, omit_defaults=True):
    """A saving throw that a creature owes; `number` counts those of one creature as they fell due.

    `cause` is dying, concentration, area, condition, or one of the running system's own, which then gives the
    sentence `why` (`{0}` is the creature) and its `rule`. `name` is what it is about (a condition), `of` its
    source. The die adds the creature's number for `key`. A `kept` one waits until the creature acts.
    """

    number: int
    cause: str
    dc: int = 0
    key: str = ""
    name: str = ""
    of: str = ""
    why: str = ""
    rule: str = ""
    kept: bool = False


class OwedEffect(Struct, frozen=True, omit_defaults=True):
    """Damage or healing of a condition that a creature owes since an edge of its turn.

    `number` counts those of one creature; the condition itself may have ended by now. A `kept` one waits
    until the creature acts.
    """

    number: int
    name: str
    of: str = ""
    damage: str = ""
    type: str = ""
    heal: str = ""
    hidden: bool = False
    kept: bool = False


class Dying(Struct, frozen=True, omit_defaults=True):
    """The death saves of a creature at 0 hit points; `owes` one in the running turn."""

    good: int = 0
    bad: int = 0
    stable: bool = False
    owes: bool = False


class Counted(Struct, frozen=True, omit_defaults=True):
    """A counter: `n` of `most` (0: no limit); `reset` brings it back: `turn`, `round`, `never`, `1d6>=5`.

    `owes`: the die that brings it back is owed in the turn that runs.
    """

    name: str
    n: int
    most: int = 0
    reset: str = "never"
    owes: bool = False


class Combatant(Struct, frozen=True, omit_defaults=True):
    """A creature: who it is, how it stands, and what the system asks to know about it.

    `fields` are declared by the initiative system; `marks` map a mark (`acted`, `surprised`, `reaction`, …)
    to the edge at which it ends (`turn`: the end of its own turn, `round`, `fight`). Hit points are None when
    no one has given any. `arrives` is the round of a staged arrival, `value` a fixed place on the track,
    `alias` the name that players read instead; `save_bonus` what a die for a saving throw adds, by key
    (`dex+5 wis+2`); `owes` the saving throws and `effects` the effects of conditions that are due, a `dead`
    one is out for good; `card` is its stat block or whatever else the game master reads of it, in lines;
    `attacks` is what it can do to others, as `attacks=` of a line spells it; `shown`: it has begun a turn
    since the last `begin`.
    """

    id: str
    name: str
    side: str
    group: str = ""
    owner: str = ""
    hp: int | None = None
    max_hp: int | None = None
    temp_hp: int = 0
    ac: int | None = None
    out: bool = False
    hidden: bool = False
    note: str = ""
    arrives: int = 0
    value: int | None = None
    fields: dict[str, Plain] = {}
    conditions: tuple[Condition, ...] = ()
    marks: dict[str, str] = {}
    alias: str = ""
    temp_max: int = 0
    resist: str = ""
    vulnerable: str = ""
    immune: str = ""
    save_bonus: str = ""
    dying: Dying | None = None
    counters: tuple[Counted, ...] = ()
    card: str = ""
    owes: tuple[OwedSave, ...] = ()
    dead: bool = False
    attacks: str = ""
    effects: tuple[OwedEffect, ...] = ()
    shown: bool = False

    @property
    def gone(self) -> str:
        """The word for who is out of the fight, `dead` or `out`; "" for everybody else."""
        return ("dead" if self.dead else "out") if self.out else ""

    @property
    def most_hp(self) -> int | None:
        """The maximum that holds now, with what is added to it for a while; None where no one gave any."""
        return None if self.max_hp is None else max(0, self.max_hp + self.temp_max)

    def number(self, key: str, default: int = 0) -> int:
        """Return the field `key` as a whole number; `default` when it was never given."""
        value = self.fields.get(key, default)
        return value if isinstance(value, int) else default

    def word(self, key: str) -> str:
        """Return the field `key` as text; "" when it was never given."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""


def counted(c: Combatant, name: str, counter: Counted | None) -> Combatant:
    """Return the creature with this counter instead of the one of that name, or added; or without it."""
    low = name.lower()
    counters = [counter if x.name.lower() == low else x for x in c.counters]
    if counter is not None and all(x is not counter for x in counters):
        counters.append(counter)
    return replace(c, counters=tuple(x for x in counters if x is not None))


def free_number(c: Combatant) -> int:
    """Return the number of the next save that a creature owes."""
    return max((x.number for x in c.owes), default=0) + 1


def relieved(c: Combatant) -> Combatant:
    """Return the creature without anything that it owes: saves, effects and the dice of recharges."""
    dying = replace(c.dying, owes=False) if c.dying and c.dying.owes else c.dying
    counters = (
        tuple(replace(x, owes=False) for x in c.counters) if any(x.owes for x in c.counters) else c.counters
    )
    return replace(c, owes=(), effects=(), dying=dying, counters=counters)


def is_pc(c: Combatant) -> bool:
    """Return whether this is a player's character: `kind=pc`, or someone owns it."""
    return bool(c.owner) or c.word("kind") == "pc"


def health(c: Combatant) -> str:
    """Return hit points in a word, for viewers who may not see the numbers."""
    if c.out or c.hp == 0:
        return "down"
    if c.hp is None or c.most_hp is None or c.hp >= c.most_hp:
        return "unhurt"
    return "hurt" if 2 * c.hp > c.most_hp else "bloodied"


class StatBlock(Struct, frozen=True, omit_defaults=True):
    """What a book says of a kind of creature.

    `hp` are its average hit points, `hp_dice` the notation that rolls them; `initiative` is the number that
    is added to its roll for initiative. `fields` are keys of `add` that some system declares, `counters` the
    words of `count` behind the name (`"Fire Breath" 1 reset=1d6>=5`), `conditions` those of `condition`.
    `card` is the rest, to be read by people. Numbers that no source gives are None.
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
    conditions: tuple[str, ...] = ()

    @property
    def bare(self) -> bool:
        """Return whether it is a name and no more."""
        return self == StatBlock(self.name, self.source)


class FightState(Struct, frozen=True):
    """How a creature of a stat block stands in a fight that is read from a file.

    `keys` are keys of `add`, such as the hit points that are left; `conditions` are the words behind WHO in a
    line of `condition`.
    """

    keys: Mapping[str, str]
    conditions: tuple[str, ...] = ()


def variant(base: StatBlock, own: StatBlock) -> StatBlock:
    """Return `base` with the name of `own` and all that `own` states itself."""
    stated = {
        key: value
        for key in ("hp", "hp_dice", "ac", "initiative", "source", "counters", "conditions")
        if (value := getattr(own, key)) not in (None, "", ())
    }
    card = clean_page(f"{own.card}\n\n{base.card}".strip(), PAGE_LIMIT)
    return replace(base, name=own.name, card=card, fields={**base.fields, **own.fields}, **stated)


class ConditionText(Struct, frozen=True, omit_defaults=True):
    """What a condition does, in words, and the keys of `condition` that it usually has, as in a line."""

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
