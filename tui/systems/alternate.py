"""Alternate initiative: sides take turns, and each chooses one of its own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Field, Lazy, Offer, PickAsk, RollAsk, TrackRow, say
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import GM, SIDE, USUAL_SIDES, DiceRoll, Encounter, side_of
from tui.core.rules.draft import Draft
from tui.core.rules.optional import announce_correction
from tui.core.rules.system import next_round, notes
from tui.systems import Texts
from tui.systems.shared.numbering import BARRED_MARK
from tui.systems.shared.side_dice import SideDice, offer_sides, side_key, sides_from
from tui.systems.shared.unnumbered import TableCustom

HEROES_KEY = SIDE + USUAL_SIDES[0]
ENOUGH = 6
"""The least face of the d10 with which the heroes go first."""


class AlternateNotes(Struct, frozen=True):
    """The notes of the fight; sides are keys such as `@heroes`."""

    line: tuple[str, ...] = ()
    """All sides in the order in which they joined."""
    die: int = 0
    """The d10 of the heroes; 0 until it is rolled."""
    named: str = ""
    """The side that the GM named; "" for none."""
    first: str = ""
    """The side that begins the round; "" until it is known."""
    last: str = ""
    """The side that acted last in this round; "" before the first turn."""


class Alternate(SideDice, TableCustom):
    """One d10 decides which side goes first; then the sides take turns, one creature or group each."""

    id = "alternate"
    title = "Alternate"
    summary = "sides take turns, one creature at a time"
    once_rule = "ALT-2"
    marks = (BARRED_MARK,)
    join_rule = "ALT-5"
    options = (
        Field("alt.first", "first side", "choice", ("roll", "heroes", "others", "gm"), "roll",
              "roll: a d10 decides; heroes, others: that side; gm: the GM decides", "ALT-1"),
        Field("alt.next", "the next round", "choice", ("same", "other"), "same",
              "same: begins with the same side; other: with the one that did not act last", "ALT-4"),
    )  # fmt: skip
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the ask that decides the first side, before the first turn: a d10 or the GM's choice."""
        if e.phase != "rolls":
            return ()
        n, here, first_rule = alternate_notes(e), self.sides_in_play(e), self.option(e, "alt.first")
        if first_rule == "gm" and n.named not in here and len(here) > 1:
            return (PickAsk("first", GM, tuple(here), say("Which side goes first?", rule="ALT-1")),)
        # The die is asked for even if no foe is visible: its absence would tell players whether foes are
        # hidden.
        return (_die_ask(),) if first_rule == "roll" and HEROES_KEY in here and not n.die else ()

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:  # noqa: ARG002
        """Return False: the d10 decides which side goes first, and gives no row a number."""
        return False

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of the unacted entries of the side whose turn it is, or the next round."""
        over = say("Everyone has acted", rule="ALT-3")
        return offer_sides(e, self.choosing_sides(e), self.entries_to_act(e), "ALT-2", over)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return a row for each creature or group, grouped by side, the side that begins the round first."""
        line = sides_from(self._joining_order(e), alternate_notes(e).first)
        waiting = {x.key: side_key(e, x) for x in self.entries_to_act(e)}
        choosing = () if e.turn or e.phase != "turns" or self.due(e) else self.choosing_sides(e)
        may = {key for key, side in waiting.items() if side in choosing}
        return tuple(
            TrackRow(x.key, x.members, 0, self.state_of(e, x, may), Lazy(self.explain_acted, (e, x, "ALT-2")))
            for x in sorted(self.entries(e), key=lambda x: line.index(side_key(e, x)))
        )

    # --- whose turn

    def _joining_order(self, e: Encounter) -> tuple[str, ...]:
        """Return all sides in order of joining; one without creatures keeps its place."""
        return tuple(dict.fromkeys((*alternate_notes(e).line, *(SIDE + c.side for c in self.in_play(e)))))

    def sides_in_play(self, e: Encounter) -> list[str]:
        """Return the keys of the sides with creatures, in order of joining."""
        return sorted(super().sides_in_play(e), key=self._joining_order(e).index)

    def _first_side(self, e: Encounter) -> str:
        """Return the side that goes first by the die, the GM or the house rule; "" without creatures."""
        n, here, first_rule = alternate_notes(e), self.sides_in_play(e), self.option(e, "alt.first")
        if first_rule == "gm" and n.named in here:
            return n.named
        if HEROES_KEY in here and (first_rule == "heroes" or (first_rule == "roll" and n.die >= ENOUGH)):
            return HEROES_KEY
        return next((key for key in here if key != HEROES_KEY), *here[:1] or ("",))

    def choosing_sides(self, e: Encounter) -> Sequence[str]:
        """Return the side that chooses, passing over sides that have all acted; none after the last."""
        n, waiting = alternate_notes(e), {side_key(e, x) for x in self.entries_to_act(e)}
        line = sides_from(self._joining_order(e), n.last or n.first, after=bool(n.last))
        return [key for key in line if key in waiting][:1]

    # --- play

    def answer(self, d: Draft, ask: Ask, answer: tuple[Plain, ...]) -> None:
        """Take the d10, or the side that the GM names."""
        d.emit(ev.Noted("named" if isinstance(ask, PickAsk) else "die", answer[0]))

    def settle(self, d: Draft) -> None:
        """Note new sides, and begin the turns once the first side is known."""
        e = d.encounter
        if e.running and (line := self._joining_order(e)) != alternate_notes(e).line:
            d.emit(ev.Noted("line", list(line)))
        if e.phase != "rolls" or self.due(e):
            return
        d.emit(ev.PhaseEntered("turns"))
        if first := self._first_side(e):
            d.emit(ev.Noted("first", first))
            d.announce("{0} goes first", first, rule="ALT-1")

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, or the next round with the side that begins it."""
        if act.kind == "turn":
            d.emit(ev.Noted("last", SIDE + side_of(d.encounter, act.who)))
            super().took(d, act)
            return
        last = alternate_notes(d.encounter).last
        next_round(d, self)
        if not last:
            return
        if self.option(d.encounter, "alt.next") == "other":
            d.emit(ev.Noted("first", sides_from(self._joining_order(d.encounter), last, after=True)[0]))
        d.emit(ev.Forgot("last"))

    # --- corrections

    def is_under_way(self, e: Encounter) -> bool:
        """Return whether a turn of the fight has begun."""
        return e.round > 1 or bool(alternate_notes(e).last)

    def side_rolls(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the d10 of the heroes."""
        return (_die_ask(),) if alternate_notes(e).die else ()

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:  # noqa: ARG002
        """Correct the d10, and let it decide the first side again."""
        announce_correction(d, ask, alternate_notes(d.encounter).die, new[1])
        d.emit(ev.Noted("die", new[1]), ev.PhaseEntered("rolls"))


def alternate_notes(e: Encounter) -> AlternateNotes:
    """Return the notes of the fight."""
    return notes(e, AlternateNotes)


def _die_ask() -> RollAsk:
    """Return the roll of the heroes."""
    reason = say(f"{{0}} rolls a d10: with {ENOUGH} or more they go first", HEROES_KEY, rule="ALT-1")
    return RollAsk("init", HEROES_KEY, (10,), reason)
