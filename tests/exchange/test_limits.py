"""Limits and defences as cards write them: what is read, and that anything can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import ENCODABLE, any_text
from tui.core.language.attacks import read_attacks
from tui.core.rules.newcomers import Borne, check_borne
from tui.exchange.card_attacks import find_attacks
from tui.exchange.foreign_values import damage_kinds
from tui.exchange.limits import find_counters


@given(
    any_text(max_size=60),
    st.sampled_from(["(3/Day)", "(Recharge 5)", "(2 slots)", "each:"]),
    any_text(max_size=60),
)
def test_every_counter_can_be_borne(before: str, limit: str, after: str) -> None:
    page = f"{before} {limit}. {after}\n3rd level {limit}\n2/day {limit} {after}\nLegendary actions"
    check_borne(Borne(counters=find_counters(page)))


@given(any_text(max_size=80))
def test_anything_may_be_asked(text: str) -> None:
    assert isinstance(find_counters(text), tuple)
    assert damage_kinds(text) is None or isinstance(damage_kinds(text), str)


@given(
    st.from_regex(r"[A-Z][a-z]{1,9}( [A-Za-z][a-z']{1,9}){0,5}", alphabet=ENCODABLE, fullmatch=True),
    st.sampled_from(["(Recharge 5-6)", "(Recharge 6)", "(3/Day)", "(Recharges after a Short or Long Rest)"]),
    st.sampled_from(["", "***", "**", "_"]),
    st.sampled_from(
        [
            "Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) slashing damage.",
            "Melee Attack Roll: +7, reach 5 ft. Hit: 7 (1d8 + 3) Slashing damage.",
            "Dexterity Saving Throw: DC 17, each creature in a cone. Failure: 56 (16d6) Fire damage.",
            "Each creature must make a DC 12 Dexterity saving throw, taking 18 (4d8) cold damage.",
        ]
    ),
)
def test_the_counter_of_an_attack_has_its_name_so_that_an_attack_spends_it(
    name: str, limit: str, mark: str, text: str
) -> None:
    page = f"{mark}{name} {limit}.{mark} {text}"
    (attack,) = read_attacks(find_attacks(page))
    (counter,) = find_counters(page)
    assert counter.startswith((f'"{attack.name}" ', f"{attack.name} "))


@pytest.mark.parametrize(
    ("line", "attack"),
    [
        (
            "Bite. Melee Attack Roll: +4. Hit: 5 (1d6 + 2) piercing, plus 2 (1d4) if it has Advantage.",
            "Bite +4 1d6+2 piercing: plus 2 (1d4) if it has Advantage",
        ),
        (
            "Stab. Melee Attack Roll: +5. Hit: 1d4 + 2 damage and 7 (2d6) poison damage when hid; it runs.",
            "Stab +5 1d4+2: plus 7 (2d6) poison damage when hid, it runs",
        ),
        (
            "Breath. DC 20 Dexterity saving throw, 12d8 + 6d6 on a failed save, or half.",
            "Breath dc20 dex 12d8 + 6d6 half",
        ),
        ("Ash. 12d8 + 6d6 damage to all (DC 17 Dex save for half).", "Ash dc17 dex 12d8 + 6d6 half"),
        ("Sting. Melee Weapon Attack: +4 to hit. Hit: 1d6+2", "Sting +4 1d6+2"),
        ("Net. Ranged Attack Roll: +4. Hit: The target is caught. It ends.", "Net +4: The target is caught"),
        ("Gaze. A DC 12 Constitution saving throw or be stone for 1d4 rounds.", "Gaze dc12 con"),
        ("Grip. The target escapes with a DC 12 Strength check.", ""),
        ("Spellcasting. The mage (save DC 14, +6 to hit with spell attacks).", ""),
    ],
)
def test_an_attack_of_a_card_is_dealt_shown_or_left(line: str, attack: str) -> None:
    assert find_attacks(line) == attack


@pytest.mark.parametrize(("many", "kept", "has_remarks"), [(10, 10, True), (40, 20, False)])
def test_attacks_that_are_too_long_together_lose_their_remarks(
    many: int, kept: int, has_remarks: bool
) -> None:
    hit = f"Melee Attack Roll: +4. Hit: 5 (1d6 + 2) damage, plus 3 (1d6) cold damage if {'it is wet ' * 9}."
    attacks = read_attacks(find_attacks("\n".join(f"Bite {n}. {hit}" for n in range(many))))
    assert (len(attacks), bool(attacks[0].text)) == (kept, has_remarks)
