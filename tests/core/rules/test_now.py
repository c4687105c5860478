"""The Now line: dice that are owed, creatures at 0, who may come back, lines that can be typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.fight.agenda import say, say_because
from tui.systems import Registry


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


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from([": ", "; "]))
def test_what_is_the_case_and_why_are_told_apart_whatever_stands_in_them(
    head: str, reason: str, joint: str
) -> None:
    told = say_because(head, reason, "c1", rule="TRK-9", joint=joint)
    assert told.text == head + joint + reason
    assert told.brief == say(head, "c1", rule="TRK-9")
    assert told.because == say(reason, "c1", rule="TRK-9")
    plain = say(told.text)
    assert (plain.brief, plain.because.text) == (plain, "")


@pytest.mark.parametrize("system", Registry().ids())
def test_the_system_that_runs_already_ends_no_fight(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "begin")
    assert "is the system already" in t.refuse(f"system {system}", "finish").message
