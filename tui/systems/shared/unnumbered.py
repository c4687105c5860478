"""Begin a fight and name the states of rows in systems that give no row a number of its own."""

from __future__ import annotations

from collections.abc import Container

from tui.core.fight import events as ev
from tui.core.fight.agenda import RowState
from tui.core.fight.encounter import Encounter, Entry, unacted
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, next_round


class Unnumbered(InitiativeSystem):
    """A system in which a row may act as soon as it is offered, once a round."""

    def begin(self, d: Draft) -> None:
        """Begin round 1 with its dice."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("rolls"))

    def entries_unacted(self, e: Encounter) -> list[Entry]:
        """Return the entries with a member that has not acted in this round, in roster order."""
        return [x for x in self.entries(e) if unacted(e.combatants[k] for k in x.members)]

    def state_of(self, e: Encounter, x: Entry, may: Container[str]) -> RowState:
        """Return the state of a row; `may` are the keys that may act now."""
        if e.acting in (x.key, *x.members):
            return "now"
        if not unacted(e.combatants[k] for k in x.members):
            return "done"
        return "may" if x.key in may else "waits"
