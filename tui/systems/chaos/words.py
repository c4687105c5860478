"""Declare the fields, house rules, verbs, forms and notes of Chaos Initiative."""

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

_ELSE = "one alternative with: or else"
# The title of a part is its key, so that form, messages and lines use the same word.
FORM = (
    Field("movement", "movement", "text", help=_ELSE, rule="CHA-3"),
    Field("action", "action", "text", help=_ELSE, rule="CHA-3"),
    Field("bonus", "bonus", "text", help=f"bonus action; {_ELSE}", rule="CHA-3"),
    Field("object", "object", "text", help=_ELSE, rule="CHA-3"),
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
