"""Declare the fields, house rules and marks of Dungeon Universalis and its track."""

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
