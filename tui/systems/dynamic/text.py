"""The words of the Dynamic Initiative System: fields, house rules, verbs, and its clauses in our own words."""

from __future__ import annotations

from tui.core.fight.agenda import Field, Verb
from tui.core.fight.declared import Mark, Phase
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
    Field("stealth", "Stealth", help="the check of who hides; nothing: in the open", rule="DIS-22"),
    Field("passive", "passive Perception", default=10, rule="DIS-22"),
    Field("con", "Constitution save", default=0, rule="DIS-17"),
)  # fmt: skip

DECLARATION = (
    Field("weapon", "weapon", "text", help="its dice: 1d8; several with commas"),
    Field("spell", "spell level", "ints", least=0, most=9, help="0 is a cantrip; several with commas"),
    Field("action", "other action", "ints", least=0, most=9, help="1; several with commas"),
    Field("move", "move", "bool"),
    Field("intent", "intent", "text", help="what it means to do, in words"),
)
"""What an order may say."""

OPTIONS = (
    Field("dis.surprise_each_round", "surprise", "choice", ("ask", "first_only"), "ask",
          "in which rounds somebody may be surprised", "DIS-9"),
    Field("dis.switch_pays", "a switch pays", "choice", ("new", "old", "higher"), "new",
          "whose die: the new action's, the old one's, the higher", "DIS-16"),
    Field("dis.switch_level", "a switch pays spell levels", "bool", default=True, rule="DIS-16"),
    Field("dis.multi_dice", "weapon dice", "choice", ("all", "one"), "all", "how many of them count", "DIS-12"),
    Field("dis.floor", "smallest die", "int", default=1, least=1, most=4, help="how far bonuses shrink one",
          rule="DIS-29"),
    Field("dis.resize", "which die changes", "choice", ("largest", "ask"), "largest",
          "the largest, or the player's choice", "DIS-29"),
    Field("dis.group", "many of a type", "choice", ("shared", "staggered", "off"), "shared",
          "all act at roll + others; one after the other; or at the plain roll", "DIS-20"),
    Field("dis.tie", "ties", "choice", ("rolloff", "players_first", "fewest_dice", "by_hand"), "rolloff",
          "who goes first at the same number", "DIS-6"),
    Field("dis.stealth_tie", "Stealth equals Perception", "choice", ("noticed", "hidden"), "noticed",
          rule="DIS-22"),
    Field("dis.notice", "noticing", "choice", ("none", "any"), "none",
          "surprised: who notices none of them, or who misses any of them", "DIS-22"),
    Field("dis.disruption", "spell disruption", "choice", ("off", "once", "each_hit"), "off",
          "a save when damage comes before a spell", "DIS-17"),
    BY_HAND,
)  # fmt: skip

VERBS = (
    Verb("switch", "switch WHO [from=weapon|spell|action|move|none] key=value…",
         "another action than declared: later in the round", "s", "DIS-7", takes=("who",),
         keys=(Field("from", "given up", "choice", ("weapon", "spell", "action", "move", "none")), *DECLARATION)),
    Verb("surprised", "surprised WHO | surprised none", "who is caught unaware this round", "S", "DIS-2", takes=("several",)),
    Verb("notice", "notice", "compares Stealth with passive Perception", "", "DIS-22"),
)  # fmt: skip

MARKS = (
    SURPRISED,
    BARRED,
    Mark("cantrips", "may only cast cantrips", tag="cantrips", short="cantrips only", told=True),
)
PHASES = (Phase("orders", "Orders are open"),)

CLAUSES = {
    "DIS-1": "Before anything is rolled, say where everybody stands.",
    "DIS-2": "The GM says who is surprised, creature by creature, before the dice of the round.",
    "DIS-3": "The GM tells the table what the enemies are about to do before the players decide.",
    "DIS-4": "Every player says what the character will do this round: with which weapon, which spell, which "
    "other action, and whether it moves. Targets are open.",
    "DIS-5": "When all have declared, everybody rolls the dice that belong to the actions.",
    "DIS-6": "The lowest total acts first. A tie is rolled off on a d20, the higher goes first, unless the table "
    "has another house rule.",
    "DIS-7": "In one's own turn one may switch to another action before acting: its highest number is added to "
    "the total, and the turn comes later, behind everybody with an equal or lower total.",
    "DIS-8": "Reactions happen as usual.",
    "DIS-9": "When everybody has had a turn the round is over, and the next begins with surprise, declarations "
    "and new dice.",
    "DIS-10": "All dice of the declared actions are rolled together and added up; the sum is one turn.",
    "DIS-11": "Nothing is added to the dice, Dexterity neither.",
    "DIS-12": "An attack rolls the weapon's base damage dice. Damage without a die counts as it is.",
    "DIS-13": "A spell rolls a d8 and adds the level it is cast at; a cantrip adds nothing.",
    "DIS-14": "Any other action rolls a d6, a bonus action too.",
    "DIS-15": "Moving rolls a d4, once, however far.",
    "DIS-16": "The price of a switch is the most that the action can roll: a weapon's dice together, 8 + level "
    "for a spell, 6 for an action, 4 for a move.",
    "DIS-17": "House rule: whoever wants to cast and takes damage before the turn makes a Constitution save "
    "against 10; failing it leaves only cantrips. Monsters too.",
    "DIS-18": "Only players' characters declare. Everybody else decides in the turn and never switches.",
    "DIS-19": "All others roll one die by size: tiny d4, small d6, medium d8, large d10, huge d12, gargantuan d20.",
    "DIS-20": "Creatures of one type roll once; each further one adds 1, up to the die's highest number.",
    "DIS-21": "Where nobody hides, everybody notices everybody.",
    "DIS-22": "A hider's Stealth is compared with each enemy's passive Perception; an equal number notices. "
    "Who notices none of the enemies is surprised.",
    "DIS-23": "Surprise is each creature's own: some of a group can be caught and others not.",
    "DIS-24": "Surprise adds 10 to the total, after everything else, and takes the reaction until the round ends.",
    "DIS-25": "In a turn one moves and takes one action; anything declared can be dropped for nothing.",
    "DIS-26": "The order is rolled anew every round; no number is carried over.",
    "DIS-27": "What would end with somebody's turn ends with the round of that turn; what would end at its start "
    "ends at that round's start.",
    "DIS-28": "A reaction costs no initiative. The next one is there at the next round's start, and a turn that "
    "was interrupted goes on.",
    "DIS-29": "A bonus to initiative makes one die a size smaller: d20, d12, d10, d8, d6, d4, d3, d2, and then "
    "a plain 1.",
    "DIS-30": "A penalty makes one die a size larger, up to the d20. A bonus and a penalty cancel.",
    "DIS-31": "With advantage the largest die is rolled twice and the lower counts; with disadvantage the higher. "
    "Sizes change first. Both together cancel.",
}  # fmt: skip
