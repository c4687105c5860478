"""Cards of Foundry's actors have the numbers that its program fills in, and counters for limited uses."""

from __future__ import annotations

from collections.abc import Mapping

from tests.exchange import samples
from tests.exchange.test_formats import blocks
from tui.core.fight.combatant import StatBlock
from tui.core.rules.fields import Borne, tried

ACTIVITY = {"activation": {"type": "action"}}
BREATH = {
    "name": "Breath", "type": "feat", "system": {
        "description": {"value": "<p>Each creature in a [[lookup @target.template.size activity=b]]-foot cone"
                                 " makes a [[/save]] save, taking [[/damage average]] damage.</p>"},
        "uses": {"max": "1", "recovery": [{"period": "recharge", "formula": "5"}]},
        "activities": {"b": {**ACTIVITY, "type": "save",
        "target": {"template": {"size": "60", "type": "cone"}},
            "save": {"ability": ["dex"], "dc": {"calculation": "con", "formula": "3"}},
            "damage": {"parts": [{"number": 4, "denomination": 6, "types": ["fire"]}]}}}}}  # fmt: skip
CLAW = {
    "name": "Claw", "type": "weapon", "system": {
        "description": {"value": "<p>[[/attack extended]]. [[/damage average extended]]."
                                 " @UUID[Compendium.x.Item.Prone]{Prone}</p>"},
        "damage": {"base": {"number": 2, "denomination": 8, "types": ["slashing"]}},
        "range": {"reach": 10, "units": "ft"},
        "type": {"value": "natural"},
        "activities": {"a": {**ACTIVITY, "type": "attack", "attack": {},
        "damage": {"includeBase": True, "parts": [
            {"number": 1, "denomination": 6, "bonus": "@prof", "types": ["acid"]}]}}}}}  # fmt: skip
OLDER = {
    "name": "Bow", "type": "weapon", "data": {
        "description": {"value": ""}, "actionType": "rwak", "attackBonus": 1,
        "range": {"value": 80, "long": 320, "units": "ft"},
        "damage": {"parts": [["1d6 + @mod", "piercing"]]}, "uses": {"max": 3, "per": "day"}}}  # fmt: skip
RESISTANCE = {
    "name": "Legendary Resistance",
    "type": "feat",
    "system": {"description": {"value": "It succeeds."}},
}
WING = {
    "name": "Wing", "type": "feat", "system": {"description": {"value": "It beats."}, "activities": {
        "w": {"type": "utility", "activation": {"type": "legendary", "value": 2}}}}}  # fmt: skip
BLAZE = {
    "name": "Blaze", "type": "spell",
    "system": {"level": 3, "description": {"value": "Long."}, "activities": {
        "s": {**ACTIVITY, "type": "save", "save": {"ability": "dex", "dc": {"calculation": "spellcasting"}},
              "damage": {"parts": [{"number": 8, "denomination": 6, "types": ["fire"]}]}}}}}  # fmt: skip


def foundry(*items: Mapping[str, object]) -> StatBlock:
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    actor["items"] = list(items)
    actor["system"]["abilities"]["str"] = {"value": 18}
    actor["system"]["traits"] |= {
        "di": {"value": ["fire"]}, "dr": {"value": ["cold", "slashing"], "bypasses": ["mgc"]},
        "dv": {"value": [], "custom": "acid; cold while wet"}, "ci": {"value": ["charmed"]},
    }  # fmt: skip
    actor["system"] |= {
        "resources": {"legact": {"max": 3}, "legres": {"max": 2}},
        "spells": {"spell3": {"value": 2}},
    }
    return blocks(samples.packed(actor))[0]


def test_a_card_holds_the_numbers_that_the_program_works_out() -> None:
    b = foundry(BREATH, CLAW, OLDER, RESISTANCE, WING, BLAZE)
    for line in (
        (
            "Breath (Recharge 5\u20136). Each creature in a 60-foot cone makes a DC 11 Dexterity save,"
            " taking 14 (4d6) fire damage."
        ),
        (
            "Claw. Melee attack: +6 to hit, reach 10 ft."
            " Hit: 13 (2d8 + 4) slashing damage plus 5 (1d6 + 2) acid damage. Prone"
        ),
        "Bow (3/Day). Ranged attack: +5 to hit, range 80/320 ft. Hit: 5 (1d6 + 2) piercing damage.",
        "Legendary Resistance (2/Day). It succeeds.",
        "Legendary actions: 3 each round",
        "Wing (Costs 2 Actions). It beats.",
        "3rd level (2 slots): Blaze [DC 8 Dexterity, 8d6 fire]",
        "Condition immunities: charmed",
        "Resists: cold, slashing (nonmagical)",
        "Speed: walk 30 ft.",
    ):
        assert line in b.card.splitlines(), b.card


def test_what_is_limited_is_a_counter_and_what_it_withstands_a_key() -> None:
    b = foundry(BREATH, CLAW, OLDER, RESISTANCE, WING, BLAZE)
    assert {c.partition(" reset")[0].partition(" max")[0] for c in b.counters} == {
        '"Legendary actions" 3', "Breath 1", "Bow 3", '"Legendary Resistance" 2', '"Slots 3" 2',
    }  # fmt: skip
    tried(Borne(counters=b.counters))
    keys = {k: b.fields.get(k) for k in ("resist", "vulnerable", "immune", "saves")}
    assert keys == {"resist": "cold", "vulnerable": "acid", "immune": "fire", "saves": "con+3"}


def test_what_heals_says_hit_points() -> None:
    healing = {"number": 3, "denomination": 6, "types": ["healing"]}
    text = "It regains [[/healing average]]. It regains [[/healing average]] Hit Points."
    drain = {
        "name": "Drain",
        "type": "feat",
        "system": {"description": {"value": text}, "activities": {"h": {"type": "heal", "healing": healing}}},
    }
    assert "Drain. It regains 10 (3d6) Hit Points. It regains 10 (3d6) Hit Points." in foundry(drain).card
