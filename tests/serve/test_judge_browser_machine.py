"""A browser that loses answers and sends again, beside a writer that is killed, undoes and redoes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.viewer import Viewer
from tui.serve.judge import PageJudge
from tui.serve.letter import LineReply, Posted, SentLine
from tui.store.history import History, replay
from tui.store.problems import NotSaved
from tui.store.store import Store

LINES = ("damage Ana 1", "temp Ana 2", "count Ana luck -1", "order Ana action=run", "order Ana action=hide")


class Losing(RuleBasedStateMachine):
    """Each line that was answered *taken* is in the journal once, whatever happens around it."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table("chaos")
        self.table.do("add Ana owner=Mia hp=50", "add Bo owner=Jon hp=9", "count Ana luck 90", "begin")
        self.table.do("option players.points=own")
        self.start, self.floor = self.table.store.at(0), self.table.store.step
        self.judge = PageJudge(self.table.store)
        self.sent: dict[str, str] = {}
        self.taken: set[str] = set()

    @property
    def store(self) -> Store:
        return self.judge.store

    def post(self, id_: str, line: str) -> LineReply:
        return self.judge.judge(SentLine("mia", "key", Posted(id_, 1, line), lambda _: None), "Mia").reply

    @rule(line=st.sampled_from(LINES), lost=st.booleans())
    def send(self, line: str, lost: bool) -> None:
        """Send a new line; the answer may be lost."""
        id_ = f"line-{len(self.sent):06}"
        self.sent[id_] = line
        reply = self.post(id_, line)
        if not lost and reply.became == "taken":
            self.taken.add(id_)

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """Send a line again with its id, as a browser does after a drop, a sleep or a reload."""
        id_ = data.draw(st.sampled_from(sorted(self.sent)))
        records = len(self.table.ledger.steps)
        known = self.store.is_known("Mia", id_)
        reply = self.post(id_, self.sent[id_])
        if reply.became == "taken":
            self.taken.add(id_)
        if known:
            assert reply.became == "taken"
            assert len(self.table.ledger.steps) == records, "it was answered, and not run again"

    @rule(line=st.sampled_from(["undo", "undo mine=yes", "redo", "damage Bo 1", "note x", "undo 2"]))
    def lead(self, line: str) -> None:
        """Do something as the game master, not before the fight."""
        if self.store.step - 2 < self.floor and line.startswith("undo"):
            return
        try:
            self.store.run(line)
        except (RuleError, NotSaved):
            return

    @rule()
    def kill(self) -> None:
        """Kill the writer; the next one reads the journal, and knows nothing else."""
        history = replay(History(self.start), self.table.ledger.steps)
        store, records = self.store, len(self.table.ledger.steps)
        again = Store("again", history, store.systems, store.effects, records)
        assert again.encounter == store.encounter
        self.judge = PageJudge(again)

    @invariant()
    def each_line_ran_once(self) -> None:
        """Each line is in the journal at most once, each taken one exactly once."""
        ran = Counter(x.id for x in self.table.ledger.steps if x.id)
        assert all(count == 1 for count in ran.values()), ran
        assert self.taken <= ran.keys()
        known = {id_ for id_ in self.sent if self.store.is_known("Mia", id_)}
        assert known == ran.keys()

    @invariant()
    def what_counts_is_listed(self) -> None:
        """The page lists exactly the lines that are in force."""
        mine = self.store.table(Viewer("Mia", gm=False)).mine
        assert mine
        force = [self.store.done(n).id for n in range(1, self.store.step + 1)]
        assert [x.id for x in mine.lines] == [id_ for id_ in force if id_]


@pytest.mark.law
def test_a_line_that_was_taken_ran_once_over_drops_kills_undo_and_redo() -> None:
    run_state_machine_as_test(Losing, settings=cases(100, stateful_step_count=40))
