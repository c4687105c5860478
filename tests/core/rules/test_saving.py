"""Saving throws that are owed, damage to many, rests, 0 hit points: rulings first, then laws."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import FormAsk, PickAsk, RollAsk
from tui.core.fight.encounter import GM, SIDE, members
from tui.core.rules.upkeep import all_owed
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry().ids()


# --- who is gone owes nothing


POOL = (
    "damage {one} {n}", "damage {one} {n} type=fire", "heal {one} {n}", "condition {one} concentration",
    "condition {one} bane of={two} conc=yes", "condition {one} slow save=wis dc=12",
    "condition {one} weak save=11 rounds=2",
    "clear {one} slow", "out {one}", "back {one}", "remove {two}", "set {one} hp={n}",
    "set {one} immune=fire",
    "area @dark damage=2d4 dc=12 save=dex", "area {one},{two} damage={n} dc=10",
    "area {one} damage={n} made={one}",
    "count {one} breath 0 max=1 reset=1d6>=5", "made {one}", "failed {one}", "total {one} {n}", "roll {one}",
    "roll",
    "roll {one},{two} 3 4", "next", "next", "next", "end", "turn {one}", "hold {one}", "act {one}", "pass",
    "ok",
    "lock missing=empty", "group {one},{two} Band", "ungroup {one}", "rest short", "rest long {one}",
    "finish", "begin",
    "option zero.pc=dying", "option zero.monster=out", "option zero.massive=dead", "meet {one}",
    "place {two}", "temp {one} 0",
    "add {two} hp=5 side=dark", "pick none", "hide {one} slow", "hide {one}", "order {one}",
    "surprised {one}",
)  # fmt: skip
PEOPLE = ("Ana", "Bo", "Orc", "Rat")


def random_line(random: Random) -> str:
    return random.choice(POOL).format(
        one=random.choice(PEOPLE), two=random.choice(PEOPLE), n=random.randint(0, 9)
    )


def able(t: Table, key: str) -> bool:
    """Whether somebody is there and not out behind a key."""
    e = t.store.encounter
    return (
        key == GM
        or any(not c.out for c in members(e, key))
        or (key.startswith(SIDE) and bool(members(e, key)))
    )


@pytest.mark.parametrize("system", SYSTEMS)
@cases(6)
@given(seed=st.integers(0, 10**6))
def test_nobody_who_is_gone_is_ever_due_and_undo_restores_all(system: str, seed: int) -> None:
    check(system, seed, 60)


def check(system: str, seed: int, steps: int) -> None:
    """Random lines: what is due is owed by somebody who is there, and each line can be undone."""
    random = Random(seed)
    t = Table(system, dice=SeededDice(seed))
    t.do(
        "add Ana hp=9 kind=pc per=2 int=1",
        "add Bo hp=6 kind=pc per=1",
        "add Orc hp=9 int=2",
        "add Rat hp=3",
        "begin",
    )
    for _ in range(steps):
        before, line = t.state(), random_line(random)
        try:
            t.do(line)
        except RuleError:
            assert t.state() == before, line
            continue
        e = t.store.encounter
        for ask in all_owed(e, t.store.system):
            if isinstance(ask, RollAsk | FormAsk):
                assert able(t, ask.who), (line, ask)
            if isinstance(ask, RollAsk) and ask.save:
                assert not e.combatants[ask.who].out, (line, ask)
            if isinstance(ask, PickAsk):
                assert all(able(t, k) for k in ask.names if k in e.combatants), (line, ask)
        assert not e.area or any(x.cause == "area" for c in e.combatants.values() for x in c.owes), line
        for c in e.combatants.values():
            assert not (c.out and (c.owes or any(x.owes for x in c.counters))), line
        after = t.state()
        t.do("undo")
        assert {**t.state(), "last": 0, "can_redo": 0} == {**before, "last": 0, "can_redo": 0}, line
        t.do("redo")
        assert {**t.state(), "last": 0} == {**after, "last": 0}, line


@pytest.mark.parametrize("system", SYSTEMS)
def test_bad_lines_are_refused_in_every_phase_and_change_nothing(system: str) -> None:
    t = Table(system, dice=SeededDice(7))
    bad = (
        "total", "total Ana", "total Ana x", "total Nemo 5", "total Ana 5 Bo", "made", "made Nemo", "failed",
        'failed ""',
        "area", "area Nemo damage=3", "area Ana damage=-3", "area Ana damage=3 dc=999", "rest", "rest x",
        "rest long Nemo",
        "condition Ana x save=dex", "condition Ana x dc=y", "condition Ana x save=5 dc=5", "set Ana saves=x",
        "party nowhere fresh=x",
        "area Ana damage=3 dc=", "area Ana damage=3 made= failed=Ana", 'condition Ana x dc=""',
        "condition Ana x conc=", "condition Ana x until=' '", "damage Ana 3 half=", "count Ana x ++1",
        "count Ana x --1", "count Ana x 1 max=",
        "count Ana x 1 reset=week", "made Ana key=3", "total Ana 1 key=3",
    )  # fmt: skip
    t.do("add Ana hp=9 kind=pc per=2 int=1", "add Orc hp=9 int=2")
    for line in (
        "add Bo kind=pc int=1",
        "begin",
        "lock missing=empty",
        "roll",
        "ok",
        "next",
        "damage Ana 3",
        "next",
        "finish",
    ):
        for wrong in bad:
            t.refuse(wrong)
        try:
            t.do(line)
        except RuleError:
            continue
