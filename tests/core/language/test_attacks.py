"""The entries of `attacks=`: what is read is written so that it is read again, and bad text is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.language.attacks import Attack, Damages, read_attack, read_attacks, write_attacks

NAMES = st.sampled_from(["Bite", "+1 Longsword", "Longsword +1", "Acid Breath", "Zoë's claw", "3 Heads"])
DICE = st.sampled_from(["1d6+4", "2d6", "5", "1d6+1d4", "2d6-1", "4d6kh3"])
KINDS = st.sampled_from(["", "fire", "cold iron"])
DAMAGES = st.builds(Damages, DICE, KINDS)
BLOWS = (
    st.lists(DAMAGES, min_size=1, max_size=3).filter(lambda some: all(x.type for x in some[:-1])).map(tuple)
)
ATTACKS = st.one_of(
    st.builds(Attack, NAMES, st.integers(-9, 99), BLOWS),
    st.builds(
        Attack, NAMES, st.none(), BLOWS, st.integers(1, 99), st.sampled_from(["dex", "reflex"]), st.booleans()
    ),
    st.builds(Attack, NAMES, text=st.sampled_from(["one bite, two claws", "+7 to hit", "dc14 dex 6d6"])),
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
    ],
)
def test_entries_as_people_write_them(entry: str, attack: Attack) -> None:
    assert read_attack(entry) == attack
