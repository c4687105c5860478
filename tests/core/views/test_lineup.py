"""Rows as a screen lines them up: places, members under their side, who is to come, who is out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.systems.random_fights import fight
from tests.table import Table
from tests.tiers import cases
from tui.core.fight.agenda import Act, Ask, Mark, Offer, PickAsk, RollAsk, RowState, TrackRow, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Turn, label
from tui.core.rules.system import InitiativeSystem
from tui.core.views.lineup import NO_REASONS, lineup
from tui.systems import Registry

SYSTEMS = Registry().ids()
PEOPLE = (
    Combatant("c1", "Ana", "heroes"),
    Combatant("c2", "Bo", "heroes"),
    Combatant("c3", "Orc", "dark"),
    Combatant("c4", "Rat 1", "dark", group="Rats"),
    Combatant("c5", "Rat 2", "dark", group="Rats"),
)
E = Encounter(system="given", combatants={c.id: c for c in PEOPLE}, phase="turns", round=1)


class Given(InitiativeSystem):
    """A system whose answers are given to it; a roll for anything `else` gives no place."""

    title = "Given"
    marks = (Mark("held", "has put it off", delays=True), Mark("dazed", "is dazed"))

    def __init__(self, *rows: TrackRow, asks: tuple[Ask, ...] = (), offered: tuple[str, ...] = ()) -> None:
        self._rows, self._asks, self._offered = rows, asks, offered

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the rows that were given."""
        del e
        return self._rows

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return what was given."""
        del e
        return self._asks

    def offer(self, e: Encounter) -> Offer:
        """Return the turns that were given."""
        del e
        return Offer(tuple(Act("turn", key) for key in self._offered))

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:
        """Return whether it is for a place."""
        del e
        return ask.key != "else"


def row(
    entry: str, *members: str, value: int = 0, state: RowState = "waits", ranked: bool = True
) -> TrackRow:
    return TrackRow(entry, members or (entry,), value, state, NO_REASONS, ranked)


def dice(key: str, who: str) -> RollAsk:
    return RollAsk(key, who, (20,), say("{0} rolls", who))


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


def test_only_a_roll_for_a_place_keeps_a_row_without_one() -> None:
    asks = (dice("place", "c1"), dice("else", "c2"), PickAsk("place", "c3", ("c1",), say("{0} picks", "c3")))
    spots = lineup(E, Given(*(row(c.id, value=5) for c in PEOPLE[:3]), asks=asks)).spots
    assert [(s.row.entry, s.owed, s.place) for s in spots[:3]] == [
        ("c1", True, 0), ("c2", False, 1), ("c3", False, 2)
    ]  # fmt: skip


def test_a_system_gives_numbers_where_a_row_has_one_or_throws_for_one() -> None:
    asks = (dice("place", "c1"),)
    assert not lineup(E, Given(row("c1"), row("c2"))).numbered
    assert not lineup(E, Given(row("c1", ranked=False), row("c2"), asks=asks)).numbered
    assert lineup(E, Given(row("c1"), row("c2"), asks=asks)).numbered
    assert lineup(E, Given(row("c1", value=-1))).numbered


def test_a_barred_row_without_a_number_has_no_place() -> None:
    some: list[tuple[str, int, RowState]] = [
        ("c1", 5, "done"),
        ("c2", 0, "barred"),
        ("c3", 0, "waits"),
        ("c4", 1, "barred"),
        ("c5", -2, "barred"),
    ]
    found = lineup(E, Given(*(row(key, value=value, state=state) for key, value, state in some)))
    assert [s.place for s in found.spots] == [1, 0, 2, 3, 4]


def test_only_a_mark_that_delays_says_that_a_row_delays() -> None:
    people = {
        "c1": replace(PEOPLE[0], marks={"dazed": "turn"}),
        "c2": replace(PEOPLE[1], marks={"held": "turn"}),
    }
    e = replace(E, combatants={**E.combatants, **people})
    rows = (row("c1", "c1", "c9"), row("c2"), row("c3"))
    assert [s.row.state for s in lineup(e, Given(*rows)).spots[:3]] == ["waits", "delays", "waits"]
    now = Given(*(replace(x, state="now") for x in rows))
    assert [s.row.state for s in lineup(e, now).spots[:3]] == ["now"] * 3


def test_members_may_act_only_while_no_turn_runs_and_nothing_is_due() -> None:
    side = row("@dark", "c3", "c4", "c5")

    def inner(system: InitiativeSystem, e: Encounter = E) -> list[tuple[str, str, int]]:
        return [(s.row.entry, s.row.state, s.row.value) for s in lineup(e, system).spots if s.inner]

    assert inner(Given(side, offered=("c3",))) == [("c3", "may", 0), ("@Rats", "waits", 0)]
    assert inner(Given(side, offered=("@Rats",))) == [("c3", "waits", 0), ("@Rats", "may", 0)]
    assert inner(Given(side, offered=("c5",))) == [("c3", "waits", 0), ("@Rats", "may", 0)]
    waits = [("c3", "waits", 0), ("@Rats", "waits", 0)]
    assert inner(Given(side, offered=("c3",), asks=(dice("else", "c1"),))) == waits
    running = replace(E, turn=Turn("c1", ("c1",)))
    assert inner(Given(side, offered=("c3",)), running) == waits
    assert inner(Given(row("c4"), row("@Rats", "c5"))) == [], "a part of a group, and its rest"


def test_who_is_in_no_row_is_to_come_or_out() -> None:
    people = {
        "c2": replace(PEOPLE[1], arrives=3),
        "c3": replace(PEOPLE[2], out=True, arrives=3),
        "c5": replace(PEOPLE[4], out=True),
    }
    e = replace(E, combatants={**E.combatants, **people})
    found = lineup(e, Given(row("c1"), row("@Rats", "c4"))).spots[2:]
    assert [(s.row.entry, s.row.members, s.row.state, s.row.value, s.place) for s in found] == [
        ("c2", ("c2",), "staged", 0, 0),
        ("c3", ("c3",), "out", 0, 0),
    ]
