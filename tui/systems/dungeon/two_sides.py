"""Two sides at a table: who takes part, whose turn it is, what nobody can do there."""

from __future__ import annotations

from typing import ClassVar

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, key_of, members
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, next_round
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    best,
    commander,
    forget,
    gather,
    homes,
    notes_of,
    playing,
    several,
    team,
)


def _has_acted(e: Encounter, c: Combatant) -> bool:
    """Whether the group that a creature joins has had its turn of this round, or has it now."""
    busy = {k for t in (e.turn, *e.paused) if t for k in t.members}
    others = [x for x in members(e, key_of(c)) if x.id != c.id and not x.out]
    return bool(c.group) and any("acted" in x.marks or x.id in busy for x in others)


class TwoSides(InitiativeSystem):
    """Heroes and the dark side; enemies wait in reserve until they are met or placed."""

    sides = (HEROES, DARK)
    rolls_track: ClassVar[bool] = False
    """Whether a first meeting without a commander is followed by a track."""

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """2d6 + Perception + bonuses, of whoever rolls for an entry (DUN-2, TRK-6)."""
        roller = e.combatants.get(roll.who)
        if roller is None and (entry := homes(e).get(roll.who)):
            roller = best(e, entry)
        if roller is None or roll.dice != (6, 6):
            return None
        return sum(roll.faces) + roller.number("per") + roller.number("mod"), roll.faces

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:  # noqa: ARG002
        """The two dice are known by their sum alone; in a meeting each of them decides (DUN-5, DUN-18)."""
        contest = notes_of(d.encounter).contest
        if ask.key.startswith("opposed ") and contest and contest.kind == "meeting":
            line = f"`roll {quote(d.encounter.combatants[ask.who].name)} 4 3`"
            raise RuleError("the two dice decide here, not their sum", f"{line} gives the faces", "DUN-5")
        self.answer(d, ask, (sum(faces),))

    def in_play(self, e: Encounter) -> list[Combatant]:
        """Heroes, and the enemies that were met or placed."""
        return playing(e)

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Creatures, groups, heroes with their companions."""
        return gather(e)

    def turn_side(self, e: Encounter) -> str:
        """The side whose turn it is; "" between two."""
        n = notes_of(e)
        return "" if n.closed else n.side

    def in_combat(self, e: Encounter, side: str) -> bool:  # noqa: ARG002
        """Whether combat runs, which it does for both sides or for none."""
        return e.running and notes_of(e).combat

    def new_room(self, e: Encounter) -> bool:
        """Whether the contest is about a new room for which a track will be rolled (TRK-1)."""
        contest = notes_of(e).contest
        return self.rolls_track and contest is not None and contest.kind == "meeting" and not commander(e)

    def by_perception(self, e: Encounter) -> bool:
        """Whether the most perceptive enemy rolls instead of the nearest (DUN-8, TRK-2)."""
        return self.new_room(e) or bool(self.option(e, "dun.adp"))

    def finder_rolls(self, e: Encounter) -> bool:
        """Whether who discovers a section rolls, even if somebody else is nearer (DUN-A7, TRK-2)."""
        return self.new_room(e) or not self.option(e, "dun.adp")

    def contest_rule(self, e: Encounter) -> str:
        """The clause that asks for the opposed roll."""
        contest = notes_of(e).contest
        return "DUN-10" if contest and contest.kind == "meeting" else "DUN-13"

    def conclude(self, d: Draft, contest: Contest) -> None:
        """The opposed roll and its surprise are decided: the winning side gets what the rules give."""

    def cleared(self, d: Draft) -> None:
        """Combat is over: bars and whatever newcomers won are gone."""
        d.unmark(list(d.encounter.combatants), "barred")
        forget(d, "combat", "winners")
        d.announce("Combat is over", rule="DUN-25")

    def begin(self, d: Draft) -> None:
        """Round 1: the heroes' turn."""
        strange = [c.id for c in d.encounter.combatants.values() if c.side not in self.sides]
        if strange:
            who = d.encounter.combatants[strange[0]]
            hint = f'`set "{who.name}" side=heroes`, or dark: allies join a side'
            raise RuleError(f"{who.name} is on the side {who.side}", hint, "DUN-1")
        next_round(d, self)
        d.mark([c.id for c in team(d.encounter, HEROES)], "met", "fight")
        d.emit(ev.PhaseEntered("exploration"))

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Heroes take part at once; enemies wait in reserve."""
        people = [d.encounter.combatants[k] for k in who]
        late = [
            c.id for c in people if "met" not in c.marks and c.side == HEROES and _has_acted(d.encounter, c)
        ]
        d.mark([c.id for c in people if c.side == HEROES], "met", "fight")
        if late:
            d.mark(late, "barred")
        waiting = [
            k
            for k in who
            if d.encounter.combatants[k].side == DARK and "met" not in d.encounter.combatants[k].marks
        ]
        if waiting and notes_of(d.encounter).combat:
            text = several(waiting) + ": in reserve until `place` or `meet`"
            d.emit(ev.Announced(text, tuple(waiting), "DUN-9"))

    def hold(self, d: Draft, key: str) -> None:  # noqa: ARG002
        """Nobody delays."""
        raise RuleError("nobody delays here", "whoever acts later in the side's turn goes later", "DUN-24")

    def act(self, d: Draft, key: str) -> None:
        """Nobody delays."""
        self.hold(d, key)

    def move(self, d: Draft, key: str, where: str, other: str) -> None:  # noqa: ARG002
        """There is no order to move rows in."""
        raise RuleError("a side acts in any order: no row has a place", "", "DUN-24")
