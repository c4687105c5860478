"""Foundry's files are read as they are written: what its program works out stays on the card in its words."""

from __future__ import annotations

import pytest

from tests.exchange import samples
from tests.exchange.samples import packed
from tests.exchange.test_formats import blocks, held
from tui.exchange.document import Unreadable

CLAW = {
    "name": "Claw", "type": "weapon", "system": {
        "description": {"value": "<p>It tears. @UUID[Compendium.x.Item.Prone]{Prone}</p>"},
        "damage": {"base": {"number": 2, "denomination": 8, "bonus": "@mod",
        "types": ["slashing"]}}}}  # fmt: skip
JAWS = {
    "name": "Jaws", "type": "melee", "system": {
        "bonus": {"value": 9}, "traits": {"value": ["agile"]},
        "damageRolls": {"a": {"damage": "1d8+3", "damageType": "piercing"}},
        "description": {"value":
        "<p>@Check[type:reflex|dc:20|basic] or @Damage[2d6[fire]].</p>"}}}  # fmt: skip


def test_dnd5e_takes_no_number_that_training_changes() -> None:
    (b,) = blocks(packed({**samples.ACTOR, "items": [CLAW]}))
    assert (b.hp, b.hp_dice, b.ac, b.initiative) == (22, "4d8+4", 13, None)
    assert b.fields == {"int": 6, "size": "large"}
    assert "Claw. Damage 2d8 + @mod slashing. It tears. Prone" in b.card.splitlines()
    assert "Initiative bonus: @prof + 1" in b.card


def test_dnd5e_takes_a_score_that_nothing_changes_and_no_armour_that_is_worn() -> None:
    actor = samples.unpacked(packed(samples.ACTOR))
    system = actor["system"]
    system["skills"], system["attributes"]["init"] = {"prc": {"value": 0}}, {"bonus": ""}
    system["abilities"]["con"]["proficient"] = 0
    system["attributes"]["ac"] = {"calc": "default", "flat": 13}
    (b,) = blocks(packed(actor))
    assert (b.ac, b.initiative) == (None, 2)
    assert b.fields == {"per": 1, "int": 6, "size": "large", "stealth": 2, "passive": 11, "con": 1}


def test_pf2e_has_its_strikes_and_what_a_text_asks_for() -> None:
    (b,) = blocks(packed({**samples.PF2E, "items": [JAWS]}))
    assert "Jaws. +9, (agile), damage 1d8+3 piercing. reflex dc 20 basic or 2d6 fire." in b.card


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"type": "familiar", "system": {"attributes": {}}}, "add NAME hp=15 ac=18"),
        ({"type": "loot", "system": {}, "items": []}, "export who carries it"),
        ({"type": "party", "system": {"members": []}}, "export each of them"),
        ({"type": "character", "system": {"details": {}}, "items": []}, "works out the numbers"),
        ({"type": "starship", "system": {}, "prototypeToken": {}}, "actor of kind starship"),
        ({"type": "spell", "system": {}}, r"item \(spell\) is no creature: export the actor"),
    ],
)
def test_what_is_no_creature_is_refused_by_its_kind(document: dict[str, object], says: str) -> None:
    with pytest.raises(Unreadable, match=says) as refused:
        held(packed({"name": "Hoard", "img": "x", **document}))
    assert (refused.value.line, "\n" in refused.value.message) == (0, False)


def test_what_is_no_creature_beside_creatures_is_counted_by_its_kind() -> None:
    hoard = {"name": "Hoard", "type": "loot", "system": {}, "items": []}
    read = held(packed([samples.PF2E, hoard, hoard]))
    assert [cause for _, cause in read.problems] == [
        "2 left out: loot of Foundry is no creature: export who carries it"
    ]
