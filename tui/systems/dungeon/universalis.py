"""Run Dungeon Universalis: two sides, and an opposed roll of Perception for the first strike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Choice, Field, Mark, Offer, RollAsk, Sentence, TrackRow, Verb, say
from tui.core.fight.encounter import DiceRoll, Encounter, OpposedOutcome
from tui.core.fight.viewer import fill_names
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.values import KIND
from tui.core.rules.draft import Draft, miss_turns
from tui.core.rules.now import suggest_line
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Corrections
from tui.core.rules.system import next_round
from tui.systems.dungeon import meeting, turns
from tui.systems.dungeon import verbs as forms
from tui.systems.dungeon.advice import now_advice
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    TwoSides,
    announce_side,
    dungeon_notes,
    list_slots,
    winners_to_act,
)
from tui.systems.dungeon.text import DUN, GLOSSARY, MARKS, PHASES
from tui.systems.dungeon.verbs import CALM, MEET, MOVED, PLACE, SQUARES, run_verb, verb_choices

FIELDS = (
    KIND,
    Field("per", "Perception", help="added to 2d6", rule="DUN-2"),
    Field("int", "Intelligence", help="wins ties, guards against surprise", rule="DUN-3"),
    Field("mod", "modifier", help="added to the roll: skills, -2 for running", rule="DUN-26"),
    Field("rank", "rank", "choice", ("champion", "leader"), help="commands the others", rule="TRK-1"),
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


class DungeonUniversalis(TwoSides, OnScreen, Corrections):
    """Sides take turns, heroes first; a meeting decides which side has the next turn."""

    id = "dungeon-universalis"
    once_rule = "DUN-24"
    title = "Dungeon Universalis"
    summary = "two sides, first strike by opposed Perception"
    credit = (
        "Dungeon Universalis is a game by Óscar Bribián, published by Ludic Dragon Games. The rules of "
        "initiative are told in our own words, after the Dungeon Universalis Wiki; no text of theirs is here."
    )
    fields = FIELDS
    modifier = "per"
    options: ClassVar[tuple[Field, ...]] = OPTIONS
    verbs: ClassVar[tuple[Verb, ...]] = (MEET, PLACE, CALM, MOVED)
    marks: ClassVar[tuple[Mark, ...]] = MARKS
    phases = PHASES
    clauses: ClassVar[Mapping[str, str]] = DUN
    glossary: ClassVar[Mapping[str, str]] = GLOSSARY

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the dice and choices of the running contest."""
        return meeting.contest_asks(e, self)

    def offer(self, e: Encounter) -> Offer:
        """Return the offer for newcomers that won, else for the side whose turn it is."""
        allows_second = bool(self.option(e, "dun.second_activation"))
        return turns.newcomers_offer(e, "DUN-15") or turns.sides_offer(e, allows_second=allows_second)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return a row for each entry, those of the side whose turn it is first."""
        return turns.side_rows(e, turns.keys_to_act(e, self))

    def value_of(self, e: Encounter, key: str) -> int:  # noqa: ARG002
        """Return 0: entries have no numbers, because sides act."""
        return 0

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return remarks on missing values, open moves and procedures that fit now."""
        return now_advice(e, self)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the whole lines that a verb could begin now."""
        return verb_choices(e, verb)

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:
        """Return the form of `meet` or `place`; none while a contest runs."""
        return () if dungeon_notes(e).contest else forms.verb_form(e, verb)

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the line of a filled form."""
        return forms.form_lines(e, verb, texts)

    def beside(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> Mapping[str, str]:
        """Return a text with the values of each enemy, for the list of a form."""
        return forms.facts_beside(e, verb, texts, int(str(self.option(e, "dun.radius"))))

    # --- facts

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Pass dice and choices to the running contest."""
        meeting.take_answer(d, self, ask, answer)

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the dice of the running contest, or of a decided one until the next turn begins."""
        rule = self.contest_rule(e)
        return tuple(
            RollAsk(f"opposed {k}", k, (6, 6), say("{0} rolls 2d6 + Perception", k, rule=rule))
            for k in meeting.contest_rollers(e)
        )

    def settled(self, e: Encounter, who: str) -> str:
        """Return a hint that the contest is decided, for creatures that rolled in it; else ""."""
        decided = isinstance(e.outcome, OpposedOutcome) and who in (e.outcome.winner, e.outcome.loser)
        return "that roll has decided the contest: `undo` leads back to it" if decided else ""

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Correct the dice of a contest; a decided one is decided again."""
        faces, number = new
        if d.encounter.decision:
            d.emit(ev.DecisionReversed(), ev.Noted("contest", value=True, at="again"))
        before = self.number_of(d.encounter, ask, tuple(dungeon_notes(d.encounter).faces[ask.who]))
        is_total = d.encounter.rolls[ask.key].total is not None
        # The faces count as well as their sum (DUN-5, DUN-18).
        if (is_total and before == number) or (old and old.faces == faces):
            message = fill_names(d.encounter, f"{{0}} has {number} already", ask.who)
            raise RuleError(message, kind="not_due")
        d.announce(f"{{0}}: {number} instead of {before}", ask.who, rule=self.contest_rule(d.encounter))
        if is_total:
            self.answer_total(d, ask, faces, number)
        else:
            self.answer(d, ask, faces)

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, the other side's turn or the next round, or pass."""
        match act.kind:
            case "turn":
                turns.begin_turn(d, act.who)
            case "pass":
                turns.decline_turns(d)
            case "side":
                if d.encounter.decision:
                    d.emit(ev.DecisionMarked("over"))
                turns.begin_dark_turn(d, self)
            case "round":
                self.new_round(d)

    def new_round(self, d: Draft) -> None:
        """Begin the next round with the heroes' turn."""
        next_round(d, self)
        turns.begin_side_turn(d, HEROES)

    def settle(self, d: Draft) -> None:
        """Continue the contest and interrupted turns, and hand on the turn of an entry that changed."""
        # The contest is settled first: its result may let newcomers interrupt, or give a turn away.
        meeting.advance_contest(d, self)
        turns.resume_turns(d)
        turns.hand_on_turn(d)

    def conclude(self, d: Draft, contest: Contest) -> None:
        """Apply what the rules give the winning side after the opposed roll and its surprise."""
        if contest.kind == "meeting":
            turns.follow_meeting(d, contest.won, self)
        elif contest.won == DARK:
            turns.forget_news(d)
            turns.admit_winners(d, "DUN-15")
        else:
            turns.bar_losers(d, self)
            turns.forget_news(d)
        turns.start_combat(d)
        meeting.close_contest(d)

    def end_side(self, d: Draft) -> None:
        """End the side's turn for `end` without a running turn. Raises RuleError."""
        n = dungeon_notes(d.encounter)
        whose = "the heroes' turn" if n.side == HEROES else "the Dark Player's turn"
        if (due := self.due(d.encounter)) or winners_to_act(d.encounter):
            line, rule = suggest_line(d.encounter, self), "" if due else "DUN-15"
            raise RuleError(f"{whose} cannot end yet", line, rule)
        if n.closed:
            raise RuleError(f"{whose} is over already", "`next` goes on", "DUN-24")
        losers = tuple(x.key for x in turns.ready_of(d.encounter, n.side))
        d.emit(ev.Noted("closed", value=True))
        if losers:
            text = f"{whose[0].upper()}{whose[1:]} ends: {list_slots(losers)} may no longer act"
            d.emit(ev.Announced(text, losers, "DUN-24"))
        else:
            announce_side(d, f"{whose[0].upper()}{whose[1:]} is over")
        miss_turns(d, n.side)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run meet, place, calm or moved."""
        run_verb(d, self, request)
