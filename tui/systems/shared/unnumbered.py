"""Begin a fight and name the states of rows in systems that give no row a number of its own."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import chain
from typing import ClassVar

from tui.core.fight import events as ev
from tui.core.fight.agenda import RowState, Sentence, say
from tui.core.fight.encounter import Encounter, Entry, to_act, unacted
from tui.core.language.values import KIND
from tui.core.rules.draft import Draft
from tui.core.rules.optional import D20_FIELDS
from tui.core.rules.system import InitiativeSystem, next_round
from tui.systems.shared.placing import added_in, bar_late_members, moved_by_key


class Unnumbered(InitiativeSystem):
    """A system in which a row may act as soon as it is offered, once a round."""

    takes_places = False
    join_rule: ClassVar[str] = ""
    """The clause by which a creature that joins a group late waits for the next round."""

    def begin(self, d: Draft) -> None:
        """Begin round 1 with its dice."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("rolls"))

    def entries_to_act(self, e: Encounter) -> list[Entry]:
        """Return the entries with a member that still has a turn in this round, in roster order."""
        return [x for x in self.entries(e) if to_act(e.combatants[k] for k in x.members)]

    def state_of(self, e: Encounter, x: Entry, may: Container[str]) -> RowState:
        """Return the state of a row; `may` are the keys that may act now."""
        people = [e.combatants[k] for k in x.members]
        if e.acting in (x.key, *x.members):
            return "now"
        if not to_act(people):
            return "done" if len(unacted(people)) < len(people) else "barred"
        return "may" if x.key in may else "waits"

    def explain_acted(self, e: Encounter, x: Entry, rule: str) -> tuple[Sentence, ...]:
        """Return the sentence on whether an entry has had its turn in this round."""
        waits = unacted(e.combatants[k] for k in x.members)
        return (say(f"has {'not ' * bool(waits)}acted in this round", x.key, rule=rule),)

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Bar creatures that joined a group after its turn until the next round."""
        bar_late_members(d, who, self.join_rule)

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Bar a newcomer to a group that has acted until the next round."""
        # A creature that comes back had its place in the group before; only newcomers wait.
        self.bar_late(d, added_in(d, who))

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Bar creatures that joined a group that has acted until the next round."""
        self.bar_late(d, chain(*moved_by_key(d.encounter, before).values()))
        super().regrouped(d, before)


class TableCustom(Unnumbered):
    """A custom of many tables that play d20 games, which has no book."""

    is_d20 = True
    grouped = True
    credit = "A custom of many tables, in our own words."
    fields = (KIND, *D20_FIELDS)
    reaction_returns = "it returns with the next round"
