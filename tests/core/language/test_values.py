"""Typed values: what is shown reads back, numbers are ASCII and bounded, choices may be shortened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT, TEXT_LIMIT
from tui.core.fight.agenda import Field
from tui.core.language.values import (
    find_field,
    read_bonuses,
    read_bool,
    read_choice,
    read_int,
    read_page,
    read_text,
    read_value,
    spell,
    write_bonuses,
)

FIELDS: list[tuple[Field, st.SearchStrategy[object]]] = [
    (Field("n", "n"), st.integers(-999, 999)),
    (Field("b", "b", "bool"), st.booleans()),
    (Field("c", "c", "choice", ("small", "smaller", "big")), st.sampled_from(["small", "smaller", "big"])),
    (Field("i", "i", "ints"), st.lists(st.integers(-9, 9), min_size=1, max_size=5)),
]


@given(st.data())
def test_a_value_that_is_shown_is_read_as_itself(data: st.DataObject) -> None:
    field, found = data.draw(st.sampled_from(FIELDS))
    value = data.draw(found)
    assert read_value(field, spell(value)) == value


@given(st.text(max_size=12))
def test_a_number_is_ascii_digits_within_its_bounds_or_refused(text: str) -> None:
    try:
        found = read_int(text, "hp=", 0, 99)
    except RuleError as error:
        said = error.message
    else:
        said = f"hp= takes {found}"
        assert 0 <= found <= 99
        assert text.strip().isascii()
    assert said.startswith("hp= takes")


@pytest.mark.parametrize("text", ["²", "٣", "1_0", "\uff19", "9" * 5000, "", "1.5", "0x1"])
def test_what_only_looks_like_a_number_is_refused(text: str) -> None:
    with pytest.raises(RuleError):
        read_int(text, "hp=", -(10**9), 10**9)


@given(
    st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6, unique=True),
    st.text("abcAB", min_size=1, max_size=4),
)
def test_a_choice_is_the_one_that_a_text_begins(choices: list[str], text: str) -> None:
    fits = [c for c in choices if c.startswith(text.lower())]
    exact = [c for c in choices if c == text.lower()]
    try:
        assert read_choice(text, choices, "x=") in (exact or fits)
    except RuleError:
        assert len(fits) != 1
        assert not exact


@pytest.mark.parametrize(
    ("text", "means"), [("y", True), ("TRUE", True), ("n", False), ("off", False), ("fa", False)]
)
def test_yes_and_no_may_be_shortened(text: str, means: bool) -> None:
    assert read_bool(text, "x=") is means


def test_a_beginning_of_both_yes_and_no_is_refused() -> None:
    with pytest.raises(RuleError, match="true or false"):
        read_bool("o", "x=")


@pytest.mark.parametrize(("reading", "limit"), [(read_text, TEXT_LIMIT), (read_page, PAGE_LIMIT)])
def test_a_text_is_refused_beyond_its_limit_and_counted_to_four_times_of_it(
    reading: Callable[[str, str], str], limit: int
) -> None:
    assert reading("a" * limit, "note=") == "a" * limit
    for length, told in ((limit + 1, limit + 1), (9 * limit, 4 * limit)):
        with pytest.raises(RuleError, match=f"^note= has {told} characters"):
            reading("a" * length, "note=")


def test_an_unknown_key_is_told_the_nearest_or_what_there_is() -> None:
    fields = [Field("hp", "hp"), Field("stealth", "stealth")]
    assert find_field("hp", fields, "Orc") is fields[0]
    for key, hint in (("stealht", "did you mean stealth?"), ("zzz", "there are: hp, stealth")):
        with pytest.raises(RuleError, match=f"Orc has no {key}") as refused:
            find_field(key, fields, "Orc")
        assert refused.value.hint == hint
    with pytest.raises(RuleError) as refused:
        find_field("hp", [], "Orc")
    assert refused.value.hint == ""


@pytest.mark.parametrize("many", [1, 20, 21])
def test_bonuses_are_twenty_at_the_most(many: int) -> None:
    keys = [f"{one}{two}" for one in "abcde" for two in "vwxyz"][:many]
    told = " ".join(f"{key}+{n}" for n, key in enumerate(keys))
    if many <= 20:
        assert read_bonuses(told) == dict(zip(keys, range(many), strict=True))
        assert read_bonuses(write_bonuses(read_bonuses(told))) == read_bonuses(told)
        return
    with pytest.raises(RuleError, match=r"^saves= has 21 keys") as refused:
        read_bonuses(told, "saves=")
    assert (refused.value.hint, refused.value.kind) == ("20 at the most", "bad_value")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dex+5 wis-1", {"dex": 5, "wis": -1}),
        ("Dex+5,wis\u22121", {"dex": 5, "wis": -1}),
        ("", {}),
        (" , ", {}),
    ],
)
def test_bonuses_are_read_by_key(text: str, found: dict[str, int]) -> None:
    assert read_bonuses(text) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [("dex", "takes a key and its number"), ("dex+x", "takes a key"), ("dex+1 DEX+2", "names dex twice")],
)
def test_what_is_no_bonus_is_refused(text: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        read_bonuses(text, "saves=")


@pytest.mark.parametrize(
    ("text", "least", "most", "found"),
    [("5", 5, 9, 5), ("9", 5, 9, 9), (" 7 ", 5, 9, 7), ("-3", -3, 0, -3), ("+4", 0, 4, 4)],
)
def test_a_number_may_be_at_its_bounds(text: str, least: int, most: int, found: int) -> None:
    assert read_int(text, "x=", least, most) == found


@pytest.mark.parametrize(("text", "least", "most"), [("4", 5, 9), ("10", 5, 9), ("-4", -3, 0)])
def test_a_number_beyond_its_bounds_is_refused(text: str, least: int, most: int) -> None:
    with pytest.raises(RuleError, match=f"x= takes {least} to {most}, not {text}"):
        read_int(text, "x=", least, most)
