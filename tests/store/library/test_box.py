"""The creatures in the box: every entry can be read, fits itself, and is found fast."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.store.library.shelf import SYSTEMS
from tui.core.fight.combatant import StatBlock
from tui.core.fight.dice import DiceTerm, parse
from tui.core.language.attacks import read_attacks, read_multiattack
from tui.core.language.syntax import KINDS_OF_DAMAGE
from tui.core.language.values import read_bonuses, read_rating
from tui.store.library.box import EDITIONS, Edition
from tui.store.library.creatures import read_creature, slice_creatures
from tui.store.library.service import Library

COUNTS = {"5.2.1": 331, "5.1": 322}
MOST_SAVE = 20
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")


def _entries(edition: str) -> list[StatBlock]:
    """Return all creatures of a document, read as a user's file is read."""
    path = Path(Edition(edition).path)
    data, check = path.read_bytes(), Library("", SYSTEMS).check_key
    return [
        read_creature(data[x.start : x.end], str(path), x.line, check)
        for x in slice_creatures(data, str(path))
    ]


def _mean(dice: str) -> float:
    total = 0.0
    for term in parse(dice).terms:
        points = term.count * (term.sides + 1) / 2 if isinstance(term, DiceTerm) else term.value
        total += -points if term.minus else points
    return total


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_entry_is_read_like_a_user_s_and_fits_itself(edition: str) -> None:
    blocks = _entries(edition)
    assert len({b.name.lower() for b in blocks}) == len(blocks) == COUNTS[edition]
    for b in blocks:
        assert b.hp is not None
        assert abs(_mean(b.hp_dice) - b.hp) <= 1, b.name
        assert b.ac is not None
        assert b.initiative is not None
        assert b.fields["size"] in SIZES, b.name
        assert all(-5 <= n <= MOST_SAVE for n in read_bonuses(b.fields["saves"]).values()), b.name
        for key in ("resist", "immune", "vulnerable"):
            assert {kind.strip() for kind in b.fields.get(key, "").split(",") if kind} <= KINDS_OF_DAMAGE
        assert read_rating(b.fields["cr"], "cr=") == b.fields["cr"], b.name
        attacks = read_attacks(b.fields.get("attacks", ""))
        for several in (x for x in attacks if x.name == "Multiattack"):
            assert read_multiattack(several.text, attacks), b.name
        # A counter that recharges belongs to an attack or an ability of that name.
        assert all(re.match(r'"[^"]+"|\S+', words) for words in b.counters)


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_found_by_name_is_that_entry(edition: str) -> None:
    book = Edition(edition)
    assert [book.read(name) for name in book.names] == _entries(edition)


def test_known_creatures_have_their_figures() -> None:
    old, new = Edition("5.1"), Edition("5.2.1")
    assert [(b.ac, b.hp) for b in map(old.read, ("Basilisk", "Giant Elk", "Cult Fanatic", "Reef Shark"))] == [
        (15, 52), (14, 42), (13, 33), (12, 22),
    ]  # fmt: skip
    worm, sphinx = old.read("Purple Worm"), old.read("Gynosphinx")
    assert [x.bonus for b in (worm, sphinx) for x in read_attacks(b.fields["attacks"]) if x.bonus] == [
        9,
        9,
        8,
    ]
    boss = new.read("Goblin Boss")
    assert (boss.hp, boss.ac, boss.initiative, boss.fields["cr"]) == (21, 17, 2, "1")
    bones, fire, wight = new.read("Skeleton"), new.read("Fire Elemental"), old.read("Wight")
    assert (bones.fields["vulnerable"], bones.fields["immune"]) == ("bludgeoning", "poison")
    assert fire.fields["resist"] == "bludgeoning,piercing,slashing"
    assert (wight.fields["resist"], wight.fields["immune"]) == ("necrotic", "poison")
    assert [b.fields["size"] for b in map(new.read, ("Bandit", "Cat", "Goblin Boss"))] == [
        "medium", "tiny", "small",
    ]  # fmt: skip
