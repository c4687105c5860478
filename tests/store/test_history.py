"""Do, undo, redo, goto and reload against a plain model: a list of states."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.store.journals import journal
from tests.table import NOON, Memory, Table
from tests.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.dice import GivenDice
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event, Noted, SystemChanged
from tui.store.history import History
from tui.store.journal.format import Header, Record
from tui.store.journal.reader import Journal, parse
from tui.store.sources import SeededDice
from tui.store.store import Store, replay

LINES = [
    "add Ana kind=pc mod=2 hp=12", "add 3 Orc hp=7", "add Bo owner=Lia", "begin", "roll", "next", "end",
    "damage Orc* 2d4",
    "heal Ana 1", "condition Ana Prone rounds=2", "clear Ana Prone", "out Ana", "back Ana", "group Orc* Orcs",
    "ungroup Orcs",
    "hide Ana", "reveal Ana", "rename Bo Cy", "remove Cy", "note hello", "hold Ana", "act Ana", "reroll",
    "temp Ana 5",
    "set Ana mod=4 note=x", "set Ana hp=", "option classic.tie=mod", "system classic", "turn Ana",
    "roll Ana 12",
]  # fmt: skip


START = Encounter(system="classic")


def written(table: Table, more: str = "") -> Journal[Event]:
    """The journal of a table as it is read from its bytes, under a name that is so much longer."""
    data = journal(table.ledger.steps, Header(f"test{more}", "classic", NOON, "0.1.0"))
    return parse(data, Event)


class Journeys(RuleBasedStateMachine):
    """The store beside a list of all states of the branch."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table("classic", dice=SeededDice(7))
        self.states: list[Encounter] = [self.table.encounter]
        self.at = 0

    @rule(line=st.sampled_from(LINES))
    def do(self, line: str) -> None:
        """A line is accepted whole, or changes nothing."""
        before, records = self.table.encounter, len(self.table.ledger.steps)
        try:
            self.table.do(line)
        except RuleError:
            assert self.table.encounter is before
            assert len(self.table.ledger.steps) == records
            return
        del self.states[self.at + 1 :]
        self.states.append(self.table.encounter)
        self.at += 1

    @rule(steps=st.integers(1, 6))
    def undo(self, steps: int) -> None:
        """Any number of steps back, or refused whole."""
        if steps > self.at:
            self.table.refuse(f"undo {steps}", "undo")
        else:
            self.table.do(f"undo {steps}")
            self.at -= steps

    @rule(steps=st.integers(1, 6))
    def redo(self, steps: int) -> None:
        """Any number of steps forward with the same dice, or refused whole."""
        if self.at + steps >= len(self.states):
            self.table.refuse(f"redo {steps}", "redo")
        else:
            self.table.do(f"redo {steps}")
            self.at += steps

    @precondition(lambda self: len(self.states) > 1)
    @rule(data=st.data())
    def goto(self, data: st.DataObject) -> None:
        """Any step of the branch."""
        to = data.draw(st.integers(0, len(self.states) - 1))
        if to == self.at:
            self.table.refuse(f"goto {to}", "already")
        else:
            self.table.do(f"goto {to}")
            self.at = to

    @rule()
    def reload(self) -> None:
        """The journal alone, through its bytes, tells the same fight."""
        found = written(self.table)
        history = replay(History(START), found.steps)
        self.tells_the_same(history)

    def tells_the_same(self, history: History) -> None:
        """The history goes through the states of the model, and has its lines."""
        assert (history.position, len(history)) == (self.at, len(self.states) - 1)
        told = [history.step(number + 1) for number in range(len(history))]
        assert told == [self.table.store.done(number + 1) for number in range(len(history))]
        for number, state in enumerate(self.states):
            assert history.at(number) == state

    @invariant()
    def same(self) -> None:
        """Where the model stands the store stands."""
        assert self.table.encounter == self.states[self.at]
        assert (self.table.store.step, self.table.store.steps) == (self.at, len(self.states) - 1)


@pytest.mark.law
def test_journeys() -> None:
    run_state_machine_as_test(Journeys, settings=cases(25, stateful_step_count=40))


def test_dice_are_never_rolled_again() -> None:
    table = Table("classic", dice=SeededDice(1))
    table.do("add Ana", "add Bo", "begin", "roll")
    rolled = table.encounter.rolls
    table.do("undo")
    table.do("redo")
    assert table.encounter.rolls == rolled


def test_a_journey_ends_at_the_first_and_at_the_last_step() -> None:
    table = Table("classic")
    table.do("add Ana", "add Bo", "add Cy", "undo 2")
    table.refuse("redo 3", "there are 2 steps to redo, not 3", "`redo 2` at the most")
    table.refuse("goto 4", "there are 3 steps, no step 4", "0 to 3")
    table.refuse("goto 1", "this is step 1 already")
    table.do("goto 3")
    assert table.store.step == 3
    table.refuse("redo", "there is nothing to redo")
    table.do("undo")
    table.refuse("redo 2", "there is 1 step to redo, not 2", "`redo 1` at the most")
    table.do("redo")
    table.refuse("undo 4", "there are 3 steps to undo, not 4", "`undo 3` at the most")
    table.do("undo 3")
    assert not table.encounter.combatants
    table.do("redo 3")
    assert len(table.encounter.combatants) == 3


def test_left_over_faces_refuse_the_last_line_and_earlier_lines_stand() -> None:
    table = Table("classic")
    with pytest.raises(RuleError, match="left over"):
        table.do("add Ana", "begin", "roll", dice=[3, 4])
    assert table.store.step == 2
    assert isinstance(table.store.effects.dice, GivenDice)


def test_states_far_back_are_found_from_the_nearest_kept_one() -> None:
    table = Table("classic")
    table.do("add Ana hp=50")
    for i in range(250):
        table.do(f"note {i}" if i % 2 else "damage Ana 1")
    assert table.store.at(101).combatants["c1"].hp == 0
    assert table.store.at(21).combatants["c1"].hp == 40
    assert isinstance(table.ledger, Memory)


def test_a_state_that_a_stranger_wrote_is_not_gone_back_to() -> None:
    table = Table("classic")
    table.do("add Ana", "begin")
    crafted = [
        *table.ledger.steps,
        Record(3, "2026-01-01T12:00:00Z", "x", (Noted("values", {"c1": "many"}),)),
    ]
    crafted.append(Record(4, "2026-01-01T12:00:00Z", "y", (SystemChanged("classic"),)))
    history = replay(History(Encounter(system="classic")), crafted)
    store = Store("crafted", history, table.store.systems, table.store.effects, 4)
    with pytest.raises(RuleError, match="cannot have happened"):
        store.run("undo")
    assert store.step == 4
    assert store.run("undo 2").step == 2


def test_a_state_that_a_stranger_wrote_is_asked_about_also_after_steps_of_our_own() -> None:
    table = Table("classic")
    table.do("add Ana", "begin")
    crafted = [
        *table.ledger.steps,
        Record(3, "2026-01-01T12:00:00Z", "x", (Noted("values", {"c1": "many"}),)),
        Record(4, "2026-01-01T12:00:00Z", "y", (SystemChanged("classic"),)),
    ]
    history = replay(History(Encounter(system="classic")), crafted)
    store = Store("crafted", history, table.store.systems, table.store.effects, 4)
    store.run("note a")
    store.run("note b")
    assert store.run("undo").step == 5
    with pytest.raises(RuleError, match="cannot have happened"):
        store.run("goto 3")
