"""Run Dungeon Universalis: two sides, and an opposed roll of Perception for the first strike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Choice,
    Field,
    Mark,
    Offer,
    RollAsk,
    Sentence,
    TrackRow,
    Verb,
    list_slots,
    say,
)
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import DiceRoll, Encounter, Entry, OpposedOutcome, Turn, key_of, members
from tui.core.fight.viewer import fill_names
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Corrections
from tui.core.rules.system import InitiativeSystem, next_round
from tui.systems import Texts
from tui.systems.dungeon import by_sides, contests
from tui.systems.dungeon import verbs as forms
from tui.systems.dungeon.advice import now_advice
from tui.systems.dungeon.notes import (
    Contest,
    all_entries,
    best_roller,
    creatures_in_play,
    dungeon_notes,
    entries_by_key,
    made_now,
    made_with,
    team,
    winners_to_act,
)
from tui.systems.dungeon.text import DARK, FIELDS, HEROES, MARKS, OPTIONS, PHASES
from tui.systems.shared.placing import bar_late_members


class DungeonUniversalis(InitiativeSystem, OnScreen, Corrections):
    """Sides take turns, heroes first; a meeting decides which side has the next turn."""

    id = "dungeon-universalis"
    once_rule = "DUN-24"
    instead_of_delays = ("in a side's turn its creatures act in any order", "DUN-24")
    title = "Dungeon Universalis"
    passes = True
    summary = "two sides, first strike by opposed Perception"
    credit = (
        "Dungeon Universalis is a game by Óscar Bribián, published by Ludic Dragon Games. The rules of "
        "initiative are told in our own words, after the Dungeon Universalis Wiki; no text of theirs is here."
    )
    sides = (HEROES, DARK)
    fields = FIELDS
    modifier = "per"
    options: ClassVar[tuple[Field, ...]] = OPTIONS
    verbs: ClassVar[tuple[Verb, ...]] = (forms.MEET, forms.PLACE, forms.CALM, forms.MOVED)
    marks: ClassVar[tuple[Mark, ...]] = MARKS
    phases = PHASES
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- who may act

    def turn_order(self, e: Encounter) -> InitiativeSystem:  # noqa: ARG002
        """Return what decides who may act now: the sides here, in `DungeonTrack` often the track."""
        return by_sides.BY_SIDES

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the dice and choices of the running contest, then the rolls for the order."""
        return self.turn_order(e).due(e)

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of newcomers that won, else those that the order allows."""
        return self.turn_order(e).offer(e)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return a row for each entry, in order."""
        return self.turn_order(e).rows(e)

    def value_of(self, e: Encounter, key: str) -> int:
        """Return the number in a row; 0 while sides act."""
        return self.turn_order(e).value_of(e, key)

    def turn_side(self, e: Encounter) -> str:
        """Return the side whose turn it is, or "" between two turns."""
        return self.turn_order(e).turn_side(e)

    def side_acts_whole(self, e: Encounter) -> bool:
        """Return whether a side has its turn."""
        return self.turn_order(e).side_acts_whole(e)

    def end_side(self, d: Draft) -> None:
        """End the side's turn for `end` without a running turn. Raises RuleError."""
        self.turn_order(d.encounter).end_side(d)

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """Move a row for the GM. Raises RuleError while sides act in any order."""
        self.turn_order(d.encounter).move(d, key, where, other)

    # --- other questions

    def in_play(self, e: Encounter) -> list[Combatant]:
        """Return heroes, and the enemies that were met or placed."""
        return creatures_in_play(e)

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries: single creatures, groups, and heroes with their companions."""
        return all_entries(e)

    def in_combat(self, e: Encounter, side: str) -> bool:  # noqa: ARG002
        """Return whether combat runs, which it does for both sides or for none."""
        return e.running and dungeon_notes(e).combat

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return 2d6 + Perception + bonuses of the creature that rolls for an entry (DUN-2, TRK-6)."""
        roller = e.combatants.get(roll.who)
        if roller is None and (entry := entries_by_key(e).get(roll.who)):
            roller = best_roller(e, entry)
        if roller is None or roll.dice != (6, 6):
            return None
        made = (made_with if roll.ask.startswith("opposed ") else made_now)(e, roller)
        return sum(roll.faces) + made.per + made.mod, roll.faces

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return remarks on missing values, open moves and procedures that fit now."""
        return now_advice(e)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the whole lines that a verb could begin now."""
        return forms.verb_choices(e, verb)

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:
        """Return the form of `meet` or `place`; none while a contest runs."""
        return () if dungeon_notes(e).contest.kind else forms.verb_form(e, verb)

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the line of a filled form."""
        return forms.form_lines(e, verb, texts)

    def beside(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> Mapping[str, str]:
        """Return a text with the values of each enemy, for the list of a form."""
        return forms.describe_enemies(e, verb, texts)

    # --- dice of the contest

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Pass dice and choices to the running contest."""
        contests.take_answer(d, ask, answer, self.conclude)

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:
        """Take two dice by their total; a meeting needs the faces (DUN-5, DUN-18). Raises RuleError."""
        if contests.needs_faces(d.encounter, ask):
            line = f"`roll {quote(d.encounter.combatants[ask.who].name)} 4 3`"
            raise RuleError("the two dice decide here, not their sum", f"{line} gives the faces", "DUN-5")
        bonus = self.number_of(d.encounter, ask, faces) - sum(faces)
        self.answer(d, ask, (total - bonus,))

    def takes_any_total(self, e: Encounter, ask: RollAsk) -> bool:
        """Return whether no single face decides: a roll for the track, or of newcomers (TRK-6, DUN-13)."""
        return not contests.needs_faces(e, ask)

    def overrule(self, d: Draft, ask: RollAsk, number: int) -> None:
        """Do nothing: `answer_total` has recorded the number."""

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the dice of the running contest, or of a decided one until the next turn begins."""
        rule = contests.contest_rule(e)
        return tuple(
            RollAsk(f"opposed {k}", k, (6, 6), say("{0} rolls 2d6 + Perception", k, rule=rule))
            for k in contests.contest_rollers(e)
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
        rule = contests.contest_rule(d.encounter)
        d.announce(f"{{0}}: {number} instead of {before}", ask.who, rule=rule)
        if is_total:
            self.answer_total(d, ask, faces, number)
        else:
            self.answer(d, ask, faces)

    # --- other facts

    def begin(self, d: Draft) -> None:
        """Begin round 1 with the heroes' turn."""
        if strange := [c for c in d.encounter.combatants.values() if c.side not in self.sides]:
            hint = f'`set "{strange[0].name}" side=heroes`, or dark: allies join a side'
            raise RuleError(f"{strange[0].name} is on the side {strange[0].side}", hint, "DUN-1")
        next_round(d, self)
        d.mark([c.id for c in team(d.encounter, HEROES)], "met", "fight")
        d.emit(ev.PhaseEntered("exploration"))

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, the other side's turn or the next round, or pass."""
        match act.kind:
            case "turn":
                by_sides.begin_turn(d, act.who)
            case "pass":
                by_sides.decline_turns(d)
            case "side":
                d.emit(ev.DecisionMarked("over"))
                by_sides.begin_dark_turn(d)
            case "round":
                self.new_round(d)

    def new_round(self, d: Draft) -> None:
        """Begin the next round with the heroes' turn."""
        next_round(d, self)
        by_sides.begin_side_turn(d, HEROES)

    def ended(self, d: Draft, turn: Turn) -> None:
        """Do nothing: `settle` resumes an interrupted turn once the newcomers have acted."""

    def settle(self, d: Draft) -> None:
        """Continue the contest and interrupted turns, and hand on the turn of an entry that changed."""
        # The contest is settled first: its result may let newcomers interrupt, or give a turn away.
        contests.advance_contest(d, self.conclude)
        by_sides.resume_turns(d)
        by_sides.continue_turn(d)

    def conclude(self, d: Draft, contest: Contest) -> None:
        """Apply what the rules give the winning side after the opposed roll and its surprise."""
        by_sides.conclude(d, contest)

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Let heroes take part at once; enemies wait in reserve."""
        people = [d.encounter.combatants[k] for k in who]
        new = [c for c in people if "met" not in c.marks]
        latecomers = [c.id for c in new if c.side == HEROES and _joins_late(d.encounter, c)]
        d.mark([c.id for c in people if c.side == HEROES], "met", "fight")
        d.mark(latecomers, "barred")
        waiting = [c.id for c in new if c.side == DARK]
        if waiting and dungeon_notes(d.encounter).combat:
            d.announce(list_slots(waiting) + ": in reserve until `place` or `meet`", *waiting, rule="DUN-9")

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """End turns of entries that were left; bar creatures that joined a group after its turn."""
        present, early_keys = {c.id for c in creatures_in_play(d.encounter)}, winners_to_act(d.encounter)
        bar_late_members(d, [k for k in before if k in present and k not in early_keys], self.once_rule)
        super().regrouped(d, before)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run meet, place, calm or moved."""
        match request.verb:
            case "meet":
                forms.run_meet(d, self, request)
            case "place":
                forms.run_place(d, self, request)
            case "moved":
                forms.run_moved(d, request)
            case _:
                forms.run_calm(d, self)


def _joins_late(e: Encounter, c: Combatant) -> bool:
    """Return whether the group that a creature joins has had its turn of this round, or has it now."""
    others = [x for x in members(e, key_of(c)) if x.id != c.id and not x.out]
    return any("acted" in x.marks or x.id in e.busy for x in others)
