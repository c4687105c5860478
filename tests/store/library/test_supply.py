"""Names in `add`: what library and box propose, and what never asks them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.store.library.shelf import only, table
from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.store.library.box import EDITIONS, Edition

WORDS = sorted(
    {
        word
        for edition in EDITIONS
        for name in Edition(edition).names
        for word in name.split()
        if word.isalpha()
    }
)


def _fight() -> Table:
    fight = table(Path())
    fight.do("option library.box=5.2.1")
    return fight


@given(
    st.sampled_from(WORDS), st.integers(1, 8), st.sampled_from(("kind=pc", "owner=Mia", "hp=9", "20 ac15"))
)
@cases(60)
def test_a_hero_or_a_creature_with_hit_points_may_have_any_name(word: str, length: int, rest: str) -> None:
    fight, name = _fight(), word[:length]
    fight.do(f"add {quote(name)} {rest}")
    assert only(fight).name == name


@given(st.sampled_from(WORDS), st.integers(1, 8))
@cases(60)
def test_a_refused_name_says_ways_out_that_work(word: str, length: int) -> None:
    fight, name = _fight(), word[:length]
    try:
        fight.do(f"add {quote(name)}")
    except RuleError as error:
        ways = error.hint.split("`")[1::2]
        assert [way.rpartition(" ")[2] for way in ways[1:]] == ["kind=pc", "as=none"]
        for way in ways:
            _fight().do(way)
