"""Cards of Foundry's actors have the numbers that its program fills in, and counters for limited uses."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.exchange import samples
from tests.exchange.samples import ARMY, CHARACTER, EFFECTS, packed
from tests.exchange.test_formats import blocks, held
from tui.core.fight.combatant import StatBlock
from tui.core.rules.fields import Borne, tried
from tui.exchange.document import Unreadable

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
        "di": {"value": ["fire"]},
        "dr": {"value": ["cold", "slashing"], "bypasses": ["mgc"]},
        "dv": {"value": [], "custom": "acid; cold while wet"},
        "ci": {"value": ["charmed"]},
    }
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
        "Speed: 30 ft.",
        "Senses: passive Perception 13",
    ):
        assert line in b.card.splitlines(), b.card


def test_what_is_limited_is_a_counter_and_what_it_withstands_a_key() -> None:
    b = foundry(BREATH, CLAW, OLDER, RESISTANCE, WING, BLAZE)
    assert {c.partition(" reset")[0].partition(" max")[0] for c in b.counters} == {
        '"Legendary actions" 3',
        "Breath 1",
        "Bow 3",
        '"Legendary Resistance" 2',
        '"Slots 3" 2',
    }
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


def item(name: str, kind: str, **system: object) -> dict[str, object]:
    return {"name": name, "type": kind, "system": system}


def strike(
    text: str = "[[/attack extended]]. [[/damage average extended]].", **system: object
) -> Mapping[str, object]:
    """A natural weapon of an actor with Strength 18 and Dexterity 15."""
    return item("Fang", "weapon", description={"value": text}, type={"value": "natural"}, **system)


ATTACK = {"a": {**ACTIVITY, "type": "attack", "attack": {}, "damage": {"includeBase": True}}}


def line(b: StatBlock, name: str) -> str:
    return next(row for row in b.card.splitlines() if row.startswith(name))


def test_damage_without_dice_stays_as_it_is_and_an_empty_one_is_not_there() -> None:
    one = {"custom": {"enabled": True, "formula": "1"}, "types": ["piercing"]}
    told = line(foundry(strike(damage={"base": one}, activities=ATTACK)), "Fang")
    assert told.endswith("Hit: 1 piercing damage.")
    flame = {**ATTACK["a"], "damage": {"includeBase": True, "parts": [
        {"number": 2, "denomination": 6, "types": ["fire"]}]}}  # fmt: skip
    told = line(foundry(strike(damage={"base": {"types": []}}, activities={"a": flame})), "Fang")
    assert told.endswith("Hit: 7 (2d6) fire damage.")


def test_the_numbers_of_a_formula_are_added_up() -> None:
    base = {"custom": {"enabled": True, "formula": "2d4 + @mod - 3"}, "types": ["slashing"]}
    assert "Hit: 6 (2d4 + 1) slashing damage." in line(
        foundry(strike(damage={"base": base}, activities=ATTACK)), "Fang"
    )


def test_a_natural_weapon_with_a_range_is_melee_and_ranged() -> None:
    base = {"number": 1, "denomination": 8, "types": ["force"]}
    reach = {"reach": 5, "value": 120, "units": "ft"}
    told = line(foundry(strike(damage={"base": base}, range=reach, activities=ATTACK)), "Fang")
    assert told.startswith(
        "Fang. Melee or ranged attack: +6 to hit, reach 5 ft., range 120 ft. Hit: 8 (1d8 + 4)"
    )


def test_a_feature_has_the_reach_of_its_activity() -> None:
    activity = {
        **ATTACK["a"],
        "attack": {"type": {"value": "ranged"}},
        "range": {"value": "30", "units": "ft"},
    }
    web = item(
        "Web", "feat", description={"value": "[[/attack extended]]. Caught."}, activities={"a": activity}
    )
    assert line(foundry(web), "Web") == "Web. Ranged attack: +4 to hit, range 30 ft. Caught."


def test_a_check_of_its_own_is_filled_in_and_a_number_in_the_middle_of_a_text_says_what_it_is() -> None:
    check = {"type": "check", "check": {"ability": "str", "dc": {"formula": "12"}, "associated": ["ath"]}}
    web = item(
        "Net", "feat", description={"value": "To get out make a [[/check]] check."}, activities={"c": check}
    )
    assert line(foundry(web), "Net") == "Net. To get out make a DC 12 Strength (Athletics) check."
    told = line(
        foundry(strike("Attack: [[/attack]], 0 ft. Hit: [[/damage average]].", activities=ATTACK)), "Fang"
    )
    assert told == "Fang. Attack: +6 to hit, 0 ft. Hit: ."


def test_spells_that_a_feature_casts_go_by_its_ability_and_are_counted_by_their_names() -> None:
    cast = {"type": "cast", "spell": {"ability": "cha", "challenge": {"override": True, "save": 17}}}
    rite = {**item("Rite", "feat", description={"value": "It casts."}, activities={"r": cast}), "_id": "rite"}
    cached = {"dnd5e": {"cachedFor": ".Item.rite.Activity.r"}}
    uses = {"max": "3", "recovery": [{"period": "lr"}]}
    blaze = {**BLAZE, "flags": cached, "system": {**BLAZE["system"], "uses": uses}}  # type: ignore[dict-item]
    b = foundry(rite, blaze)
    assert "Charisma, spell save DC 10, +2 to hit" in b.card.splitlines()
    assert "3/Long Rest each: Blaze [DC 17 Dexterity, 8d6 fire]" in b.card.splitlines()
    assert not [c for c in b.counters if "[" in c or "]" in c]


def test_what_only_its_program_needs_is_left_out_and_run_together_words_are_parted() -> None:
    text = (
        '<section class="secret"><p><strong>Foundry Note</strong></p><p>Switch the effect on.</p></section>'
        "<p>&amp;Reference[heavilyobscured] in &amp;Reference[DimLight]. \u2022 Cantrips: one"
        " \u2022 1st level (3 slots): two</p>"
    )
    b = foundry(item("Mist", "feat", description={"value": text}))
    assert "Mist. heavily obscured in dim light." in b.card
    assert "Foundry Note" not in b.card
    assert '"Slots 1" 3 reset=long' in b.counters


def test_a_character_has_the_hit_points_slots_and_speed_that_its_program_works_out() -> None:
    levels = {"1": "max", "2": "avg", "3": 5}
    rows = [{"type": "HitPoints", "value": levels}]
    mage = item(
        "Mage",
        "class",
        levels=3,
        identifier="mage",
        hd={"denomination": "d6"},
        advancement=rows,
        spellcasting={"progression": "full"},
    )
    folk = item("Elf", "race", movement={"walk": 30, "units": "ft"}, senses={"darkvision": 60})
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    actor["type"] = "character"
    actor["items"] = [mage, folk, BLAZE]
    actor["system"]["attributes"] |= {
        "hp": {"value": 3, "max": None},
        "movement": {"walk": None},
        "senses": {},
    }
    actor["system"]["abilities"]["con"] = {"value": 14}
    b = blocks(samples.packed(actor))[0]
    assert b.hp == 6 + 4 + 5 + 3 * 2
    assert "Speed: 30 ft." in b.card.splitlines()
    assert "Senses: darkvision 60 ft., passive Perception 13" in b.card.splitlines()
    pact = item("Warlock", "class", levels=3, spellcasting={"progression": "pact"})
    actor["items"] = [pact, BLAZE]
    assert '"Pact slots" 2 reset=short' in blocks(samples.packed(actor))[0].counters
    actor["items"] = [{**mage, "system": {**mage["system"], "levels": 5}}, BLAZE]  # type: ignore[dict-item]
    assert "3rd level (2 slots): Blaze [DC 8 Dexterity, 8d6 fire]" in blocks(samples.packed(actor))[0].card


def test_a_card_begins_as_a_stat_block_does() -> None:
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    details = {
        "cr": 0.25,
        "alignment": "Chaotic Evil",
        "type": {"value": "beast", "subtype": "Pack", "swarm": "tiny"},
    }
    actor["system"]["details"] = details
    first = blocks(samples.packed(actor))[0].card.splitlines()[0]
    assert first == "Large swarm of tiny beasts (Pack), chaotic evil, challenge 1/4"
    actor["system"]["details"] = {"race": "e1", "alignment": "Neutral"}
    actor["items"] = [{"_id": "e1", **item("Elf", "race")}, item("Mage", "class", levels=3)]
    assert blocks(samples.packed(actor))[0].card.splitlines()[0] == "Large Elf, Mage 3, neutral"


def test_a_creature_moves_and_speaks_as_books_say_it() -> None:
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    actor["system"]["attributes"]["movement"] = {"fly": 60, "walk": "30", "hover": True, "units": "ft"}
    actor["system"]["traits"]["languages"] = {
        "value": ["deep", "exotic"],
        "communication": {"telepathy": {"value": 120, "units": "ft"}, "other": {"value": None}},
    }
    actor["system"]["details"]["type"] = {"value": "undead", "swarm": "tiny"}
    lines = blocks(samples.packed(actor))[0].card.splitlines()
    assert "Speed: 30 ft., fly 60 ft. (hover)" in lines
    assert "Languages: deep speech, all exotic languages, telepathy 120 ft." in lines
    assert lines[0] == "Large swarm of tiny undead, challenge 1"


def spell(
    name: str, level: int, number: int, scaling: Mapping[str, object], **more: object
) -> dict[str, object]:
    part = {"number": number, "denomination": 6, "types": ["fire"], "scaling": scaling}
    rolled = {"type": "save", "save": {"ability": "dex", "dc": {"calculation": "spellcasting"}}}
    return {
        **item(name, "spell", level=level, activities={"s": {**rolled, "damage": {"parts": [part]}}}),
        **more,
    }


def test_a_spell_that_is_cast_above_its_level_has_the_damage_of_that_level() -> None:
    cast = item("Spellcasting", "feat", activities={"c": {"type": "cast", "spell": {"level": 5}}})
    each = {"mode": "whole", "number": 1}
    by = {"flags": {"dnd5e": {"cachedFor": ".Item.own.Activity.c"}}}
    blaze = spell("Blaze", 3, 8, each, **by)
    slow = spell("Glow", 3, 2, {"mode": "half", "number": 1}, **by)
    own = spell("Heat", 3, 2, {"mode": "whole", "formula": "1d4"}, **by)
    old = item("Ash", "spell", level=3, scaling={"mode": "level", "formula": "1d8"}, actionType="save",
               save={"ability": "dex"}, damage={"parts": [["2d8", "fire"]]}) | by  # fmt: skip
    card = foundry({**cast, "_id": "own"}, blaze, slow, own, old).card
    for text in (
        "Blaze (level 5) [DC 8 Dexterity, 10d6 fire]",
        "Glow (level 5) [DC 8 Dexterity, 3d6 fire]",
        "Heat (level 5) [DC 8 Dexterity, 2d6 + 1d4 + 1d4 fire]",
        "Ash (level 5) [DC 8 Dexterity, 4d8 fire]",
    ):
        assert text in card
    assert "Blaze [DC 8 Dexterity, 8d6 fire]" in foundry(spell("Blaze", 3, 8, each)).card


def test_a_cantrip_grows_with_its_caster() -> None:
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    each = {"mode": "whole", "number": 1}
    for details, method, dice in (
        ({"cr": 3, "spellLevel": 10}, "spell", "2d6"),
        ({"cr": 3, "spellLevel": 17}, "spell", "4d6"),
        ({"cr": 3, "spellLevel": 17}, "innate", "1d6"),
        ({"cr": 11}, "innate", "3d6"),
    ):
        actor["system"]["details"] = details
        spark = spell("Spark", 0, 1, each)
        actor["items"] = [{**spark, "system": {**spark["system"], "method": method}}]  # type: ignore[dict-item]
        assert f"Dexterity, {dice} fire]" in blocks(samples.packed(actor))[0].card


def test_what_can_be_cast_at_will_stands_before_what_can_be_cast_once() -> None:
    rows = [
        {
            **spell(name, 1, 1, {}),
            "system": {"level": 1, "uses": {"max": uses, "recovery": [{"period": "day"}]}},
        }
        for name, uses in (("Once", "1"), ("Thrice", "3"))
    ]
    often = item("Often", "spell", level=1, method="innate")
    lines = foundry(*rows, often).card.splitlines()
    assert lines[-3:] == ["At will: Often", "3/Day each: Thrice", "1/Day each: Once"]


def test_a_save_is_called_one_where_the_program_says_so_and_dice_are_counted() -> None:
    text = "It makes a [[/save con dc=15 format=long]]. It takes [[/r (floor(5 / 2))d6]]. re\u00adappears"
    twice = item("Pull", "feat", description={"value": text})
    card = foundry(twice, twice).card
    assert card.count("Pull. It makes a DC 15 Constitution saving throw. It takes 2d6. reappears") == 1


def test_a_vehicle_is_one_and_headings_of_pages_that_are_not_there_are_no_words() -> None:
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    actor["type"] = "vehicle"
    actor["system"]["details"] = {"type": "water", "biography": {"value": "<h1>Boats</h1><p>@Embed[x]</p>"}}
    actor["system"]["attributes"] |= {"ac": {"flat": 15, "calc": "default"}}
    actor["system"]["attributes"]["hp"]["dt"] = 20
    (b,) = blocks(samples.packed(actor))
    assert (b.hp, b.ac) == (22, 15)
    assert b.card.splitlines()[0] == "Large water vehicle"
    assert "Damage threshold: 20" in b.card.splitlines()
    assert "Boats" not in b.card


def test_what_a_character_may_do_stands_before_the_words_of_its_classes() -> None:
    actor = samples.unpacked(samples.packed(samples.ACTOR))
    actor["type"] = "character"
    actor["items"] = [item("Training", "feat", description={"value": "Long."}), CLAW]
    card = blocks(samples.packed(actor))[0].card
    assert card.index("Claw.") < card.index("Training.")


def test_a_character_of_pf2e_has_the_numbers_that_its_program_works_out() -> None:
    (b,) = blocks(packed(CHARACTER))
    # Dex 4 of four boosts, a fifth of a level to come; Str, Con and Int 1, Wis 0 with its flaw.
    assert (b.hp, b.ac, b.initiative) == (6 + 3 * (8 + 1) + 3, 10 + 3 + 2 + 1 + (2 + 3), 4 + (4 + 3))
    assert b.fields == {
        "per": 6 + 3, "int": 12, "size": "small", "stealth": 4 + 4 + 3, "passive": 19,
        "con": 1 + (4 + 3) + 1, "kind": "pc", "saves": "fort+9 ref+12 will+8",
    }  # fmt: skip
    assert b.card.splitlines() == [
        "Level 3 Marshfolk Poacher Sneak",
        "Str +1, Dex +4, Con +1, Int +1, Wis +0, Cha +0",
        "Perception +9; darkvision",
        "Saves: Fortitude +9, Reflex +12, Will +8",
        "Skills: Stealth +11, Survival +5, Bog Lore +6",
        "AC: +1 with its shield raised",
        "Speed: 20 feet",
        "Languages: common, elven",
        "Knife. Melee +12 (agile, finesse), damage 2d4 + 1 piercing.",
        "Sling. Ranged +9 (propulsive, range increment 50 feet), damage 1d6 bludgeoning.",
        "Abilities: Hardy, Sharp Eyes",
        "Leap (1 action). Up and away.",
        "Occult Spells: DC 16, attack +6",
        "Rank 1: Fear [will]",
        "Carries: Hide, Buckler, Knife, Sling",
    ]


def test_an_army_of_pf2e_scouts_for_its_initiative() -> None:
    (b,) = blocks(packed(ARMY))
    assert (b.hp, b.ac, b.initiative) == (4, 16, 7)
    assert b.card.splitlines() == [
        "Level 1 common army infantry", "Saves: Maneuver +4, Morale +10", "Skills: Scouting +7",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"type": "familiar", "system": {"attributes": {}}}, "add NAME hp=15 ac=18"),
        ({"type": "loot", "system": {}, "items": []}, "export who carries it"),
        ({"type": "party", "system": {"members": []}}, "export each of them"),
        ({"type": "group", "data": {"members": []}}, "export each of them"),
        ({"type": "character", "system": {"details": {}}, "items": []}, "without ancestry or class"),
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
    read = held(packed([ARMY, hoard, hoard]))
    assert [cause for _, cause in read.problems] == [
        "2 left out: loot of Foundry is no creature: export who carries it"
    ]


def test_effects_that_hold_change_the_numbers_and_those_that_wait_do_not() -> None:
    (b,) = blocks(packed(EFFECTS))
    assert b.ac == 10 + 2 + 3 + 1
    assert b.fields["resist"] == "cold, fire"
    assert b.fields["saves"] == "str+0 dex+5 wis+4"
    lines = b.card.splitlines()
    assert "Speed: 35 ft." in lines
    assert [line for line in lines if line.startswith("Club")] == [
        "Club +1. Melee attack: +6 to hit. Hit: 5 (1d4 + 3) bludgeoning damage."
    ]
    assert "Bless of others" not in b.card


def test_an_armour_class_that_goes_by_no_known_rule_is_that_of_what_is_worn() -> None:
    odd = _with_armour("mage + 2", 17), _with_armour("mage + 2", None), _with_armour("unarmoredBard", None)
    assert [blocks(packed(actor))[0].ac for actor in odd] == [17, 12, 12]


def _with_armour(calc: str, flat: int | None) -> dict[str, object]:
    system = EFFECTS["system"]
    attributes = {**system["attributes"], "ac": {"calc": calc, "flat": flat}}
    return {**EFFECTS, "items": [], "effects": [], "system": {**system, "attributes": attributes}}
