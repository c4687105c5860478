"""Whom a word means: one place that refuses, patterns in linear time, several who stand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.language.select import fits, match, one, resolve, several, standing
from tui.systems import Registry

LETTERS = st.text(alphabet="abB*? .", max_size=10)


@given(LETTERS, LETTERS)
def test_a_pattern_fits_what_the_regular_expression_of_the_same_meaning_fits(pattern: str, name: str) -> None:
    meaning = "".join(".*" if x == "*" else "." if x == "?" else re.escape(x) for x in pattern.lower())
    assert fits(pattern, name) == bool(re.fullmatch(meaning, name.lower(), re.DOTALL))


def test_a_pattern_of_many_stars_is_answered() -> None:
    assert not fits("*a" * 30 + "*x", "a" * 64)


def fight() -> Table:
    t = Table("classic")
    t.do("add Ana owner=Mia hp=9", "add 3 Hound group=Hounds hp=5", 'out "Hound 2"', 'alias "Hound 3" Shadow')
    return t


def names(t: Table, ids: tuple[str, ...]) -> list[str]:
    return [t.encounter.combatants[k].name for k in ids]


@pytest.mark.parametrize("who", ["", ",", " , ", ",,"])
def test_nobody_named_is_refused(who: str) -> None:
    e = fight().encounter
    for ask in (resolve, standing, one):
        with pytest.raises(RuleError, match="nobody is named"):
            ask(e, who)


@pytest.mark.parametrize(
    "line", ['out ","', 'back ","', 'turn ","', 'roll ","', 'remove ","', 'hide ","', 'pick ","']
)
def test_a_line_that_names_nobody_is_refused_and_changes_nothing(line: str) -> None:
    t = fight()
    t.do("begin")
    t.refuse(line)


@pytest.mark.parametrize("system", Registry().ids())
def test_a_systems_verb_that_names_nobody_is_refused(system: str) -> None:
    t = Table(system)
    t.do("add Ana side=heroes", "add Orc side=dark", "begin")
    for verb in t.store.system.verbs:
        if verb.takes:
            t.refuse(f'{verb.name} ","')
            t.refuse(f'{verb.name} ""')


@pytest.mark.parametrize("who", ["Hounds", "@Hounds", "hound*", "Hounds,Hound 1"])
def test_a_word_for_several_means_those_who_stand_where_something_is_done_to_them(who: str) -> None:
    t = fight()
    assert names(t, standing(t.encounter, who)) == ["Hound 1", "Hound 3"]
    assert len(resolve(t.encounter, who)) == 3


def test_a_name_means_the_creature_even_when_it_is_out() -> None:
    t = fight()
    assert names(t, standing(t.encounter, "Hound 2")) == ["Hound 2"]
    t.do("out Hounds")
    with pytest.raises(RuleError, match="everybody of Hounds is out"):
        standing(t.encounter, "Hounds")


def test_an_alias_names_its_creature_and_is_nobodys_else() -> None:
    t = fight()
    assert names(t, resolve(t.encounter, "shadow")) == ["Hound 3"]
    assert names(t, resolve(t.encounter, "Sha")) == ["Hound 3"]
    t.refuse("add Shadow", "already there")
    t.refuse("rename Ana Shadow", "already there")
    t.do('alias "Hound 3" none')
    t.refuse("remove Shadow", "no combatant")


def test_a_side_without_its_sign_is_hinted_at() -> None:
    error = fight().refuse("out heroes")
    assert "`@heroes`" in error.hint


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=20), st.integers(1, 9))
def test_a_list_counts_what_it_does_not_name(found: list[str], most: int) -> None:
    said = several(found, most)
    left = max(0, len(found) - most)
    assert said.endswith(f"and {left} more") == (left > 0)


def test_a_beginning_that_fits_two_is_refused_and_one_that_fits_one_is_enough() -> None:
    assert match("an", ["Anna", "Abe"], "side") == "Anna"
    assert match("abe", ["Abe", "Abel"], "side") == "Abe"
    with pytest.raises(RuleError, match='"a" fits Anna, Abe') as refused:
        match("a", ["Anna", "Abe"], "side")
    assert (refused.value.kind, refused.value.hint) == ("ambiguous", "write more of the name")
    with pytest.raises(RuleError, match='no side is called "x"'):
        match("x", ["Anna"], "side")
