"""Going on, choosing, finishing: `next N`, `finish`, `pick` of a group, free dice, refusals that are true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.systems import Registry


def classic(*lines: str) -> Table:
    t = Table("classic")
    t.do("add Ana owner=Mia hp=9", "add 2 Orc hp=7", "begin")
    t.do("roll", dice=[15, 10, 5])
    for line in lines:
        t.do(line)
    return t


@given(st.integers(1, 9))
def test_next_n_is_n_times_next_as_one_step(n: int) -> None:
    many, single = classic(), classic()
    many.do(f"next {n}")
    for _ in range(n):
        single.do("next")
    assert many.encounter == single.encounter
    assert many.store.step == single.store.step - n + 1


@given(st.lists(st.integers(1, 6), min_size=2, max_size=2), st.booleans())
def test_free_dice_change_nothing_and_are_the_game_masters_unless_open(faces: list[int], open_: bool) -> None:
    t = classic()
    before = t.encounter
    t.do("dice 2d6+1 the bridge" + (" open=yes" if open_ else ""), dice=faces)
    assert t.encounter == before
    told = [x["text"] for x in t.state()["last"]]
    assert any(x.startswith(f"GM rolls {sum(faces) + 1} for the bridge: 2d6+1 (") for x in told)
    assert ("the bridge" in str(t.state("Mia")["last"])) == open_


@pytest.mark.parametrize("system", Registry().ids())
def test_before_the_fight_who_is_back_is_only_back(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "out Orc", "back Orc")
    assert [type(event).__name__ for event in t.ledger.steps[-1].events] == ["CameBack"]
    t.refuse("back Orc", "already in the fight")


@pytest.mark.parametrize("system", Registry().ids())
def test_who_has_not_arrived_has_no_reaction_to_spend(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "add Late round=3", "begin")
    assert "not here before round 3" in t.refuse("react Late").message
