"""Attacks and regeneration are read from cards, as books and other tools write them."""

from __future__ import annotations

import pytest

from tui.exchange.attacks import attacks, conditions
from tui.exchange.formats.stat_block import STAT_BLOCK
from tui.exchange.mapping import Imported

TROLL = """Troll
Large giant, chaotic evil
Armor Class 15 (natural armor)
Hit Points 84 (8d10 + 40)
STR DEX CON INT WIS CHA
18 (+4) 13 (+1) 20 (+5) 7 (-2) 9 (-1) 7 (-2)
Regeneration. The troll regains 10 hit points at the start of its turn. If it takes fire damage, it does not.
Actions
Multiattack. The troll makes three attacks: one with its bite; two with its claws.
Bite. Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Hit: 7 (1d6 + 4) piercing damage.
Claw. Melee Weapon Attack: +7 to hit, reach 5 ft., one target. Hit: 11 (2d6 + 4) slashing damage.
"""


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        (
            (
                "Bite. Melee Weapon Attack: +7 to hit, reach 10 ft., one target. "
                "Hit: 9 (1d6 + 6) piercing damage plus 7 (2d6) fire damage."
            ),
            "Bite +7 1d6+6 piercing + 2d6 fire",
        ),
        (
            "Claw (Recharge 5\u20136). Melee Attack Roll: +6, reach 5 ft. Hit: 7 (1d8 + 3) Slashing damage.",
            "Claw +6 1d8+3 slashing",
        ),
        (
            (
                "Longsword. Melee Weapon Attack: +5 to hit. Hit: 7 (1d8 + 3) slashing damage, "
                "or 8 (1d10 + 3) slashing damage if used with two hands."
            ),
            "Longsword +5 1d8+3 slashing",
        ),
        (
            (
                "Fire Breath (Recharge 5-6). Each creature in a cone must make a DC 14 Dexterity saving "
                "throw, taking 24 (7d6) fire damage on a failed save, or half as much on a success."
            ),
            "Fire Breath dc14 dex 7d6 fire half",
        ),
        (
            "Howl. Wisdom Saving Throw: DC 11. Failure: 5 (2d4) Psychic damage.",
            "Howl dc11 wis 2d4 psychic none",
        ),
        ("Jaws. +15, (reach-10), damage 2d8+8 piercing plus 1d6 fire.", "Jaws +15 2d8+8 piercing + 1d6 fire"),
        ("Breath. It deals 7d6 fire damage in a cone (reflex dc 24 basic).", "Breath dc24 ref 7d6 fire half"),
        ("Rock. Ranged Weapon Attack: +5 to hit. Hit: 4 damage.", "Rock +5 4"),
        ("Net. Ranged Weapon Attack: +4 to hit. Hit: The target is restrained.", ""),
        ("Presence. Each must succeed on a DC 16 Wisdom saving throw or become frightened.", ""),
        (
            "Melee [one-action] jaws +15 [+10/+5] (reach 10 feet), Damage 2d8+8 piercing plus 1d6 fire",
            "Jaws +15 2d8+8 piercing + 1d6 fire",
        ),
    ],
)
def test_a_line_of_a_card_is_an_attack(line: str, entry: str) -> None:
    assert attacks(line) == entry


def test_a_pasted_stat_block_brings_its_attacks_and_its_regeneration() -> None:
    (taken,) = STAT_BLOCK.take(TROLL)
    assert isinstance(taken, Imported)
    block = taken.block
    assert block.fields["attacks"] == (
        "Multiattack: The troll makes three attacks: one with its bite, two with its claws.; "
        "Bite +7 1d6+4 piercing; Claw +7 2d6+4 slashing"
    )
    assert block.conditions == ('regeneration at=start heal=10 note="If it takes fire damage, it does not."',)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "HP 115, regeneration 20 (deactivated by acid or fire)",
            ('regeneration at=start heal=20 note="deactivated by acid or fire"',),
        ),
        ("Hit Points 20; fast healing 5", ('"fast healing" at=start heal=5',)),
        ("Heal. Each ally gains fast healing 5 for one minute.", ()),
    ],
)
def test_what_comes_back_each_turn_is_a_condition(line: str, words: tuple[str, ...]) -> None:
    assert conditions(line) == words


def test_a_card_without_an_end_is_read() -> None:
    for piece in ("a ", "1d6 ", "Bite. ", "DC 1 ", "+1 to hit ", "(1 ", "Melee a", "plus "):
        attacks(f"Bite. +1 to hit {piece * 8_000}\n" + f"Bite. +1 to hit {piece * 180}\n" * 40)
        conditions(f"Regeneration {piece * 180}\n" * 40)
