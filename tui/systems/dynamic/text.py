"""Declare the fields, forms, house rules, verbs and notes of the Dynamic Initiative System."""

from __future__ import annotations

from typing import Any

from msgspec import field
from msgspec.structs import replace

from tui.core.fight.agenda import Field, Mark, Phase, Verb
from tui.core.fight.encounter import Encounter
from tui.core.language.values import KIND
from tui.core.rules.optional import D20_FIELDS
from tui.core.rules.system import notes
from tui.systems.shared.numbering import BARRED_MARK, BY_HAND, SURPRISED_MARK, TrackNotes
from tui.systems.shared.surprise import surprised_verb

SIZES = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
"""The die of a creature's size (DIS-19)."""

FIELDS = (
    KIND,
    Field("size", "size", "choice", tuple(SIZES), "medium",
        "the initiative die of every creature except players' characters"),
    Field("die", "die", "dice", help="the die itself: d10", rule="DIS-19"),
    Field("count", "creatures", default=1, least=1, most=999, help="how many creatures this row represents"),
    Field("bonus", "bonuses", "ints",
        help="per effect: positive shrinks a die, negative enlarges it"),
    Field("adv", "pool advantage", "choice", ("adv", "dis"),
        help="the largest die is rolled twice; adv: the lower counts; dis: the higher",
        rule="DIS-31"),
    Field("stealth", "Stealth", help="the Stealth roll of a hiding creature; empty: it is not hiding",
        rule="DIS-22"),
    Field("passive", "passive Perception", default=10, help="Perception: what it notices without a roll",
        rule="DIS-22"),
    Field("con", "Constitution save", default=0, rule="DIS-17"),
    *(field for field in D20_FIELDS if field.key != "passive"),
)  # fmt: skip

DECLARATION = (
    Field("weapon", "weapon", "text", help="its dice: 1d8; several with commas"),
    Field("spell", "spell", "ints", least=0, most=9, help="its level, 0 for a cantrip; several with commas"),
    Field("action", "action", "ints", least=0, most=9, help="how many other actions: 1 for one, 2 for two"),
    Field("move", "move", "bool"),
)
"""The parts of a player's declaration (DIS-4)."""

INTENT = Field("intent", "intent", "text", help="what it means to do, in words", rule="DIS-3")
CASTING = Field(
    "spell", "spell", "ints", least=0, most=9, help="the level of its spell, which damage may disrupt"
)
"""A part of the form of an enemy's intent, which adds no die (DIS-18)."""

OPTIONS = (
    Field("dis.surprise_each_round", "surprise", "choice", ("ask", "first_only"), "ask",
          "ask: surprise is asked for in each round; first_only: in the first alone", "DIS-9"),
    Field("dis.switch_pays", "a switch pays", "choice", ("new", "old", "higher"), "new",
          "new: the new action's die; old: the old action's die; higher: the larger of the two", "DIS-16"),
    Field("dis.switch_level", "a switch pays spell levels", "bool", default=True, rule="DIS-16"),
    Field("dis.multi_dice", "weapon dice", "choice", ("all", "one"), "all",
          "all: all dice of a weapon count; one: one of them", "DIS-12"),
    Field("dis.floor", "smallest die", "int",
        default=1, least=1, most=4, help="bonuses shrink no die below this number of sides",
          rule="DIS-29"),
    Field("dis.resize", "which die changes", "choice", ("largest", "ask"), "largest",
          "largest: the largest one; ask: the player chooses", "DIS-29"),
    Field("dis.group", "many of a type", "choice", ("shared", "staggered", "off"), "shared",
          "shared: all at the roll + 1 for each other; staggered: one after the other; off: at the roll",
          "DIS-20"),
    Field("dis.tie", "ties", "choice", ("rolloff", "players_first", "fewest_dice", "by_hand"), "rolloff",
          "rolloff: a roll-off; players_first: players; fewest_dice: fewer dice; by_hand: the GM's order",
          "DIS-6"),
    Field("dis.stealth_tie", "Stealth equals Perception", "choice", ("noticed", "hidden"), "noticed",
          "noticed: the creature is noticed; hidden: it stays hidden", "DIS-22"),
    Field("dis.notice", "noticing", "choice", ("none", "any"), "none",
          "none: surprised if it notices none of them; any: if it misses any of them", "DIS-22"),
    Field("dis.disruption", "spell disruption", "choice", ("off", "once", "each_hit"), "off",
          "damage before a spell; off: no save; once: one save; each_hit: a save for each hit", "DIS-17"),
    BY_HAND,
)  # fmt: skip

VERBS = (
    Verb("switch", "switch WHO [from=weapon|spell|action|move|none] key=value…",
         "switches to an action that was not declared", "s", "DIS-7", takes=("who",),
         sender="owner", idle="only a PC switches, in its own turn",
         also="change another action instead",
         keys=(Field("from", "given up", "choice", ("weapon", "spell", "action", "move", "none")),
             *DECLARATION)),
    surprised_verb("S", "DIS-2"),
    Verb("notice", "notice", "compares Stealth with passive Perception", "", "DIS-22",
         also="surprise ambush sneak hide"),
)  # fmt: skip

MARKS = (
    SURPRISED_MARK,
    replace(BARRED_MARK, word="acts from the next round on"),
    Mark("cantrips", "may only cast cantrips", tag="cantrips", short="cantrips only", logged=True),
)
PHASES = (Phase("orders", "Declarations are open"),)


_DEFAULTS = {f.key: f.default for f in OPTIONS}


class DynamicNotes(TrackNotes, frozen=True):
    """The notes of a round, besides the numbers; by entry unless stated otherwise."""

    apart: tuple[str, ...] = ()
    """The ids with a row of their own although they roll with a group."""
    later: dict[str, list[int]] = field(default_factory=dict)
    """For an entry that switched: the number of that switch in the round, and the price paid so far."""
    resize: dict[str, list[int]] = field(default_factory=dict)
    """The dice chosen for effects so far, as sides."""
    saves: dict[str, list[int]] = field(default_factory=dict)
    """The numbers of saves owed and of saves rolled, by id."""
    hurt: tuple[str, ...] = ()
    """The ids that were damaged without a declared spell and have not saved after that."""
    sums: dict[str, str] = field(default_factory=dict)
    """The sum of each roller in words, by its key."""
    lined: dict[str, bool] = field(default_factory=dict)
    """The ids that rolled with a group and act after its first member, one by one."""


OF_A_ROUND = ("apart", "later", "resize", "saves", "hurt", "sums", "lined")
"""The notes that are dropped when the next round begins (DIS-26)."""


def dynamic_notes(e: Encounter) -> DynamicNotes:
    """Return the notes of the round."""
    return notes(e, DynamicNotes)


def dis_rule(e: Encounter, key: str) -> Any:
    """Return a house rule by its key without `dis.`: as set, or its default."""
    return e.options.get(f"dis.{key}", _DEFAULTS[f"dis.{key}"])


def price_paid(e: Encounter, key: str) -> int:
    """Return the points that an entry has paid for switching in this round (DIS-16)."""
    return dynamic_notes(e).later.get(key, [0, 0])[1]
