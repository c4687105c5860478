"""Laws of the pool: what a declaration rolls, costs and is worth, and what a switch is known to cost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.systems.dynamic.fights import rolled, values
from tui.core.rules.on_screen import on_screen
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Deed, Pool

DICE = st.sampled_from(["1d4", "1d6", "2d6", "1d8", "1d8+1d6", "1d12", "1"])
DEEDS = st.one_of(
    DICE.map(lambda dice: pools.read_deeds({"weapon": dice})[0]),
    st.integers(0, 9).map(lambda level: pools.read_deeds({"spell": str(level)})[0]),
    st.just(pools.read_deeds({"action": "1"})[0]),
)
STEPS = st.integers(-6, 6)
FLOORS = st.integers(1, 4)


@st.composite
def some_pools(draw: st.DrawFn) -> Pool:
    deeds = draw(st.lists(DEEDS, max_size=4))
    pool = pools.make_pool(deeds, one=draw(st.booleans()))
    pool, _ = pools.resize_pool(pool, draw(STEPS), draw(FLOORS))
    return pools.with_advantage(pool, draw(st.sampled_from(["", "adv", "dis"])))


def faces(data: st.DataObject, pool: Pool) -> tuple[int, ...]:
    return tuple(data.draw(st.integers(1, sides)) for sides in pool.rolled)


@given(st.lists(DEEDS, max_size=6), st.booleans())
def test_a_declaration_reads_as_it_is_written(deeds: list[Deed], moves: bool) -> None:
    grouped = sorted(
        [*deeds, *(pools.read_deeds({"move": "yes"}) if moves else ())], key=lambda deed: deed.kind
    )
    assert list(pools.read_deeds(pools.write_deeds(grouped))) == grouped


@given(st.data(), some_pools())
def test_a_sum_lies_between_the_least_and_the_most(data: st.DataObject, pool: Pool) -> None:
    assert pool.least <= pools.sum_faces(pool, faces(data, pool)) <= pool.most
    assert len(pool.rolled) == sum(sides > 1 for sides in pool.dice) + (pool.twice >= 0)


@given(st.sampled_from(pools.LADDER), STEPS, FLOORS)
def test_sizes_go_along_the_ladder_between_floor_and_d20(sides: int, steps: int, floor: int) -> None:
    found = pools.change_die(sides, steps, floor)
    assert found in pools.LADDER
    assert found >= min(sides, floor)
    assert (found <= sides) if steps <= 0 else (found >= sides)
    if sides < 20 and sides >= floor:
        assert pools.change_die(pools.change_die(sides, 1, floor), -1, floor) == sides


@given(st.lists(DEEDS, min_size=1, max_size=3), STEPS, FLOORS)
def test_a_choice_is_open_only_between_dice_that_can_change(
    deeds: list[Deed], steps: int, floor: int
) -> None:
    pool = pools.make_pool(deeds, one=False)
    _, choice = pools.resize_pool(pool, steps, floor, ask=True)
    assert len(choice) != 1
    assert all(pools.change_die(sides, 1 if steps > 0 else -1, floor) != sides for sides in choice)
    picks: list[int] = []
    while choice:
        picks.append(choice[-1])
        _, choice = pools.resize_pool(pool, steps, floor, picks, ask=True)
    assert len(picks) <= abs(steps)


def test_dis_16_the_price_and_the_place_are_known_before_confirming() -> None:
    t = rolled()
    t.do("next", "next")
    system = t.store.system
    assert on_screen(system).preview(t.encounter, "c1", {"action": "1"}).notes == (
        "+6: 11, place 3, after Oren",
    )
    assert on_screen(system).preview(t.encounter, "c1", {"dance": "1"}).errors
    found = {x.line: x.note for x in on_screen(system).choices(t.encounter, "switch")}
    assert found["switch Sela from=none move=yes"].startswith("+4: 9")
    for line, note in found.items():
        t.do(line)
        price, total = note.split(", place")[0].removeprefix("+").split(": ")
        place = int(note.split("place ")[1].split(",")[0])
        assert values(t)["Sela"] == int(total) == 5 + int(price), line
        assert t.order().index("Sela") + 1 == place, line
        t.do("undo")
