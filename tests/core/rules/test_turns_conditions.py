"""Conditions count whole turns: `rounds=N` lasts N turns after the one in which it was given."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table, carried


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
