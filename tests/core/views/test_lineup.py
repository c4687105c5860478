"""Rows as a screen lines them up: places, members under their side, who is to come, who is out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.systems.random_fights import fight
from tests.table import Table
from tests.tiers import cases
from tui.core.fight.encounter import label
from tui.core.views.lineup import lineup
from tui.systems import Registry

SYSTEMS = Registry().ids()


def rows(t: Table) -> list[tuple[int, str, str]]:
    """Place, name and state of every row that is shown."""
    e = t.encounter
    return [(s.place, label(e, s.row.entry), s.row.state) for s in lineup(e, t.store.system).spots]


def test_members_stand_under_their_side_those_still_to_act_first() -> None:
    t = Table("unbound")
    t.do("add Ana side=red", "add Bo side=red", "add Cy side=red", "add Orc side=blue", "begin")
    t.do("roll", dice=[9, 3])
    assert rows(t) == [
        (0, "red", "may"),
        (0, "Ana", "may"),
        (0, "Bo", "may"),
        (0, "Cy", "may"),
        (0, "blue", "waits"),
        (0, "Orc", "waits"),
    ]
    t.do("turn Bo")
    assert rows(t)[:4] == [(0, "red", "now"), (0, "Ana", "waits"), (0, "Bo", "now"), (0, "Cy", "waits")]
    t.do("end")
    assert [x for x in rows(t) if x[1] in ("Ana", "Bo", "Cy")][-1] == (0, "Bo", "done")
    spots = lineup(t.encounter, t.store.system).spots
    assert [s.outer for s in spots] == [label(t.encounter, s.row.entry) in ("red", "blue") for s in spots]
    assert [s.inner for s in spots] == [not s.outer for s in spots]
    assert [s.row.value for s in spots if s.inner] == [0] * 4


def test_what_is_still_to_be_rolled_has_no_place_yet() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add 2 Orc group=Orcs", "begin")
    assert rows(t) == [(0, "Ana", "waits"), (0, "Bo", "waits"), (0, "Orcs", "waits")]
    assert all(s.owed for s in lineup(t.encounter, t.store.system).spots)
    t.do("roll Bo 15")
    assert [(p, name) for p, name, _ in rows(t) if p] == [(1, "Bo")]
    t.do("roll Ana 18", "roll Orcs 3")
    assert [(p, name) for p, name, _ in rows(t)] == [(1, "Ana"), (2, "Bo"), (3, "Orcs")]
    assert lineup(t.encounter, t.store.system).numbered


def test_who_is_to_come_and_who_is_out_stand_below() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add 2 Orc group=Orcs", "add Rat round=3", "begin")
    t.do("roll", dice=[18, 15, 3])
    t.do('out "Orc 1"', "out Bo")
    assert rows(t) == [(1, "Ana", "may"), (2, "Orcs", "waits"), (0, "Rat", "staged"), (0, "Bo", "out")]
    t.do("out Orcs")
    assert rows(t)[1:] == [(0, "Rat", "staged"), (0, "Bo", "out"), (0, "Orcs", "out")]
    t.do("finish")
    assert rows(t) == []


def test_classic_3_a_row_that_delays_says_so() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy", "begin")
    t.do("roll", dice=[18, 15, 3])
    t.do("next", "hold Ana")
    assert [state for _, name, state in rows(t) if name == "Ana"] == ["delays"]
    assert "delays" not in [state for _, name, state in rows(t) if name != "Ana"]


@pytest.mark.parametrize("system", SYSTEMS)
@cases(2)
@given(seed=st.integers(0, 10**6))
def test_everybody_stands_in_one_row_and_places_count_up(system: str, seed: int) -> None:
    for steps in (2, 9):
        game = fight(system, seed, steps)
        e = game.encounter
        found = lineup(e, game.rules).spots
        if not e.running:
            assert found == ()
            continue
        whole = [s for s in found if not s.inner]
        people = [k for s in whole for k in s.row.members if not e.combatants[k].out]
        assert sorted(people) == sorted(c.id for c in e.combatants.values() if not c.out)
        places = [s.place for s in whole if s.place]
        assert places == list(range(1, len(places) + 1))
        inner = [k for s in found if s.inner for k in s.row.members]
        assert len(set(inner)) == len(inner)
        assert set(inner) <= {k for s in found if s.outer for k in s.row.members}
        now = [k for s in found if s.row.state == "now" for k in s.row.members]
        assert set(e.turn.members if e.turn else ()) <= set(now)
