"""Rows that change: grouped while orders are open, refused after the lock, joined late (CHA-A13, CHA-A14)."""

from __future__ import annotations

import json

import pytest

from tests.systems.chaos.fights import fight, marks, owes, said, states, turns
from tests.table import Table, order_of, row


def written(t: Table, name: str, viewer: str | None = None) -> dict[str, str] | None:
    found = order_of(t, name, viewer)
    return None if found is None else found["text"]


def duo() -> Table:
    """Ana and Bo have written; then they are one row."""
    return fight("order Ana action=charge", "order Bo action=hide", "group Ana,Bo Duo")


def test_cha_a14_a_new_group_owes_its_own_form_while_orders_are_open() -> None:
    t = duo()
    assert owes(t) == ["Duo", "Orc"]
    t.do("order Duo action=dance")
    assert written(t, "Duo") == {"action": "dance"}


def test_cha_a14_ungrouped_each_member_has_its_own_order_again() -> None:
    for more in ((), ("order Duo action=dance",)):
        t = duo()
        t.do(*more, "ungroup Duo")
        assert (written(t, "Ana"), written(t, "Bo")) == ({"action": "charge"}, {"action": "hide"})
        assert owes(t) == ["Orc"]


def test_cha_a14_who_wrote_nothing_before_takes_the_order_of_the_group_along() -> None:
    t = fight("order Ana action=charge", "group Ana,Bo Duo", "order Duo action=dance", "ungroup Bo")
    assert (written(t, "Duo"), written(t, "Bo")) == ({"action": "dance"}, {"action": "dance"})
    t.do("ungroup Ana")
    assert written(t, "Ana") == {"action": "charge"}
    t = fight("order Ana action=charge", "group Ana,Bo Duo", "ungroup Duo")
    assert owes(t) == ["Bo", "Orc"]


def test_cha_a14_grouping_by_set_is_the_same() -> None:
    t = fight("order Ana action=charge", "order Bo action=hide", "set Ana,Bo group=Duo")
    assert owes(t) == ["Duo", "Orc"]
    t.do("set Ana group=", "set Bo group=")
    assert (written(t, "Ana"), written(t, "Bo")) == ({"action": "charge"}, {"action": "hide"})


def test_cha_a14_who_joins_a_row_that_wrote_shares_its_order() -> None:
    t = fight("group Ana Duo", "order Duo action=dance", "order Bo action=hide", "group Bo Duo")
    assert (owes(t), written(t, "Duo")) == (["Orc"], {"action": "dance"})
    t.do("ungroup Bo")
    assert written(t, "Bo") == {"action": "hide"}


def test_cha_a14_orders_from_before_are_not_for_the_other_player() -> None:
    t = duo()
    assert "charge" not in json.dumps(t.state("Max"))
    t.do("order Duo action=dance", "ungroup Duo")
    assert written(t, "Ana", "Max") is None
    assert "charge" not in json.dumps(t.state("Max"))


LOCKED = ("group Ana,Bo Duo", "ungroup Pack", 'ungroup "Wolf 1"', "set Ana group=Duo", "set Bo group=Pack")


def pack() -> Table:
    """Two Wolves are one row beside Ana, Bo and the Orc; orders are locked."""
    return fight("add 2 Wolf group=Pack side=red", "order Ana action=charge", "lock missing=empty")


@pytest.mark.parametrize("line", LOCKED)
def test_cha_a14_from_the_lock_to_the_end_of_the_round_no_row_changes(line: str) -> None:
    t = pack()
    assert t.refuse(line, "cannot change rows", "`unlock`").rule == "CHA-A14"
    t.do("roll", dice=[18, 12, 6, 3])
    assert t.refuse(line, "next round").rule == "CHA-A14"
    t.do("ok", "next")
    t.refuse(line)
    t.do("next", "next", "next")
    t.refuse(line)
    t.do("next", line)
    t = pack()
    t.do("unlock", line)


def test_cha_a14_a_line_that_moves_nobody_is_no_change_of_rows() -> None:
    t = pack()
    t.do("roll", dice=[18, 12, 6, 3])
    t.do("group wolf* Pack", "set Ana note=brave")
    assert row(t, "Pack")["members"] == ["Wolf 1", "Wolf 2"]


def test_cha_a14_who_comes_after_the_lock_joins_a_playing_row_in_the_next_round() -> None:
    t = pack()
    t.do("add 1 Wolf group=Pack side=red")
    assert "Wolf 3 joins Pack in the next round (CHA-A14)" in said(t)
    assert "Wolf 3 acts from the next round on (CHA-A13)" in said(t)
    t.do("roll", dice=[18, 12, 6, 3])
    assert row(t, "Pack")["members"] == ["Wolf 1", "Wolf 2"]
    assert row(t, "Wolf 3")["state"] == "barred"
    t.do("ok", *["next"] * 5)
    assert t.encounter.round == 2
    assert owes(t) == ["Ana", "Bo", "Orc", "Pack"]
    t.do("lock missing=empty")
    t.do("roll", dice=[18, 12, 6, 3])
    assert row(t, "Pack")["members"] == ["Wolf 1", "Wolf 2", "Wolf 3"]
    t.do("ok", *["next"] * 5)
    assert owes(t) == ["Ana", "Bo", "Orc", "Pack"]


def test_cha_a14_a_new_row_after_the_lock_is_one_at_once() -> None:
    t = pack()
    t.do("add 2 Imp group=Imps")
    assert said(t)[-1] == "Imps act from the next round on (CHA-A13)"
    t.do("roll", dice=[18, 12, 6, 3])
    assert (row(t, "Imps")["members"], row(t, "Imps")["state"]) == (["Imp 1", "Imp 2"], "barred")


def test_cha_a14_who_waits_joins_with_unlock_and_never_the_other_side() -> None:
    t = pack()
    t.do("add 1 Wolf group=Pack side=red", "unlock")
    assert owes(t) == ["Bo", "Orc", "Pack"]
    t = pack()
    t.do("add 1 Wolf group=Pack side=red", 'set "Wolf 3" side=blue', "unlock")
    assert owes(t) == ["Bo", "Orc", "Pack", "Wolf 3"]
    t = pack()
    t.do("add 1 Wolf group=Pack side=red", 'remove "Wolf 1"', 'remove "Wolf 2"', "unlock")
    assert owes(t) == ["Bo", "Orc", "Wolf 3"]


def test_a_held_action_goes_along_into_a_row_and_out_of_it() -> None:
    t = turns("order Ana ready=shoot")
    t.do("next", "next", "next", "next", "group Ana,Bo Duo")
    assert marks(t, "Ana") == {"ready"}
    t.do("order Duo maintain=yes", "lock missing=empty")
    t.do("roll", dice=[18, 6])
    t.do("ok", "fire Ana")
    assert said(t) == ["Duo's readied action happens: shoot (CHA-9)"]


def test_cha_17_who_comes_back_after_the_slot_of_its_row_waits_for_the_next_round() -> None:
    t = pack()
    t.do("roll", dice=[12, 6, 3, 18])
    t.do("ok", 'out "Wolf 1"', "next", 'back "Wolf 1"')
    assert said(t) == ["Wolf 1 is back", "Wolf 1 acts from the next round on (CHA-A13)"]
    t.do("next")
    assert t.state()["acting"] == "Ana"
    assert (row(t, "Pack")["state"], states(t)["Pack"]) == ("done", "done")
    t = pack()
    t.do("roll", dice=[12, 6, 3, 18])
    t.do("ok", 'out "Wolf 1"', 'back "Wolf 1"', "next")
    assert t.state()["acting"] == "Pack"
    assert t.encounter.turn is not None
    assert len(t.encounter.turn.members) == 2


def test_cha_17_an_order_stays_done_when_those_who_carried_it_out_are_removed() -> None:
    t = pack()
    t.do("roll", dice=[12, 6, 3, 18])
    t.do("ok", 'out "Wolf 1"', "next", "next", 'remove "Wolf 2"')
    assert states(t)["Pack"] == "done"
