"""Hold a fight as one viewer sees it: the JSON of `show` and a player's page are made of these structs alone.

They have no rules. `core/views/table_for.py` fills them, everybody else reads them. The text below a field is
its line in .github/FORMAT.md, which `python -m tests.manual` writes. UNSET stands for a key that is absent.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field


class SideView(Struct, frozen=True):
    """A side, counted among those whom the viewer knows."""

    name: str
    """its name"""
    turn: bool
    """it is this side's turn"""
    left: int
    """creatures that have not acted"""
    of: int
    """creatures that take part"""
    in_combat: bool
    """it fights"""
    whose: str
    """its turn in words: `The heroes' turn`"""


class OutcomeView(Struct, frozen=True):
    """A contest; {} without one."""

    kind: Literal["opposed", "order", "surprise", "target"] | UnsetType = UNSET
    """`opposed`, `order`, `surprise` or `target`"""
    winner: str | UnsetType = UNSET
    """of an `opposed` one"""
    loser: str | UnsetType = UNSET
    """of an `opposed` one"""
    by: str | UnsetType = UNSET
    """what decided an `opposed` one: `total`, `intelligence` or `critical`"""
    totals: dict[str, int] | UnsetType = UNSET
    """of an `opposed` one, by name"""
    caught: tuple[str, ...] | UnsetType = UNSET
    """the surprised, of an `opposed` one and of a `surprise`"""
    order: tuple[str, ...] | UnsetType = UNSET
    """of an `order`: the entries, first to act first"""
    who: str | UnsetType = UNSET
    """of a `target`: the creature that attacks"""
    target: str | UnsetType = UNSET
    """of a `target`: the creature that is attacked"""
    style: str | UnsetType = UNSET
    """of a `target`: `melee`, `ranged` or `lost`"""


class DealtView(Struct, frozen=True):
    """Damage of one kind."""

    damage: int
    """the damage"""
    type: str
    """its kind"""


class AreaView(Struct, frozen=True):
    """Damage to many, of which saves are owed; {} without one."""

    damage: int | UnsetType = UNSET
    """the whole damage"""
    type: str | UnsetType = UNSET
    """its kind, such as `fire`"""
    dc: int | UnsetType = UNSET
    """the number that a save must reach"""
    key: str | UnsetType = UNSET
    """the saving throw"""
    half: bool | UnsetType = UNSET
    """a save that is made halves the damage"""
    more: tuple[DealtView, ...] | UnsetType = UNSET
    """damage of further kinds"""
    who: tuple[str, ...] | UnsetType = UNSET
    """everybody in the area"""
    made: tuple[str, ...] | UnsetType = UNSET
    """those who made the save"""
    failed: tuple[str, ...] | UnsetType = UNSET
    """those who failed it"""


class SaveView(Struct, frozen=True):
    """A saving throw that is owed."""

    cause: str = field(name="for")
    """`dying`, `concentration`, `area`, `condition` or `disruption`"""
    name: str
    """what it is against"""
    dc: int
    """the number that it must reach"""
    key: str
    """which saving throw it is"""
    bonus: int | UnsetType = UNSET
    """what is added to the die; for the owner and the game master"""


class FieldView(Struct, frozen=True):
    """A part of a form."""

    key: str
    """its key in a line of `order`"""
    title: str
    """the word in front of it"""
    kind: str
    """how it is filled in: `text`, `bool`, `choice`, `int`, `dice`…"""
    default: Any
    """what is proposed"""
    choices: tuple[str, ...]
    """what a `choice` may be"""


class BaseDue(Struct, frozen=True, tag_field="kind"):
    """What everything that is owed has."""

    who: str
    """who owes it: a creature, a group, a side, or `GM`"""
    why: str
    """the reason, in words"""
    rule: str
    """its clause"""


class RollDue(BaseDue, frozen=True, tag="roll"):
    """Dice that are owed."""

    dice: tuple[int, ...]
    """of a `roll`: its sides, in rolling order"""
    save: SaveView | UnsetType = UNSET
    """of a `roll` that is a saving throw"""
    shows: str | UnsetType = UNSET
    """of a `roll` whose dice show no numbers: what they show, such as `a card`"""


class PickDue(BaseDue, frozen=True, tag="pick"):
    """A choice that is owed."""

    names: tuple[str, ...]
    """of a `pick`: those to choose from"""
    least: int
    """of a `pick`: how many at least"""
    most: int
    """of a `pick`: how many at most"""


class FormDue(BaseDue, frozen=True, tag="form"):
    """An order or a declaration that is owed."""

    fields: tuple[FieldView, ...]
    """of a `form`: its parts"""


class LockDue(BaseDue, frozen=True, tag="lock"):
    """Writing can be closed."""


class ReadDue(BaseDue, frozen=True, tag="acknowledge"):
    """Something must be read before the fight goes on."""

    lines: tuple[str, ...]
    """of an `acknowledge`: what must be read"""
    about: tuple[str, ...]
    """of an `acknowledge`: whom each of its lines is about, or empty"""


class EffectDue(BaseDue, frozen=True, tag="effect"):
    """What a condition does at the start or the end of a turn."""

    name: str
    """of an `effect`: its condition"""
    damage: str | UnsetType = UNSET
    """of an `effect` that hurts: dice, or a number"""
    type: str | UnsetType = UNSET
    """of an `effect` that hurts: the kind of damage, or empty"""
    heal: str | UnsetType = UNSET
    """of an `effect` that heals: dice, or a number"""


Due = RollDue | PickDue | FormDue | LockDue | ReadDue | EffectDue
"""Something that is owed; a match over it is exhaustive."""


class ActView(Struct, frozen=True, omit_defaults=True):
    """Something that may be done now."""

    kind: str
    """`turn`, `pass`, `side` or `round`"""
    who: str = ""
    """of a `turn`: the entry that takes it"""


class OfferView(Struct, frozen=True):
    """What may be chosen now; {} where nothing may."""

    chooser: str | UnsetType = UNSET
    """the entry, side or creature that chooses; empty where no one has to"""
    acts: tuple[ActView, ...] | UnsetType = UNSET
    """what may be done"""
    why: str | UnsetType = UNSET
    """the reason, in words"""
    rule: str | UnsetType = UNSET
    """its clause"""


class Row(Struct, frozen=True):
    """A row of the order."""

    entry: str
    """the creature, group or side"""
    members: tuple[str, ...]
    """its creatures"""
    place: int
    """counted from 1; 0 where the house rule `view.order` keeps it"""
    value: int
    """the number that the system compares"""
    state: str
    """`now`, `may` (may be chosen), `waits`, `done`, `barred` or `out`"""
    tags: tuple[str, ...]
    """marks of its members"""
    why: str
    """what explains the number and the place"""
    face: str | UnsetType = UNSET
    """what is written in place of the number, such as `K♠`"""


class CounterView(Struct, frozen=True):
    """A number that is used up and comes back."""

    name: str
    """what it counts"""
    n: int
    """what is left"""
    max: int | None
    """the most"""
    reset: str
    """when it comes back: `turn`, `round`, `short`, `long`, `never` or dice"""


class DamageView(Struct, frozen=True):
    """What an attack deals of one kind."""

    dice: str
    """dice, or a number"""
    type: str = ""
    """its kind, or empty"""

    def words(self) -> str:
        """Return it as an entry writes it: `1d6+4 piercing`."""
        return f"{self.dice} {self.type}".strip()


class AttackView(Struct, frozen=True):
    """What a creature can do to others: with a `bonus`, with a save against `dc`, or a `text` alone."""

    name: str
    """its name"""
    bonus: int | None = None
    """what is added to the roll to hit; null where nothing is rolled to hit"""
    damage: tuple[DamageView, ...] = ()
    """what it deals"""
    dc: int = 0
    """of the save against it, or 0"""
    key: str = ""
    """the saving throw against it"""
    half: bool = False
    """a save that is made halves the damage"""
    text: str = ""
    """what is only to be read"""

    @property
    def rolls(self) -> bool:
        """Whether `attack` can do it; a text can only be read."""
        return self.bonus is not None or self.dc > 0

    @property
    def hurts(self) -> str:
        """Its damage as an entry writes it: `1d6+4 piercing + 2d6 fire`."""
        return " + ".join(x.words() for x in self.damage)

    def words(self) -> str:
        """Return the entry that reads as this attack."""
        if self.bonus is not None:
            return f"{self.name} {self.bonus:+} {self.hurts}"
        if self.dc:
            return f"{self.name} dc{self.dc} {self.key} {self.hurts} {'half' if self.half else 'none'}"
        return f"{self.name}: {self.text}"


class DeathSavesView(Struct, frozen=True):
    """How a dying creature stands; {} for any other."""

    successes: int | UnsetType = UNSET
    """death saves that were made"""
    failures: int | UnsetType = UNSET
    """death saves that were failed"""
    stable: bool | UnsetType = UNSET
    """it owes no more of them"""


class ConditionView(Struct, frozen=True):
    """A condition of a creature."""

    name: str
    """its name"""
    rounds: int
    """the rounds that are left, or 0"""
    until: str
    """the edge of a turn at which it ends: `start` or `end`"""
    of: str
    """the creature that it comes from"""
    conc: bool
    """it ends with the concentration of `of`"""
    dc: int
    """of the save that ends it, or 0"""
    key: str
    """the saving throw that ends it"""
    at: str
    """the edge of its bearer's turns at which its effect falls due: `start` or `end`"""
    damage: str
    """dice of its effect, or empty"""
    type: str
    """the kind of that damage"""
    heal: str
    """dice of its effect that heals, or empty"""
    note: str
    """what is read in the turn of its bearer, for the game master"""
    fresh: bool
    """the turn in which it was given still runs, and the end of that one does not count"""
    hidden: bool
    """players do not know of it"""


class Creature(Struct, frozen=True):
    """A creature. What its sheet says is absent where the viewer may not read it."""

    id: str
    """never used again in this save"""
    name: str
    """its name, of players its alias"""
    alias: str
    """what players read in place of the name"""
    side: str
    """its side"""
    group: str
    """its group"""
    owner: str
    """its player"""
    out: bool
    """it is out of the fight"""
    hidden: bool
    """players do not see it"""
    note: str
    """for the game master and the owner"""
    card: str
    """lines of text, for the game master"""
    arrives: int
    """its round"""
    dead: bool
    """it is dead"""
    conditions: tuple[ConditionView, ...]
    """what lasts for a while"""
    marks: dict[str, bool]
    """states that the system gives"""
    hp: int | UnsetType | None = UNSET
    """hit points; for others by the house rule `view.health`"""
    max_hp: int | UnsetType | None = UNSET
    """their maximum; for others by the house rule `view.health`"""
    temp_hp: int | UnsetType = UNSET
    """temporary ones; for others by the house rule `view.health`"""
    temp_max: int | UnsetType = UNSET
    """what is added to the maximum for a while"""
    resist: str | UnsetType = UNSET
    """kinds of damage that it halves"""
    vulnerable: str | UnsetType = UNSET
    """kinds of damage that it doubles"""
    immune: str | UnsetType = UNSET
    """kinds of damage that it ignores"""
    save_bonus: dict[str, int] | UnsetType = UNSET
    """what a saving throw adds, by key: `{"dex": 5}`; a line sets it with `saves=`"""
    health: str | UnsetType = UNSET
    """in place of points: `unhurt`, `hurt`, `bloodied` or `down`, by the house rule `view.health`"""
    counters: tuple[CounterView, ...] = ()
    """numbers that are used up"""
    attacks: tuple[AttackView, ...] | UnsetType = UNSET
    """what it can do to others"""
    ac: int | UnsetType | None = UNSET
    """its armour class; for others by the house rule `view.ac`"""
    fields: dict[str, Any] | UnsetType = UNSET
    """what systems declare"""
    saves: DeathSavesView | UnsetType = UNSET
    """how it stands with death saves, or {}"""
    unable: str | UnsetType = UNSET
    """why it cannot react, or empty; for the game master and the owner"""
    fixed: int | UnsetType | None = UNSET
    """its fixed place, for the game master"""


class OrderView(Struct, frozen=True):
    """An order or a declaration, as far as the viewer may read it."""

    who: str
    """its row"""
    state: str
    """`owed`, `written`, `locked`, `now`, `done` or `void`"""
    text: dict[str, str] = {}
    """its parts by key"""
    default: dict[str, str] = {}
    """what the rules put where a part is not written: in Chaos the opportunity attack as `reaction`"""
    warnings: tuple[str, ...] = ()
    """what speaks against it"""
    instead: dict[str, str] = {}
    """what is done in place of a part that could not be"""
    wording: tuple[str, ...] = ()
    """its parts in words, such as `action strike`"""
    open: bool = False
    """everybody may read it"""


class InterruptView(Struct, frozen=True):
    """A line that may break in on the running turn."""

    verb: str
    """its verb"""
    who: str
    """the creature that breaks in"""
    title: str
    """the line in short"""
    note: str
    """what it would mean"""


class Told(Struct, frozen=True):
    """A message of the latest line."""

    step: int
    """its step"""
    text: str
    """what it says"""


class Table(Struct, frozen=True, kw_only=True):
    """The whole state, for the game master or another viewer. Every key is there."""

    format: Literal[1] = 1
    """1, the version of this object"""
    save: str = ""
    """the name of the save"""
    step: int = 0
    """lines in force; of another viewer than the game master the moments that were shown"""
    can_undo: bool = False
    """a line can be taken back"""
    can_redo: bool = False
    """a line that was taken back can be done again"""
    system: str
    """the id of the running system"""
    options: dict[str, Any]
    """every house rule with its value"""
    round: int
    """the round, 0 before the fight"""
    phase: str
    """`setup`, `exploration`, `orders`, `rolls`, `board` or `turns`"""
    acting: str
    """the entry whose turn runs"""
    actors: tuple[str, ...]
    """the creatures that act in that turn"""
    does: str
    """of the acting entry, for the game master: `acts`, `does nothing`, `is dying`…"""
    now: str
    """what comes next, in words"""
    sides: tuple[SideView, ...]
    """the sides"""
    outcome: OutcomeView
    """the latest contest, or {}"""
    area: AreaView
    """damage to many of which saves are owed, or {}"""
    due: tuple[Due, ...]
    """what is owed"""
    offer: OfferView
    """who may choose what, or {}"""
    track: tuple[Row, ...]
    """the order"""
    combatants: tuple[Creature, ...]
    """the creatures"""
    orders: tuple[OrderView, ...]
    """orders and declarations"""
    interrupts: tuple[InterruptView, ...]
    """what may break in on the running turn, for the game master"""
    last: tuple[Told, ...] = ()
    """what the latest line did"""

    @property
    def running(self) -> bool:
        """Whether a fight has begun."""
        return self.phase != "setup"
