"""Limits and defences as cards write them, and formulas: what is read, and that anything can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.rules.fields import Borne, tried
from tui.exchange.formulas import total
from tui.exchange.limits import LONG, SHORT, counters, words
from tui.exchange.values import kinds, saves, spelt_saves


@pytest.mark.parametrize(
    ("line", "name", "count", "reset"),
    [
        ("Fire Breath (Recharge 5-6). It breathes.", "Fire Breath", "1", "1d6>=5"),
        ("Web (Recharge 6). It spits.", "Web", "1", "1d6>=6"),
        ("Legendary Resistance (3/Day). It succeeds.", "Legendary Resistance", "3", LONG),
        ("Legendary Resistance (3/Day, or 4/Day in Lair). It succeeds.", "Legendary Resistance", "3", LONG),
        ("Rally (Recharges after a Short or Long Rest). It rallies.", "Rally", "1", SHORT),
        ("Rage (Recharges after a Long Rest). It rages.", "Rage", "1", LONG),
        ("Parry (2/Turn). It parries.", "Parry", "2", "turn"),
        ("- 3rd level (2 slots): fireball, fly", "Slots 3", "2", LONG),
        ("The dragon can take 3 legendary actions, one at a time.", "Legendary actions", "3", "turn"),
        ("Legendary actions", "Legendary actions", "3", "turn"),
        ("1/day: fly (self only)", "Fly", "1", LONG),
    ],
)
def test_a_limit_is_a_counter(line: str, name: str, count: str, reset: str) -> None:
    assert counters(f"Bite. It bites.\n{line}\n") == (words(name, count, reset),)


def test_what_some_of_its_kind_may_have_is_no_counter() -> None:
    page = "Web (Recharge 6). It spits.\n\nVariants\nSummon (1/Day). It calls.\n1st level (4 slots): bane"
    assert counters(page) == (words("Web", "1", "1d6>=6"),)


def test_what_a_spell_rolls_is_no_part_of_its_counter() -> None:
    found = counters("1/day each: Wall of Fire [DC 15 Dexterity, 5d8 fire], Sleep [5d8]")
    assert found == tuple(words(x, "1", LONG) for x in ("Wall of Fire", "Sleep"))


def test_spells_of_a_day_are_counted_each() -> None:
    found = counters("At will: light\n3/day each: fly, fear, mage armor (self only)\n")
    assert found == tuple(words(x, "3", LONG) for x in ("Fly", "Fear", "Mage armor"))


@pytest.mark.parametrize(
    "line",
    [
        "Bite (Costs 2 Actions). It bites.",
        "Speed: 30 ft. (fly 60)",
        "Hit Points 3 (1d6)",
        "Aura (10 feet). Hot.",
    ],
)
def test_what_is_no_limit_makes_no_counter(line: str) -> None:
    assert counters(line) == ()


@given(
    st.text(max_size=60),
    st.sampled_from(["(3/Day)", "(Recharge 5)", "(2 slots)", "each:"]),
    st.text(max_size=60),
)
def test_every_counter_can_be_borne(before: str, limit: str, after: str) -> None:
    page = f"{before} {limit}. {after}\n3rd level {limit}\n2/day {limit} {after}\nLegendary actions"
    tried(Borne(counters=counters(page)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fire", "fire"),
        ("Cold, Fire and lightning", "cold, fire, lightning"),
        ("poison; bludgeoning, piercing, and slashing from nonmagical attacks", "poison"),
        ("cold, bludgeoning, piercing, and slashing from nonmagical weapons", "cold"),
        ("fire; slashing from nonmagical weapons not made with cold iron", "fire"),
        ("fire while in dragon form", None),
        (["fire", "cold"], "fire, cold"),
        (["cold", "bludgeoning", "piercing", "and slashing from nonmagical attacks"], "cold"),
        (["fire", "cold while wet"], "fire"),
        ("all", "all"),
        ("", None),
        (7, None),
    ],
)
def test_kinds_of_damage_that_always_count(text: object, found: str | None) -> None:
    assert kinds(text) == found


def test_saves_are_spelt_in_the_order_of_the_abilities() -> None:
    assert saves({"Wisdom": "+2", "dex": 5, "x": 3, "cha": None}) == "dex+5 wis+2"
    assert spelt_saves("Con +13, Dex -1") == "dex-1 con+13"


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("8 + 3 + 2", 13),
        ("max(1, (-1))", 1),
        ("floor(5 / 2)", 2),
        ("2 * (3 - 1)", 4),
        ("", 0),
        (4, 4),
        ("2d6", None),
        ("1 / 0", None),
        ("1 +", None),
        ("(" * 60, None),
        (True, None),
        (10**9, None),
    ],
)
def test_a_formula_of_whole_numbers_is_worked_out(formula: object, value: int | None) -> None:
    assert total(formula) == value


@given(st.text(max_size=80))
def test_anything_may_be_asked(text: str) -> None:
    assert total(text) is None or isinstance(total(text), int)
    assert isinstance(counters(text), tuple)
    assert kinds(text) is None or isinstance(kinds(text), str)
