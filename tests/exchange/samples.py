"""The Bog Lurker in every format: 22 hit points (4d8+4), AC 13, Dexterity 14, Wisdom 12."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Struct

DESC = "Lies under the water until something steps on it."
V1: dict[str, Any] = {
    "name": "Bog Lurker", "slug": "bog-lurker", "size": "Large", "hit_points": 22, "hit_dice": "4d8+4",
    "armor_class": 13,
    "armor_desc": "hide", "dexterity": 14, "wisdom": 12, "constitution": 12, "intelligence": 6,
    "constitution_save": 3,
    "skills": {"stealth": 6}, "perception": 3, "senses": "darkvision 60 ft., passive Perception 13",
    "actions": [{"name": "Grab", "desc": DESC}], "document__title": "My Bestiary",
    "img_main": "http://x/y.png",
}  # fmt: skip
DUMP1: dict[str, Any] = {
    "model": "api.monster", "pk": "bog-lurker",
    "fields": {**{k: v for k, v in V1.items() if k not in ("actions", "skills")},
               "actions_json": json.dumps(V1["actions"]), "skills_json": '{"stealth": 6}'},
}  # fmt: skip
V2 = {
    "name": "Bog Lurker", "key": "my_bog-lurker", "size": {"key": "large", "name": "Large"}, "hit_points": 22,
    "hit_dice": "4d8+4", "armor_class": 13, "initiative_bonus": 5,
    "ability_scores": {"dexterity": 14, "intelligence": 6},
    "skill_bonuses": {"perception": 3, "stealth": 6}, "passive_perception": 13,
    "saving_throws": {"constitution": 3},
    "traits": [{"name": "Grab", "desc": DESC}], "document": {"name": "My Bestiary", "key": "my"},
}  # fmt: skip
DUMP2 = [
    {"model": "api_v2.creature", "pk": "my_bog-lurker", "fields": {
        "name": "Bog Lurker", "size": "large", "hit_points": 22, "hit_dice": "4d8+4", "armor_class": 13,
        "document": "my",
        "initiative_bonus": 5, "ability_score_strength": 18, "ability_score_dexterity": 14,
        "ability_score_intelligence": 6,
        "skill_bonus_perception": 3, "skill_bonus_stealth": 6, "passive_perception": 13,
        "saving_throw_constitution": 3}},
    {"model": "api_v2.creatureaction", "pk": "x",
    "fields": {"name": "Grab", "desc": DESC, "parent": "my_bog-lurker"}},
]  # fmt: skip
FIVE_BITS = {
    "index": "bog-lurker", "name": "Bog Lurker", "size": "Large", "hit_points": 22, "hit_dice": "4d8",
    "hit_points_roll": "4d8+4",
    "armor_class": [{"type": "natural", "value": 13}, {"type": "spell", "value": 16}],
    "dexterity": 14, "wisdom": 12, "constitution": 12, "intelligence": 6,
    "senses": {"passive_perception": 13},
    "proficiencies": [{"value": 3, "proficiency": {"index": "skill-perception", "name": "Skill: Perception"}},
                      {"value": 6, "proficiency": {"index": "skill-stealth", "name": "Skill: Stealth"}},
                      {"value": 3,
                      "proficiency": {"index": "saving-throw-con", "name": "Saving Throw: CON"}}],
    "actions": [{"name": "Grab", "desc": DESC}], "url": "/api/x",
}  # fmt: skip
BLOCK = {
    "Name": "Bog Lurker", "Source": "My Bestiary", "Type": "Large monstrosity",
    "HP": {"Value": 22, "Notes": "(4d8+4)"},
    "AC": {"Value": 13, "Notes": "hide"}, "InitiativeModifier": 3,
    "Abilities": {"Dex": 14, "Wis": 12, "Con": 12, "Int": 6},
    "Skills": [{"Name": "Perception", "Modifier": 3}, {"Name": "Stealth", "Modifier": 6}],
    "Saves": [{"Name": "Con", "Modifier": 3}], "Senses": ["passive Perception 13"],
    "Actions": [{"Name": "Grab", "Content": DESC, "Usage": ""}], "Player": "",
}  # fmt: skip
TOOLS = {"monster": [{
    "name": "Bog Lurker", "source": "MB", "size": ["L"], "type": "monstrosity",
    "ac": [{"ac": 13, "from": ["hide"]}],
    "hp": {"average": 22, "formula": "4d8 + 4"}, "str": 18, "dex": 14, "con": 12, "int": 6, "wis": 12,
    "cha": 4, "cr": "1",
    "initiative": {"proficiency": 2}, "skill": {"perception": "+3", "stealth": "+6"}, "save": {"con": "+3"},
    "passive": 13,
    "action": [{"name": "Grab",
    "entries": [DESC, "{@atk mw} {@hit 6}, {@damage 1d6}, {@creature ape||an ape}"]}],
}, {"name": "Bog Mother", "source": "MB", "_copy": {"name": "Bog Lurker", "source": "MB"},
"hp": {"average": 40}}]}  # fmt: skip
_SKILLS = {"prc": {"value": 1, "ability": "wis"}, "ste": {"value": 2, "ability": "dex"}}
_ABILITIES = {
    "dex": {"value": 14},
    "wis": {"value": 12},
    "con": {"value": 12, "proficient": 1},
    "int": {"value": 6},
}
_GRAB = {"name": "Grab", "type": "feat", "system": {"description": {"value": f"<p>{DESC}</p>"}}}
ACTOR = {
    "_id": "abc", "name": "Bog Lurker", "type": "npc", "system": {
        "abilities": _ABILITIES, "skills": _SKILLS, "traits": {"size": "lg"}, "details": {"cr": 1},
        "attributes": {"hp": {"value": 22, "max": 22, "formula": "4d8+4"},
        "ac": {"calc": "natural", "flat": 13},
                       "init": {"bonus": "@prof + 1"}, "movement": {"walk": 30}}},
    "items": [_GRAB],
}  # fmt: skip
PF2E: dict[str, Any] = {
    "name": "Bog Lurker", "type": "npc", "system": {
        "abilities": {"dex": {"mod": 2}, "int": {"mod": -2}},
        "attributes": {"hp": {"max": 22}, "ac": {"value": 13}},
        "perception": {"mod": 3}, "saves": {"fortitude": {"value": 3}}, "skills": {"stealth": {"base": 6}},
        "traits": {"size": {"value": "lg"}},
        "details": {"level": {"value": 1}, "publication": {"title": "My Bestiary"}}},
    "items": [_GRAB],
}  # fmt: skip
PF2E_OLD = {
    "name": "Bog Lurker", "type": "npc", "data": {
        "abilities": {"dex": {"mod": 2}, "int": {"mod": -2}},
        "attributes": {"hp": {"max": 22}, "ac": {"value": 13}, "perception": {"value": 3},
        "initiative": {"ability": "perception"}},
        "saves": {"fortitude": {"value": 3}},
        "traits": {"size": {"value": "lg"}, "traits": {"value": ["bog"]}},
        "details": {"level": {"value": 1}, "source": {"value": "My Bestiary"},
        "flavorText": "<p>It waits.</p>"}},
    "items": [{"name": "Grab", "type": "action", "data": {"description": {"value": f"<p>{DESC}</p>"}}},
              {"name": "Stealth", "type": "lore", "data": {"mod": {"value": 6}}}],
}  # fmt: skip
HAZARD = {
    "name": "Bog Hole", "type": "hazard", "system": {
        "attributes": {"hp": {"max": 0, "value": 0}, "ac": {"value": 0}, "hardness": 0,
        "stealth": {"value": 8}},
        "saves": {"fortitude": {"value": 0}}, "traits": {"size": {"value": "med"}, "value": ["trap"]},
        "details": {"level": {"value": 2}, "isComplex": True, "disable": "<p>DC 18 Survival</p>",
        "routine": "<p>It sucks.</p>"}},
    "items": [],
}  # fmt: skip


PATHFINDER_BLOCK = {
    "layout": "Pathfinder 2e Creature Layout", "name": "Reed Ward", "level": "Creature 2", "modifier": 8,
    "senses": "darkvision", "skills": [{"Stealth": 7, "in mud": 9}, {"Athletics": "+6"}],
    "attributes": [{"dex": 3}, {"int": -1}], "ac": 17, "acNote": "(19 in mud)",
    "saves": [{"fort": 5}, {"will": "+8"}], "hp": 30, "hardness": 2, "immunities": "poison",
    "attacks": [{"name": "__Melee__ \u2b3b tail", "bonus": 9, "desc": "(agile)", "damage": "1d8+3 slashing"},
                {"name": "Moor Spells", "desc": "DC 17; __2nd __ _fog_"}],
    "spellcasting": [{"name": "Innate", "dc": 18, "bonus": 8, "fp": 1, "desc": "__1st__ fear"}],
}  # fmt: skip
STATBLOCK = f"""name: Bog Lurker
size: Large
hp: 22
hit_dice: 4d8+4
ac: 13
modifier: 5
stats: [18, 14, 12, 6, 12, 4]
skillsaves:
  - perception: 3
  - stealth: 6
saves:
  - constitution: 3
senses: darkvision 60 ft., passive Perception 13
source: My Bestiary
actions:
  - name: Grab
    desc: {DESC}
"""
TEXT = f"""Bog Lurker
Large monstrosity, unaligned
Armor Class 13 (hide)
Hit Points 22 (4d8 + 4)
Speed 30 ft.
STR DEX CON INT WIS CHA
18 (+4) 14 (+2) 12 (+1) 6 (\u22122) 12 (+1) 4 (\u22123)
Saving Throws Con +3
Skills Perception +3, Stealth +6
Senses darkvision 60 ft., passive Perception 13
Actions
Grab. {DESC}
"""
NEWER = f"""Bog Lurker
Large Monstrosity, Unaligned
AC 13 Initiative +5 (15)
HP 22 (4d8 + 4)
Speed 30 ft.
Str 18 +4 +4
Dex 14 +2 +2
Con 12 +1 +3
Int 6 \u22122 \u22122
Wis 12 +1 +1
Cha 4 \u22123 \u22123
Skills Perception +3, Stealth +6
Senses Passive Perception 13
Grab. {DESC}
"""
CSV = (
    "Name,HP,HD,AC,Init,Perception,Int,Size,Stealth,Passive Perception,Con save,Notes\n"
    f'Bog Lurker,22,4d8+4,13,+2,3,6,Large,6,13,3,"{DESC}"\n'
)


class Shape(Struct, frozen=True):
    """A file in one shape: the format that knows it, and the number for initiative that it gives."""

    title: str
    data: bytes
    initiative: int | None = 2
    hp_dice: str = "4d8+4"
    con: int = 3


def unpacked(data: bytes) -> Any:
    return msgspec.json.decode(data)


def packed(value: Any) -> bytes:
    return msgspec.json.encode(value)


def as_yaml(value: Any) -> bytes:
    import yaml

    return yaml.safe_dump(value, sort_keys=False).encode()


SHAPES = {
    "open5e v1": Shape("Open5e", packed(V1)),
    "open5e v1 page": Shape("Open5e", packed({"count": 1, "next": None, "results": [V1]})),
    "open5e v1 dump": Shape("Open5e", packed([DUMP1])),
    "open5e v2": Shape("Open5e", packed(V2), 5),
    "open5e v2 dump": Shape("Open5e", packed(DUMP2), 5),
    "5e-bits": Shape("5e-bits", packed([FIVE_BITS])),
    "improved initiative": Shape("Improved Initiative", packed([BLOCK]), 5),
    "improved initiative encounter": Shape(
        "Improved Initiative", packed({"Combatants": [{"StatBlock": BLOCK}]}), 5
    ),
    "improved initiative export": Shape(
        "Improved Initiative", packed({"ImprovedInitiative.Creatures.1": json.dumps(BLOCK), "x": "[1]"}), 5
    ),
    "foundry dnd5e": Shape("Foundry dnd5e", packed(ACTOR), None),
    "foundry dnd5e pack": Shape("Foundry dnd5e", as_yaml(ACTOR), None),
    "foundry dnd5e database": Shape("Foundry dnd5e", packed(ACTOR) + b"\n" + packed(ACTOR) + b"\n", None),
    "foundry pf2e": Shape("Foundry pf2e", packed(PF2E), 3, ""),
    "foundry pf2e before its tenth version": Shape("Foundry pf2e", packed(PF2E_OLD), 3, ""),
    "foundry pf2e pack": Shape("Foundry pf2e", as_yaml(PF2E), 3, ""),
    "5etools": Shape("5etools", packed({"monster": TOOLS["monster"][:1]}), 6),
    "fantasy statblocks note": Shape(
        "Fantasy Statblocks", f"---\n{STATBLOCK}---\n# Bog Lurker\n".encode(), 5
    ),
    "fantasy statblocks block": Shape(
        "Fantasy Statblocks", f"# A bog\n\n```statblock\n{STATBLOCK}```\n".encode(), 5
    ),
    "csv": Shape("CSV or TSV", CSV.encode()),
    "tsv": Shape("CSV or TSV", CSV.replace(",", "\t").encode()),
    "text": Shape("a stat block as text", TEXT.encode()),
    "text of a quotation": Shape(
        "a stat block as text", "".join(f"> {line}\n" for line in TEXT.splitlines()).encode()
    ),
    "newer text": Shape("a stat block as text", NEWER.encode(), 5),
}
