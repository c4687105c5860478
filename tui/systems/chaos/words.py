"""Declare the fields, house rules, verbs, forms, clauses and notes of Chaos Initiative."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from tui.core.fight.agenda import Field, Mark, Phase, Verb
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry
from tui.core.language.values import KIND
from tui.core.rules.optional import D20_FIELDS
from tui.core.rules.system import notes
from tui.systems.chaos.order_text import SHAPE
from tui.systems.shared.numbering import BARRED_MARK, BY_HAND, track_notes

FIELDS = (
    KIND,
    Field("bonus", "initiative bonus", help="added to the d20", rule="CHA-12", stock="initiative"),
    Field("adv", "advantage", "choice", ("adv", "dis"),
          help="two d20; adv: the higher counts; dis: the lower", rule="CHA-A15"),
    Field("formation", "creatures in it", least=1,
          help="how many: a formation is one row with one order", rule="CHA-17"),
    Field("affected", "how many are affected", least=0,
        help="with the bonus: how many of the formation", rule="CHA-28"),
    *D20_FIELDS,
)  # fmt: skip

OPTIONS = (
    Field("cha.mode", "table", "choice", ("gm", "head-to-head"), "gm",
          "gm: a game master resolves; head-to-head: opponents resolve each other, without one", "CHA-24"),
    Field("cha.tie", "ties", "choice", ("rolloff", "bonus", "by_hand", "simultaneous"), "rolloff",
          "rolloff: a d20 each; bonus: the higher first; by_hand: the GM's order; simultaneous: at once",
          "CHA-A1"),
    Field("cha.lowest", "lowest position", "choice", ("latest", "earliest"), "latest",
          "of equal targets; latest: the last to act; earliest: the first to act", "CHA-A2"),
    Field("cha.strict_conditionals", "conditions in orders", "choice", ("warn", "refuse"), "warn",
          "words that read like a condition; warn: are pointed out; refuse: are refused", "CHA-A5"),
    Field("cha.reaction", "two reactions", "choice", ("first", "owner_chooses"), "first",
          "first: the first that is triggered counts; owner_chooses: the owner chooses", "CHA-A7"),
    Field("cha.ready_keeps_oa", "default attack beside a readied action", "bool", default=True,
          help="a creature that readied an action keeps the default opportunity attack", rule="CHA-A8"),
    Field("cha.maintain_until", "maintaining ends", "choice", ("own_slot", "round_end"), "own_slot",
          "own_slot: at the owner's slot; round_end: when the round ends", "CHA-A9"),
    Field("cha.missing", "missing orders", "choice", ("nothing", "dodge"), "nothing",
          "a creature without an order; nothing: it does nothing; dodge: it dodges", "CHA-A12"),
    Field("cha.reveal", "orders are shown", "choice", ("at_slot", "all_at_start"), "at_slot",
          "with a GM; at_slot: each at its slot; all_at_start: all when the first slot begins", "CHA-A16"),
    Field("cha.resolver", "resolver among opponents", "choice", ("seat_order", "by_hand"), "seat_order",
          "seat_order: the next in seat order; by_hand: the one that the table names", "CHA-A17"),
    BY_HAND,
)  # fmt: skip

VERBS = (
    Verb("else", "else WHO COMPONENT", "uses the alternative of a part", "E", "CHA-6", takes=("who", "text"),
         sender="resolver", idle="the running order has no alternative left", also="or instead otherwise"),
    Verb("fire", "fire WHO", "carries out a readied action", "F", "CHA-9", interrupts=True, takes=("who",),
         sender="owner", idle="no readied action is held", also="ready release trigger"),
    Verb("target", "target WHO among=NAME,NAME…", "picks among equal targets", "T", "CHA-22", takes=("who",),
         keys=(Field("among", "equal targets", "creature"),), sender="resolver",
         idle="no order is being resolved"),
    Verb("redirect", 'redirect WHO melee="NAME:SQUARES,…" ranged="NAME:SQUARES,…"',
         "says where the rest of a multiattack goes", "M", "CHA-19", takes=("who",),
         keys=(Field("melee", "in reach", "text"), Field("ranged", "in range", "text")), sender="resolver",
         idle="no order is being resolved"),
)  # fmt: skip

# The title of a part is its key, so that form, messages and lines use the same word.
FORM = (
    Field("movement", "movement", "text", help="one alternative with: or else", rule="CHA-3"),
    Field("action", "action", "text", help="one alternative with: or else", rule="CHA-3"),
    Field("bonus", "bonus", "text", help="bonus action; one alternative with: or else", rule="CHA-3"),
    Field("object", "object", "text", help="one alternative with: or else", rule="CHA-3"),
    Field("reaction", "reaction", "text", help=f"{SHAPE}; empty: opportunity attack", rule="CHA-7"),
    Field("reaction2", "reaction2", "text", help=f"a second one; {SHAPE}", rule="CHA-7"),
    Field("ready", "ready", "text", help="readied action, held for its trigger after the slot", rule="CHA-9"),
)
MAINTAIN = Field(
    "maintain", "maintain", "bool", help="keeps the readied action, instead of a reaction", rule="CHA-10"
)
AGAIN = Field("again", "again", "bool", help="last round's order once more", rule="CHA-1")

MARKS = (
    # The reason that a creature sits out is said in full, with its clause.
    replace(BARRED_MARK, logged=False),
    Mark("ready", "holds a readied action", tag="ready", short="ready", logged=True, until="fight"),
    Mark("holding", "keeps a readied action", tag="holding", short="holding", logged=True, sealed=True),
    Mark("locked"),
)
# From the lock to the end of the round rows stay as they are (CHA-A14).
PHASES = (
    Phase("orders", "Orders are open"),
    Phase("rolls", closed=True),
    Phase("board", "The reactions are shown", closed=True),
    Phase("turns", closed=True),
)

CLAUSES = {
    "CHA-1": "At the start of every round each player, the GM too, writes one order for each creature or "
    "formation under their control.",
    "CHA-2": "Orders are written before anybody knows the initiative. No die is rolled before the orders are "
    "locked; from the first die on no order changes.",
    "CHA-3": "An order says what the creature does in this round: movement, action, bonus action, object, "
    "reaction. Parts that are left empty are not done.",
    "CHA-4": "An order may not branch on conditions. The GM rules on words that read like one. Readied "
    "actions and triggers may have conditions.",
    "CHA-5": "Each of movement, action, bonus action and object may name one alternative with 'or else', no "
    "more. Reactions have none.",
    "CHA-6": "The alternative is used only when the primary instruction has become impossible.",
    "CHA-7": "Up to two reactions may be named, each with a clear trigger. One of them at most happens in a "
    "round: the first that is triggered.",
    "CHA-8": "The authors' own examples are valid orders.",
    "CHA-9": "A readied action may include movement and bonus action of the same order, which are then not "
    "spent at the slot. It may name conditions and one alternative. It uses the reaction.",
    "CHA-10": "A creature that still holds last round's readied action may give up the reaction to keep it; "
    "then there is no other reaction in the round, not even an opportunity attack.",
    "CHA-11": "A kept readied action can happen before its owner's slot. When that slot comes, it is over.",
    "CHA-12": "With the orders in, each creature in the fight rolls d20 + initiative bonus; high goes first. "
    "A formation rolls once.",
    "CHA-13": "The order is rolled again in every round; the old one no longer counts.",
    "CHA-14": "All turns start together when the round starts: effects at the start of a turn happen now, "
    "reactions are restored, readied actions that nobody keeps are lost.",
    "CHA-15": "All reactions are read before the first order is resolved; without a GM they are shown "
    "with it.",
    "CHA-16": "Orders are resolved one after the other, each as a whole, from the highest initiative down. "
    "The orders of the dead are void; nobody delays.",
    "CHA-17": "A formation has one slot and resolves as one.",
    "CHA-18": "All turns end together when the round ends: effects at a turn's end happen now, saves too.",
    "CHA-19": "When the target dies in the middle of a multiattack, the remaining attacks go to the nearest "
    "enemy in reach, never to a friend. If it was dead before the first attack, there are none: the "
    "instruction is impossible.",
    "CHA-20": "If nobody is in melee reach, the remaining attacks become ranged, nearest first. If nobody is "
    "in range, they are lost.",
    "CHA-21": "A creature without a named reaction takes the first opportunity attack that comes up. If it "
    "holds an action readied in this round, it gives that up.",
    "CHA-22": "Of several equal targets the one with the lowest initiative position is taken: the last in "
    "this round's order.",
    "CHA-23": "Movement follows the order as closely as possible; the GM decides unclear cases.",
    "CHA-24": "Without a GM players resolve the orders of their opponents.",
    "CHA-25": "Without a GM all sheets are open at all times, and all orders from the first slot on.",
    "CHA-26": "Orders are resolved in good faith: as they were meant, fairly, among friends.",
    "CHA-27": "The order agrees with the authors' own notebook: d20 + bonus, and a hidden roll between tied "
    "creatures.",
    "CHA-28": "A bonus, an advantage or a disadvantage counts for a formation only when at least half of its "
    "creatures have it.",
    "CHA-29": "A formation has one order: the same actions for all, targets may differ.",
    "CHA-A1": "Tied creatures roll a hidden d20, high first. House rules: the higher bonus, the GM's order "
    "(with a GM), or the same moment.",
    "CHA-A2": "The lowest position is the last one in the order; as a house rule the first.",
    "CHA-A5": "Words that read like a condition give a warning; as a house rule they are refused.",
    "CHA-A7": "Of two reactions the first that is triggered happens; as a house rule the owner chooses.",
    "CHA-A8": "A creature that readied an action in this round keeps its default opportunity attack; as a "
    "house rule it loses it.",
    "CHA-A9": "A kept readied action lasts until its owner's slot; as a house rule until the round ends.",
    "CHA-A12": "A creature without an order takes only the default opportunity attack; an order may be typed "
    "until the first die. As a house rule it dodges.",
    "CHA-A13": "A creature that comes after the orders are locked acts from the next round.",
    "CHA-A14": "Formations change between rounds: from the lock to the end of the round nobody joins or "
    "leaves one. While orders are open a new formation writes its own order, and so does a creature that "
    "leaves one.",
    "CHA-A15": "Surprise has no rule of its own; give the surprised disadvantage.",
    "CHA-A16": "With a GM an order is shown when its slot comes; as a house rule all are shown at the start.",
    "CHA-A17": "Of several opponents the next in seat order resolves; as a house rule the table names one.",
}

GLOSSARY = {
    "alternative": "The words after 'or else': done only if the first instruction has become impossible.",
    "board": "All reactions that have been written, to be read aloud before the first slot.",
    "formation": "Several creatures with one order, one roll and one slot.",
    "head-to-head": "Players against each other without a game master, each resolving the other's orders.",
    "holding": "Gives up its reactions to keep the action that it readied in the round before.",
    "locked": "Closed: the order can no longer be changed.",
    "opportunity attack": "The reaction of a creature that has written none, at the first chance.",
    "order": "The actions of a creature in this round, written before any die is rolled.",
    "position": "A place in the order of this round; the lowest is the last to act.",
    "ready": "Holds an action back for its trigger, after its own slot.",
    "slot": "A row's moment in the round, when the whole of its order is carried out.",
    "trigger": "The event that sets off a reaction or a readied action.",
}

WRITING = "orders"
"""The phase in which orders are written."""

LOCKED = "locked"
"""The mark of creatures that were present when orders were locked: only they act in this round (CHA-A13)."""

READY = "ready"
"""The mark of creatures that hold an action that they readied in their own slot (CHA-9)."""

HOLDING_MARK = "holding"
"""The mark of creatures that gave up this round's reaction to keep the last round's action (CHA-10)."""

ROUND_NOTES = ("warn", "used", "missing", "let_go", "fell", "own", "taken")
"""The notes that are dropped when a round ends; `held` stays for creatures that are ready."""

_DEFAULTS = {option.key: option.default for option in OPTIONS}


class ChaosNotes(Struct, frozen=True):
    """The notes of a round, besides the numbers of its track; by entry unless stated otherwise."""

    begun: int = 0
    """The round whose first slot has opened."""
    warn: dict[str, list[str]] = field(default_factory=dict)
    """The warnings about an order that the GM should look at."""
    used: dict[str, list[str]] = field(default_factory=dict)
    """The components whose alternative was used."""
    held: dict[str, str] = field(default_factory=dict)
    """The readied action, in words."""
    missing: list[str] = field(default_factory=list)
    """The entries without an order at the lock."""
    let_go: list[str] = field(default_factory=list)
    """The ids that did not keep last round's readied action."""
    fell: list[str] = field(default_factory=list)
    """The ids that went out during the moment of their own slot, if tied entries act together."""
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    """The order that a creature had before it was grouped, by id."""
    taken: dict[str, bool] = field(default_factory=dict)
    """The entries that have had their slot."""
    joins: dict[str, str] = field(default_factory=dict)
    """The group that a latecomer joins in the next round, by id."""


def chaos_notes(e: Encounter) -> ChaosNotes:
    """Return the notes of the round."""
    return notes(e, ChaosNotes)


def chaos_rule(e: Encounter, key: str) -> Any:
    """Return a house rule of Chaos: as set, or its default."""
    return e.options.get(key, _DEFAULTS[key])


def is_head_to_head(e: Encounter) -> bool:
    """Return whether the players play without a GM (CHA-24)."""
    return bool(chaos_rule(e, "cha.mode") == "head-to-head")


def is_together(e: Encounter) -> bool:
    """Return whether tied entries act in the same moment (CHA-A1)."""
    return bool(chaos_rule(e, "cha.tie") == "simultaneous")


def is_before_dice(e: Encounter) -> bool:
    """Return whether the orders are locked and no die has been rolled."""
    return e.phase == "rolls" and not track_notes(e).values


def order_of(e: Encounter, key: str) -> Mapping[str, str]:
    """Return an entry's order of this round, or an empty mapping."""
    return e.orders.get(key, {})


def ids_waiting(e: Encounter, entry: Entry) -> list[str]:
    """Return the ids in an entry whose slot is still to come."""
    people = e.combatants
    return [k for k in entry.members if is_waiting(people[k])]


def is_waiting(c: Combatant) -> bool:
    """Return whether a creature was present at the lock and its slot is still to come."""
    return LOCKED in c.marks and "acted" not in c.marks and "barred" not in c.marks
