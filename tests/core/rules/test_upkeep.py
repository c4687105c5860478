"""Hit points, counters, death saves, and how long conditions last."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table, carried
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.store.sources import SeededDice
from tui.systems import Registry


def classic(*lines: str) -> Table:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy", "begin")
    t.do("roll", dice=[15, 10, 5])
    for line in lines:
        t.do(line)
    return t


@given(n=st.integers(1, 4), own=st.booleans(), start=st.booleans())
def test_rounds_are_whole_turns_after_this_one(n: int, own: bool, start: bool) -> None:
    """Given in one's own turn, it lasts to the end (start) of the Nth turn after it; else of the Nth."""
    t = classic("next" if own else "next 2")
    bearer = "Ana"
    t.do(f"condition {bearer} rage rounds={n} until={'start' if start else 'end'}")
    turns = 0
    while True:
        t.do("next")
        acting = t.state()["acting"]
        if acting == bearer:
            turns += 1
            if start:
                assert (carried(t, bearer) == []) == (turns == n)
                if turns == n:
                    return
            else:
                assert carried(t, bearer) == ["rage"], "it lasts to the end of the turn"
        elif not start and turns == n:
            assert carried(t, bearer) == []
            return


def one(table: Table, name: str) -> Combatant:
    return next(c for c in table.encounter.combatants.values() if c.name == name)


@given(st.integers(0, 40), st.integers(0, 20), st.integers(0, 60))
def test_damage_takes_temporary_points_first_and_stops_at_0(hp: int, temp: int, amount: int) -> None:
    table = Table("classic")
    table.do(f"add Ana hp={hp} temp_hp={temp}", f"damage Ana {amount}")
    ana = one(table, "Ana")
    assert ana.temp_hp == max(0, temp - amount)
    assert ana.hp == max(0, hp - max(0, amount - temp))
    assert not ana.out


PEOPLE = ("Ana", "Bo", "Orc", "Rat")


def lines_of(random: Random) -> str:
    one, two = random.choice(PEOPLE), random.choice(PEOPLE)
    n = random.randint(0, 9)
    return random.choice([
        f"damage {one} {n}", f"damage {one},{two} {n} half={two}", f"damage @dark {n} none={one}",
        f"heal {one} {n}",
        f"condition {one} held of={two} conc=yes", f"condition {one} bane of={two} conc=yes rounds=2",
        f"condition {one} concentration", f"clear {one} concentration", f"out {one}", f"back {one}",
        f"set {one} hp={n}",
        f"set {one} temp_max={n - 5}", f"set {one} resist=fire", f"set {one} vulnerable=all",
        f"damage {one} {n} type=fire",
        f"count {one} slots 2 reset=turn", f"count {one} slots -1", f"count {one} slots +1",
        f"count {one} breath 1 reset=1d6>=5",
        f"count {one} breath -1", f"count {one} fury max=2 reset=round", f"count {one} fury -1",
        f"clear {one} slots",
        "next", "next", "next", "roll", "end",
    ])  # fmt: skip


@pytest.mark.parametrize("system", Registry().ids())
@cases(15)
@given(seed=st.integers(0, 10**6))
def test_no_effect_outlives_its_concentration_and_no_number_leaves_its_bounds(system: str, seed: int) -> None:
    random = Random(seed)
    rules = {f"zero.{kind}": random.choice(["nothing", "out", "dying"]) for kind in ("pc", "npc", "monster")}
    t = Table(system, dice=SeededDice(seed))
    t.do(*(f"option {k}={v}" for k, v in rules.items()))
    t.do(
        *(
            f"add {n} hp=9 side={'heroes' if n in PEOPLE[:2] else 'dark'}{' kind=pc' * (n == 'Ana')}"
            for n in PEOPLE
        )
    )
    t.do("begin")
    for _ in range(40):
        line, before = lines_of(random), t.encounter
        try:
            t.do(line)
        except RuleError:
            assert t.encounter is before
            if t.state()["due"] and t.state()["due"][0]["kind"] != "roll":
                answer(t)
            continue
        lawful(t, line)
        t.do("undo")
        assert t.encounter == before, line
        t.do("redo")


def answer(t: Table) -> None:
    due = t.state()["due"][0]
    t.do(
        {"form": f"order {due['who']}", "lock": "lock", "acknowledge": "ok", "pick": "pick none"}[due["kind"]]
    )


def lawful(t: Table, line: str) -> None:
    for c in t.encounter.combatants.values():
        assert c.hp is None or c.most_hp is None or 0 <= c.hp <= max(c.most_hp, 0), line
        minds = {
            k
            for k, x in t.encounter.combatants.items()
            if any(y.name == "concentration" for y in x.conditions)
        }
        assert all(x.of in minds for x in c.conditions if x.conc), line
        assert not (any(x.name == "concentration" for x in c.conditions) and (c.out or c.hp == 0)), line
        assert all(x.n >= 0 and (not x.most or x.n <= x.most) for x in c.counters), line
        if c.dying:
            assert c.hp == 0, line
            assert max(c.dying.good, c.dying.bad) < 3, line
    owed = [d for d in t.state()["due"] if "death save" in d["why"] or "comes back" in d["why"]]
    here = {c.name for c in t.encounter.combatants.values() if not c.out}
    assert {d["who"] for d in owed} <= here, line
