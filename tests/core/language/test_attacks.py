"""The entries of `attacks=`: what is read is written so that it is read again, and bad text is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.language.attacks import (
    Attack,
    Damages,
    Strikes,
    read_attack,
    read_attacks,
    read_multiattack,
    write_attacks,
)

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
@given(st.text(st.sampled_from("ab d1+-6;: dchalfnone7%"), max_size=60) | st.text(max_size=60))
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
