"""The words of the Dynamic Initiative System: fields, forms, house rules and verbs."""

from __future__ import annotations

from tui.core.fight.agenda import Field, Mark, Phase, Verb
from tui.core.language.values import KIND
from tui.systems.shared.marks import BARRED, SURPRISED
from tui.systems.shared.numbering import BY_HAND

SIZES = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
"""The die of a creature's size (DIS-19)."""

FIELDS = (
    KIND,
    Field("size", "size", "choice", tuple(SIZES), "medium", "the initiative die of all but players' characters"),
    Field("die", "die", "dice", help="in place of the size's die: d10", rule="DIS-19"),
    Field("count", "creatures", default=1, least=1, most=999, help="how many creatures this row stands for"),
    Field("bonus", "bonuses", "ints", help="each number is one effect: positive shrinks a die, negative grows one"),
    Field("adv", "advantage", "choice", ("adv", "dis"), help="the largest die is rolled twice", rule="DIS-31"),
    Field("stealth", "Stealth", help="what somebody who hides has rolled; empty: in the open", rule="DIS-22"),
    Field("passive", "passive Perception", default=10, rule="DIS-22"),
    Field("con", "Constitution save", default=0, rule="DIS-17"),
)  # fmt: skip

DECLARATION = (
    Field("weapon", "weapon", "text", help="its dice: 1d8; several with commas"),
    Field("spell", "spell", "ints", least=0, most=9, help="its level, 0 for a cantrip; several with commas"),
    Field("action", "action", "ints", least=0, most=9, help="any other, 1; several with commas"),
    Field("move", "move", "bool"),
)
"""What a player may declare (DIS-4)."""

USUAL = "weapon=1d8 move=yes"
"""What odds take for granted of a player who has never declared anything."""

INTENT = Field("intent", "intent", "text", help="what it means to do, in words", rule="DIS-3")
CASTING = Field(
    "spell", "spell", "ints", least=0, most=9, help="its level, of a caster that damage may disrupt"
)
"""What may be said of an enemy: it adds no die (DIS-18)."""

OPTIONS = (
    Field("dis.surprise_each_round", "surprise", "choice", ("ask", "first_only"), "ask",
          "in which rounds somebody may be surprised", "DIS-9"),
    Field("dis.switch_pays", "a switch pays", "choice", ("new", "old", "higher"), "new",
          "the die of the new action, of the old one, or the higher of the two", "DIS-16"),
    Field("dis.switch_level", "a switch pays spell levels", "bool", default=True, rule="DIS-16"),
    Field("dis.multi_dice", "weapon dice", "choice", ("all", "one"), "all", "how many of them count", "DIS-12"),
    Field("dis.floor", "smallest die", "int", default=1, least=1, most=4, help="how far bonuses shrink one",
          rule="DIS-29"),
    Field("dis.resize", "which die changes", "choice", ("largest", "ask"), "largest",
          "the largest, or the player's choice", "DIS-29"),
    Field("dis.group", "many of a type", "choice", ("shared", "staggered", "off"), "shared",
          "all act at the roll + 1 for each other; one after the other; or at the plain roll", "DIS-20"),
    Field("dis.tie", "ties", "choice", ("rolloff", "players_first", "fewest_dice", "by_hand"), "rolloff",
          "who goes first at the same number", "DIS-6"),
    Field("dis.stealth_tie", "Stealth equals Perception", "choice", ("noticed", "hidden"), "noticed",
          rule="DIS-22"),
    Field("dis.notice", "noticing", "choice", ("none", "any"), "none",
          "surprised is whoever notices none of them, or misses any of them", "DIS-22"),
    Field("dis.disruption", "spell disruption", "choice", ("off", "once", "each_hit"), "off",
          "a save when damage comes before a spell", "DIS-17"),
    BY_HAND,
)  # fmt: skip

VERBS = (
    Verb("switch", "switch WHO [from=weapon|spell|action|move|none] key=value…",
         "takes another action than the one declared, later in the round", "s", "DIS-7", takes=("who",), sender="owner",
         keys=(Field("from", "given up", "choice", ("weapon", "spell", "action", "move", "none")), *DECLARATION)),
    Verb("surprised", "surprised WHO | surprised none", "says who is caught unaware this round", "S", "DIS-2", takes=("several",)),
    Verb("notice", "notice", "compares Stealth with passive Perception", "", "DIS-22"),
)  # fmt: skip

MARKS = (
    SURPRISED,
    BARRED,
    Mark("cantrips", "may only cast cantrips", tag="cantrips", short="cantrips only", told=True),
)
PHASES = (Phase("orders", "Declarations are open"),)

GLOSSARY = {
    "cantrips only": "Damage has disrupted its spell: in this round it can cast nothing but cantrips.",
    "declaration": "What a player's character will do in this round, said before the dice are rolled.",
    "disruption": "The house rule dis.disruption: damage before its turn may spoil a spell.",
    "intent": "What an enemy is about to do, told to the players before they declare.",
    "notice": "Compares the Stealth of those who hide with passive Perception, to see who is surprised.",
    "others": "The further creatures of a type: each of them adds 1 to its roll.",
    "price": "What a switch adds to the total: the most that the new action could have rolled.",
    "size": "What decides the die of everybody but players' characters, from d4 to d20.",
    "surprised": "Caught unaware: 10 is added to its total, and it has no reaction in this round.",
    "switch": "Another action than the one declared, chosen in one's own turn: it comes later, for a price.",
    "total": "The sum of the dice for this round; the lowest acts first.",
}
