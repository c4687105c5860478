"""What is asked and said next: the Now line, totals that are called, `done` for the turns of a side."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import fight
from tests.kit.strategies import any_text
from tests.kit.table import Table
from tests.kit.tiers import cases, share
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import say, say_because
from tui.core.fight.encounter import Encounter, label, side_of
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, draft
from tui.core.rules.upkeep import all_owed
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = ("dungeon-universalis", "dungeon-track", "side-initiative")


def run(e: Encounter, line: str) -> Encounter:
    """Return the encounter after a line, with dice that are always the same. Raises RuleError."""
    registry = Registry()
    own = [verb.name for verb in registry.get(e.system).verbs]
    return draft(e, parse(line, own), Rules(registry, SeededDice(1))).encounter


def by_hand(e: Encounter) -> Encounter:
    """Return the encounter after the turns of the side whose turn it is, each begun and ended."""
    system = Registry().get(e.system)
    side = system.turn_side(e)
    if e.turn:
        e = run(e, "end")
    while not e.turn and not all_owed(e, system):
        offered = (act for act in system.offer(e).acts if act.kind == "turn")
        act = next((act for act in offered if side_of(e, act.who) == side), None)
        if act is None:
            break
        e = run(e, f"turn {quote(label(e, act.who))}")
        if e.turn and not all_owed(e, system):
            e = run(e, "end")
    return e


@pytest.mark.law
@pytest.mark.parametrize("system", SYSTEMS)
def test_done_is_every_turn_of_the_side_by_hand(system: str) -> None:
    compared = 0
    for seed in range(share(8)):
        for e in fight(system, seed).met[:: 60 // share(60)]:
            try:
                done = run(e, "done")
            except RuleError:
                continue
            assert done == by_hand(e)
            compared += 1
    assert compared


def now(t: Table, viewer: str | None = None) -> str:
    return str(t.state(viewer)["now"])


def typed(t: Table) -> list[str]:
    """The whole lines between backticks."""
    return [
        line
        for line in re.findall(r"`([^`]+)`", now(t))
        if line.split()[0] in ("out", "back", "roll", "next", "begin", "turn")
    ]


@given(
    st.lists(st.sampled_from(["Ana", "Orc 1", "Orc 2", "Bo the Bold"]), min_size=1, max_size=4, unique=True)
)
def test_everybody_at_0_is_pointed_out_by_a_line_that_can_be_typed(down: list[str]) -> None:
    t = Table("classic")
    t.do("add Ana hp=5", "add 2 Orc hp=5", 'add "Bo the Bold" hp=5', "begin")
    t.do("roll", dice=[15, 10, 5, 3])
    for name in down:
        t.do(f'damage "{name}" 9')
    assert all(name in now(t) for name in down)
    t.do(next(line for line in typed(t) if line.startswith("out ")))
    assert {c["name"] for c in t.state()["combatants"] if c["out"]} == set(down)
    for name in down:
        t.do(f'heal "{name}" 3')
    t.do(next(line for line in typed(t) if line.startswith("back ")))
    assert not any(c["out"] for c in t.state()["combatants"])
    assert "hit points again" not in now(t)


@given(st.integers(2, 12))
def test_who_owes_is_named_and_those_who_count_on_are_one_name_of_four(many: int) -> None:
    t = Table("classic")
    t.do("add Ana", f"add {many} Orc hp=1", "add 3 Wolf", "add Bo", "add Cay", "begin")
    names = (
        "Ana, Orc 1, Orc 2, Wolf 1 to 3 and 2 more"
        if many == 2
        else f"Ana, Orc 1 to {many}, Wolf 1 to 3, Bo and 1 more"
    )
    assert f" d20: {names};" in now(t)


@given(any_text(min_size=1), any_text(min_size=1), st.sampled_from([": ", "; "]))
def test_what_is_the_case_and_why_are_told_apart_whatever_stands_in_them(
    head: str, reason: str, joint: str
) -> None:
    told = say_because(head, reason, "c1", rule="TRK-9", joint=joint)
    assert told.text == head + joint + reason
    assert told.brief == say(head, "c1", rule="TRK-9")
    assert told.because == say(reason, "c1", rule="TRK-9")
    plain = say(told.text)
    assert (plain.brief, plain.because.text) == (plain, "")


def table(system: str = "classic", *lines: str) -> Table:
    t = Table(system)
    t.do("add Ana kind=pc hp=20", "add 3 Goblin hp=9", *lines, "begin")
    return t


@cases(60)
@given(st.integers(-99, 999), st.integers(1, 20))
def test_a_roll_for_the_order_takes_any_total_and_faces_correct_it(n: int, face: int) -> None:
    t = table("classic", "set Ana mod=3")
    result = t.do(f"total Ana {n}")
    assert t.store.system.value_of(t.encounter, "c1") == n
    beyond = n - 23 if n > 23 else n - 4 if n < 4 else 0
    said = f"Ana {n}: {abs(beyond)} {'more' if beyond > 0 else 'less'} than the dice can give"
    assert (said in [x.text for x in result.lines]) == bool(beyond)
    if n != face + 3:
        t.do(f"roll Ana {face}")
        assert t.store.system.value_of(t.encounter, "c1") == face + 3
