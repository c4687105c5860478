"""The words of Unbound initiative: fields, house rules, verbs, and its clauses in our own words."""

from __future__ import annotations

from tui.core.fight.agenda import Field, Mark, Verb
from tui.core.language.values import KIND
from tui.systems.shared.marks import SURPRISED
from tui.systems.shared.numbering import BY_HAND

FIELDS = (
    KIND,
    Field("per", "Perception", default=0, help="added to 2d10 when somebody sneaks up", rule="UNB-15"),
    Field(
        "stealth",
        "Stealth",
        default=0,
        help="the lowest of a party + 10 is the number to notice it",
        rule="UNB-14",
    ),
)

OPTIONS = (
    Field("unb.pass", "the right to pass", "choice", ("combined", "each", "two_sides_only", "never"), "combined",
          "with fewer left than half of all others together; than half of each other side; with two sides only; never", "UNB-8"),
    Field("unb.next_round", "the next round", "choice", ("restart", "continue"), "restart",
          "begins with the first faction, or goes on behind the last", "UNB-11"),
    Field("unb.late_faction", "a late faction", "choice", ("roll", "last"), "roll",
          "rolls against the remembered dice, or comes last", "UNB-1"),
    Field("unb.tie_notices", "an equal check notices", "bool", default=True, rule="UNB-15"),
    Field("unb.reset", "another turn", "choice", ("everyone", "own_faction"), "everyone",
          "once everybody has had a turn, or once all of its own faction have", "UNB-10"),
    BY_HAND,
)  # fmt: skip

VERBS = (
    Verb("surprise", "surprise SIDE by=SIDE", "one side sneaks up on another: Stealth against Perception", "S",
         "UNB-14", takes=("side",), keys=(Field("by", "who sneaks up", "side"),)),
    Verb("surprised", "surprised WHO | surprised none", "says who is caught unaware", "", "UNB-20", takes=("several",)),
)  # fmt: skip

MARKS = (SURPRISED, Mark("again"))

CLAUSES = {
    "UNB-1": "Initiative comes first in a fight and is rolled once.",
    "UNB-2": "Factions roll, not creatures; the players name one of them who throws the die.",
    "UNB-3": "Each faction rolls a d12, to which nothing is added.",
    "UNB-4": "The highest roll goes first, then down to the lowest.",
    "UNB-5": "Factions with the same number roll again among themselves, until it is settled.",
    "UNB-6": "Once the order is known, the numbers mean nothing any more.",
    "UNB-7": "When a faction's turn comes up, it chooses any of its own who has not had a turn.",
    "UNB-8": "A faction with fewer than half as many creatures left to act as all others together may pass.",
    "UNB-9": "Passing costs nothing and may be done again.",
    "UNB-10": "Whoever has had a turn waits until everybody of all factions has had one.",
    "UNB-11": "When everybody has had a turn the round is over, and the next begins with the first faction.",
    "UNB-12": "Surprise happens only where the GM says so.",
    "UNB-13": "Where neither side sneaks, both notice each other.",
    "UNB-14": "A sneaking party is as hard to notice as its lowest Stealth + 10.",
    "UNB-15": "Each of the others rolls 2d10 + Perception against that number; whoever stays below is surprised.",
    "UNB-16": "Where both sides are equally taken aback, nobody is surprised.",
    "UNB-17": "The surprised may move on their first turn but do nothing else, and their reaction does not come back.",
    "UNB-18": "Attacks against the surprised have favour until their first turn is over.",
    "UNB-19": "Surprise is each creature's own: some of a group can be caught and others not.",
    "UNB-20": "The GM may call anybody surprised without a roll, until that creature has its first turn of the fight.",
    "UNB-21": "A faction with nobody left to act is passed over in silence.",
    "UNB-22": "If everybody else has passed since the last turn, the faction must act.",
    "UNB-23": "The order of factions stays for the whole fight.",
    "UNB-A1": "Fewer than half means half of those whom all the other factions together have left, unless the table says "
    "otherwise (unb.pass).",
}

GLOSSARY = {
    "faction": "A side: it rolls one die for all its creatures, and chooses which of them acts.",
    "favour": "A bonus of Unbound's own rules on attacks, such as those against somebody surprised.",
    "left": "The creatures of a faction that have not had a turn in this round.",
    "notice": "Reach the number that a sneaking party sets, and so not be surprised.",
    "pass": "Let the next faction go first, for as long as one's own is small enough (UNB-8).",
    "sneak": "Come up on another side: its lowest Stealth + 10 is the number to reach.",
    "surprised": "Caught unaware: on its first turn it may move, and do nothing else.",
}
