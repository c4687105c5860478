"""Do, undo, redo, goto and reload against a plain model: a list of states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Noted, SystemChanged
from tui.core.fight.viewer import Viewer, viewer_of
from tui.store.history import History, replay
from tui.store.journal.format import Record
from tui.store.store import Store


def test_a_journey_ends_at_the_first_and_at_the_last_step() -> None:
    table = Table("classic")
    table.do("add Ana", "add Bo", "add Cy", "undo 2")
    table.refuse("redo 3", "there are 2 steps to redo, not 3", "`redo 2` at most")
    table.refuse("goto 4", "there are 3 steps, no step 4", "0 to 3")
    table.refuse("goto 1", "this is step 1 already")
    table.do("goto 3")
    assert table.store.step == 3
    table.refuse("redo", "there is nothing to redo")
    table.do("undo")
    table.refuse("redo 2", "there is 1 step to redo, not 2", "`redo 1` at most")
    table.do("redo")
    table.refuse("undo 4", "there are 3 steps to undo, not 4", "`undo 3` at most")
    table.do("undo 3")
    assert not table.encounter.combatants
    table.do("redo 3")
    assert len(table.encounter.combatants) == 3


def test_states_far_back_are_found_from_the_nearest_kept_one() -> None:
    table = Table("classic")
    table.do("add Ana hp=50")
    for i in range(250):
        table.do(f"note {i}" if i % 2 else "damage Ana 1")
    assert table.store.at(101).combatants["c1"].hp == 0
    assert table.store.at(21).combatants["c1"].hp == 40


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


def test_a_players_line_is_known_for_ever_and_a_late_one_is_no_step() -> None:
    table = Table("classic")
    table.do("add Ana owner=Mia", "add Orc", "begin")
    store = table.store
    store.run("roll Ana 12", by="Mia", id_="first-line")
    store.run("undo")
    store.run("roll Ana 3")
    step = store.step
    store.keep_late("end (the turn of Ana was over)", "Mia", "late-line")
    assert store.step == step
    assert [x.text for x in store.messages(step)][-1] == "Mia: end (the turn of Ana was over)"
    assert all("late" not in x.kind for x in store.messages(step, Viewer("Mia", gm=False)))
    store.run("undo")
    store.run("redo")
    again = Store("again", replay(History(store.at(0)), table.ledger.steps), store.systems, store.effects)
    for one in (store, again):
        assert one.step == step
        assert one.encounter == store.encounter
        assert one.is_known("mia", "first-line")
        assert one.is_known("MIA", "late-line")
        assert not one.is_known("Mia", "other-line")
        assert not one.is_known("Jon", "first-line")


LINES = st.sampled_from(
    [
        "next",
        "next 3",
        "damage Orc 1",
        "damage Spy 1",
        "hide Orc",
        "reveal Orc",
        "reveal Spy",
        "note x",
        "note y",
        "undo",
        "undo 2",
        "undo 3",
        "redo",
        "redo 2",
        "goto 6",
        "goto 9",
        "alias Orc Brute",
        "alias Orc none",
    ]
)


def fight(spy: str = "hidden=yes") -> Table:
    """Ana is Mia's; nobody sees the Spy."""
    table = Table("classic")
    table.do("add Ana hp=9 owner=Mia", "add Orc hp=9", f"add Spy hp=9 {spy}", "begin")
    table.do("roll", dice=[15, 10, 5])
    return table


def anew(table: Table) -> Store:
    """The same fight, read from its journal by somebody who has told nobody anything yet."""
    history = replay(History(Encounter(system="classic")), table.ledger.steps)
    return Store("test", history, table.store.systems, table.store.effects)


def test_a_step_with_several_moments_is_heard_from_its_latest_on() -> None:
    table = fight("side=dark")
    table.do("next", "damage Ana 9", "next", "next 2")
    whole = table.store.heard(viewer_of("Mia"), 99)
    assert all(table.store.heard(viewer_of("Mia"), n) == whole[-n:] for n in range(1, len(whole)))


@cases(60)
@given(st.lists(LINES, min_size=1, max_size=20))
def test_what_is_kept_is_what_a_count_from_the_beginning_comes_to(said: list[str]) -> None:
    table = fight()
    for line in said:
        try:
            table.do(line)
        except RuleError:
            continue
        for name in ("Mia", "nobody"):
            assert table.store.table(viewer_of(name)) == anew(table).table(viewer_of(name)), line
