"""A store without a file: what a line writes, says and refuses, and what a journey says of itself."""

from __future__ import annotations

import pytest

from tests.kit.table import NOON, Table
from tui.core.fight.events import Ordered
from tui.core.fight.viewer import viewer_of
from tui.store.sources import SeededDice


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
    table.do("add Bo", "add Cy")
    assert len(table.store.heard(viewer_of("Mia"), 9)) == 3
    table.do("undo")
    assert texts(table, "note x") == ["1 undone step can no longer be redone"]
    assert [x.text for x in table.store.heard(viewer_of("Mia"), 9)][-1] == ("Bo joins the dark side",)
    table.do("undo 2")
    assert texts(table, "note x") == ["2 undone steps can no longer be redone"]


@pytest.mark.parametrize("line", ["note x", "undo", "save party four"])
def test_faces_that_nobody_rolls_refuse_any_line(line: str) -> None:
    table = Table("classic")
    table.do("add Ana")
    error = table.refuse(line, dice=[3, 4])
    assert (error.message, error.hint) == ("faces are left over: 3, 4", "give as many as are rolled")


def test_an_order_for_a_player_is_marked_as_the_gms() -> None:
    table = Table("chaos", {"cha.mode": "head-to-head"})
    table.do(
        "add Ana hp=9 owner=Mia side=red", "add Bo hp=9 side=blue", "add Cy hp=9 owner=Ned side=blue", "begin"
    )

    def gm(line: str, by: str = "") -> list[bool]:
        table.store.run(line, by=by)
        return [e.gm for e in table.ledger.steps[-1].events if isinstance(e, Ordered)]

    assert gm("order Ana action=a") == [True]
    assert gm("order Ana action=b", "mia 4") == [False]
    assert gm("order Ana action=c") == [True]
    assert gm("order Bo action=a") == [False]
    assert gm("order Bo action=b") == [False]


# --- a journey


def test_a_journey_says_where_it_ends() -> None:
    table = Table("classic")
    table.do("add Ana", "add Bo", "add Cy")
    assert texts(table, "undo 2") == ["took back: Cy joins the dark side; Bo joins the dark side"]
    assert texts(table, "redo") == ["did again: Bo joins the dark side"]
    assert texts(table, "goto 0") == ["at step 0"]
    assert [r.to for r in table.ledger.steps[3:]] == [1, 2, 0]


def test_a_players_roll_keeps_its_faces_at_an_undo_and_no_redo_tells_it() -> None:
    table = Table("classic", dice=SeededDice(1))
    table.do("add Ana hp=9 owner=Mia adv=adv", "add Orc", "begin", "damage Ana 1")
    table.store.run("roll Ana", by="mia 4", id_="first-line")
    table.do("undo mine=yes")
    assert [x.text for x in table.store.messages(4)] == ["Ana rolls 17 (not 3)"]
    assert texts(table, "redo") == ["did again: Ana takes 1 damage: 8 left"]
