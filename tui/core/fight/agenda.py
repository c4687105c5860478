"""Define what the screens know of an initiative system: questions, offers, rows, marks, phases and words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from tui.core.base.text import SUITS
from tui.core.fight.combatant import Plain

WITHHELD = "may not pass"
"""The beginning of an offer's reason, before a colon, if it has no pass."""


class Sentence(Struct, frozen=True):
    """A sentence in our own words; `{0}`, `{1}` … stand for the keys in `about`, `{{` for a brace.

    A viewer who may not see one of `about` may not read the sentence.
    """

    text: str
    """The words, with a slot for each key."""
    about: tuple[str, ...] = ()
    """Keys of creatures, groups and sides; a key made by `own_words` is a creature's own text."""
    rule: str = ""
    """The clause that says so, such as `TRK-9`; "" for none."""
    own: bool = False
    """Only the GM and the owner of the first of `about` may read it; the log appends it to the line
    before."""
    head: str = ""
    """The part of the text that makes sense without its `reason`."""
    reason: str = ""
    """Why, where a list of names may come between `head` and it."""
    many: str = ""
    """What the log writes before the names if it happens to several creatures: "25 damage each"."""
    whole: str = ""
    """The text for the GM and for a player who owns everybody in `about`; "" if it is `text`."""

    @property
    def brief(self) -> Sentence:
        """The sentence without its reason."""
        return Sentence(self.head, self.about, self.rule) if self.head else self

    @property
    def because(self) -> Sentence:
        """The reason as a sentence; without text if there is none."""
        return Sentence(self.reason, self.about, self.rule) if self.reason else Sentence("")


def say(text: str, *about: str, rule: str = "", many: str = "") -> Sentence:
    """Return a sentence about these keys, with the clause that says so."""
    return Sentence(text, about, rule, many=many)


def say_because(head: str, reason: str, *about: str, rule: str = "", joint: str = ": ") -> Sentence:
    """Return a sentence with its reason; `joint` connects both in the whole text."""
    return Sentence(f"{head}{joint}{reason}", about, rule, head=head, reason=reason)


def say_privately(text: str, who: str) -> Sentence:
    """Return a sentence that only the GM and the creature's owner may read."""
    return Sentence(text, (who,), own=True)


def literal(text: str) -> str:
    """Return a text that people wrote, with its braces escaped for a sentence."""
    # Names come from people: `{0}` in one would else be filled with someone else's name.
    return text.replace("{", "{{")


WORDS = '"'
"""Marks a key in `about` that holds a text: what follows is shown unchanged."""


def own_words(words: str) -> str:
    """Return a key for `about` that stands for this text, which the creature of `{0}` wrote.

    The text may name anybody, because a player's words are the player's own.
    """
    return WORDS + words


FieldKind = Literal[
    "int", "bool", "text", "page", "choice", "dice", "ints", "bonuses", "attacks", "name", "creature", "side",
    "list",
]  # fmt: skip
"""What answers a field; `Field` says what each is."""


class Field(Struct, frozen=True):
    """A question with a typed answer: a field of a creature, a house rule, or a line of a form."""

    key: str
    """Its name in a line and in JSON."""
    title: str
    """Its name on the screen."""
    kind: FieldKind = "int"
    """int, bool, text, page (text of several lines), choice (one of `choices`), dice, ints (whole numbers
    with commas), bonuses (`dex+5 wis+2`), attacks (entries of `attacks=`), name (of something that need not
    exist), creature (the name of one that does, and follows its renaming), side, or list (any of `choices`,
    with commas)."""
    choices: tuple[str, ...] = ()
    """What a choice or a list may be; keys of creatures in a form."""
    default: Plain = ""
    """The value if none is given."""
    help: str = ""
    """A few words for the user."""
    rule: str = ""
    """The clause that it belongs to; "" for none."""
    least: int = -999
    """The smallest number that an int takes."""
    most: int = 999
    """The largest number that an int takes."""
    row: str = ""
    """The key of a list field in the same form: this field is then shown in each of its rows."""
    stock: str = ""
    """The name of this value in a stat block of the library, if it is not `key`."""


Sender = Literal["", "owner", "resolver"]
"""Who may send a verb from a seat: no player, the owner of its first creature, or the player who resolves the
turn."""

Takes = Literal["who", "several", "side", "amount", "text"]
"""What a word of a line means: one creature or row, several of them, a side, an amount, any text."""


class Verb(Struct, frozen=True):
    """One of the system's own verbs."""

    name: str
    """The word that begins the line."""
    usage: str
    """How the line is written, for people."""
    help: str
    """What it does, in the third person."""
    key: str = ""
    """The key that the screen binds to it by default; "" for none."""
    rule: str = ""
    """The clause that it belongs to; "" for none."""
    damages: bool = False
    """Whether its last word may be an amount, which the core rolls and deals to the first word's
    creatures."""
    interrupts: bool = False
    """Whether it may be used in another's turn: a screen lists its choices beside the running order."""
    takes: tuple[Takes, ...] = ()
    """What its words mean, in order."""
    keys: tuple[Field, ...] = ()
    """Its `key=value` parts."""
    sender: Sender = ""
    """Who may send it from a player's terminal."""
    idle: str = ""
    """What a screen says if the system lists no choices for it; "" lets the user type the line."""
    instead: str = ""
    """A line that does most of it in every system; "" for none."""
    also: str = ""
    """Other words by which people search for it, separated by spaces."""

    @property
    def whole(self) -> bool:
        """Return whether the verb alone is a whole line."""
        return not self.takes and not self.keys


class Saving(Struct, frozen=True):
    """A saving throw as an ask names it."""

    cause: str
    """Why it is owed: dying, concentration, area, condition, or a cause of the system."""
    name: str
    """What it is against, such as the condition; "" for nothing named."""
    dc: int
    """The total that makes it."""
    key: str
    """The ability that is added, such as `dex`."""
    bonus: int
    """The number that is added to the die."""


class FaceNames(Struct, frozen=True):
    """The names of the faces of a die that shows no numbers, such as a deck of cards."""

    one: str
    """What a face is: "card"."""
    names: tuple[str, ...]
    """The names in the order of the faces, from face 1; several faces may share a name."""
    rule: str = ""
    """The clause about what may be typed."""

    @property
    def any(self) -> str:
        """The kind of face with an article: `a card`."""
        return f"a {self.one}"

    @property
    def such(self) -> str:
        """The first and the last name as they are typed: `2C or joker`."""
        return f"{self.names[0].translate(SUITS)} or {self.names[-1].translate(SUITS)}"

    def name(self, face: int) -> str:
        """Return the name of a face; its number if the die has no such face."""
        return self.names[face - 1] if 1 <= face <= len(self.names) else str(face)

    def write_name(self, face: int) -> str:
        """Return the name of a face as a sentence writes it: `K♠`, `a joker`."""
        name = self.name(face)
        return f"a {name}" if name.isalpha() and name.islower() else name

    def meant(self, word: str) -> tuple[int, ...]:
        """Return the faces with this name, ignoring letter case; a suit is its sign or its letter."""
        typed = word.translate(SUITS).lower()
        return tuple(n for n, name in enumerate(self.names, 1) if name.translate(SUITS).lower() == typed)

    def begins(self, text: str) -> bool:
        """Return whether some name begins with this text."""
        typed = text.translate(SUITS).lower()
        return any(name.translate(SUITS).lower().startswith(typed) for name in self.names)


class RollAsk(Struct, frozen=True):
    """Dice are owed."""

    key: str
    """The purpose, the same until the roll is answered: `init c3`, `tie1 c3`."""
    who: str
    """The key of the creature, group or side that rolls."""
    dice: tuple[int, ...]
    """The sides of the dice in rolling order; a die that is rolled twice is there twice."""
    why: Sentence
    """The sentence that asks for it."""
    among: tuple[str, ...] = ()
    """In a roll-off, the keys of all that are tied."""
    save: Saving | None = None
    """The saving throw, if it is one."""
    ticks: bool = False
    """Whether `made` or `failed` may answer it without a number."""
    secret: bool = False
    """Whether only the GM may see and answer it."""
    needed: tuple[int, int] | None = None
    """For a roll that is made or failed and is no save: the total that makes it, and the bonus in it."""
    plain: bool = False
    """Whether `why` says only who rolls which dice."""
    names: FaceNames | None = None
    """The names of the faces, in a system that is a `Deck`."""
    kind: Literal["roll"] = "roll"

    @property
    def least(self) -> tuple[int, int] | None:
        """The total that makes it, and the bonus in it; None if it is neither made nor failed."""
        return (self.save.dc, self.save.bonus) if self.save else self.needed


class PickAsk(Struct, frozen=True):
    """A choice is owed: between `least` and `most` of `names`, in order if order matters."""

    key: str
    who: str
    names: tuple[str, ...]
    """The keys to choose from."""
    why: Sentence
    least: int = 1
    most: int = 1
    kind: Literal["pick"] = "pick"

    @property
    def bounds(self) -> str:
        """How many are chosen: `2`, `1 to 3`."""
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class FormAsk(Struct, frozen=True):
    """An order or a declaration is owed by an entry."""

    key: str
    who: str
    fields: tuple[Field, ...]
    """The parts of the form, with defaults and choices."""
    why: Sentence
    kind: Literal["form"] = "form"


class LockAsk(Struct, frozen=True):
    """The writing of orders can be closed."""

    key: str
    who: str
    why: Sentence
    kind: Literal["lock"] = "lock"


class AcknowledgeAsk(Struct, frozen=True):
    """Something must be read before play goes on."""

    key: str
    who: str
    why: Sentence
    board: tuple[Sentence, ...] = ()
    """What must be read, a sentence a line."""
    kind: Literal["acknowledge"] = "acknowledge"


class EffectAsk(Struct, frozen=True):
    """Damage or healing by a condition is owed."""

    key: str
    who: str
    name: str
    damage: str
    """The dice of the damage; "" for healing."""
    heal: str
    """The dice of the healing; "" for damage."""
    type: str
    """The kind of damage; "" for none."""
    why: Sentence
    secret: bool = False
    """Whether only the GM knows of it."""
    kind: str = "effect"


Ask = RollAsk | PickAsk | FormAsk | LockAsk | AcknowledgeAsk | EffectAsk


ActKind = Literal["turn", "pass", "side", "round"]
RowState = Literal["now", "may", "waits", "done", "barred", "out", "staged"]
"""The state of a row; `out` and `staged` (in reserve, or to arrive) are given only by screens."""
OrderState = Literal["owed", "written", "locked", "now", "done", "void"]


class Act(Struct, frozen=True):
    """One thing that may be done now."""

    kind: ActKind
    """turn (of `who`), pass, side (the next side's turn begins) or round (the next round begins)."""
    who: str = ""
    """The key whose turn it is, or that passes."""
    pauses: bool = False
    """Whether `next` stops after it although nothing is owed."""


class Offer(Struct, frozen=True):
    """Who may act now: a single act is forced, among several the `chooser` chooses."""

    acts: tuple[Act, ...] = ()
    """The possible acts, in order."""
    why: Sentence = Sentence("")
    """Why it is theirs to act."""
    chooser: str = ""
    """The key whose owner may choose; "" lets each player choose for own creatures."""
    rule: str = ""
    """The clause by which others cannot act, if it is not the rule of `why`."""

    @property
    def turns(self) -> tuple[str, ...]:
        """The keys of the acts of kind `turn`."""
        return tuple(act.who for act in self.acts if act.kind == "turn")


NOTHING = Offer()


def name_slots(count: int, first: int = 0, joint: str = ", ") -> str:
    """Return `count` slots for names in a sentence, from number `first` on: `{0}, {1}`."""
    return joint.join(f"{{{i}}}" for i in range(first, first + count))


class Lazy(Struct, frozen=True):
    """Sentences that are made when they are read: `how(*about)`."""

    how: Callable[..., tuple[Sentence, ...]]
    about: tuple[object, ...]


class TrackRow(Struct, frozen=True):
    """One row of the track, for an entry."""

    entry: str
    """The key of the entry."""
    members: tuple[str, ...]
    """The ids of its creatures."""
    value: int
    """Its number on the track."""
    state: RowState
    """Whether it acts, may act, waits or has acted."""
    reasons: Lazy
    """What explains its place and value."""
    ranked: bool = True
    """Whether its number decides its place; also while that number is owed."""
    face: str = ""
    """The name of a face, shown in place of the number; "" for none."""

    @property
    def why(self) -> tuple[Sentence, ...]:
        """The sentences that explain place and value."""
        return self.reasons.how(*self.reasons.about)


class OrderRow(Struct, frozen=True):
    """One entry's order as the screens show it."""

    who: str
    """The key of the entry."""
    state: OrderState
    """How far the writing or the resolving has come."""
    text: dict[str, str] = {}
    """The text of each component that was written."""
    warnings: tuple[str, ...] = ()
    """What the GM should look at."""
    open: bool = False
    """Whether everybody may read all of it."""
    public: tuple[str, ...] = ()
    """The components that everybody may read although the row is not open."""
    default: dict[str, str] = {}
    """What the rules do for a component that was not written."""
    instead: dict[str, str] = {}
    """What is done instead of a component that became impossible."""
    flags: tuple[str, ...] = ()
    """The components without a text, which are there or not."""

    def wording(self, part: str) -> str:
        """Return a written component with its name: `action strike`, `move`."""
        text = f"instead: {self.instead[part]}" if part in self.instead else self.text[part]
        return part if part in self.flags else f"{part} {text}"


class Choice(Struct, frozen=True):
    """A whole line that would be accepted now."""

    line: str
    """The line."""
    title: str
    """A short name for it."""
    note: str = ""
    """What it would mean, in brief."""
    meaning: str = ""
    """What it would mean, as a sentence."""
    left: str = ""
    """What stays so without the line, as a sentence."""
    kin: str = ""
    """Choices of one kin differ only in a number; a screen has a row for each kin."""
    instead: str = ""
    """What is given up for it; a screen shows one group of these at a time."""


class Preview(Struct, frozen=True):
    """What a half-filled form would mean."""

    errors: tuple[str, ...] = ()
    """Why it would be refused."""
    warnings: tuple[str, ...] = ()
    """What the GM should look at."""
    notes: tuple[str, ...] = ()
    """A price, a resulting place and the like, in words."""
    hint: str = ""
    """What would work instead of the first error, without errors of the first warning."""

    @property
    def refusals(self) -> tuple[str, ...]:
        """The errors; the first is followed by the hint."""
        return self._with_hint(self.errors)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The warnings; without errors the first is followed by the hint."""
        return self.warnings if self.errors else self._with_hint(self.warnings)

    def _with_hint(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        first = [f"{text}; {self.hint}" if self.hint else text for text in texts[:1]]
        return (*first, *texts[1:])


Edge = Literal["turn", "round", "fight"]


class Mark(Struct, frozen=True):
    """A creature's state for a while."""

    name: str
    """Its name in the journal."""
    word: str = ""
    """A predicate for sentences, such as "holds a readied action"; "" for bookkeeping that is never shown."""
    tag: str = ""
    """Its word in the JSON of a row; "" for none."""
    short: str = ""
    """Its word on rows of the screen; "" for none."""
    logged: bool = False
    """Whether the log says so when it is given."""
    alarming: bool = False
    """Whether the screen draws it in a warning colour."""
    sealed: bool = False
    """Whether only the GM and the creature's owner know of it."""
    delays: bool = False
    """Whether the creature has postponed its turn."""
    until: Edge = "round"
    """Whether it ends with the creature's turn, the round or the fight, unless `Draft.mark` says
    otherwise."""

    @property
    def key(self) -> str:
        """The mark's name in JSON."""
        return self.tag or self.name


class Phase(Struct, frozen=True):
    """A part of the fight."""

    name: str
    """Its name in the journal."""
    sentence: str = ""
    """What the log says when it begins; "" for nothing."""
    closed: bool = False
    """Whether grouping and ungrouping are refused in it."""


ACTED = Mark("acted", "has acted")
REACTION = Mark("reaction", "has reacted", tag="reaction", short="reacted")
COMMON_MARKS = (ACTED, REACTION)
"""The marks that the core itself gives, in every system."""

SETUP = Phase("setup")
ROLLS = Phase("rolls")
TURNS = Phase("turns")
COMMON_PHASES = (SETUP, ROLLS, TURNS)
"""The phases that every system may enter without a word: before the fight, dice for the order, turns."""
