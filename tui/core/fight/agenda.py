"""Define what the screens know of an initiative system: questions, offers, rows, marks, phases and words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from tui.core.base.text import SUITS
from tui.core.fight.combatant import Plain


class Sentence(Struct, frozen=True):
    """A line in our own words; `{0}`, `{1}` … stand for the keys in `about`, `{{` for a brace.

    Who may not see one of `about` may not read the sentence; a key made by `spoken` is someone's own words.
    `own`: only the GM and the owner of the first of them may read it; the log puts it behind the line before
    it. `head` is what of the text can stand without its `reason`, where a list of names goes between them.
    `many` is what the log puts before the names where this happens to several at once: "25 damage each".
    `whole` is what stands in place of the text for the GM, and for who owns everybody in `about`.
    """

    text: str
    about: tuple[str, ...] = ()
    rule: str = ""
    own: bool = False
    head: str = ""
    reason: str = ""
    many: str = ""
    whole: str = ""

    @property
    def brief(self) -> Sentence:
        """The sentence without its reason."""
        return Sentence(self.head, self.about, self.rule) if self.head else self

    @property
    def because(self) -> Sentence:
        """The reason alone; without words where there is none."""
        return Sentence(self.reason, self.about, self.rule) if self.reason else Sentence("")


def say(text: str, *about: str, rule: str = "", many: str = "") -> Sentence:
    """Return a sentence about these keys, with the clause that says so."""
    return Sentence(text, about, rule, many=many)


def reasoned(head: str, reason: str, *about: str, rule: str = "", joint: str = ": ") -> Sentence:
    """Return a sentence and its reason, which the `joint` connects where nothing comes between."""
    return Sentence(f"{head}{joint}{reason}", about, rule, head=head, reason=reason)


def own(text: str, who: str) -> Sentence:
    """Return a sentence for the GM and the owner alone."""
    return Sentence(text, (who,), own=True)


def literal(text: str) -> str:
    """Return people's own text, safe inside a sentence."""
    # Names come from people: `{0}` in one would else be filled with someone else's name.
    return text.replace("{", "{{")


WORDS = '"'
"""How a key in `about` begins that stands for people's own words: what follows it is read as it stands."""


def spoken(words: str) -> str:
    """Return a key for words that the creature of `{0}` wrote.

    They may name anybody: a player's words are the player's.
    """
    return WORDS + words


FieldKind = Literal[
    "int", "bool", "text", "page", "choice", "dice", "ints", "bonuses", "attacks", "name", "creature", "side",
    "list",
]  # fmt: skip
"""What answers a field; `Field` says what each is."""


class Field(Struct, frozen=True):
    """A question with a typed answer: a field of a creature, a house rule, a line of a form.

    `kind`: int, bool, text, page (a text of several lines), choice (one of `choices`), dice, ints (whole
    numbers with commas), bonuses (a number by key: `dex+5 wis+2`), attacks (entries of `attacks=`), name (of
    something that need not be there), creature (the name of one that is, which follows when it is renamed),
    side, list (any number of `choices`, with commas; in a form, where the choices are keys). A field with a
    `row` stands in every row of the list of that key: a choice takes one of the rows, an int under the key of
    a row is its number.
    `stock`: what a stat block of the library calls it, where that is not its key.
    """

    key: str
    title: str
    kind: FieldKind = "int"
    choices: tuple[str, ...] = ()
    default: Plain = ""
    help: str = ""
    rule: str = ""
    least: int = -999
    most: int = 999
    row: str = ""
    stock: str = ""


Sender = Literal["", "owner", "resolver"]
"""Who may send a verb from a seat: no one, the owner of the first creature in it, or the turn's resolver."""

Takes = Literal["who", "several", "side", "amount", "text"]
"""What a word of a line means: one creature or row, several of them, a side, an amount, any text."""


class Verb(Struct, frozen=True):
    """A word of the system's own: how it is written (`usage`, for people to read) and what it does.

    `key` is the key that the screen binds to it by default; "" for none. `takes` are its words in order and
    `keys` its `key=value`; without both the verb alone is a whole line. A verb that `damages` may take an
    amount as its last word, which the core rolls and takes off the hit points of the first. One that
    `interrupts` may be used in another's turn: a screen lists its choices beside the running order.
    `sender`: who may send it from a player's terminal. `idle`: what a screen says where the system lists no
    choices for it; "" lets the line be typed. `instead`: the line of every system that does most of it.
    `also`: other words by which people look for it.
    """

    name: str
    usage: str
    help: str
    key: str = ""
    rule: str = ""
    damages: bool = False
    interrupts: bool = False
    takes: tuple[Takes, ...] = ()
    keys: tuple[Field, ...] = ()
    sender: Sender = ""
    idle: str = ""
    instead: str = ""
    also: str = ""

    @property
    def whole(self) -> bool:
        """Return whether the verb alone is a whole line."""
        return not self.takes and not self.keys


class Saving(Struct, frozen=True):
    """A saving throw in an ask: `cause`, `name` (what it is against), `dc`, and the `bonus` for `key`."""

    cause: str
    name: str
    dc: int
    key: str
    bonus: int


class FaceNames(Struct, frozen=True):
    """What the faces of a die are called that shows no numbers: a deck of cards is such a die.

    `one` is what it shows ("card"). `names` stand in the order of the faces; several may have one name.
    `rule`: the clause on what may be typed.
    """

    one: str
    names: tuple[str, ...]
    rule: str = ""

    @property
    def any(self) -> str:
        """What it shows, with an article: `a card`."""
        return f"a {self.one}"

    @property
    def such(self) -> str:
        """The first and the last name, as they are typed: `2C or joker`."""
        return f"{self.names[0].translate(SUITS)} or {self.names[-1].translate(SUITS)}"

    def name(self, face: int) -> str:
        """Return what a face is called; one that is on no such die is its number."""
        return self.names[face - 1] if 1 <= face <= len(self.names) else str(face)

    def worded(self, face: int) -> str:
        """Return what a face is called, in a sentence: `K♠`, `a joker`."""
        name = self.name(face)
        return f"a {name}" if name.isalpha() and name.islower() else name

    def meant(self, word: str) -> tuple[int, ...]:
        """Return the faces that a word names, letter case ignored, a suit by its sign or its letter."""
        typed = word.translate(SUITS).lower()
        return tuple(n for n, name in enumerate(self.names, 1) if name.translate(SUITS).lower() == typed)

    def begins(self, text: str) -> bool:
        """Return whether a name begins like this."""
        typed = text.translate(SUITS).lower()
        return any(name.translate(SUITS).lower().startswith(typed) for name in self.names)


class RollAsk(Struct, frozen=True):
    """Dice are owed: `who` (key) rolls `dice` (sides, in rolling order; twice for a die rolled twice).

    `key` names the purpose and stays the same until the roll is answered. `among`: of a roll-off, all who are
    tied. `save`: it is a saving throw. `ticks`: it may be answered without a number, as made or failed.
    `needed`: the total from which a roll that is no save is made, and the bonus in it. A `secret` one is
    the game master's to see and to answer. Of a `plain` one the reason says only who rolls which dice.
    `names`: its dice show no numbers, and who types a face types its name (of a system that is a `Deck`).
    """

    key: str
    who: str
    dice: tuple[int, ...]
    why: Sentence
    among: tuple[str, ...] = ()
    save: Saving | None = None
    ticks: bool = False
    secret: bool = False
    needed: tuple[int, int] | None = None
    plain: bool = False
    names: FaceNames | None = None
    kind: Literal["roll"] = "roll"

    @property
    def least(self) -> tuple[int, int] | None:
        """The total that makes it, and the bonus in that; None where a roll is neither made nor failed."""
        return (self.save.dc, self.save.bonus) if self.save else self.needed


class PickAsk(Struct, frozen=True):
    """A choice is owed: between `least` and `most` of `names` (keys), in order where order matters."""

    key: str
    who: str
    names: tuple[str, ...]
    why: Sentence
    least: int = 1
    most: int = 1
    kind: Literal["pick"] = "pick"

    @property
    def bounds(self) -> str:
        """How many are chosen: `2`, `1 to 3`."""
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class FormAsk(Struct, frozen=True):
    """An order or a declaration is owed by an entry (key): `fields` with defaults and choices."""

    key: str
    who: str
    fields: tuple[Field, ...]
    why: Sentence
    kind: Literal["form"] = "form"


class LockAsk(Struct, frozen=True):
    """Writing can be closed."""

    key: str
    who: str
    why: Sentence
    kind: Literal["lock"] = "lock"


class AcknowledgeAsk(Struct, frozen=True):
    """Something must be read before play goes on: `board` says what, line by line."""

    key: str
    who: str
    why: Sentence
    board: tuple[Sentence, ...] = ()
    kind: Literal["acknowledge"] = "acknowledge"


class EffectAsk(Struct, frozen=True):
    """Damage (dice, of a `type`) or healing of a condition is owed; a `secret` one the GM alone knows of."""

    key: str
    who: str
    name: str
    damage: str
    heal: str
    type: str
    why: Sentence
    secret: bool = False
    kind: str = "effect"


Ask = RollAsk | PickAsk | FormAsk | LockAsk | AcknowledgeAsk | EffectAsk


ActKind = Literal["turn", "pass", "side", "round"]
RowState = Literal["now", "may", "waits", "done", "barred", "out", "staged"]
"""`out` and `staged` (in reserve, or to come) are those of rows that a screen adds for who has none."""
OrderState = Literal["owed", "written", "locked", "now", "done", "void"]


class Act(Struct, frozen=True):
    """One thing that may be done now.

    `kind`: turn (of `who`, a key), pass, side (the next side's turn opens), round (the next round begins).
    After an act that `pauses`, `next` stops although nothing is owed.
    """

    kind: ActKind
    who: str = ""
    pauses: bool = False


class Offer(Struct, frozen=True):
    """Who may act now: exactly one act is forced, with more of them `chooser` (key) chooses.

    A player may choose for an own `chooser`, and without one each for the own creatures.
    `rule`: the clause by which others cannot act, if it is not that of `why`.
    """

    acts: tuple[Act, ...] = ()
    why: Sentence = Sentence("")
    chooser: str = ""
    rule: str = ""

    @property
    def turns(self) -> tuple[str, ...]:
        """The keys of those whose turn may begin."""
        return tuple(act.who for act in self.acts if act.kind == "turn")


NOTHING = Offer()


def places(count: int, first: int = 0, joint: str = ", ") -> str:
    """Return the places of names in a sentence, one after the other: `{0}, {1}`."""
    return joint.join(f"{{{i}}}" for i in range(first, first + count))


class Lazy(Struct, frozen=True):
    """Lazy: `how(*about)` is called when the answer is read, and not before."""

    how: Callable[..., tuple[Sentence, ...]]
    about: tuple[object, ...]


class TrackRow(Struct, frozen=True):
    """A line of the track; `ranked`: it stands where its number puts it.

    `face` is written in place of the number, where the face of a die has a name.
    """

    entry: str
    members: tuple[str, ...]
    value: int
    state: RowState
    reasons: Lazy
    ranked: bool = True
    face: str = ""

    @property
    def why(self) -> tuple[Sentence, ...]:
        """What explains place and value, worded only for rows that are read."""
        return self.reasons.how(*self.reasons.about)


class OrderRow(Struct, frozen=True):
    """An order's line; `open`: everybody may read it.

    Everybody may read the `public` components of a row that is not open. `default`: what the rules put where
    a component of the order is not written. `instead`: what is done in place of a component that could not
    be. The `flags` are components that merely stand there or do not.
    """

    who: str
    state: OrderState
    text: dict[str, str] = {}
    warnings: tuple[str, ...] = ()
    open: bool = False
    public: tuple[str, ...] = ()
    default: dict[str, str] = {}
    instead: dict[str, str] = {}
    flags: tuple[str, ...] = ()

    def wording(self, part: str) -> str:
        """Return a component that is written, with its name: `action strike`, `move`."""
        text = f"instead: {self.instead[part]}" if part in self.instead else self.text[part]
        return part if part in self.flags else f"{part} {text}"


class Choice(Struct, frozen=True):
    """A whole `line` that would be accepted now, its short `title`, and what it would mean (`note`).

    `meaning` is that in a sentence, and `left` how it stands without the line: both for those who
    hesitate. Choices of one `kin` differ in a number, and `instead` is what is given up for one: a screen has
    a row for each kin, and shows those for one thing given up at a time, the first at first.
    """

    line: str
    title: str
    note: str = ""
    meaning: str = ""
    left: str = ""
    kin: str = ""
    instead: str = ""


class Preview(Struct, frozen=True):
    """What a half-filled form would mean: refusals, warnings, a price, the resulting place, in words.

    `hint` is what would work in place of the first refusal.
    """

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    hint: str = ""

    @property
    def refusals(self) -> tuple[str, ...]:
        """The refusals, the first with what would work."""
        first = [f"{error}; {self.hint}" if self.hint else error for error in self.errors[:1]]
        return (*first, *self.errors[1:])


Edge = Literal["turn", "round", "fight"]


class Mark(Struct, frozen=True):
    """A creature's state for a while, as `name` in the journal.

    `word` is a predicate that stands behind the creature's name: "holds a readied action"; a mark without one
    is the system's own bookkeeping, shown to no one. `tag` is the mark's word in the JSON of a row ("" for
    one that a row does not carry), `short` its word on rows of the screen ("" for none). A mark that is
    `logged` goes into the log when it is given; an `alarming` one is drawn to be seen. Of a `sealed` one only
    the game master and the creature's owner know. A creature with one that `delays` has put off its turn. It
    ends with the creature's own `turn`, with the `round` or with the `fight`, unless its giver says
    otherwise.
    """

    name: str
    word: str = ""
    tag: str = ""
    short: str = ""
    logged: bool = False
    alarming: bool = False
    sealed: bool = False
    delays: bool = False
    until: Edge = "round"

    @property
    def key(self) -> str:
        """The mark's name in JSON."""
        return self.tag or self.name


class Phase(Struct, frozen=True):
    """A part of the fight: its `name`, and the `sentence` that the log says when it begins ("" for none).

    While it is `closed` no one is grouped or ungrouped.
    """

    name: str
    sentence: str = ""
    closed: bool = False


ACTED = Mark("acted", "has acted")
REACTION = Mark("reaction", "has reacted", tag="reaction", short="reacted")
COMMON_MARKS = (ACTED, REACTION)
"""The marks that the core itself gives, in every system."""

SETUP = Phase("setup")
ROLLS = Phase("rolls")
TURNS = Phase("turns")
COMMON_PHASES = (SETUP, ROLLS, TURNS)
"""The phases that every system may enter without a word: before the fight, dice for the order, turns."""
