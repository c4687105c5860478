"""Side initiative: a d6 for each side every round; the whole side acts, in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Field,
    Lazy,
    Mark,
    Offer,
    RollAsk,
    Sentence,
    TrackRow,
    name_slots,
    say,
    say_because,
)
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, Entry, OrderOutcome, unacted
from tui.core.rules.draft import Draft, members_in_play, miss_turns
from tui.core.rules.now import suggest_line
from tui.core.rules.optional import announce_correction
from tui.core.rules.system import next_round, notes, offer_of
from tui.systems import Texts
from tui.systems.shared.side_dice import SideDice, offer_sides, side_key
from tui.systems.shared.unnumbered import TableCustom

BARRED_MARK = "barred"
"""The mark of a creature that has no turn in this round."""


class SideNotes(Struct, frozen=True):
    """Notes of the fight, by side."""

    rolled: dict[str, list[int]] = {}
    """The face of the side's d6, then those of its rolls for ties."""
    over: tuple[str, ...] = ()
    """The sides whose turn of this round is over."""
    late: tuple[str, ...] = ()
    """The ids of the creatures that joined a group after its turn of this round."""
    begun: bool = False
    """Whether a turn of this round has begun."""
    settled: tuple[str, ...] = ()
    """The order of sides that was announced last."""


class SideInitiative(SideDice, TableCustom):
    """A d6 for each side, high first; in a side's turn its creatures act in any order."""

    id = "side-initiative"
    title = "Side initiative"
    short = "Sides"
    summary = "a d6 for each side, and the whole side acts"
    once_rule = "SID-3"
    join_rule = "SID-4"
    options = (
        Field("sid.roll", "the dice", "choice", ("each_round", "once"), "each_round",
              "each_round: sides roll in every round; once: once for the fight", "SID-1"),
        Field("sid.tie", "equal sides", "choice", ("reroll", "together"), "reroll",
              "reroll: they roll again among themselves; together: they share one turn", "SID-2"),
    )  # fmt: skip
    marks = (Mark(BARRED_MARK, "sits out", tag=BARRED_MARK),)
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- questions

    def due(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the dice that sides owe before the turns of a round: the first roll, then rolls for ties.

        A side that was away when the order was settled rolls off when it is back.
        """
        if e.phase not in ("rolls", "turns"):
            return ()
        n, here = side_notes(e), self.sides_in_play(e)
        if e.phase == "rolls" and (keys := [key for key in here if key not in n.rolled]):
            return tuple(map(_first_roll, keys))
        if self.option(e, "sid.tie") == "together":
            return ()
        rivals = [k for k in here if k in n.rolled and k not in n.over]
        asks = list[RollAsk]()
        for key in (k for k in self._sort_sides(e) if k in rivals):
            mine = n.rolled[key]
            tied = [k for k in rivals if n.rolled[k][: len(mine)] == mine]
            if len(tied) > 1 and (e.phase == "rolls" or not set(tied) <= set(n.settled)):
                asks.append(_roll_off_ask(key, len(mine), tied))
        return tuple(asks)

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of all unacted entries of the side whose turn it is, or the next round."""
        over = say("All sides have had their turn", rule="SID-3")
        return offer_sides(e, self.choosing_sides(e), self._waiting(e), "SID-3", over)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return creatures and groups, side by side; the number is the d6 of their side."""
        n, place = side_notes(e), {key: i for i, key in enumerate(self._sort_sides(e))}
        idle = not (e.turn or self.due(e))
        may = {act.who for act in offer_of(e, self).acts} if idle else set()
        waiting = {x.key for x in self._waiting(e)}
        order = sorted(self.entries(e), key=lambda x: place.get(side_key(e, x), len(place)))

        def row(x: Entry) -> TrackRow:
            rolled = n.rolled.get(side_key(e, x), [])
            state = self.state_of(e, x, may)
            barred = any(BARRED_MARK in e.combatants[k].marks for k in x.members)
            if state == "waits" and x.key not in waiting and barred:
                state = "barred"
            return TrackRow(x.key, x.members, sum(rolled[:1]), state, Lazy(self._why, (e, x)), bool(rolled))

        return tuple(map(row, order))

    def _why(self, e: Encounter, x: Entry) -> tuple[Sentence, ...]:
        side = side_key(e, x)
        first, *tie_rolls = side_notes(e).rolled.get(side, [0])
        if not first:
            return (say("{0} rolls in the next round", side, rule="SID-4"),)
        tie_text = f"; in ties {', '.join(map(str, tie_rolls))}" if tie_rolls else ""
        return (say(f"{{0}} rolled {first}{tie_text}", side, rule="SID-1"),)

    def side_acts_whole(self, e: Encounter) -> bool:
        """Return whether sides have turns now."""
        return e.phase == "turns"

    # --- whose turn

    def _sort_sides(self, e: Encounter) -> list[str]:
        """Return the sides in play that have rolled, first to act first."""
        rolled = side_notes(e).rolled
        present = [k for k in self.sides_in_play(e) if k in rolled]
        return sorted(present, key=lambda k: [-face for face in rolled[k]])

    def _waiting(self, e: Encounter) -> list[Entry]:
        """Return the entries that still have a turn in the turn of their side, in roster order."""
        n = side_notes(e)
        open_sides = n.rolled.keys() - set(n.over)
        # A creature that sits out with its side may change sides; one that joined a group late stays barred.
        free = {c.id for c in unacted(e.combatants.values()) if c.id not in n.late}
        rows = (x for x in self.entries(e) if side_key(e, x) in open_sides)
        return [x for x in rows if not free.isdisjoint(x.members)]

    def choosing_sides(self, e: Encounter) -> Sequence[str]:
        """Return the side whose turn it is, or by house rule the tied ones; none after the last."""
        n = side_notes(e)
        left = [k for k in self._sort_sides(e) if k not in n.over]
        return tuple(k for k in left if n.rolled[k] == n.rolled[left[0]])

    # --- play

    def answer(self, d: Draft, ask: Ask, answer: tuple[Plain, ...]) -> None:
        """Take the d6 of a side."""
        rolled = side_notes(d.encounter).rolled.get(ask.who, [])
        d.emit(ev.Noted("rolled", [*rolled, answer[0]], ask.who))

    def overrule(self, d: Draft, ask: RollAsk, number: int) -> None:
        """Record a number that the die of a side cannot give."""
        d.emit(ev.Noted("rolled", [number], ask.who))

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, or the next round with its dice."""
        if act.kind == "turn":
            d.emit(ev.Noted("begun", value=True))
            super().took(d, act)
            return
        next_round(d, self)
        d.emit(*map(ev.Forgot, ("over", "begun", "late")))
        if self.option(d.encounter, "sid.roll") == "each_round":
            d.emit(ev.Forgot("rolled"), ev.Forgot("settled"), ev.RollsForgotten())
        d.emit(ev.PhaseEntered("rolls"))

    def end_side(self, d: Draft) -> None:
        """End the turn of a side; creatures that have not acted are barred. Raises RuleError."""
        sides = self.choosing_sides(d.encounter)
        if self.due(d.encounter) or not sides:
            raise RuleError("no side has its turn now", suggest_line(d.encounter, self), "SID-3")
        for key in sides:
            d.announce("{0}'s turn ends", key, rule="SID-3")
        waiting = [x for x in self._waiting(d.encounter) if side_key(d.encounter, x) in sides]
        d.mark((c.id for x in waiting for c in unacted(members_in_play(d.encounter, x.key))), BARRED_MARK)
        d.emit(ev.Noted("begun", value=True))
        _close_sides(d, sides)

    def settle(self, d: Draft) -> None:
        """Enter the turns after the last die, end finished turns of sides, and bar latecomers."""
        e = d.encounter
        if e.phase == "rolls" and not self.due(e):
            d.emit(ev.PhaseEntered("turns"))
            self._settle_order(d)
        elif not self.due(e) and any(isinstance(x, ev.Rolled) and x.ask.startswith("tie") for x in d.events):
            self._settle_order(d)
        if d.encounter.phase == "turns" and not d.encounter.turn:
            self._close_finished(d)
        if d.encounter.phase == "turns":
            self._bar_latecomers(d)

    def _settle_order(self, d: Draft) -> None:
        """Record and announce the order of the sides if it is new."""
        order = self._sort_sides(d.encounter)
        if tuple(order) != side_notes(d.encounter).settled:
            d.emit(ev.Noted("settled", order), ev.Decided(OrderOutcome(tuple(order))))

    def _close_finished(self, d: Draft) -> None:
        """End the turns of sides whose creatures have all acted."""
        while sides := self.choosing_sides(d.encounter):
            if any(side_key(d.encounter, x) in sides for x in self._waiting(d.encounter)):
                return
            _close_sides(d, sides)

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Bar creatures that joined a group after its turn, whatever their side does, and record them."""
        people = [k for k in who if BARRED_MARK not in d.encounter.combatants[k].marks]
        super().bar_late(d, people)
        if late := [k for k in people if BARRED_MARK in d.encounter.combatants[k].marks]:
            d.emit(ev.Noted("late", [*side_notes(d.encounter).late, *late]))

    def _bar_latecomers(self, d: Draft) -> None:
        """Bar creatures whose side has no turn left in this round, and free all others."""
        e = d.encounter
        waiting_ids = {k for x in self._waiting(e) for k in x.members if k not in side_notes(e).late}
        latecomers = list[str]()
        acting = e.actors
        for c in self.in_play(e):
            if c.id in waiting_ids or "acted" in c.marks or c.id in acting:
                d.unmark((c.id,), BARRED_MARK)
            elif BARRED_MARK not in c.marks:
                latecomers.append(c.id)
        d.mark(latecomers, BARRED_MARK)
        for who in latecomers:
            d.announce("{0} acts from the next round on", who, rule="SID-4")

    # --- corrections

    def is_under_way(self, e: Encounter) -> bool:
        """Return whether a turn of this round has begun."""
        return side_notes(e).begun

    def side_rolls(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the first d6 of each side."""
        return tuple(map(_first_roll, self._sort_sides(e)))

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:  # noqa: ARG002
        """Correct the d6 of a side; tied sides roll again, and an untied side forgets its ties."""
        rolled = side_notes(d.encounter).rolled
        was = rolled[ask.who][0]
        announce_correction(d, ask, was, new[1])
        d.emit(ev.Noted("rolled", [new[1]], ask.who))
        same = [k for k, faces in rolled.items() if faces[0] == was and k != ask.who]
        if len(same) == 1:
            d.emit(ev.Noted("rolled", [was], same[0]))
        d.emit(ev.PhaseEntered("rolls"))


def _close_sides(d: Draft, sides: Iterable[str]) -> None:
    """Record that the turns of these sides are over."""
    closed = side_notes(d.encounter).over
    ending = [k for k in sides if k not in closed]
    d.emit(ev.Noted("over", [*closed, *ending]))
    for key in ending:
        miss_turns(d, key.removeprefix(SIDE))


def side_notes(e: Encounter) -> SideNotes:
    """Return the notes of the fight."""
    return notes(e, SideNotes)


def _first_roll(side: str) -> RollAsk:
    reason = say("{0} rolls a d6 for this round", side, rule="SID-1")
    return RollAsk(f"init {side}", side, (6,), reason, plain=True)


def _roll_off_ask(side: str, times: int, tied: Sequence[str]) -> RollAsk:
    others = [key for key in tied if key != side]
    head = f"{{0}} is tied with {name_slots(len(others), 1)}"
    reason = say_because(head, "roll again", side, *others, rule="SID-2")
    return RollAsk(f"tie{times - 1} {side}", side, (6,), reason, tuple(tied))
