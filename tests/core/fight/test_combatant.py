"""What a creature is read as: its fields, numbers, words, what it owes, and what a book says of its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.fight.combatant import (
    Combatant,
    Counted,
    Dying,
    OwedSave,
    StatBlock,
    counted,
    free_number,
    health,
    is_pc,
    relieved,
    variant,
)

PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3)
ANA = Combatant("c1", "Ana", "heroes")


def check_field(value: object, default: int) -> None:
    c = Combatant("c1", "Ana", "heroes", fields={"x": value})
    assert c.number("x", default) == (value if isinstance(value, int) else default)
    assert c.word("x") == (value if isinstance(value, str) else "")
    assert (c.number("y", default), c.number("y"), c.word("y")) == (default, 0, "")


@given(PLAIN, st.integers(-9, 9))
def test_a_field_is_a_number_and_a_word_or_as_if_it_were_not_there(value: object, default: int) -> None:
    check_field(value, default)


@pytest.mark.parametrize("value", [None, 3, 0, "x", "", [1], True])
def test_each_type_of_value_is_read_so(value: object) -> None:
    check_field(value, 7)


@pytest.mark.parametrize(
    ("out", "dead", "word"),
    [(False, False, ""), (True, False, "out"), (True, True, "dead"), (False, True, "")],
)
def test_who_is_gone_is_dead_or_out(out: bool, dead: bool, word: str) -> None:
    assert Combatant("c1", "Ana", "heroes", out=out, dead=dead).gone == word


@pytest.mark.parametrize(("most", "added", "holds"), [(None, 5, None), (9, 5, 14), (9, -4, 5), (9, -20, 0)])
def test_the_maximum_that_holds_is_never_below_0(most: int | None, added: int, holds: int | None) -> None:
    assert Combatant("c1", "Ana", "heroes", max_hp=most, temp_max=added).most_hp == holds


@pytest.mark.parametrize(
    ("hp", "most", "out", "word"),
    [
        (0, 10, False, "down"),
        (5, 10, True, "down"),
        (None, None, False, "unhurt"),
        (None, None, True, "down"),
        (5, None, False, "unhurt"),
        (10, 10, False, "unhurt"),
        (11, 10, False, "unhurt"),
        (9, 10, False, "hurt"),
        (6, 10, False, "hurt"),
        (5, 10, False, "bloodied"),
        (1, 10, False, "bloodied"),
        (5, 9, False, "hurt"),
        (4, 9, False, "bloodied"),
    ],
)
def test_hit_points_in_a_word(hp: int | None, most: int | None, out: bool, word: str) -> None:
    assert health(Combatant("c1", "Ana", "heroes", hp=hp, max_hp=most, out=out)) == word


@pytest.mark.parametrize(
    ("owner", "kind", "pc"), [("", "", False), ("Mia", "", True), ("", "pc", True), ("", "npc", False)]
)
def test_a_players_character_is_owned_or_said_to_be_one(owner: str, kind: str, pc: bool) -> None:
    assert is_pc(Combatant("c1", "Ana", "heroes", owner=owner, fields={"kind": kind})) is pc


def test_a_counter_stands_once_for_its_name_in_its_place() -> None:
    two = counted(counted(ANA, "luck", Counted("luck", 1)), "rage", Counted("rage", 2))
    assert [x.name for x in two.counters] == ["luck", "rage"]
    more = counted(two, "LUCK", Counted("Luck", 5))
    assert [(x.name, x.n) for x in more.counters] == [("Luck", 5), ("rage", 2)]
    assert [x.name for x in counted(more, "Luck", None).counters] == ["rage"]
    assert counted(ANA, "luck", None) == ANA


def test_saves_are_numbered_from_1_past_the_highest() -> None:
    assert free_number(ANA) == 1
    assert free_number(Combatant("c1", "Ana", "heroes", owes=(OwedSave(4, "area"), OwedSave(2, "area")))) == 5


@pytest.mark.parametrize("owes", [True, False])
def test_who_is_relieved_owes_nothing_and_keeps_all_else(owes: bool) -> None:
    c = Combatant(
        "c1", "Ana", "heroes",
        dying=Dying(1, 2, owes=owes),
        counters=(Counted("breath", 0, 1, "1d6>=5", owes=owes), Counted("luck", 2)),
        owes=(OwedSave(1, "dying"),),
    )  # fmt: skip
    left = relieved(c)
    assert (left.owes, left.dying) == ((), Dying(1, 2))
    assert left.counters == (Counted("breath", 0, 1, "1d6>=5"), Counted("luck", 2))
    assert relieved(left) == left
    assert relieved(ANA) == ANA


def test_a_stat_block_is_bare_with_no_more_than_a_name_and_a_source() -> None:
    assert StatBlock("Orc").bare
    assert StatBlock("Orc", "a book").bare
    assert not StatBlock("Orc", hp=0).bare


def test_a_variant_states_what_differs() -> None:
    base = StatBlock("Orc", "book", 15, "2d8+6", 13, 1, {"kind": "monster", "per": 2}, ("Rage 1",), "Axe +5")
    own = StatBlock("Orc Chief", hp=40, fields={"per": 4}, card="Roars")
    assert variant(base, own) == StatBlock(
        "Orc Chief", "book", 40, "2d8+6", 13, 1, {"kind": "monster", "per": 4}, ("Rage 1",), "Roars\n\nAxe +5"
    )
    full = StatBlock("X", "mine", 0, "1d4", 0, 0, {}, ("Luck 2",), "")
    assert variant(base, full) == StatBlock(
        "X", "mine", 0, "1d4", 0, 0, {"kind": "monster", "per": 2}, ("Luck 2",), "Axe +5"
    )
