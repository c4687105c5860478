"""Tides: all act in the order in which they waded in; waves go over them."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Field, Lazy, Offer, RowState, TrackRow, say
from tui.core.fight.encounter import Encounter, Entry, label, members, unacted
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import resolve_entry
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.system import InitiativeSystem, next_round
from tui.systems import Texts

from .words import DRENCHED, EBB, FIELDS, SPLASH


class Tides(InitiativeSystem, OnScreen):
    """One row for each, in roster order."""

    id = "tides"
    title = "Tides"
    summary = "in the order of wading in"
    credit = "Nobody's; own words."
    fields = FIELDS
    verbs = (SPLASH,)
    marks = (DRENCHED,)
    phases = (EBB,)
    clauses = Texts("clauses", __file__)

    def begin(self, d: Draft) -> None:
        """Round 1, and the water falls."""
        next_round(d, self)
        d.emit(ev.PhaseEntered(EBB.name))

    def _waiting(self, e: Encounter) -> list[Entry]:
        return [x for x in self.entries(e) if unacted(e.combatants[k] for k in x.members)]

    def offer(self, e: Encounter) -> Offer:
        """The first who has not acted."""
        if found := self._waiting(e):
            return Offer((Act("turn", found[0].key),), say("{0} is next", found[0].key, rule="TIDE-2"))
        return Offer((Act("round"),), say("all have acted")) if self.entries(e) else Offer()

    def took(self, d: Draft, act: Act) -> None:
        """A turn, or the next round."""
        if act.kind == "round":
            next_round(d, self)
        else:
            super().took(d, act)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """All, in roster order."""
        may = {a.who for a in self.offer(e).acts} if not e.turn else set()
        left = {x.key for x in self._waiting(e)}
        why = Lazy(lambda key: (say("waded in so", key, rule="TIDE-2"),), ())
        rows = []
        for x in self.entries(e):
            state: RowState = (
                "now"
                if e.acting == x.key
                else "may"
                if x.key in may
                else "waits"
                if x.key in left
                else "done"
            )
            rows.append(TrackRow(x.key, x.members, 0, state, Lazy(why.how, (x.key,))))
        return tuple(rows)

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:
        """Whom the wave goes over."""
        names = tuple(label(e, x.key) for x in self.entries(e))
        return (
            (Field("whom", "whom", "choice", names, names[0] if names else ""),)
            if verb == SPLASH.name
            else ()
        )

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """One wave."""
        return (f"{verb} {quote(texts.get('whom', ''))}",)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`splash WHO`."""
        key = resolve_entry(d.encounter, request.words[0], self.entries(d.encounter))
        d.mark((c.id for c in members(d.encounter, key)), DRENCHED.name)
