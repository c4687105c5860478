"""Run alternating initiative: sides take turns, and each chooses one of its own."""

from __future__ import annotations

from typing import ClassVar

from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Field,
    Lazy,
    Offer,
    PickAsk,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    say,
)
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, side_of
from tui.core.language.values import KIND
from tui.core.rules.correcting import tell
from tui.core.rules.draft import Draft
from tui.core.rules.optional import Corrections
from tui.core.rules.system import InitiativeSystem, next_round
from tui.systems.alternate.order import (
    alternate_notes,
    around,
    asks,
    beginner,
    current,
    die_ask,
    line_of,
    side_key,
    waiting,
)


class Alternate(InitiativeSystem, Corrections):
    """One d10 decides which side goes first; then the sides take turns, one creature or group each."""

    id = "alternate"
    title = "Alternate"
    summary = "sides take turns, one creature at a time"
    credit = "A custom of many tables, in our own words."
    once_rule = "ALT-2"
    grouped = True
    fields = (KIND,)
    options = (
        Field("alt.first", "who goes first", "choice", ("roll", "heroes", "others", "gm"), "roll",
              "roll: by a d10 of the heroes; heroes, others: that side; gm: the GM names it", "ALT-1"),
        Field("alt.next", "the next round", "choice", ("same", "other"), "same",
              "same: begins with the same side; other: with the one that did not act last", "ALT-4"),
    )  # fmt: skip
    clauses: ClassVar[dict[str, str]] = {
        "ALT-1": "At the start the heroes roll a d10: with 6 or more their side goes first, else the first "
        "other side in order of joining. As a house rule the heroes, the others or the side that the GM "
        "names goes first.",
        "ALT-2": "In turn each side chooses one of its creatures or groups that has not acted. More than two "
        "sides follow each other in order of joining.",
        "ALT-3": "A side without anybody left to act is passed over; the others go on until all have acted.",
        "ALT-4": "The next round begins with the same side; as a house rule with the one that did not act "
        "last.",
        "ALT-5": "Newcomers have not acted.",
    }
    glossary: ClassVar[dict[str, str]] = {
        "side": "All who fight together: in its turn a side chooses one of them.",
        "order of joining": "The order in which the first creature of each side came into the fight.",
    }
    reaction_returns = "it returns with the next round"

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the d10 of the heroes, or by house rule the choice of the GM."""
        return asks(self, e)

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:  # noqa: ARG002
        """Return False: the d10 decides which side goes first, and gives no row a number."""
        return False

    def offer(self, e: Encounter) -> Offer:
        """Offer those of the side whose turn it is that have not acted, or the next round."""
        side = current(self, e)
        if not side:
            why = say("Everyone has acted", rule="ALT-3")
            return Offer((Act("round"),), why) if self.entries(e) else Offer()
        acts = tuple(Act("turn", x.key) for x in waiting(self, e) if side_key(e, x) == side)
        return Offer(acts, say("{0} chooses who acts", side, rule="ALT-2"), side)

    def turn_side(self, e: Encounter) -> str:
        """Return the side that acts or chooses."""
        if e.turn:
            return side_of(e, e.acting)
        return current(self, e)[1:] if e.phase == "turns" and not self.due(e) else ""

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return creatures and groups, side by side, from the side that begins the round."""
        line = around(self, e, alternate_notes(e).first)
        left = {x.key: side_key(e, x) for x in waiting(self, e)}
        chooser = "" if e.turn or e.phase != "turns" or self.due(e) else current(self, e)
        return tuple(
            TrackRow(
                x.key, x.members, 0, self._state(e, x.key, left, chooser), Lazy(self._why, (e, x.key, left))
            )
            for x in sorted(self.entries(e), key=lambda x: line.index(side_key(e, x)))
        )

    def _state(self, e: Encounter, key: str, left: dict[str, str], chooser: str) -> RowState:
        if e.acting == key:
            return "now"
        if key not in left:
            return "done"
        return "may" if left[key] == chooser else "waits"

    def _why(self, e: Encounter, key: str, left: dict[str, str]) -> tuple[Sentence, ...]:
        if e.acting == key:
            return (say("acts now", key, rule="ALT-2"),)
        done = "has not acted in this round" if key in left else "has acted in this round"
        return (say(done, key, rule="ALT-2"),)

    # --- play

    def begin(self, d: Draft) -> None:
        """Begin round 1, before which the heroes roll."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("rolls"))

    def answer(self, d: Draft, ask: Ask, answer: tuple[Plain, ...]) -> None:
        """Take the d10, or the side that the GM names."""
        d.emit(ev.Noted("named" if isinstance(ask, PickAsk) else "die", answer[0]))

    def settle(self, d: Draft) -> None:
        """Note sides that are new, and begin the turns when it is known which side goes first."""
        e = d.encounter
        if e.running and (line := line_of(self, e)) != alternate_notes(e).line:
            d.emit(ev.Noted("line", list(line)))
        if e.phase != "rolls" or self.due(e):
            return
        d.emit(ev.PhaseEntered("turns"))
        if first := beginner(self, e):
            d.emit(ev.Noted("first", first))
            d.announce("{0} goes first", first, rule="ALT-1")

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, or the next round and with it the side that begins it."""
        if act.kind == "turn":
            d.emit(ev.Noted("last", SIDE + side_of(d.encounter, act.who)))
            super().took(d, act)
            return
        last = alternate_notes(d.encounter).last
        next_round(d, self)
        if not last:
            return
        if self.option(d.encounter, "alt.next") == "other":
            d.emit(ev.Noted("first", around(self, d.encounter, last, after=True)[0]))
        d.emit(ev.Forgot("last"))

    # --- corrections

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the d10 of the heroes, before the first turn of the fight."""
        return (die_ask(),) if alternate_notes(e).die and not _begun(e) else ()

    def settled(self, e: Encounter, who: str) -> str:  # noqa: ARG002
        """Return why the side that goes first stands for this fight."""
        return "a turn has begun since the heroes rolled: `undo` takes it back" if _begun(e) else ""

    def correct(
        self,
        d: Draft,
        ask: RollAsk,
        new: tuple[tuple[int, ...], int],
        old: DiceRoll | None,  # noqa: ARG002
    ) -> None:
        """Put the d10 right, and let it decide again."""
        tell(d, ask, alternate_notes(d.encounter).die, new[1])
        d.emit(ev.Noted("die", new[1]), ev.PhaseEntered("rolls"))


def _begun(e: Encounter) -> bool:
    """Return whether a turn of the fight has begun."""
    return e.round > 1 or bool(alternate_notes(e).last)
