"""Where a book breaks the lines of a stat block, nothing that is read from it changes."""

from __future__ import annotations

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.shapes import NAMES, blocks, samples
from tui.exchange.card_attacks import find_attacks, find_regeneration
from tui.exchange.entries import unwrap
from tui.exchange.limits import find_counters

CARDS = [
    "\n".join(unwrap(b.card))
    for name in NAMES
    if name.startswith("text")
    for path in samples(name)
    for b in blocks(path.read_bytes())
]
FIRST_WORD = re.compile(r"^(?:- )?[^ \n]*[^ \n.:](?= )", re.MULTILINE)
"""Matches what no break comes after: a line of one word may be a heading, or the first word of a name."""
WAYS = [(card, width) for card in CARDS for width in range(20, 101)]
SPACES = [
    (card, m.start())
    for card in CARDS
    for m in re.finditer(r"(?<=[^\s-]) ", card)
    if m.start() not in {word.end() for word in FIRST_WORD.finditer(card)}
]


def told(card: str) -> tuple[object, ...]:
    return find_attacks(card), find_regeneration(card), find_counters(card)


@given(st.sampled_from(WAYS))
def test_a_card_of_any_width_is_read_alike(way: tuple[str, int]) -> None:
    card, width = way
    narrow = (
        textwrap.fill(x, width, break_long_words=False, break_on_hyphens=False) for x in card.split("\n")
    )
    assert told("\n".join(narrow)) == told(card)


@given(st.sampled_from(SPACES))
def test_a_card_broken_at_any_space_is_read_alike(space: tuple[str, int]) -> None:
    card, place = space
    assert told(f"{card[:place]}\n{card[place + 1 :]}") == told(card)


HEAD = "Bog Ape\nLarge beast, unaligned\nArmor Class 13\nHit Points 22 (4d8 + 4)\nActions\n"
CLUB = "Club. Melee Weapon Attack: +6 to hit, one target. Hit: 13 (2d8 + 4) damage."
HOWL = (
    "Howl. Wisdom Saving Throw: DC 12, each creature. Failure: 10 (3d6) Psychic damage. Success: Half damage."
)


@pytest.mark.parametrize(
    ("text", "attacks"),
    [
        *(
            (CLUB.replace(f" {x}", f"\n{x}"), "Club +6 2d8+4")
            for x in ("+6", "Hit", "13", "(2d8", "4)", "Melee")
        ),
        (CLUB.replace(" Hit", "\n\nHit"), "Club +6 2d8+4"),
        ("***Club.*** *Melee Weapon Attack:* +6 to hit.\n*Hit:* 13 (2d8 + 4) damage.", "Club +6 2d8+4"),
        *(
            (HOWL.replace(f" {x}", f"\n{x}"), "Howl dc12 wis 3d6 psychic half")
            for x in ("Fail", "Succ", "DC")
        ),
        (HOWL.replace("Failure", "First\nFailure"), "Howl dc12 wis 3d6 psychic half"),
        (
            "Multiattack. Two hits: one with its\nBite. It can then use its Frightful\nPresence. It roars.",
            "Multiattack: Two hits: one with its Bite. It can then use its Frightful Presence. It roars.",
        ),
        (
            "Breath. It breathes.\nEach makes a DC 15 Dexterity save. On a\nfailure it takes 2d6 cold.",
            "Breath dc15 dex 2d6 cold none",
        ),
        # Whole entries without a full stop stay apart.
        (
            "Bite. +5 to hit, 1d6 piercing\nTail: +4 to hit, 1d6 cold",
            "Bite +5 1d6 piercing; Tail +4 1d6 cold",
        ),
        ("Wail: DC 12 Wis save or Frightened\nBite: +5 to hit, 1d6 cold", "Wail dc12 wis; Bite +5 1d6 cold"),
        ("Wail. It wails.\nLegendary Actions\nIt has +5 to hit, 1d6 cold", ""),
    ],
)
def test_parts_of_an_attack_go_on_with_it_and_entries_stay_apart(text: str, attacks: str) -> None:
    (b,) = blocks(f"{HEAD}{text}".encode())
    assert b.fields["attacks"] == attacks if attacks else "attacks" not in b.fields
