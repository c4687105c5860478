"""Define the values with which a system speaks to screens: asks, offers, rows, marks, phases, sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from tui.core.base.text import SUITS
from tui.core.fight.combatant import Plain

WITHHELD = "may not pass"
"""The beginning of an offer's reason, before a colon, if it has no pass."""


class Sentence(Struct, frozen=True):
    """A sentence that the program writes; `{0}`, `{1}` … stand for the keys in `about`, `{{` for a brace.

    A viewer who may not see one of `about` may not read the sentence.
    """

    text: str
    """The text, with the slots `{0}`, `{1}` … for the names of `about`."""
    about: tuple[str, ...] = ()
    """Keys of creatures, groups and sides; a key made by `own_words` is a creature's own text."""
    rule: str = ""
    """The clause on which the sentence rests, such as `TRK-9`; "" for none."""
    own: bool = False
    """Whether only the GM and the owner of the first of `about` may read the sentence; the log appends it to
    the line before.
    """
    head: str = ""
    """The beginning of `text`, which makes sense without `reason`; "" if the text is not divided."""
    reason: str = ""
    """The part of `text` that says why; the log may write a list of names between `head` and `reason`."""
    many: str = ""
    """The words after several names if the same happened to all of them, such as "25 damage each"; "" if the
    log does not join such sentences.
    """
    whole: str = ""
    """The text that the GM and a player who owns everybody in `about` read in place of `text`; "" if they
    read `text`.
    """

    @property
    def brief(self) -> Sentence:
        """The sentence without its reason."""
        return Sentence(self.head, self.about, self.rule) if self.head else self

    @property
    def because(self) -> Sentence:
        """The reason as a sentence; without text if there is none."""
        return Sentence(self.reason, self.about, self.rule) if self.reason else Sentence("")


def say(text: str, *about: str, rule: str = "", many: str = "") -> Sentence:
    """Return a sentence about these keys; `rule` is the clause on which it rests, `many` as in `Sentence`."""
    return Sentence(text, about, rule, many=many)


def say_because(head: str, reason: str, *about: str, rule: str = "", joint: str = ": ") -> Sentence:
    """Return a sentence with its reason; `joint` connects both in the whole text."""
    return Sentence(f"{head}{joint}{reason}", about, rule, head=head, reason=reason)


def say_privately(text: str, who: str) -> Sentence:
    """Return a sentence that only the GM and the creature's owner may read."""
    return Sentence(text, (who,), own=True)


def literal(text: str) -> str:
    """Return a text that people wrote, with its braces escaped for a sentence."""
    # Names come from people: without this, `{0}` in a name would be replaced with another creature's name.
    return text.replace("{", "{{")


WORDS = '"'
"""The first character of a key in `about` that carries a text itself: the rest of the key is shown unchanged.
"""


def own_words(words: str) -> str:
    """Return a key for `about` that carries a text written by the player of `{0}`.

    Names in this text are not withheld from any viewer, because the words are the player's own.
    """
    return WORDS + words


FieldKind = Literal[
    "int", "bool", "text", "page", "choice", "dice", "ints", "bonuses", "attacks", "rating", "name",
    "creature", "side", "list",
]  # fmt: skip
"""The type of the answer to a field; `Field.kind` explains each."""


class Field(Struct, frozen=True):
    """A question with a typed answer: a field of a creature, a house rule, or a line of a form."""

    key: str
    """The name of the field in a line and in JSON."""
    title: str
    """The name of the field on the screen."""
    kind: FieldKind = "int"
    """int, bool, text, page (text of several lines), choice (one of `choices`), dice, ints (whole numbers
    with commas), bonuses (`dex+5 wis+2`), attacks (entries of `attacks=`), rating (a challenge rating: `1/4`,
    `2`), name (of something that need not exist), creature (the name of one that does, and follows its
    renaming), side, or list (any of `choices`, with commas)."""
    choices: tuple[str, ...] = ()
    """The values that a choice or a list accepts; in a form, keys of creatures."""
    default: Plain = ""
    """The value if none is given."""
    help: str = ""
    """A few words that explain the field to the user."""
    rule: str = ""
    """The clause that the field comes from; "" for none."""
    least: int = -999
    """The smallest number that an int takes."""
    most: int = 999
    """The largest number that an int takes."""
    row: str = ""
    """The key of a list field in the same form: this field is then shown in each of its rows."""
    stock: str = ""
    """The name of this value in a stat block of the library, if it is not `key`."""
    dice: str = ""
    """The key of the field that keeps dice behind the number, `3+1d8`; "" if such dice are rolled once."""


Sender = Literal["", "owner", "resolver"]
"""The sender of a verb from a seat: no player, the owner of its first creature, or the turn's resolver."""

Takes = Literal["who", "several", "side", "amount", "text"]
"""The meaning of a word of a line: one creature or row, several of them, a side, an amount, any text."""


class Verb(Struct, frozen=True):
    """One of the system's own verbs."""

    name: str
    """The word that begins the line."""
    usage: str
    """The whole line as people write it, such as `meet WHO`."""
    help: str
    """A few words that say what the verb does, in the third person."""
    key: str = ""
    """The key that the screen binds to the verb by default; "" for none."""
    rule: str = ""
    """The clause that the verb comes from; "" for none."""
    damages: bool = False
    """Whether the last word may be an amount of damage, which the core rolls and deals to the creatures of
    the first word.
    """
    interrupts: bool = False
    """Whether the verb may be used in another creature's turn; a screen then lists its choices beside the
    running order.
    """
    takes: tuple[Takes, ...] = ()
    """The meanings of the words after the verb, in order."""
    keys: tuple[Field, ...] = ()
    """The `key=value` parts of the line."""
    sender: Sender = ""
    """The players that may send the verb from their terminals."""
    idle: str = ""
    """The text that a screen shows if the system lists no choices for the verb; with "" the user types the
    line.
    """
    instead: str = ""
    """A line that does most of the same in every system; "" for none."""
    also: str = ""
    """Further words by which people search for the verb, separated by spaces; "" for none."""
    brings: bool = False
    """Whether the verb brings creatures into play: its sides and patterns then mean the reserve too."""

    @property
    def whole(self) -> bool:
        """Return whether the verb alone is a whole line."""
        return not self.takes and not self.keys


class Saving(Struct, frozen=True):
    """The saving throw that a roll decides."""

    cause: str
    """The reason for the save: dying, concentration, area, condition, attack, or a cause of the system."""
    name: str
    """The name of the condition or effect that the save is against; "" if it has no name."""
    dc: int
    """The least total that makes the save."""
    key: str
    """The ability that is added, such as `dex`."""
    bonus: int
    """The number that is added to the die."""


class FaceNames(Struct, frozen=True):
    """The names of the faces of a die that shows no numbers, such as a deck of cards."""

    one: str
    """The word for one face, without an article: "card"."""
    names: tuple[str, ...]
    """The names in the order of the faces, from face 1; several faces may share a name."""
    rule: str = ""
    """The clause that says which names may be typed; "" for none."""

    @property
    def any(self) -> str:
        """The kind of face with an article: `a card`."""
        return f"a {self.one}"

    @property
    def such(self) -> str:
        """Two names as examples, the first and the last as they are typed: `2C or joker`."""
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


class Question(Struct, frozen=True):
    """A question that the rules ask; what follows are its kinds."""

    key: str
    """Purpose and subject, unchanged until the answer: `init c3`, `tie1 c3`, `recharge c3 Fire Breath`."""
    who: str
    """The key of the creature, group or side that answers."""

    @property
    def purpose(self) -> str:
        """The first word of the key without its number: `init`, `tie`, `recharge`."""
        return self.key.partition(" ")[0].rstrip("0123456789")

    @property
    def subject(self) -> str:
        """The rest of the key: `c3`, `c3 Fire Breath`."""
        return self.key.partition(" ")[2]


class RollAsk(Question, frozen=True):
    """A question that is answered by rolling dice."""

    dice: tuple[int, ...]
    """The sides of the dice in rolling order; a die that is rolled twice is there twice."""
    why: Sentence
    """The sentence that asks for the roll."""
    among: tuple[str, ...] = ()
    """In a roll-off, the keys of all that are tied."""
    save: Saving | None = None
    """The saving throw, if the roll is one."""
    ticks: bool = False
    """Whether `made` or `failed` may answer the roll without a number."""
    secret: bool = False
    """Whether only the GM may see and answer the roll."""
    needed: tuple[int, int] | None = None
    """For a roll that is made or failed and is no save: the total that makes it, and the bonus in it."""
    plain: bool = False
    """Whether `why` says only who rolls which dice."""
    names: FaceNames | None = None
    """The names of the faces, in a system that is a `Deck`."""
    kind: Literal["roll"] = "roll"

    @property
    def least(self) -> tuple[int, int] | None:
        """The total that makes the roll, and the bonus in it; None if the roll is neither made nor failed."""
        return (self.save.dc, self.save.bonus) if self.save else self.needed


class PickAsk(Question, frozen=True):
    """A question that is answered by choosing `least` to `most` of `names`, in order if order matters."""

    names: tuple[str, ...]
    """The choices: keys of creatures, rows or sides, or words such as `d8`."""
    why: Sentence
    least: int = 1
    most: int = 1
    kind: Literal["pick"] = "pick"

    @property
    def bounds(self) -> str:
        """The number of names to choose, in words: `2`, `1 to 3`."""
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class FormAsk(Question, frozen=True):
    """A question that an entry answers with an order or a declaration."""

    fields: tuple[Field, ...]
    """The parts of the form, with defaults and choices."""
    why: Sentence
    kind: Literal["form"] = "form"


class LockAsk(Question, frozen=True):
    """A question that is answered by closing the writing of orders."""

    why: Sentence
    kind: Literal["lock"] = "lock"


class AcknowledgeAsk(Question, frozen=True):
    """A question that is answered by confirming that the page was read."""

    why: Sentence
    board: tuple[Sentence, ...] = ()
    """The sentences to read, one a line."""
    kind: Literal["acknowledge"] = "acknowledge"


class EffectAsk(Question, frozen=True):
    """A question that is answered by dealing the damage or healing of a condition, or by leaving it out."""

    name: str
    damage: str
    """The dice of the damage; "" for healing."""
    heal: str
    """The dice of the healing; "" for damage."""
    type: str
    """The kind of damage; "" for none."""
    why: Sentence
    secret: bool = False
    """Whether only the GM knows of the effect."""
    kind: str = "effect"


Ask = RollAsk | PickAsk | FormAsk | LockAsk | AcknowledgeAsk | EffectAsk


ActKind = Literal["turn", "pass", "side", "round"]
RowState = Literal["now", "may", "waits", "done", "barred", "out", "staged"]
"""The state of a row; `out` and `staged` (in reserve, or to arrive) are given only by screens."""
OrderState = Literal["owed", "written", "locked", "now", "done", "void"]


class Act(Struct, frozen=True):
    """An act that is possible now."""

    kind: ActKind
    """turn (of `who`), pass, side (the next side's turn begins) or round (the next round begins)."""
    who: str = ""
    """The key of the entry that takes the turn or passes."""
    pauses: bool = False
    """Whether `next` stops after the act although nothing is owed."""


class Offer(Struct, frozen=True):
    """The acts that are possible now. A single act is forced; of several, `chooser` chooses one."""

    acts: tuple[Act, ...] = ()
    """The possible acts, in order."""
    why: Sentence = Sentence("")
    """The sentence that says why these acts are offered."""
    chooser: str = ""
    """The key whose owner may choose; "" lets each player choose for own creatures."""
    rule: str = ""
    """The clause that keeps others from acting; "" if it is the rule of `why`."""

    @property
    def turns(self) -> tuple[str, ...]:
        """The keys of the acts of kind `turn`."""
        return tuple(act.who for act in self.acts if act.kind == "turn")


NOTHING = Offer()


def name_slots(count: int, first: int = 0, joint: str = ", ") -> str:
    """Return `count` slots for names in a sentence, from number `first` on: `{0}, {1}`."""
    return joint.join(f"{{{i}}}" for i in range(first, first + count))


def list_slots(keys: Sequence[str], most: int = 6) -> str:
    """Return slots for these keys in a sentence: `{0}, {1} and {2}`, `{0}, {1} and 3 more`."""
    slots = [f"{{{i}}}" for i in range(min(len(keys), most))]
    last = [f"{len(keys) - most} more"] if len(keys) > most else [slots.pop()] if len(slots) > 1 else []
    return " and ".join([", ".join(slots), *last])


class Lazy(Struct, frozen=True):
    """Sentences that are made only when they are read, by `how(*about)`."""

    how: Callable[..., tuple[Sentence, ...]]
    about: tuple[object, ...]


class TrackRow(Struct, frozen=True):
    """The row of one entry on the track."""

    entry: str
    """The key of the entry."""
    members: tuple[str, ...]
    """The ids of its creatures."""
    value: int
    """The number of the entry on the track."""
    state: RowState
    """The state of the entry in this round, as in `RowState`."""
    reasons: Lazy
    """The sentences that explain place and value, made when they are read."""
    ranked: bool = True
    """Whether the value decides the place; also True while the value is still to be rolled."""
    face: str = ""
    """The name of the rolled face, shown in place of the value; "" for none."""

    @property
    def why(self) -> tuple[Sentence, ...]:
        """The sentences that explain place and value."""
        return self.reasons.how(*self.reasons.about)


class OrderRow(Struct, frozen=True):
    """The row of one entry's order, as screens show it."""

    who: str
    """The key of the entry."""
    state: OrderState
    """The state of the order, from `owed` over `written` and `now` to `done` or `void`."""
    text: dict[str, str] = {}
    """The text of each component that was written."""
    warnings: tuple[str, ...] = ()
    """The doubts about the order that the GM should look at, a sentence each."""
    open: bool = False
    """Whether everybody may read the whole order."""
    public: tuple[str, ...] = ()
    """The components that everybody may read although the row is not open."""
    default: dict[str, str] = {}
    """The text that the rules use for a component that was not written, by component."""
    instead: dict[str, str] = {}
    """The text that is carried out in place of a component that became impossible, by component."""
    flags: tuple[str, ...] = ()
    """The components that have no text and are only set or not set."""

    def wording(self, part: str) -> str:
        """Return a written component with its name: `action strike`, `move`."""
        text = f"instead: {self.instead[part]}" if part in self.instead else self.text[part]
        return part if part in self.flags else f"{part} {text}"


class Choice(Struct, frozen=True):
    """A whole line that would be accepted now."""

    line: str
    """The line as it is sent."""
    title: str
    """A short name for the line."""
    note: str = ""
    """The effect of the line in a few words; "" for none."""
    meaning: str = ""
    """The effect of the line as a sentence; "" for none."""
    left: str = ""
    """A sentence on what stays unchanged if the line is not sent; "" for none."""
    kin: str = ""
    """The name that choices share if they differ only in a number; a screen shows one row for them. "" for
    none.
    """
    instead: str = ""
    """The name of what is given up for the line; a screen shows the choices of one such name at a time. ""
    for nothing.
    """


class Preview(Struct, frozen=True):
    """The judgement on a form that is still being filled."""

    errors: tuple[str, ...] = ()
    """The reasons why the form would be refused; empty if it would be accepted."""
    warnings: tuple[str, ...] = ()
    """The doubts about the form that the GM should look at, a sentence each."""
    notes: tuple[str, ...] = ()
    """The consequences in words, such as a price or the resulting place."""
    hints: tuple[str, ...] = ()
    """A suggestion that removes each error or, without errors, each warning; "" for none."""

    @property
    def refusals(self) -> tuple[str, ...]:
        """The errors, each followed by its hint."""
        return self._with_hints(self.errors)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The warnings; without errors each is followed by its hint."""
        return self.warnings if self.errors else self._with_hints(self.warnings)

    def _with_hints(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        # Two reactions without a trigger have one remedy, which is said once.
        hints = [hint if hint not in self.hints[:i] else "" for i, hint in enumerate(self.hints)]
        hints += [""] * (len(texts) - len(hints))
        return tuple(f"{x}; {hint}" if hint else x for x, hint in zip(texts, hints, strict=False))


Edge = Literal["turn", "round", "fight"]


class Mark(Struct, frozen=True):
    """A state that a creature has until an edge: the end of its turn, of the round or of the fight."""

    name: str
    """The name of the mark in the journal."""
    word: str = ""
    """A predicate for sentences, such as "holds a readied action"; "" for bookkeeping that is never shown."""
    tag: str = ""
    """The word for the mark in the JSON of a row; "" for none."""
    short: str = ""
    """The word for the mark on rows of the screen; "" for none."""
    logged: bool = False
    """Whether the log reports that a creature gets the mark."""
    alarming: bool = False
    """Whether the screen draws the mark in a warning colour."""
    sealed: bool = False
    """Whether only the GM and the creature's owner know of the mark."""
    delays: bool = False
    """Whether the creature has postponed its turn."""
    loses_turn: bool = False
    """Whether the creature does nothing in its turn."""
    until: Edge = "round"
    """The edge at which the mark ends, unless `Draft.mark` names another."""

    @property
    def key(self) -> str:
        """The mark's name in JSON."""
        return self.tag or self.name


class Phase(Struct, frozen=True):
    """A part of the fight, such as setup, rolls or turns."""

    name: str
    """The name of the phase in the journal."""
    sentence: str = ""
    """The sentence that the log writes when the phase begins; "" for none."""
    closed: bool = False
    """Whether grouping and ungrouping are refused in the phase."""
    calm: bool = False
    """Whether no combat runs in the phase."""


ACTED = Mark("acted", "has acted")
REACTION = Mark("reaction", "has reacted", tag="reaction", short="reacted")
COMMON_MARKS = (ACTED, REACTION)
"""The marks that the core itself gives, in every system."""

SETUP = Phase("setup")
ROLLS = Phase("rolls")
TURNS = Phase("turns")
COMMON_PHASES = (SETUP, ROLLS, TURNS)
"""The phases that every system has without declaring them: before the fight, dice for the order, turns."""
