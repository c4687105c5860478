"""Hold a fight as one viewer sees it: the JSON of `show` and a player's page are made of these structs.

They have no rules. `core/views/table_for.py` fills them, all other code reads them. The text below a field is
its line in .github/FORMAT.md, which `python -m tests.manual` writes. UNSET stands for a key that is absent.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field


class SideView(Struct, frozen=True):
    """A side, with the numbers of its creatures that the viewer knows of."""

    name: str
    """the name of the side"""
    turn: bool
    """the running turn is this side's"""
    left: int
    """the number of creatures that have not acted"""
    of: int
    """the number of creatures that take part"""
    in_combat: bool
    """the side is in combat"""
    whose: str
    """the side's turn in words: `The heroes' turn`"""


class OutcomeView(Struct, frozen=True):
    """The outcome of a contest; {} without one."""

    kind: Literal["opposed", "order", "surprise", "target"] | UnsetType = UNSET
    """`opposed`, `order`, `surprise` or `target`"""
    winner: str | UnsetType = UNSET
    """the winner of an `opposed` contest"""
    loser: str | UnsetType = UNSET
    """the loser of an `opposed` contest"""
    by: str | UnsetType = UNSET
    """the reason for an `opposed` victory: `total`, `intelligence` or `critical`"""
    totals: dict[str, int] | UnsetType = UNSET
    """the totals of an `opposed` contest, by name"""
    caught: tuple[str, ...] | UnsetType = UNSET
    """the surprised creatures, of an `opposed` contest and of a `surprise`"""
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
    """the points of damage"""
    type: str
    """the kind of damage"""


class AreaView(Struct, frozen=True):
    """Damage to several creatures that waits for their saves; {} without one."""

    damage: int | UnsetType = UNSET
    """the points of damage of the first kind"""
    type: str | UnsetType = UNSET
    """the kind of that damage, such as `fire`"""
    dc: int | UnsetType = UNSET
    """the total that a save must reach"""
    key: str | UnsetType = UNSET
    """the ability of the saving throw, such as `dex`"""
    half: bool | UnsetType = UNSET
    """a save that is made halves the damage; else it prevents it"""
    more: tuple[DealtView, ...] | UnsetType = UNSET
    """damage of further kinds"""
    who: tuple[str, ...] | UnsetType = UNSET
    """the creatures in the area"""
    made: tuple[str, ...] | UnsetType = UNSET
    """the creatures that made the save"""
    failed: tuple[str, ...] | UnsetType = UNSET
    """the creatures that failed the save"""


class SaveView(Struct, frozen=True):
    """A saving throw that is owed."""

    cause: str = field(name="for")
    """`dying`, `concentration`, `area`, `condition` or `disruption`"""
    name: str
    """the name of the condition or effect that the save is against, or empty"""
    dc: int | UnsetType = UNSET
    """the total that the save must reach; for the creature's player (`view.dc`) and the game master"""
    key: str = ""
    """the ability of the saving throw, such as `con`"""
    bonus: int | UnsetType = UNSET
    """the bonus that is added to the die; for the owner and the game master"""


class FieldView(Struct, frozen=True):
    """A part of a form."""

    key: str
    """the key of the part in a line of `order`"""
    title: str
    """the word in front of the part"""
    kind: str
    """the type of the value: `text`, `bool`, `choice`, `int`, `dice`…"""
    default: Any
    """the proposed value"""
    choices: tuple[str, ...]
    """the values that a `choice` accepts"""


class BaseDue(Struct, frozen=True, tag_field="kind"):
    """The fields that everything owed has."""

    who: str
    """the one that owes the answer: a creature, a group, a side, or `GM`"""
    why: str
    """the reason, in words"""
    rule: str
    """the clause of the reason"""


class RollDue(BaseDue, frozen=True, tag="roll"):
    """Dice that are owed."""

    dice: tuple[int, ...]
    """of a `roll`: the sides of the dice, in rolling order"""
    save: SaveView | UnsetType = UNSET
    """of a `roll` that is a saving throw"""
    shows: str | UnsetType = UNSET
    """of a `roll` whose dice show no numbers: what they show, such as `a card`"""


class PickDue(BaseDue, frozen=True, tag="pick"):
    """A choice that is owed."""

    names: tuple[str, ...]
    """of a `pick`: the names to choose from"""
    least: int
    """of a `pick`: the least number of names"""
    most: int
    """of a `pick`: the largest number of names"""


class FormDue(BaseDue, frozen=True, tag="form"):
    """An order or a declaration that is owed."""

    fields: tuple[FieldView, ...]
    """of a `form`: the parts to fill in"""


class LockDue(BaseDue, frozen=True, tag="lock"):
    """The writing of orders can be closed with `lock`."""


class ReadDue(BaseDue, frozen=True, tag="acknowledge"):
    """Something must be read before the fight goes on."""

    lines: tuple[str, ...]
    """of an `acknowledge`: the lines that must be read"""
    about: tuple[str, ...]
    """of an `acknowledge`: for each of the lines, the name that it is about, or empty"""


class EffectDue(BaseDue, frozen=True, tag="effect"):
    """The effect of a condition, owed at the start or the end of a turn."""

    name: str
    """of an `effect`: the name of the condition"""
    damage: str | UnsetType = UNSET
    """of an `effect` that hurts: dice, or a number"""
    type: str | UnsetType = UNSET
    """of an `effect` that hurts: the kind of damage, or empty"""
    heal: str | UnsetType = UNSET
    """of an `effect` that heals: dice, or a number"""


Due = RollDue | PickDue | FormDue | LockDue | ReadDue | EffectDue
"""Something that is owed; a match over it is exhaustive."""


class ActView(Struct, frozen=True, omit_defaults=True):
    """An act that is possible now."""

    kind: str
    """`turn`, `pass`, `side` or `round`"""
    who: str = ""
    """of a `turn`: the entry that takes it"""


class OfferView(Struct, frozen=True):
    """The acts to choose from now; {} if there are none."""

    chooser: str | UnsetType = UNSET
    """the entry, side or creature that chooses; empty if there is no single chooser"""
    acts: tuple[ActView, ...] | UnsetType = UNSET
    """the possible acts"""
    why: str | UnsetType = UNSET
    """the reason, in words"""
    rule: str | UnsetType = UNSET
    """the clause of the reason"""


class TableRow(Struct, frozen=True, omit_defaults=True):
    """A row of the track on a screen: the order with members below their sides, the reserve, who is out.

    Inside the program `entry` is a key and `members` are ids; a page has the names.
    """

    entry: str
    """the creature, group or side"""
    members: tuple[str, ...]
    """the creatures of the row"""
    state: str
    """as in `track`, also `delays`, and `staged` for a creature that waits in reserve"""
    place: int = 0
    """the place, counted from 1; 0 if place and number have no meaning here"""
    owed: bool = False
    """the number of the row is still to be rolled"""
    inner: bool = False
    """a member below the row of its side"""
    outer: bool = False
    """the row of a side, with its members below it"""
    value: int = 0
    """the number of the row"""
    face: str = ""
    """the text shown in place of the number, such as `K♠`"""
    ranked: bool = True
    """the number decides the place, or will when it is rolled"""
    why: str = ""
    """the explanation of number and place"""


class RowView(Struct, frozen=True):
    """A row of the order."""

    entry: str
    """the creature, group or side"""
    members: tuple[str, ...]
    """the creatures of the row"""
    place: int
    """the place, counted from 1; 0 if the house rule `view.order` hides it"""
    value: int
    """the number that the system compares"""
    state: str
    """`now`, `may` (may be chosen), `waits`, `done`, `barred` or `out`"""
    tags: tuple[str, ...]
    """the marks of the members"""
    why: str
    """the explanation of number and place"""
    face: str | UnsetType = UNSET
    """the text shown in place of the number, such as `K♠`"""


class CounterView(Struct, frozen=True):
    """A number that is spent and restored, such as spell slots."""

    name: str
    """the name of the counter"""
    n: int
    """the number that is left"""
    max: int | None
    """the maximum, or null"""
    reset: str
    """the event that restores it: `turn`, `round`, `short`, `long`, `never` or dice"""


class DamageView(Struct, frozen=True):
    """The damage of one kind that an attack deals."""

    dice: str
    """the dice, or a number"""
    type: str = ""
    """the kind of damage, or empty"""

    def words(self) -> str:
        """Return the damage as an entry of `attacks=` writes it: `1d6+4 piercing`."""
        return f"{self.dice} {self.type}".strip()


class AttackView(Struct, frozen=True):
    """An attack or ability of a creature: with a `bonus`, with a save against `dc`, or a `text` alone."""

    name: str
    """the name of the attack"""
    bonus: int | None = None
    """the bonus to hit; null if nothing is rolled to hit"""
    damage: tuple[DamageView, ...] = ()
    """the damage, by kind"""
    dc: int = 0
    """the DC of the save against it, or 0"""
    key: str = ""
    """the ability of that save, or empty"""
    half: bool = False
    """a save that is made halves the damage; else it prevents it"""
    text: str = ""
    """a text that is only read: of an entry that rolls nothing, or a remark on one that does; or empty"""

    @property
    def rolls(self) -> bool:
        """Whether the line `attack` can use this entry; a text can only be read."""
        return self.bonus is not None or self.dc > 0

    @property
    def hurts(self) -> str:
        """The damage as an entry of `attacks=` writes it: `1d6+4 piercing + 2d6 fire`."""
        return " + ".join(x.words() for x in self.damage)

    def words(self) -> str:
        """Return the entry of `attacks=` that is read as this attack."""
        words = [self.name]
        if self.bonus is not None:
            words.append(f"{self.bonus:+}")
        if self.dc:
            words += [f"dc{self.dc}", self.key]
        if self.damage:
            words += [self.hurts, *(["half" if self.half else "none"] if self.dc else [])]
        return " ".join(words) + (f": {self.text}" if self.text else "")


class DeathSavesView(Struct, frozen=True):
    """The death saves of a dying creature; {} for any other."""

    successes: int | UnsetType = UNSET
    """the number of death saves that were made"""
    failures: int | UnsetType = UNSET
    """the number of death saves that failed"""
    stable: bool | UnsetType = UNSET
    """the creature owes no more death saves"""


class ConditionView(Struct, frozen=True):
    """A condition of a creature."""

    name: str
    """the name of the condition"""
    rounds: int
    """the rounds that are left, or 0"""
    until: str
    """the edge of a turn at which it ends: `start` or `end`"""
    of: str
    """the creature that the condition comes from"""
    conc: bool
    """the condition ends with the concentration of `of`"""
    dc: int
    """the DC of the save that ends it, or 0; as `due[].save.dc`"""
    key: str
    """the ability of that save, or empty"""
    at: str
    """the edge of the bearer's turns at which the effect falls due: `start` or `end`"""
    damage: str
    """the dice of damage, or empty"""
    type: str
    """the kind of that damage, or empty"""
    heal: str
    """the dice of healing, or empty"""
    note: str
    """a text to be read in the bearer's turn, for the game master"""
    fresh: bool
    """the condition was given in the turn that still runs, whose end does not count"""
    hidden: bool
    """the condition is hidden from players"""


class Creature(Struct, frozen=True):
    """A creature. Values that the viewer may not read are absent."""

    id: str
    """the id, never used again in this save"""
    name: str
    """the name; for players the alias"""
    alias: str
    """the name that players read in place of the name, or empty"""
    side: str
    """the side of the creature"""
    group: str
    """the group of the creature, or empty"""
    owner: str
    """the player that owns the creature, the first of several, or empty"""
    owners: tuple[str, ...]
    """all players that own the creature"""
    out: bool
    """the creature is out of the fight"""
    hidden: bool
    """the creature is hidden from players"""
    note: str
    """a text for the game master and the owner"""
    card: str
    """the card, several lines of text for the game master"""
    arrives: int
    """the round in which the creature arrives, or 0"""
    dead: bool
    """the creature is dead"""
    conditions: tuple[ConditionView, ...]
    """the conditions, which last for a while"""
    marks: dict[str, bool]
    """the marks that the system gives, by name"""
    hp: int | UnsetType | None = UNSET
    """hit points; for others by the house rule `view.health`"""
    max_hp: int | UnsetType | None = UNSET
    """their maximum; for others by the house rule `view.health`"""
    temp_hp: int | UnsetType = UNSET
    """temporary hit points; for others by the house rule `view.health`"""
    temp_max: int | UnsetType = UNSET
    """the points that are added to the maximum for a while"""
    resist: str | UnsetType = UNSET
    """the kinds of damage that are halved"""
    vulnerable: str | UnsetType = UNSET
    """the kinds of damage that are doubled"""
    immune: str | UnsetType = UNSET
    """the kinds of damage that are ignored"""
    save_bonus: dict[str, int] | UnsetType = UNSET
    """the bonuses to saving throws by ability (`str`, `dex`, `con`, `int`, `wis`, `cha`); `saves=` sets them
    """
    health: str | UnsetType = UNSET
    """the health in place of points: `unhurt`, `hurt`, `bloodied`, `down`, `out` (not hurt) or empty (no hit
    points), by the house rule `view.health`
    """
    counters: tuple[CounterView, ...] = ()
    """the counters, such as spell slots"""
    attacks: tuple[AttackView, ...] | UnsetType = UNSET
    """the attacks and abilities"""
    ac: int | UnsetType | None = UNSET
    """the armour class; for others by the house rule `view.ac`"""
    fields: dict[str, Any] | UnsetType = UNSET
    """the values of the fields that systems declare, by key"""
    saves: DeathSavesView | UnsetType = UNSET
    """the death saves, or {}"""
    unable: str | UnsetType = UNSET
    """the reason why the creature cannot react, or empty; for the owner and the game master"""
    fixed: int | UnsetType | None = UNSET
    """the fixed number on the track, for the game master"""


class OrderView(Struct, frozen=True):
    """An order or a declaration, as far as the viewer may read it."""

    who: str
    """the creature or group that the order is for"""
    state: str
    """`owed`, `written`, `locked`, `now`, `done` or `void`"""
    text: dict[str, str] = {}
    """the written parts by key"""
    default: dict[str, str] = {}
    """the text that the rules use for a part that is not written: in Chaos the opportunity attack as
    `reaction`
    """
    warnings: tuple[str, ...] = ()
    """doubts about the order, a sentence each"""
    instead: dict[str, str] = {}
    """the text that is carried out in place of a part that became impossible"""
    wording: tuple[str, ...] = ()
    """the written parts in words, such as `action strike`"""
    open: bool = False
    """everybody may read the order"""
    sealed: bool = False
    """a player has sent it, and it is not locked yet: the game master's screen shows it after `ctrl+t`;
    without a game master: it is not open yet, and the screen never shows it"""


class InterruptView(Struct, frozen=True):
    """A line that may interrupt the running turn."""

    verb: str
    """the verb of the line"""
    who: str
    """the creature that interrupts"""
    title: str
    """a short form of the line"""
    note: str
    """the effect of the line in a few words"""


class MineLine(Struct, frozen=True, omit_defaults=True):
    """A line of the viewer's own that counts."""

    id: str
    """the id that the viewer's browser gave it"""
    who: str = ""
    """of an order: the row that it is for"""
    text: dict[str, str] = {}
    """of an order: its parts by key"""


class MineView(Struct, frozen=True):
    """The viewer's own lines of this fight that count, the latest last."""

    since: str
    """the id from which on the list is complete; empty if it is complete since `begin`"""
    lines: tuple[MineLine, ...]
    """the lines"""
    fight: int = 0
    """the number of fights that have begun in this save"""


class DifficultyView(Struct, frozen=True):
    """How hard the fight is for its heroes; {} if nothing can be said, and for other viewers."""

    word: str | UnsetType = UNSET
    """`trivial`, or the highest step of `steps` that is reached; empty if no hero has a level"""
    xp: int | UnsetType = UNSET
    """the points of the foes"""
    steps: dict[str, int] | UnsetType = UNSET
    """the points from which each step is reached"""
    heroes: int | UnsetType = UNSET
    """the number of heroes that have a level"""
    foes: int | UnsetType = UNSET
    """the number of foes that have a challenge rating"""
    no_level: tuple[str, ...] | UnsetType = UNSET
    """the heroes without a level, which are not counted"""
    no_rating: tuple[str, ...] | UnsetType = UNSET
    """the foes without a challenge rating, which are not counted"""
    text: str | UnsetType = UNSET
    """all of it in one line"""


class Told(Struct, frozen=True):
    """A message of the latest line."""

    step: int
    """the step of the line"""
    text: str
    """the text of the message"""


class Table(Struct, frozen=True, kw_only=True):
    """The whole state of a fight, for the game master or another viewer. Every key is present."""

    format: Literal[1] = 1
    """1, the version of this object"""
    save: str = ""
    """the name of the save"""
    step: int = 0
    """the number of lines in force; for other viewers than the game master, of moments that were shown"""
    can_undo: bool = False
    """a line can be undone"""
    can_redo: bool = False
    """a line that was undone can be redone"""
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
    """the Now line: what comes next, in words"""
    sides: tuple[SideView, ...]
    """the sides"""
    outcome: OutcomeView
    """the latest contest, or {}"""
    area: AreaView
    """damage to several creatures that waits for their saves, or {}"""
    due: tuple[Due, ...]
    """the answers that are owed, in order"""
    offer: OfferView
    """the acts to choose from, or {}"""
    track: tuple[RowView, ...]
    """the rows of the order"""
    combatants: tuple[Creature, ...]
    """the creatures"""
    orders: tuple[OrderView, ...]
    """orders and declarations"""
    interrupts: tuple[InterruptView, ...]
    """the lines that may interrupt the running turn, for the game master"""
    difficulty: DifficultyView = DifficultyView()
    """how hard the fight is, for the game master; {} in systems of other games"""
    last: tuple[Told, ...] = ()
    """the messages of the latest line"""
    mine: MineView | UnsetType = UNSET
    """the viewer's own lines that count; absent for the game master"""

    @property
    def running(self) -> bool:
        """Whether a fight has begun."""
        return self.phase != "setup"
