"""Typed values: what is shown reads back, numbers are ASCII and bounded, choices may be shortened."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import any_text
from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT, TEXT_LIMIT
from tui.core.fight.agenda import Field
from tui.core.language.attacks import (
    Attack,
    Damages,
    Strikes,
    read_attack,
    read_attacks,
    read_multiattack,
    write_attacks,
)
from tui.core.language.select import list_names, match_name, matches_pattern
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
from tui.systems import Registry

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


@given(any_text(max_size=12))
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
    assert (refused.value.hint, refused.value.kind) == ("20 at most", "bad_value")


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


NAMES = st.sampled_from(["Bite", "+1 Longsword", "Longsword +1", "Acid Breath", "Zoë's claw", "3 Heads"])
DICE = st.sampled_from(["1d6+4", "2d6", "5", "1d6+1d4", "2d6-1", "4d6kh3"])
KINDS = st.sampled_from(["", "fire", "cold iron"])
DAMAGES = st.builds(Damages, DICE, KINDS)
BLOWS = (
    st.lists(DAMAGES, min_size=1, max_size=3).filter(lambda some: all(x.type for x in some[:-1])).map(tuple)
)
TEXTS = st.sampled_from(["one bite, two claws", "+7 to hit", "dc14 dex 6d6"])
REMARKS = st.just("") | TEXTS
KEYS = st.sampled_from(["dex", "reflex"])
ATTACKS = st.one_of(
    st.builds(Attack, NAMES, st.integers(-9, 99), st.just(()) | BLOWS, text=REMARKS),
    st.builds(Attack, NAMES, st.none(), BLOWS, st.integers(1, 99), KEYS, st.booleans(), REMARKS),
    st.builds(Attack, NAMES, st.none(), st.just(()), st.integers(1, 99), KEYS, text=REMARKS),
    # A name that ends like a bonus would be read as an attack.
    st.builds(Attack, NAMES.filter(lambda name: not name.endswith("+1")), text=TEXTS),
)


@cases(200)
@given(st.lists(ATTACKS, max_size=4, unique_by=lambda x: x.name))
def test_attacks_are_read_as_they_are_written(some: list[Attack]) -> None:
    assert read_attacks(write_attacks(tuple(some))) == tuple(some)


@cases(300)
@given(st.text(st.sampled_from("ab d1+-6;: dchalfnone7%"), max_size=60) | any_text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        attacks = read_attacks(" ".join(text.split()))
    except RuleError:
        return
    assert read_attacks(write_attacks(attacks)) == attacks


@pytest.mark.parametrize(
    ("entry", "attack"),
    [
        (
            "Bite +7 1d6 + 4 piercing +2d6 fire",
            Attack("Bite", 7, (Damages("1d6+4", "piercing"), Damages("2d6", "fire"))),
        ),
        (
            "Acid Breath dc14 DEX 6d6 acid",
            Attack("Acid Breath", None, (Damages("6d6", "acid"),), 14, "dex", half=True),
        ),
        ("Howl DC 11 wis 3 none", Attack("Howl", None, (Damages("3"),), 11, "wis")),
        ("Multiattack: one bite, two claws", Attack("Multiattack", text="one bite, two claws")),
        ("Web +5", Attack("Web", 5)),
        ("Web +5: restrained", Attack("Web", 5, text="restrained")),
        ("Gaze dc12 con", Attack("Gaze", None, (), 12, "con")),
        ("Bite +4 1d6: prone", Attack("Bite", 4, (Damages("1d6"),), text="prone")),
    ],
)
def test_entries_as_people_write_them(entry: str, attack: Attack) -> None:
    assert read_attack(entry) == attack


ARMS = read_attacks("Claws +5 1d6; Bite +5 1d8; Acid Breath dc12 dex 3d6; Web +3")
ONE_ARM = read_attacks("Slam +5 1d6; Acid Breath dc12 dex 3d6")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2 claw, 1 Bite", (Strikes(2, ("Claws",)), Strikes(1, ("Bite",)))),
        ("two claws, one bite.", (Strikes(2, ("Claws",)), Strikes(1, ("Bite",)))),
        ("2 of claws or bite, 1 web", (Strikes(2, ("Claws", "Bite")), Strikes(1, ("Web",)))),
        ("2 attacks", ()),
        ("makes two claw attacks", ()),
        ("2 Tail", ()),
    ],
)
def test_a_multiattack_names_entries_in_any_number(text: str, parts: tuple[Strikes, ...]) -> None:
    assert read_multiattack(text, ARMS) == parts


def test_attacks_without_a_name_are_those_of_the_only_entry_that_hits() -> None:
    assert read_multiattack("3 attacks", ONE_ARM) == (Strikes(3, ("Slam",)),)
