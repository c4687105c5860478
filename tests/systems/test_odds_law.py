"""The law of odds, in small: random states of every system against fights that are played by lines."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from tests.systems.odds_law import ALARM, apart, findings, law, likelihood, simulated, states, wrong
from tests.tiers import share
from tui.systems import Registry


@pytest.mark.law
@pytest.mark.parametrize("system", Registry().ids())
def test_odds_are_how_often_it_happens(system: str) -> None:
    assert not law(islice(states(system, 0), share(10)), 60)


@pytest.mark.law
@pytest.mark.parametrize("system", Registry().ids())
def test_odds_of_fights_at_random_are_how_often_it_happens(system: str) -> None:
    """Where every way can be gone through as well: few states are so large that they cannot."""
    assert not law(islice(simulated(states(system, 500)), share(10)), 60)


def test_the_law_cries_out_at_odds_that_are_a_little_wrong() -> None:
    assert likelihood(0.5, 0.5, 1_000, 0) == 1
    assert likelihood(0.75, 0.70, 1_000, 0) > ALARM
    assert likelihood(0.75, 0.68, 2_000, 0) < ALARM
    assert likelihood(0.75, 0.60, 2_000, 400) < ALARM
    assert likelihood(1.0, 0.99, 100, 0) == 0
    assert apart(0.3, 0.3) == 0


def test_fights_that_are_played_notice_chances_that_are_a_little_wrong() -> None:
    """A twentieth, taken from the first place of somebody's and given to the last."""
    state = next(
        s
        for s in states("unbound", 0)
        if not s.odds.runs and any(0.2 < x.standing.places[0] < 0.8 for x in s.odds.rows)
    )
    row = next(x for x in state.odds.rows if 0.2 < x.standing.places[0] < 0.8)
    first, *middle, last = row.standing.places
    standing = replace(row.standing, places=(first - 0.05, *middle, last + 0.05))
    rows = tuple(replace(x, standing=standing) if x is row else x for x in state.odds.rows)
    told = replace(state, odds=replace(state.odds, rows=rows))
    assert not wrong([(state, findings(state, 5_000)[0])])
    assert any(f"{row.name}: place 1" in line for line in wrong([(told, findings(told, 5_000)[0])]))


def test_random_states_are_of_many_kinds() -> None:
    """Faces typed, turns running, placements, nothing begun: all must be among them."""
    some = [s for _, s in zip(range(40), states("dungeon-track", 20), strict=False)]
    phases = {s.odds.encounter.phase for s in some}
    assert {"rolls", "turns"} <= phases
    assert any(s.odds.encounter.turn for s in some)
    assert any(s.line.startswith("place") for s in some)
    assert any(" 1" in line for s in some for line in s.lines if line.startswith("roll "))
