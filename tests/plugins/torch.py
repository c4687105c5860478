"""Torch: whoever has acted names who acts next; the last names the first of the next round."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

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
    PickAsk,
    RowState,
    Sentence,
    TrackRow,
    Verb,
    say,
)
from tui.core.fight.encounter import GM, Encounter, Entry, label, members, unacted
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import resolve_entry
from tui.core.language.values import KIND
from tui.core.rules.draft import Draft, start_turn
from tui.core.rules.system import InitiativeSystem, next_round, notes


class TorchNotes(Struct, frozen=True):
    """`baton`: who names the next; `took`: the order in which entries acted in this round."""

    baton: str = ""
    took: tuple[str, ...] = ()
    seized: str = ""


class Torch(InitiativeSystem):
    """A baton that goes from hand to hand; quick creatures may seize it once a round."""

    id = "torch"
    title = "Torch"
    summary = "whoever acted names the next"
    credit = "A custom of many tables; own words."
    fields = (KIND, Field("quick", "quick", "bool", help="may seize the baton"))
    options = (Field("torch.again", "the last may name itself", "bool", default=True),)
    marks = (Mark("seized", "has seized the baton"),)
    verbs = (Verb("seize", "seize WHO", "takes the baton out of turn", "S", "TOR-3", takes=("who",)),)
    clauses: ClassVar[dict[str, str]] = {
        "TOR-1": "The GM chooses the creature that begins.",
        "TOR-2": "Whoever has acted names somebody who has not; the last of a round names the first of "
        "the next.",
        "TOR-3": "A quick creature may seize the baton once a round.",
    }

    def begin(self, d: Draft) -> None:
        """Round 1."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("turns"))

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Who begins."""
        if notes(e, TorchNotes).baton or not self.entries(e):
            return ()
        keys = tuple(x.key for x in self.entries(e))
        return (PickAsk("first", GM, keys, say("Who begins?", rule="TOR-1")),)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """The first is named."""
        d.emit(ev.Noted("baton", answer[0]), ev.Noted("seized", answer[0]))

    def _able(self, e: Encounter) -> list[Entry]:
        n = notes(e, TorchNotes)
        able = [x for x in self.entries(e) if unacted(e.combatants[k] for k in x.members)]
        seizing = [x for x in able if x.key == n.seized]
        again = self.option(e, "torch.again") or len(able) == 1 or n.took
        return seizing or [x for x in able if again or x.key != n.baton]

    def offer(self, e: Encounter) -> Offer:
        """Whoever holds the baton chooses among those who have not acted."""
        baton = notes(e, TorchNotes).baton
        if not (able := self._able(e)):
            over = say("Everybody has acted", rule="TOR-2")
            return Offer((Act("round"),), over) if self.entries(e) else Offer()
        why = say("{0} chooses the next creature", baton, rule="TOR-2")
        return Offer(tuple(Act("turn", x.key) for x in able), why, baton)

    def took(self, d: Draft, act: Act) -> None:
        """The baton goes on."""
        if act.kind == "round":
            next_round(d, self)
            d.emit(ev.Noted("took", []))
            return
        n = notes(d.encounter, TorchNotes)
        d.emit(ev.Noted("baton", act.who), ev.Noted("took", [*n.took, act.who]), ev.Forgot("seized"))
        people = next(x.members for x in self.entries(d.encounter) if x.key == act.who)
        start_turn(d, act.who, [c.id for c in unacted(d.encounter.combatants[k] for k in people)])

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`seize WHO`."""
        key = resolve_entry(d.encounter, request.words[0], self.entries(d.encounter))
        people = members(d.encounter, key)
        spent = any({"acted", "seized"} & set(c.marks) for c in people)
        if spent or d.encounter.turn or not any(c.fields.get("quick") for c in people):
            hint = "between turns, quick, once a round"
            raise RuleError(f"{label(d.encounter, key)} cannot seize the baton now", hint, "TOR-3")
        d.mark((c.id for c in people), "seized")
        d.emit(ev.Noted("seized", key))

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Those who acted in their order, then the others."""
        took = notes(e, TorchNotes).took
        able = {x.key for x in self._able(e)} if not e.turn and not self.due(e) else set()
        order = sorted(self.entries(e), key=lambda x: took.index(x.key) if x.key in took else len(took))
        return tuple(
            TrackRow(x.key, x.members, 0, self._state(e, x, able), Lazy(self._why, (x, took))) for x in order
        )

    def _state(self, e: Encounter, x: Entry, able: Collection[str]) -> RowState:
        if e.acting == x.key:
            return "now"
        if not unacted(e.combatants[k] for k in x.members):
            return "done"
        return "may" if x.key in able else "waits"

    def _why(self, x: Entry, took: tuple[str, ...]) -> tuple[Sentence, ...]:
        # A place among those who acted would count creatures that a player does not see.
        return (say("has acted" if x.key in took else "has not acted", x.key, rule="TOR-2"),)
