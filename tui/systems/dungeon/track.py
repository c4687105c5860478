"""Run the initiative track of Dungeon Universalis, which commanders put aside (TRK-12, TRK-20)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import (
    Act,
    Ask,
    Choice,
    Field,
    Offer,
    RollAsk,
    Sentence,
    TrackRow,
    say,
    say_because,
)
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, key_of, label, members, side_of
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.now import suggest_line
from tui.core.rules.optional import Hits
from tui.systems.dungeon import correcting, turns
from tui.systems.dungeon.advice import group_choices, separate_rolls
from tui.systems.dungeon.meeting import run_decision
from tui.systems.dungeon.notes import (
    COMMANDERS,
    DARK,
    HEROES,
    Contest,
    all_entries,
    commander,
    dungeon_notes,
    entries_by_key,
    forget_notes,
    newcomers_by_key,
    team,
    winners_to_act,
)
from tui.systems.dungeon.text import DUN, TRACK_GLOSSARY, TRACK_MARKS, TRK
from tui.systems.dungeon.track_order import DungeonOrder, is_by_track, track_of
from tui.systems.dungeon.universalis import OPTIONS, DungeonUniversalis
from tui.systems.dungeon.variable import HIT, KILL, Variable, kill_choices
from tui.systems.shared.numbering import BY_HAND
from tui.systems.shared.placing import move_line
from tui.systems.shared.track import TrackSystem

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


class DungeonTrack(DungeonUniversalis, Variable, Hits):
    """2d6 + Perception for each hero and group; sides while a Champion or Leader commands."""

    id = "dungeon-track"
    once_rule = "TRK-21"
    title = "Dungeon Universalis: initiative track"
    short = "Dungeon Universalis, track"
    summary = "a number for each hero and group"
    credit = (
        'After the mini-ruleset "Initiative additional rules" for Dungeon Universalis, in our own words. '
        "Its author is not known to us."
    )
    grouped = True
    rolls_track = True
    options = (*OPTIONS, *TRACK_OPTIONS)
    verbs = (*DungeonUniversalis.verbs, HIT, KILL)
    marks = (*DungeonUniversalis.marks, *TRACK_MARKS)
    clauses: ClassVar[Mapping[str, str]] = {**DUN, **TRK}
    glossary: ClassVar[Mapping[str, str]] = TRACK_GLOSSARY

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the asks of the contest, then those of the track."""
        return (*super().due(e), *self.roll_asks(e))

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of newcomers that won, of heroes in a first turn, or of the next row (TRK-21)."""
        if not is_by_track(e):
            return super().offer(e)
        if early_offer := turns.newcomers_offer(e, "TRK-15"):
            return early_offer
        heroes = turns.ready_of(e, HEROES) if track_of(e).free else []
        if heroes:
            won = "they won the initiative, and act in any order"
            reason = say_because("The heroes' turn", won, rule="TRK-9")
            return Offer(tuple(Act("turn", x.key) for x in heroes), reason, SIDE + HEROES)
        return TrackSystem.offer(self, e)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the whole track, then the entries without a number."""
        return DungeonOrder.rows(self, e) if is_by_track(e) else super().rows(e)

    def value_of(self, e: Encounter, key: str) -> int:
        """Return the number of one row; 0 while sides act."""
        return TrackSystem.value_of(self, e, key) if is_by_track(e) else 0

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:
        """Return `hit` for damage and `kill` for `out` if initiative is variable (TRK-18, TRK-19)."""
        present = {c.id for c in self.in_play(e)}
        if not all(any(c.id in present for c in members(e, k)) for k in keys) or not self.counts_hits(e):
            return ""
        # No creature is its own killer: if the acting creature itself goes out, plain `out` is used.
        if verb == "out" and any(c.id == e.acting for k in keys for c in members(e, k)):
            return ""
        by = f" by={quote(label(e, e.acting))}" if e.acting in e.combatants else ""
        return {"damage": "hit {who} {n}", "out": f"kill {{who}}{by} {{rest}}"}.get(verb, "")

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:
        """Return False for the opposed roll of an entry that already has a number and keeps it (TRK-13)."""
        return not (ask.key.startswith("opposed ") and _row_of(e, ask.who) in track_of(e).places)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return remarks, among them what decides the order of turns and until when."""
        sentences = (*separate_rolls(e), *super().remarks(e))
        n = track_of(e)
        if n.by == "track":
            if n.tie and n.tie != self.next_tie_rule(e):
                sentences += (say("the new rule for ties counts from the next track on", rule="TRK-A1"),)
        elif dungeon_notes(e).combat:
            sentences += tuple(self.side_remarks(e))
        return sentences

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the whole lines that a verb could begin now, also of `group` and `kill`."""
        match verb:
            case "group":
                return group_choices(e)
            case "kill":
                return kill_choices(e)
            case _:
                return super().choices(e, verb)

    def turn_side(self, e: Encounter) -> str:
        """Return the side that acts; on a track "" between turns, except in the heroes' first turn."""
        if not is_by_track(e):
            return super().turn_side(e)
        if not e.turn and track_of(e).free and turns.ready_of(e, HEROES):
            return HEROES
        return side_of(e, e.acting)

    def side_acts_whole(self, e: Encounter) -> bool:
        """Return whether a side has its turn: the track gives one to the heroes alone, at first (TRK-9)."""
        return track_of(e).free or not is_by_track(e)

    def contest_rule(self, e: Encounter) -> str:
        """Return the clause that requires the opposed roll."""
        if commander(e):
            return super().contest_rule(e)
        return "TRK-2" if self.is_new_room(e) else "TRK-13"

    def without(self, e: Encounter, unseen: Collection[str]) -> Encounter:
        """Return the encounter without the effect of an unseen commander: the track counts."""
        n = track_of(e)
        if n.by == "track" or not n.places or dungeon_notes(e).led not in unseen:
            return e
        if any(c.word("rank") in COMMANDERS for c in team(e, DARK) if c.id not in unseen):
            return e
        return replace(e, notes={**e.notes, "by": "track", "commanded": False})

    # --- facts

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Pass dice and choices to the contest or to the track, by the key of the ask."""
        if ask.key.startswith(("track ", "tie", "hand ")):
            TrackSystem.answer(self, d, ask, answer)
        else:
            super().answer(d, ask, answer)

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the rolls for the track, and the dice of a contest that is not decided yet."""
        return (*super().correctable(e), *TrackSystem.correctable(self, e))

    def settled(self, e: Encounter, who: str) -> str:
        """Return the line that ends a fixed place, else the reason why a contest is final; or ""."""
        return TrackSystem.settled(self, e, who) or super().settled(e, who)

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Correct a number on the track, hits and kills included, or the dice of a contest."""
        if ask.key.startswith("track "):
            correcting.correct_number(d, ask, new)
            return
        before = d.encounter
        super().correct(d, ask, new, old)
        if before.decision:
            correcting.keep_numbers(d, before, ask, new)

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, and record the place on the track that has now had its turn (TRK-16)."""
        e = d.encounter
        row = entries_by_key(e).get(act.who) if act.kind == "turn" and is_by_track(e) else None
        # In their first turn the heroes act regardless of their places (TRK-9), and so do newcomers who won.
        is_early = act.who in newcomers_by_key(all_entries(e), winners_to_act(e))
        if row and not is_early and not (track_of(e).free and turns.side_of_entry(e, row) == HEROES):
            self.note_turn(d, row.key)
        super().took(d, act)

    def new_round(self, d: Draft) -> None:
        """Begin the next turn by track or sides, and apply the changes that were postponed to it."""
        super().new_round(d)
        forget_notes(d, "came", "spent")
        self.apply_later(d)
        self.choose_order(d)

    def settle(self, d: Draft) -> None:
        """Continue the contest, begin turns once numbers are known, and look for a commander."""
        super().settle(d)
        contest = dungeon_notes(d.encounter).contest
        if contest and contest.stage == "ranks" and not self.due(d.encounter):
            run_decision(d, lambda: self.start_turns(d, contest))
        self.suspend_for_commander(d)
        self.keep_tie_rules(d)

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """Announce a lost commander, and remark on kills that were not counted."""
        self.announce_commander_lost(d, who)
        self.point_out_kill(d, who)

    def counts_hits(self, e: Encounter) -> bool:
        """Return whether initiative is variable (TRK-18)."""
        return bool(self.option(e, "trk.variable"))

    def damaged(self, d: Draft, who: str, amount: int) -> None:
        """Remark on a hit that was not counted, and on a hero that was knocked out."""
        self.point_out_hit(d, who)
        self.offer_knock_out(d, who, amount)

    def conclude(self, d: Draft, contest: Contest) -> None:
        """Begin a track after the opposed roll, add newcomers to it, or suspend it."""
        if contest.kind == "meeting" and not commander(d.encounter):
            self.begin_track(d, contest)
        elif is_by_track(d.encounter) and not self.is_put_aside(d.encounter):
            self.join_track(d, contest)
        else:
            self.follow_contest(d, contest)
            super().conclude(d, contest)

    def end_side(self, d: Draft) -> None:
        """Run `end` between two turns: end the side's turn. Raises RuleError while the track counts."""
        if is_by_track(d.encounter):
            raise RuleError(
                "nobody is acting, and no side has a turn on the track",
                suggest_line(d.encounter, self),
                "TRK-10",
            )
        super().end_side(d)

    def clear_combat(self, d: Draft) -> None:
        """Clear the track, and the marks and notes that keep creatures from acting or let them act early."""
        if is_by_track(d.encounter):
            turns.begin_side_turn(d, HEROES)
        self.forget_order(d)
        forget_notes(d, "by", "free", "commanded", "led")
        super().clear_combat(d)

    def hold(self, d: Draft, key: str) -> None:
        """Refuse to delay."""
        if is_by_track(d.encounter):
            line = move_line(d.encounter, key, self.acting_order(d.encounter))
            hint = f"`{line}` moves the row" if line else ""
            raise RuleError("nobody can delay on the track", hint, "TRK-10")
        super().hold(d, key)

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """Move a row for the GM until the track is rolled again. Raises RuleError while sides act."""
        if not is_by_track(d.encounter):
            super().move(d, key, where, other)
        TrackSystem.move(self, d, key, where, other)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run meet, place, calm, moved, hit or kill."""
        match request.verb:
            case "hit":
                self.hit(d, request)
            case "kill":
                self.kill(d, request)
            case _:
                super().report(d, request)


def _row_of(e: Encounter, who: str) -> str:
    c = e.combatants.get(who)
    return key_of(c) if c else who
