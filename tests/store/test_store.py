"""A store without a file: what a line writes, says and refuses, and what a journey says of itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.seats.kit import DUEL
from tests.table import NOON, Table
from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Changed, Noted, Ordered, Rolled
from tui.core.fight.viewer import Viewer, viewer_of
from tui.store import store as store_module
from tui.store.effects import StoreEffects
from tui.store.history import History
from tui.store.journal.format import Record
from tui.store.problems import NotSaved
from tui.store.sources import SeededDice
from tui.store.store import replay
from tui.store.validation import follows, nonsense_since, state_error
from tui.systems import Registry


def texts(table: Table, line: str) -> list[str]:
    """The notices of a line."""
    return [m.text for m in table.do(line).notices]


# --- a line


def test_a_line_writes_the_next_record_and_says_what_came_of_it() -> None:
    table, calls = Table("classic"), list[int]()
    table.store.watch(lambda _: calls.append(table.store.record))
    table.store.run("  add Ana hp=9 ", by="mia 3")
    table.do("damage Ana 2", "undo")
    written = [(r.number, r.at, r.line, r.to, r.by) for r in table.ledger.steps]
    assert written == [
        (1, NOON, "add Ana hp=9", None, "mia 3"),
        (2, NOON, "damage Ana 2", None, ""),
        (3, NOON, "undo", 1, ""),
    ]
    assert (table.store.record, calls) == (3, [1, 2, 3])
    assert table.store.done(1).at == NOON


def test_a_new_line_says_how_many_undone_steps_are_gone() -> None:
    table = Table("classic")
    assert texts(table, "add Ana") == []
    table.do("add Bo", "add Cy", "undo")
    assert texts(table, "note x") == ["1 undone step can no longer be redone"]
    table.do("undo 2")
    assert texts(table, "note x") == ["2 undone steps can no longer be redone"]


def test_a_line_has_as_many_characters_as_may_be() -> None:
    table = Table("classic")
    assert table.store.parse("note " + "x" * (LONGEST_LINE - 5))
    error = table.refuse("note " + "x" * (LONGEST_LINE - 4))
    assert (error.message, error.hint) == (
        f"the line has {LONGEST_LINE + 1} characters",
        f"{LONGEST_LINE} at the most",
    )


@pytest.mark.parametrize("line", ["note x", "undo", "save party four"])
def test_faces_that_nobody_rolls_refuse_any_line(line: str) -> None:
    table = Table("classic")
    table.do("add Ana")
    error = table.refuse(line, dice=[3, 4])
    assert (error.message, error.hint) == ("faces are left over: 3, 4", "give as many as are rolled")


def test_the_journal_says_who_rolled() -> None:
    table = Table("classic", dice=SeededDice(1))
    table.do("add Ana", "begin")
    table.do("roll", dice=[7])
    table.do("undo", "roll")
    rolled = [e for r in table.ledger.steps for e in r.events if isinstance(e, Rolled)]
    assert [e.how for e in rolled] == ["given", "app"]
    assert rolled[0].faces == (7,)


def test_a_line_for_which_the_system_has_no_means_is_refused_and_nothing_has_changed() -> None:
    table, problem = Table("classic"), OSError(24, "too many")
    table.do("add Ana")

    class Full:
        def append(self, _: Record[Any]) -> None:
            raise problem

    before, effects = table.encounter, table.store.effects
    table.store.effects = StoreEffects(Full(), table.dice, lambda: NOON)
    with pytest.raises(NotSaved, match="too many files are open") as refused:
        table.store.run("add Bo")
    assert refused.value.__cause__ is problem
    assert (table.encounter, table.store.step, table.store.record) == (before, 1, 1)
    table.store.effects = effects

    def watcher(_: int) -> None:
        raise problem

    table.store.watch(watcher)
    with pytest.raises(OSError, match="too many") as late:
        table.store.run("add Bo")
    assert late.value is problem, "the line is on the disk: this is no refusal"


def test_an_order_in_place_of_a_players_is_marked_as_the_gms() -> None:
    table = Table("chaos", dict(DUEL))
    table.do("add Ana hp=9 owner=Mia side=red", "add Bo hp=9 side=blue", "begin")

    def gm(line: str, by: str = "") -> list[bool]:
        table.store.run(line, by=by)
        return [e.gm for e in table.ledger.steps[-1].events if isinstance(e, Ordered)]

    assert gm("order Ana action=a") == [False]
    assert gm("order Ana action=b", "mia 4") == [False]
    assert gm("order Ana action=c") == [True]
    assert gm("order Bo action=a") == [False]
    assert gm("order Bo action=b") == [False]


# --- a journey


def test_a_journey_says_where_it_ends() -> None:
    table = Table("classic")
    table.do("add Ana", "add Bo", "add Cy")
    assert texts(table, "undo 2") == ["back at step 1: add Ana"]
    assert texts(table, "redo") == ["forward at step 2: add Bo"]
    assert texts(table, "goto 0") == ["back at step 0: the beginning"]
    assert [r.to for r in table.ledger.steps[3:]] == [1, 2, 0]


def test_only_the_steps_on_the_way_are_asked_whether_another_save_has_a_part_in_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("classic")
    lines = ["note a", "split Ana one", "note b", "split Ana two", "note c"]
    records = [Record[Any](n, NOON, line, (Noted("n", n),)) for n, line in enumerate(lines, 1)]
    table.store.restart(replay(History(table.encounter), records), len(records))
    told = [
        [t.split("`")[0] for t in texts(table, line)[1:]] for line in ("undo", "undo", "undo", "undo", "redo")
    ]
    assert told == [[], ["step 4 was "], [], ["step 2 was "], ["step 2 was "]]
    assert len(texts(table, "goto 5")) == 2
    assert len(texts(table, "goto 0")) == 3
    monkeypatch.setattr(store_module, "MOST_LOOKED_AT", 3)
    assert len(texts(table, "goto 5")) == 2


# --- reading


def test_the_state_says_what_can_be_undone_and_what_was_told_last() -> None:
    table = Table("classic")

    def told(viewer: Viewer) -> tuple[object, ...]:
        state = table.store.table(viewer)
        assert (state.format, state.save) == (1, "test")
        return state.step, state.can_undo, state.can_redo, [x.step for x in state.last]

    gm, mia = viewer_of(None), viewer_of("Mia")
    assert told(gm) == told(mia) == (0, False, False, [])
    table.do("add Spy hp=9 hidden=yes", "add Ana hp=9 owner=Mia")
    assert told(gm) == (2, True, False, [2])
    assert told(mia) == (1, False, False, [1])
    assert [m.text for m in table.store.messages(1)] == ["Spy joins the dark side"]
    table.do("undo")
    assert told(gm) == (1, True, True, [1])
    assert told(mia) == (0, False, False, [])
    table.do("undo")
    assert told(gm) == (0, False, True, [])


# --- what a stranger wrote


def test_a_record_may_go_to_any_step_there_is() -> None:
    table = Table("classic")
    table.do("add Ana", "add Bo")
    history = replay(History(Encounter(system="classic")), table.ledger.steps)

    def why(to: int) -> str:
        return follows(history, Record(3, NOON, "goto", (), to), Registry())

    assert [why(0), why(1), why(2)] == [""] * 3
    assert why(3) == "it goes to step 3, and there are 2"
    assert why(-1) == "it goes to step -1, and there are 2"


def test_a_state_is_asked_about_where_something_new_may_be_wrong() -> None:
    table, systems = Table("classic"), Registry()
    table.do("add Ana hp=9", "begin")
    record = Record[Any](3, NOON, "x", (Noted("values", {"c1": "m" * 200}),))
    broken = replay(History(table.encounter), [record]).encounter
    why = state_error(broken, systems)
    assert why.startswith("the notes of classic: ")
    long = replay(History(table.encounter), [Record[Any](3, NOON, "x", (Noted("values", {"x" * 200: "y"}),))])
    assert len(state_error(long.encounter, systems)) <= 121
    changed = Record[Any](4, NOON, "y", (Changed("c1", "hp", 3),))
    back = Record[Any](4, NOON, "undo", (), 2)
    assert nonsense_since(None, (), broken, systems) == why
    assert nonsense_since(broken, (back,), broken, systems) == why
    assert nonsense_since(broken, (record,), broken, systems) == why
    assert nonsense_since(broken, (changed,), broken, systems) == ""
    odd = Encounter(system="classic", round="first")  # type: ignore[arg-type]
    assert nonsense_since(odd, (changed,), odd, systems) == ""
    assert "round" in nonsense_since(table.encounter, (changed,), odd, systems)


def test_only_a_store_without_a_library_has_none() -> None:
    with pytest.raises(RuleError, match="there is no library here"):
        Table("classic").do("save party four")
