"""Popcorn initiative: a creature that has acted names the next to act, of any side."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Field, Lazy, Offer, TrackRow, say
from tui.core.fight.encounter import GM, SIDE, USUAL_SIDES, Encounter, is_awaited, key_of, members
from tui.core.rules.draft import Draft, members_in_play
from tui.core.rules.system import next_round, notes
from tui.systems import Texts
from tui.systems.shared.numbering import BARRED_MARK
from tui.systems.shared.unnumbered import TableCustom

HEROES_KEY = SIDE + USUAL_SIDES[0]


class PopcornNotes(Struct, frozen=True):
    """The notes of the fight."""

    last: str = ""
    """The key of the entry that acted last."""
    acted: tuple[str, ...] = ()
    """The keys of the entries that have acted in this round, in order."""


class Popcorn(TableCustom):
    """No dice: an entry that has acted names the next; the last of a round names the first of the next."""

    id = "popcorn"
    title = "Popcorn"
    summary = "no dice: after its turn each names the next"
    once_rule = "POP-2"
    marks = (BARRED_MARK,)
    join_rule = "POP-4"
    options = (
        Field("pop.first", "who begins", "choice", ("gm", "heroes"), "gm",
              "gm: the GM names the first; heroes: a player of a hero may name it too", "POP-1"),
    )  # fmt: skip
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    def begin(self, d: Draft) -> None:
        """Begin round 1."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("turns"))

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of all unacted entries, chosen by the naming entry, or the next round."""
        waiting = self.entries_to_act(e)
        if not waiting:
            over = say("Everyone has acted", rule="POP-3")
            return Offer((Act("round"),), over) if is_awaited(e) else Offer()
        acts = tuple(Act("turn", x.key) for x in waiting)
        n, namer = notes(e, PopcornNotes), self._namer(e)
        if len(acts) == 1:
            return Offer(acts, say("Only {0} is left in this round", acts[0].who, rule="POP-4"), namer)
        rule = "POP-2" if n.acted else "POP-3" if n.last else "POP-1"
        does = "chooses the next creature" if n.acted else "chooses the creature that begins"
        reason = say(f"The GM {does}", rule=rule) if namer == GM else say(f"{{0}} {does}", namer, rule=rule)
        return Offer(acts, reason, namer)

    def _namer(self, e: Encounter) -> str:
        """Return the key that names the next: the last to act; before the first turn the GM or the heroes.

        The GM names in place of an entry that is out.
        """
        last = notes(e, PopcornNotes).last
        if not last and self.option(e, "pop.first") == "heroes":
            last = HEROES_KEY
        return last if members_in_play(e, last) else GM

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, and note that this entry names the next, or begin the next round."""
        if act.kind == "round":
            next_round(d, self)
            d.emit(ev.Forgot("acted"))
            return
        acted = notes(d.encounter, PopcornNotes).acted
        if act.who not in acted:
            d.emit(ev.Noted("acted", [*acted, act.who]))
        d.emit(ev.Noted("last", act.who))
        super().took(d, act)

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Let a member of a dissolved group name in place of the group."""
        last = notes(d.encounter, PopcornNotes).last
        heirs = [k for k, old in before.items() if old == last and not members(d.encounter, last)]
        if heirs:
            d.emit(ev.Noted("last", key_of(d.encounter.combatants[heirs[0]])))
        super().regrouped(d, before)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the entries that acted, in their order, then all others."""
        acted = notes(e, PopcornNotes).acted
        order = sorted(self.entries(e), key=lambda x: acted.index(x.key) if x.key in acted else len(acted))
        may = set[str]() if e.turn else {x.key for x in self.entries_to_act(e)}
        return tuple(
            TrackRow(x.key, x.members, 0, self.state_of(e, x, may), Lazy(self.explain_acted, (e, x, "POP-2")))
            for x in order
        )
