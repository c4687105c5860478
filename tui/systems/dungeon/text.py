"""Declare the fields, house rules, marks, clauses and words of Dungeon Universalis and its track."""

from __future__ import annotations

from tui.core.fight.agenda import Field, Mark, Phase
from tui.core.language.values import KIND
from tui.systems.shared.numbering import BARRED_MARK, BY_HAND, SURPRISED_MARK

HEROES = "heroes"
DARK = "dark"
COMMANDERS = ("champion", "leader")

SQUARES = Field("distance", "squares", help="to the enemy that rolls, for one contest", rule="DUN-6", least=0)
FIELDS = (
    KIND,
    Field("per", "Perception", help="added to 2d6", rule="DUN-2"),
    Field("int", "Intelligence", help="wins ties, guards against surprise", rule="DUN-3"),
    Field("mod", "modifier", help="added to the roll: skills, -2 for running", rule="DUN-26"),
    Field("rank", "rank", "choice", COMMANDERS, help="commands the others", rule="TRK-1"),
    SQUARES,
    Field("acts_with", "acts with", "creature", rule="DUN-24",
          help="its hero: a companion acts in the hero's turn"),
)  # fmt: skip
OPTIONS = (
    Field("dun.double_one_loses", "double 1 loses", "bool", default=True, rule="DUN-5",
          help="a single double 1 loses, whatever the totals are"),
    Field("dun.surprise_int", "surprise tests", "choice", ("roller", "each"), "roller", rule="DUN-18",
          help="roller: against the roller's Intelligence; each: against each creature's own"),
    Field("dun.radius", "surprise radius", default=6, least=0, rule="DUN-19",
          help="squares from the winner, inclusive"),
    Field("dun.adp", "artificial Dark Player", "bool", default=False, rule="DUN-8",
          help="the most perceptive enemy rolls, however far away"),
    Field("dun.losers_wait", "losers sit out", "choice", ("side_turn", "full_turn"), "side_turn",
        rule="DUN-14",
          help="newcomers that lost; side_turn: miss the running side's turn; full_turn: miss the round"),
    Field("dun.second_activation", "act twice", "bool", default=False, rule="DUN-15",
          help="newcomers that acted at once act again in the Dark Player's turn"),
)  # fmt: skip
TRACK_OPTIONS = (
    Field("trk.tie", "ties", "choice", ("intelligence", "heroes_first", "creatures_first", "by_hand"),
          "intelligence", "intelligence: the higher goes first; heroes_first, creatures_first: that side; "
        "by_hand: the GM's order", "TRK-7"),
    Field("trk.roller_group", "the roller's group", "choice", ("keeps", "rolls_again"), "keeps",
          "keeps: its number is the opposed total; rolls_again: it rolls again", "TRK-6"),
    Field("trk.variable", "variable initiative", "bool", default=False, rule="TRK-23",
          help="a first hit lowers the number by 1, a first kill raises it"),
    Field("trk.variable_moves", "a hit or kill moves", "choice", ("value", "one_place"), "value",
          "value: its number changes by 1; one_place: its row moves by one place", "TRK-18"),
    Field("trk.variable_when", "a changed number counts", "choice", ("immediate", "next_turn"), "immediate",
          "immediate: at once; next_turn: from the next turn", "TRK-18"),
    Field("trk.variable_who", "variable initiative is for", "choice", ("all", "creatures"), "all",
          "all: everybody; creatures: all but heroes", "TRK-18"),
    Field("trk.commander_when", "a commander appears", "choice", ("immediate", "next_turn"), "immediate",
          "immediate: the track is set aside at once; next_turn: with the next turn", "TRK-12"),
    Field("trk.commander_falls", "the last commander falls", "choice", ("resume", "stay", "roll_new"),
        "resume",
          "resume: the old track returns; stay: sides stay; roll_new: a new track is rolled", "TRK-20"),
    Field("trk.losers_same_turn", "losers act at their place", "bool", default=True, rule="TRK-16",
          help="newcomers that lost act this turn if their place is still ahead"),
    BY_HAND,
)  # fmt: skip
DEFAULTS = {f.key: f.default for f in (*OPTIONS, *TRACK_OPTIONS)}
"""The value of each house rule without a choice."""

MARKS = (
    SURPRISED_MARK,
    BARRED_MARK,
    # A mark for bookkeeping has no text: every creature of the fight has it.
    Mark("met", until="fight"),
    Mark("new", "has just appeared", until="fight"),
    Mark("early", "cut in this round"),
    Mark("moved", "has moved its one square"),
)
TRACK_MARKS = (
    Mark("hit", "was hit this round", tag="hit", short="hit"),
    Mark("kill", "has killed this round", tag="kill", short="kill"),
)
PHASES = (Phase("exploration", "The heroes explore", calm=True),)

DUN = {
    "DUN-1": "An initiative roll gives the first strike to one of two sides, never an order among creatures. "
    "Allies of the heroes belong to their side.",
    "DUN-2": "One creature of each side rolls 2d6 and adds Perception and bonuses. The higher total wins. A "
    "double 6 means nothing special.",
    "DUN-3": "Equal totals: the roller with the higher Intelligence wins, without new dice.",
    "DUN-4": "Intelligence equal as well: both roll again, until it is decided. Only the deciding roll "
    "counts, for totals, surprise and critical failure.",
    "DUN-5": "A natural double 1 is a critical failure: if only one roller has it, that roller loses. If "
    "both do, the totals decide. House rule: dun.double_one_loses.",
    "DUN-6": "For each side the creature nearest to the enemy rolls. The dying do not roll while others can. "
    "The GM may name the rollers instead.",
    "DUN-7": "Equally near: the higher Perception rolls. Still equal: a fair die chooses, but not among "
    "creatures of one group that have the same numbers: there it would decide nothing.",
    "DUN-8": "Against an artificial Dark Player (house rule dun.adp) the nearest hero or ally (the "
    "discoverer where no distance is known) rolls against the most perceptive enemy, however far away; among "
    "newcomers in combat, the most perceptive of them.",
    "DUN-9": "Whenever the Dark Player puts enemies on the table, in a new section, by a card or by an "
    "event, one roll is made for all of them together.",
    "DUN-10": "The hero who discovers a section and sees enemies in it rolls for the heroes at once; the "
    "running turn ends.",
    "DUN-11": "The heroes win a meeting: a new turn begins for all of them. The Dark Player loses his turn, "
    "draws no card and gains no Achievement.",
    "DUN-12": "The heroes lose a meeting: their turn is over, also for those who have not acted, and the "
    "Dark Player's turn begins.",
    "DUN-13": "Enemies who appear while combat runs roll too: the nearest of them against the nearest hero, "
    "mercenary or pet.",
    "DUN-14": "Newcomers who lose do not act in the turn in which they appear. House rule: dun.losers_wait.",
    "DUN-15": "Newcomers who win may act at once, before play goes on; they may decline. Those who did "
    "do not act again in the same round. House rule: dun.second_activation.",
    "DUN-16": "The roll is about the newcomers alone: the Dark Player keeps his turn, and his other "
    "creatures act as usual.",
    "DUN-17": "Surprise is possible only when both sides first meet in a newly revealed section.",
    "DUN-18": "The losing side is caught by surprise if each of the winner's two natural dice is at least "
    "the losing roller's Intelligence: one test for all. House rule: dun.surprise_int.",
    "DUN-19": "Losers within 6 squares of the winning roller are caught; 6 counts. The losing roller may be "
    "too far away. House rule: dun.radius.",
    "DUN-20": "The winner may move each of those caught to a free square next to it and turn it as he likes, "
    "once each, in any order.",
    "DUN-21": "Behind a door that was broken down nobody is caught, not even after a double 1.",
    "DUN-22": "If the loser rolled a double 1, everybody of that side within the radius is caught, whatever "
    "the winner's dice.",
    "DUN-23": "A side that is already in combat cannot be caught.",
    "DUN-24": "The heroes' turn and the Dark Player's turn follow each other. Within a side's turn its "
    "members act once each, in any order; a companion acts with its hero.",
    "DUN-25": "Combat lasts until the GM ends it, because no enemy is near enough or left.",
    "DUN-26": "Bonuses and penalties change the roll: a running hero has -2.",
    "DUN-27": "A roll decides only whose turn it is and which newcomers must wait; its dice are forgotten.",
    "DUN-A4": "Surprise is tested once, with the Intelligence of the losing roller. With "
    "dun.surprise_int=each everybody's own Intelligence is tested.",
}

TRK = {
    "TRK-1": "A new room without Champion or Leader: the initiative track. With one: sides, as in Dungeon "
    "Universalis.",
    "TRK-2": "The discoverer rolls against the most perceptive creature; both totals are kept for the track.",
    "TRK-3": "Surprise is settled as in Dungeon Universalis, once, before the rest of the track is rolled.",
    "TRK-4": "Every other hero rolls 2d6 + Perception + bonuses, against nobody.",
    "TRK-5": "The Dark Player divides his creatures into groups as he likes, by kind or by weapon.",
    "TRK-6": "Each group rolls once, 2d6 + the best Perception in it, with that creature's Intelligence. The "
    "group of the creature that made the opposed roll keeps that total. House rule: trk.roller_group.",
    "TRK-7": "All results from high to low are the track. Ties: higher Intelligence, then 2d6 + Perception "
    "against each other, which changes no value. House rules: trk.tie, tie.by_hand.",
    "TRK-8": "Everybody's place on the track is shown and counted again at every change.",
    "TRK-9": "The heroes won: in the first turn all of them act before the creatures, in the order they "
    "like; then the creatures by the track.",
    "TRK-10": "From the second turn on everybody acts by the track, until combat ends. Nobody rolls again.",
    "TRK-11": "The creatures won: everybody acts by the track from the first turn on.",
    "TRK-12": "A Champion or Leader appears in combat: at once everybody acts by sides, and nobody twice in "
    "this turn; the track is set aside. House rule: trk.commander_when.",
    "TRK-13": "Newcomers in combat: one opposed roll, as in Dungeon Universalis. Its totals are kept for the "
    "track if no commander is in play when it is decided; a creature placed under a commander rolls 2d6 + "
    "Perception when the track comes back.",
    "TRK-14": "Newcomers who fit a group of the track join it and its value; new groups roll and take their "
    "place.",
    "TRK-15": "The creatures won: the newcomers act at once, and not again at their place in this turn; the "
    "old members of their group still do.",
    "TRK-16": "The heroes won: newcomers act at their place. If it has passed, they wait for the next turn. "
    "House rule: trk.losers_same_turn.",
    "TRK-17": "Then play goes on exactly where it was interrupted.",
    "TRK-18": "Variable initiative: a creature or group that is hit loses 1, once a round. A tie that this "
    "makes is not rolled off: the higher Intelligence, else the order as it was. House rules: "
    "trk.variable_moves, trk.variable_when, trk.variable_who.",
    "TRK-19": "Variable initiative: a creature that kills or knocks out gains 1, once a round.",
    "TRK-20": "The last commander is gone: the track counts again from the next turn on; if there never was "
    "one, the sides stay. House rule: trk.commander_falls.",
    "TRK-21": "The best entry that has not acted is always next: nobody acts twice, nobody is skipped.",
    "TRK-22": "The dead leave the track at once and places close up; a group leaves with its last member.",
    "TRK-23": "Variable initiative is a house rule: trk.variable.",
    "TRK-A1": "Ties on the track, of newcomers too: higher Intelligence, then 2d6 + Perception against each "
    "other. House rule: trk.tie; a track keeps the rule that put it in order.",
    "TRK-A9": "A commander who appears puts the track aside at once. For the rest of the turn the heroes who "
    "have not acted go in any order, then the creatures. A commander who lost the roll waits for the next "
    "turn; other newcomers who lost wait for the running side's turn (DUN-14). House rule: "
    "trk.commander_when.",
}

GLOSSARY = {
    "acts early": "Won the roll as it appeared, and acts before the play that it interrupted goes on.",
    "artificial Dark Player": "The enemies are run by rules instead of a person: the house rule dun.adp.",
    "companion": "A creature that acts in its hero's turn, as `acts_with` says.",
    "critical failure": "Both dice show 1: if only one roller has it, that roller loses.",
    "Dark Player": "The player of the enemies, which are the dark side: their turns are the same.",
    "exploring": "No enemy is in sight: the heroes act in any order.",
    "meet": "Heroes reveal a section with enemies in it, and an opposed roll says who acts first.",
    "newcomers": "Enemies who have just appeared in a fight that was running already.",
    "opposed roll": "One creature of each side rolls 2d6 + Perception, and the higher total wins.",
    "place": "Puts enemies from the reserve on the table while a fight is running.",
    "reserve": "Enemies who are not on the table yet; `meet` and `place` bring them in.",
    "surprised": "Caught unaware at a first meeting; the winner may move it by one square.",
}
TRACK_GLOSSARY = {
    **GLOSSARY,
    "commander": "A Champion or Leader: while one is in the fight, sides take turns and the track is set "
    "aside.",
    "hit": "Was hit in this round, and has lost 1 for it.",
    "kill": "Has killed in this round, and has gained 1 for it.",
    "place": "Puts enemies on the table; also the place of a row on the track, counted from the first to "
    "act.",
    "variable initiative": "The house rule trk.variable: a hit creature loses 1, one that kills gains 1.",
}
