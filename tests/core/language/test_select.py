"""Whom a word means: one place that refuses, patterns in linear time, several who stand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.language.select import list_names, match_name, matches_pattern
from tui.systems import Registry

LETTERS = st.text(alphabet="abB*? .", max_size=10)


@given(LETTERS, LETTERS)
def test_a_pattern_fits_what_the_regular_expression_of_the_same_meaning_fits(pattern: str, name: str) -> None:
    meaning = "".join(".*" if x == "*" else "." if x == "?" else re.escape(x) for x in pattern.lower())
    assert matches_pattern(pattern, name) == bool(re.fullmatch(meaning, name.lower(), re.DOTALL))


def test_a_pattern_of_many_stars_is_answered() -> None:
    assert not matches_pattern("*a" * 30 + "*x", "a" * 64)


@pytest.mark.parametrize("system", Registry().ids())
def test_a_systems_verb_that_names_nobody_is_refused(system: str) -> None:
    t = Table(system)
    t.do("add Ana side=heroes", "add Orc side=dark", "begin")
    for verb in t.store.system.verbs:
        if verb.takes:
            t.refuse(f'{verb.name} ","')
            t.refuse(f'{verb.name} ""')


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=20), st.integers(1, 9))
def test_a_list_counts_what_it_does_not_name(found: list[str], most: int) -> None:
    said = list_names(found, most)
    left = max(0, len(found) - most)
    assert said.endswith(f"and {left} more") == (left > 0)


def test_a_beginning_that_fits_two_is_refused_and_one_that_fits_one_is_enough() -> None:
    assert match_name("an", ["Anna", "Abe"], "side") == "Anna"
    assert match_name("abe", ["Abe", "Abel"], "side") == "Abe"
    with pytest.raises(RuleError, match='"a" fits Anna, Abe') as refused:
        match_name("a", ["Anna", "Abe"], "side")
    assert (refused.value.kind, refused.value.hint) == ("ambiguous", "write more of the name")
    with pytest.raises(RuleError, match='no side is called "x"'):
        match_name("x", ["Anna"], "side")
