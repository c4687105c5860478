"""A card can be played from: it says what a printed stat block says, in the same order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.exchange import samples
from tests.exchange.samples import (
    FIVE_BITS,
    SHAPES,
    Shape,
    packed,
)
from tests.exchange.test_formats import blocks, held
from tui.exchange.gathering import Source, gathered

MAGE: dict[str, Any] = {
    "name": "Bog Mage",
    "source": "BOG",
    "size": ["S", "M"],
    "type": {"type": "humanoid", "tags": ["wizard"]},
    "alignment": ["C", "E"],
    "cr": {"cr": "6", "lair": "7"},
    "ac": [12, {"ac": 15, "condition": "with {@spell mage armor}", "braces": True}],
    "hp": {"average": 40, "formula": "9d8"},
    "speed": {"walk": 30, "fly": {"number": 60, "condition": "(hover)"}, "canHover": True},
    "str": 9,
    "dex": 14,
    "con": 11,
    "int": 17,
    "wis": 12,
    "cha": 11,
    "save": {"con": "+3", "wis": "+4"},
    "skill": {"perception": "+4", "sleight of hand": "+5"},
    "resist": ["cold", {"resist": ["fire"], "note": "from nonmagical attacks"}],
    "conditionImmune": ["charmed"],
    "senses": ["darkvision 60 ft."],
    "passive": 14,
    "languages": ["Common"],
    "gear": ["wand|xphb"],
    "spellcasting": [
        {
            "name": "Spellcasting",
            "headerEntries": ["It casts with {@dc 14}:"],
            "will": ["{@spell light}"],
            "daily": {"2e": ["{@spell fly}"], "1": ["{@spell fear}"]},
            "spells": {"0": {"spells": ["{@spell mending}"]}, "1": {"slots": 4, "spells": ["{@spell bane}"]}},
            "displayAs": "action",
        }
    ],
    "action": [
        {"name": "Rend", "entries": ["{@atkr m} {@hit 6}, reach 5 ft. {@h}7 ({@damage 1d8 + 3}) damage."]},
        {
            "name": "Dart",
            "entries": ["{@atk mw,rw} {@hit 5} to hit. {@hom}It has {@quickref cover||3||cover}."],
        },
        {"name": "Breath {@recharge 5}", "entries": ["{@actSave con} {@dc 12}. {@actSaveFail} It burns."]},
    ],
    "legendary": [{"name": "Move", "entries": ["It moves."]}],
}


def card(entry: dict[str, Any]) -> str:
    return blocks(packed({"monster": [entry]}))[0].card


@pytest.mark.parametrize(
    "line",
    [
        "Small or Medium humanoid (wizard), chaotic evil, challenge 6 (7 in its lair)",
        "AC 12, 15 (with mage armor), HP 40 (9d8)",
        "Speed: 30 ft., fly 60 ft. (hover)",
        "Str 9 (-1), Dex 14 (+2), Con 11 (+0), Int 17 (+3), Wis 12 (+1), Cha 11 (+0)",
        "Saves: Con +3, Wis +4",
        "Skills: Perception +4, Sleight of Hand +5",
        "Resists: cold, fire from nonmagical attacks",
        "Condition immunities: charmed",
        "Senses: darkvision 60 ft., passive Perception 14",
        "Rend. Melee Attack Roll: +6, reach 5 ft. Hit: 7 (1d8 + 3) damage.",
        "Dart. Melee or Ranged Weapon Attack: +5 to hit. Hit or Miss: It has cover.",
        "Breath (Recharge 5\u20136). Constitution Saving Throw: DC 12. Failure: It burns.",
        "Spellcasting. It casts with DC 14:",
        "At will: light",
        "2/day: fly",
        "Cantrips (at will): mending",
        "1st level (4 slots): bane",
        "Legendary actions: 3 each round",
        "Gear: wand",
    ],
)
def test_a_card_of_5etools_is_a_stat_block(line: str) -> None:
    assert line in card(MAGE).splitlines()


def test_spells_of_5etools_stand_as_on_its_pages_those_most_often_cast_first() -> None:
    cast = {
        "name": "Spellcasting", "headerEntries": ["It casts:"], "ritual": ["augury"], "will": ["light"],
        "daily": {"1": ["fear"], "2e": ["fly"], "3e": ["web", "aid"], "3": ["jump"]}, "rest": {"1": ["bane"]},
        "spells": {"1": {"spells": ["sleep"]}, "0": {"spells": ["mending"]}},
    }  # fmt: skip
    lines = card({**MAGE, "spellcasting": [cast]}).splitlines()
    place = lines.index("Spellcasting. It casts:")
    assert lines[place + 1 : place + 10] == [
        "At will: light", "1/rest: bane", "3/day: jump", "3/day each: web, aid", "2/day: fly", "1/day: fear",
        "Rituals: augury", "Cantrips (at will): mending", "1st level: sleep",
    ]  # fmt: skip


def test_who_is_small_or_medium_is_medium_like_most_of_them() -> None:
    assert blocks(packed({"monster": [MAGE]}))[0].fields["size"] == "medium"


def test_limits_of_a_card_of_5etools_are_counters() -> None:
    (b,) = blocks(packed({"monster": [MAGE]}))
    assert set(b.counters) == {
        '"Legendary actions" 3 reset=turn',
        "Breath 1 reset=1d6>=5",
        '"Slots 1" 4 reset=long',
        "Fly 2 reset=long",
        "Fear 1 reset=long",
    }


MODS = {
    "*": {"mode": "replaceTxt", "replace": "moves", "with": "swims"},
    "action": [
        {"mode": "replaceArr", "replace": "Rend", "items": {"name": "Tear", "entries": ["It tears."]}},
        {"mode": "removeArr", "names": "Dart"},
    ],
    "trait": {"mode": "appendArr", "items": {"name": "Wet", "entries": ["It drips."]}},
}


def test_a_copy_has_what_it_changes() -> None:
    copy = {"name": "Wet Mage", "source": "BOG", "_copy": {"name": "Bog Mage", "source": "BOG", "_mod": MODS}}
    there = blocks(packed({"monster": [MAGE, copy]}))[1].card
    assert "It tears." in there
    assert "It drips." in there
    assert "It swims." in there
    assert "Rend" not in there
    assert "Dart" not in there
    # The creature that it copies is in another file: the card says what is different.
    elsewhere = card(copy)
    assert "Tear. It tears. (instead of rend)" in elsewhere
    assert "Without: dart" in elsewhere


def test_a_copy_of_a_creature_in_another_file_is_changed_like_one_of_its_own() -> None:
    copy = {"name": "Wet Mage", "source": "BOG", "_copy": {"name": "Bog Mage", "source": "BOG", "_mod": MODS}}
    drop = {
        "name": "Drop",
        "source": "BOG",
        "_copy": {"name": "Wet Mage", "source": "BOG"},
        "hp": {"average": 1},
    }
    files = ({"monster": [drop]}, {"monster": [copy]}, {"monster": [MAGE]})
    parts = [Source(str(i), held(packed(one))) for i, one in enumerate(files)]
    found = {b.name: b for b in gathered(parts).blocks}
    together = blocks(packed({"monster": [MAGE, copy, drop]}))
    assert [found[b.name] for b in together] == together
    assert "Unlike" not in found["Drop"].card


CHANGES: list[tuple[dict[str, Any], str, str]] = [
    ({"*": {"mode": "replaceTxt", "replace": "\\bit\\b", "with": "the Mage", "flags": "i"}},
     "Hot. the Mage moves.", ""),
    ({"*": {"mode": "replaceTxt", "replace": "(^| )moves", "with": "$1swims"}}, "Hot. It swims.", "moves"),
    ({"*": {"mode": "replaceTxt", "replace": "ov", "with": "e"}}, "Hot. It mees.", ""),
    ({"*": {"mode": "replaceTxt", "replace": "WIZARD", "with": "cook"}}, "(wizard)", "cook"),
    ({"action": {"mode": "insertArr", "index": 1, "items": {"name": "Kick", "entries": ["It kicks."]}}},
     "Kick. It kicks.\nDart.", ""),
    ({"action": {"mode": "replaceArr", "replace": {"index": 0}, "items": {"name": "Kick", "entries": []}}},
     "Kick.", "Rend"),
    ({"languages": {"mode": "appendIfNotExistsArr", "items": ["Deep", "Deep"]}}, "Common, Deep\n", ""),
    ({"_": {"mode": "setProp", "prop": "gear", "value": None}}, "Cantrips", "Gear"),
    ({"_": {"mode": "addSkills", "skills": {"arcana": 1}}}, "Arcana +6", ""),
    ({"_": {"mode": "replaceSpells", "spells": {"1": [{"replace": "{@spell bane}", "with": "aid"}]}}},
     "1st level (4 slots): aid", "bane"),
    ({"_": {"mode": "addSpells", "spells": {"2": {"slots": 3, "spells": ["web"]}}, "will": ["jump"]}},
     "2nd level (3 slots): web", "Unlike"),
    ({"_": {"mode": "removeSpells", "daily": {"2e": ["{@spell fly}"]}}}, "Cantrips", "fly:"),
]  # fmt: skip


@pytest.mark.parametrize(("mods", "there", "gone"), CHANGES, ids=lambda x: str(x)[:60])
def test_each_change_of_a_copy_is_made(mods: dict[str, Any], there: str, gone: str) -> None:
    copy = {"name": "Wet Mage", "source": "BOG", "_copy": {"name": "Bog Mage", "source": "BOG", "_mod": mods}}
    base = {**MAGE, "trait": [{"name": "Hot", "entries": ["It moves."]}]}
    made = blocks(packed({"monster": [base, copy]}))[1].card
    assert there in made
    assert not gone or gone not in made


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (["U"], "unaligned"),
        (["L", "NX", "C", "E"], "any evil alignment"),
        (["L", "NX", "C", "NY", "E"], "any non-good alignment"),
        (["L", "G", "NY", "E"], "any lawful alignment"),
        ([{"alignment": ["N", "G"]}, {"alignment": ["N", "E"]}], "neutral good or neutral evil"),
    ],
)
def test_an_alignment_of_5etools(codes: list[Any], words: str) -> None:
    assert f"(wizard), {words}, challenge" in card({**MAGE, "alignment": codes})


PRINTED = ("5etools", "5e-bits", "Open5e", "Improved Initiative")


@pytest.mark.parametrize("shape", [s for s in SHAPES.values() if s.title in PRINTED], ids=lambda s: s.title)
def test_a_card_repeats_no_number_and_leaves_none_out(shape: Shape) -> None:
    (b,) = blocks(shape.data)
    first = [line for line in b.card.splitlines() if line.startswith(("AC 13", "HP 22"))]
    assert len(first) == 1
    assert "HP 22" in first[0]
    assert len([line for line in b.card.splitlines() if "Dex 14 (+2)" in line]) == 1


def test_a_block_of_obsidian_keeps_what_it_lists() -> None:
    block = {
        "name": "Bog Cat",
        "hp": 4,
        "ac": 12,
        "stats": [10, 12, 5, 13, 12, 18],
        "saves": [16, 12],
        "skillsaves": [{"stealth": 4}],
        "damage_resistances": "none",
        "spells": ["It casts.", {"1st level (2 slots)": "bane"}, {"name": "Hiss", "desc": "It hisses."}],
    }
    lines = blocks(packed([block]))[0].card.splitlines()
    for line in ("Saves: 16, 12", "Skills: Stealth +4", "1st level (2 slots): bane", "Hiss. It hisses."):
        assert line in lines
    assert not [line for line in lines if line.startswith("Resists")]


def test_spells_of_5e_bits_that_no_text_names_are_listed() -> None:
    spells = [{"name": "Fear", "usage": {"type": "at will"}}, {"name": "Jump", "usage": {"type": "at will"}},
              {"name": "Wish", "usage": {"type": "per day", "times": 2}}]  # fmt: skip
    cast = {"name": "Spellcasting", "desc": "It casts:", "spellcasting": {"dc": 17, "spells": spells}}
    (b,) = blocks(packed([{**FIVE_BITS, "actions": [cast]}]))
    assert "At will: Fear, Jump\n2/Day each: Wish" in b.card
    assert b.counters == ("Wish 2 reset=long",)
    cast = {**cast, "desc": "It casts:\n- At will: fear, jump\n- 2/day: wish"}
    assert "2/Day" not in blocks(packed([{**FIVE_BITS, "actions": [cast]}]))[0].card


OGRE: dict[str, Any] = {
    "name": "Adult Bog Ogre", "source": "X", "size": ["H"], "type": "giant", "cr": "5",
    "hp": {"average": 60, "formula": "8d12"}, "ac": [12], "str": 18, "dex": 8, "con": 14, "int": 6, "wis": 10,
    "cha": 7, "save": {"con": "+5"}, "skill": {"athletics": "+7"}, "senses": ["darkvision 30 ft."],
    "variant": [{"name": "Wet", "entries": ["Wetter."]}],
    "trait": [{"name": "Bog Sense", "entries": ["The ogre knows the bog. See {@spell bog}."]}],
    "action": [{"name": "Club", "entries": ["{@hit 7} to hit, {@dc 15}, cold bog and hot bog."]}],
}  # fmt: skip
SPIT = (
    "<$title_short_name$> spits ({@dc <$spell_dc__con$>}, {@hit <$to_hit__str$>}): "
    "<$damage_avg__2.5+str$> (1d4<$damage_mod__str$>). <$unknown$>"
)
LESS: dict[str, Any] = {"name": "Lesser", "source": "Y", "apply": {
    "_root": {"type": {"type": "giant", "tags": ["lesser"]}, "ac": [9], "size": ["T"]},
    "_mod": {
        "_": [{"mode": "maxSize", "max": "L"},
              {"mode": "addSenses", "senses": [{"type": "darkvision", "range": 60}]},
              {"mode": "addSkills", "skills": {"stealth": 2, "athletics": 1}},
              {"mode": "addAllSaves", "saves": 1}, {"mode": "scalarMultXp", "scalar": 0.5}],
        "hp": [{"mode": "scalarMultProp", "prop": "average", "scalar": 0.5},
               {"mode": "prefixSuffixStringProp", "prop": "formula", "prefix": "half of ", "suffix": "!"}],
        "save": {"mode": "scalarAddProp", "prop": "*", "scalar": -2},
        "action": [{"mode": "scalarAddHit", "scalar": -2}, {"mode": "scalarAddDc", "scalar": -3},
                   {"mode": "appendArr", "items": {"name": "Spit", "entries": [SPIT]}}],
        "trait": {"mode": "renameArr", "renames": [{"rename": "Bog Sense", "with": "Less Sense"}]},
    }}}  # fmt: skip


def copied(*, template: bool, **changes: Any) -> list[str]:
    """The card of a copy of the ogre, made with the template, which may be in another file or nowhere."""
    asked = {"_templates": [{"name": "Lesser", "source": "Y"}], **changes}
    row = {"name": "Small Bog Ogre", "source": "X", "_copy": {"name": OGRE["name"], "source": "X", **asked}}
    files = [{"monster": [row]}, {"monster": [OGRE]}, *([{"monsterTemplate": [LESS]}] if template else [])]
    found = gathered([Source(str(i), held(packed(x))) for i, x in enumerate(files)])
    return next(b for b in found.blocks if b.name == "Small Bog Ogre").card.splitlines()


def test_a_template_of_5etools_is_applied_where_a_file_of_the_import_holds_it() -> None:
    lines = copied(template=True)
    for line in (
        "Tiny giant (lesser), challenge 5", "AC 9, HP 30 (half of 8d12!)", "Senses: darkvision 60 ft.",
        "Saves: Str +7, Dex +2, Con +5, Int +1, Wis +3, Cha +1", "Skills: Athletics +7, Stealth +5",
        "Less Sense. The ogre knows the bog. See bog.",
        "Club. +5 to hit, DC 12, cold bog and hot bog.",
        "Spit. The small bog ogre spits (DC 13, +7): 6 (1d4 + 4). <$unknown$>",
    ):  # fmt: skip
        assert line in lines, lines
    assert "Wet. Wetter." not in lines, "a copy has no variants of its own"
    assert not [line for line in lines if "template" in line]
    assert "With the template: Lesser" in copied(template=False)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"replace": "bog", "with": "fen"}, "Bog Sense. The ogre knows the fen. See bog."),
        ({"replace": "(cold|hot) bog", "with": "$1 fen"}, "Club. +7 to hit, DC 15, cold fen and hot fen."),
        (
            {"replace": "\\bbog\\b", "with": "fen", "tagInsensitive": True},
            "Bog Sense. The ogre knows the fen. See fen.",
        ),
        ({"replace": "THE", "with": "An", "flags": "i"}, "Bog Sense. An ogre knows An bog. See bog."),
        ({"replace": "Bog", "with": "Fen", "props": ["name"]}, "Fen Sense. The ogre knows the bog. See bog."),
        ({"replace": "(o+)+x", "with": "fen"}, "Bog Sense. The ogre knows the bog. See bog."),
        ({"replace": "(a|b)(c|d)", "with": "fen"}, "Bog Sense. The ogre knows the bog. See bog."),
        ({"replace": "^(The ogre .*$)", "with": "$1!"}, "Bog Sense. The ogre knows the bog. See !bog."),
    ],
)
def test_words_of_a_copy_are_replaced_outside_of_tags_and_by_harmless_patterns(
    change: dict[str, Any], line: str
) -> None:
    assert line in copied(template=False, _mod={"*": {"mode": "replaceTxt", **change}})


def test_a_file_of_templates_alone_holds_no_creature() -> None:
    found = held(packed({"monsterTemplate": [LESS]}))
    assert gathered([Source("t.json", found)]).blocks == ()


def test_marks_of_the_site_are_on_no_card() -> None:
    lines = blocks(
        packed([{**OGRE, "__prop": "monster", "_isCopy": True, "_copy_templates": [{"name": "L"}]}])
    )[0].card
    assert "prop" not in lines.lower()
    assert "copy" not in lines.lower()


def note(body: str, *more: str) -> bytes:
    """A note of Obsidian with a stat block, and more blocks below it."""
    lines = ["```statblock", '"name": "Bog Cat (BOG)"', '"hp": !!int "9"', "ac: 12", body, "```", *more]
    return "\n".join(lines).encode()


def test_a_note_has_words_for_links_that_go_over_lines_and_for_codes_of_other_plugins() -> None:
    hiss = (
        'traits:\n  - name: Hiss\n    desc: "`pf2:r` It casts [hunger of\\\n      \\ mud](/spells/mud.md)'
        ' for `dice: 2d6+1` (2d6 + 1) or `dice:1d4` damage. __7th __ more."\nforcecolumns: true'
    )
    lines = blocks(note(hiss))[0].card.splitlines()
    assert "Hiss. (reaction) It casts hunger of mud for (2d6 + 1) or 1d4 damage. 7th more." in lines, lines
    assert not [line for line in lines if line.startswith("Forcecolumns")]


def test_a_dash_for_nothing_is_no_list() -> None:
    assert blocks(note("languages: -\ncr: 1"))[0].hp == 9


def test_a_text_without_a_name_stands_alone_and_nothing_is_printed_none() -> None:
    body = "stats: [1, 2, 3, 4, 5, 6]\nsaves: [null, null]\nlair_actions:\n  - desc: It sinks."
    lines = blocks(note(body))[0].card.splitlines()
    assert "It sinks." in lines
    assert not [line for line in lines if "None" in line or "Desc" in line]


def test_an_encounter_that_only_names_the_creature_of_its_note_is_no_second_creature() -> None:
    table = ("```encounter-table", "creatures:", " - {}: Bog Cat", "```")
    alone = [line.format(1) for line in table]
    assert [b.name for b in blocks(note("cr: 1", *alone))] == ["Bog Cat (BOG)"]
    three = gathered([Source("a.md", held(note("cr: 1", *(line.format(3) for line in table))))])
    assert [(b.name, b.hp) for b in three.blocks] == [("Bog Cat (BOG)", 9), ("Bog Cat", 9)]
    assert three.many == {"Bog Cat": "3"}
    away = gathered([Source("a.md", held(note("cr: 1"))), Source("b.md", held("\n".join(alone).encode()))])
    assert [(b.name, b.hp) for b in away.blocks] == [("Bog Cat (BOG)", 9), ("Bog Cat", 9)]


def test_a_card_of_open5e_has_no_labels_of_its_file() -> None:
    entry = {
        **samples.V1,
        "desc": "False",
        "group": "Bogs",
        "damage_vulnerabilities": "False",
        "languages": "Common,Deep Speech",
        "legendary_desc": "It takes 2.",
        "legendary_actions": [
            {"name": "Move", "desc": "It moves in a Sphere [Area of Effect]|XPHB|Sphere of 5 ft ."}
        ],
    }
    lines = blocks(packed(entry))[0].card.splitlines()
    assert "Languages: Common, Deep Speech" in lines
    place = lines.index("Legendary actions")
    assert lines[place + 1 : place + 3] == ["It takes 2.", "Move. It moves in a Sphere of 5 ft."]
    assert not [line for line in lines if "False" in line or "Bogs" in line]
    entry |= {"desc": "It lurks."}
    assert blocks(packed(entry))[0].card.splitlines()[-1] == "It lurks."


def test_attacks_that_a_book_of_open5e_shortens_say_reach_and_hit() -> None:
    texts = (
        "Melee Weapon Attack: +5 to hit, 5 ft., one creature,. 7 (1d8+3) piercing.&amp;nbsp;It bites.",
        "Ranged Weapon Attack: +5 to hit, 60 ft., one target,. 4 damage.",
        "Melee Weapon Attack: +6 to hit, 10 ft., one target, 11 (2d6+4) cold damage.",
        "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 damage.",
    )
    entry = {**samples.V1, "actions": [{"name": "Bite", "desc": text} for text in texts]}
    lines = blocks(packed(entry))[0].card.splitlines()
    assert [line for line in lines if line.startswith("Bite")] == [
        "Bite. Melee Weapon Attack: +5 to hit, reach 5 ft., one creature. Hit: 7 (1d8+3) piercing. It bites.",
        "Bite. Ranged Weapon Attack: +5 to hit, range 60 ft., one target. Hit: 4 damage.",
        "Bite. Melee Weapon Attack: +6 to hit, reach 10 ft., one target. Hit: 11 (2d6+4) cold damage.",
        "Bite. Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 damage.",
    ]


def test_marks_of_tables_and_headings_go_and_spells_have_lines_of_their_own() -> None:
    text = (
        "It casts: At will: jump 3/day each:fly, fear. 1st level (2 slots): bane \u2022 web\n"
        "# Lair\n| d4 | Fate |\n|----|:----:|\n| 1 | Doom |\n" + 2 * "It repeats this whole line.\n"
    )
    entry = {
        **samples.V1,
        "special_abilities": [{"name": "Magic", "desc": text.replace("jump 3", "jump. 3")}],
    }
    (b,) = blocks(packed(entry))
    lines = b.card.splitlines()
    place = lines.index("Magic. It casts:")
    assert lines[place + 1 : place + 9] == [
        "At will: jump.", "3/day each: fly, fear.", "1st level (2 slots): bane", "\u2022 web", "Lair",
        "d4 | Fate", "1 | Doom", "It repeats this whole line.",
    ]  # fmt: skip
    assert {'"Slots 1" 2 reset=long', "Fly 3 reset=long"} <= set(b.counters)


def test_a_text_in_several_paragraphs_is_one_part_of_a_card() -> None:
    text = "It casts these:\n\nAt will: light , fog ; mist\n \n3/day: fly"
    entry = {**samples.V1, "special_abilities": [{"name": "Magic,", "desc": text}]}
    lines = blocks(packed(entry))[0].card.splitlines()
    place = lines.index("Magic. It casts these:")
    assert lines[place + 1 : place + 3] == ["At will: light, fog; mist", "3/day: fly."]


PATHFINDER_NOTE = """# Mire Warden

```statblock
layout: Basic Pathfinder 2e Layout
columns: 2
source: "MW"
name: "Mire Warden"
level: "Creature 5"
rare_02: "Uncommon"
alignment: "N"
size: "Large"
trait_03: "Fey"
modifier: 14
perception:
  - name: "Perception"
    desc: "Perception +12; __darkvision__;"
languages: "Sylvan;  telepathy 30 feet;"
skills:
  - name: "Skills"
    desc: "__Athletics__: +13 (1d20+13); __Stealth__: +9 (1d20+9); "
abilityMods: [4, 1, 3, -2, 2, 0]
abilities_mid:
  - name: "Parry"
    desc: "⬲ (concentrate,mental); __Frequency__ once per day; __Trigger__ A foe hits."
abilities_bot:
  - name: "Flood"
    desc: "⬺ The warden deals 4d6 (4d6) cold damage (@Check[reflex|dc:22|basic])."
ac: 21
armorclass:
  - name: AC
    desc: "21;  (23 when wary);; __Fort__: +12 (1d20+12); __Ref__: +9 (1d20+9); __Will__: +8 (1d20+8);"
hp: 80
health:
  - name: HP
    desc: "80;  __Immunities__ sleep, cold; __Resistances__ fire 5;"
speed: 20 feet, swim 30 feet
attacks:
  - name: Melee
    desc: "⬻ claw +15 ([[reach|reach 10 feet]]); __Damage__ 2d8+6 (2d8+6) slashing plus Grab"
spellcasting:
  - name: "Primal Spells"
    desc: "DC 22; __2nd__ (3 slots) [[fear]]; __1st__ grease (2); __Constant__ __(1st)__ know direction;"
sourcebook: "_Mire Book_, page 3."
```
"""


def test_a_note_of_pathfinder_is_a_stat_block_without_its_signs_and_dice_said_twice() -> None:
    (block,) = blocks(PATHFINDER_NOTE.encode())
    assert block.card.splitlines() == [
        "Creature 5, Uncommon, N, Large, Fey",
        "Perception +12; darkvision",
        "Languages: Sylvan; telepathy 30 feet",
        "Skills: Athletics +13; Stealth +9",
        "Str +4, Dex +1, Con +3, Int -2, Wis +2, Cha +0",
        "",
        "AC 21; (23 when wary); Fort +12; Ref +9; Will +8",
        "HP 80; Immunities sleep, cold; Resistances fire 5",
        "Parry (1/day, reaction). (concentrate, mental); Frequency: once per day; Trigger: A foe hits.",
        "",
        "Speed: 20 feet, swim 30 feet",
        "Melee (1 action). claw +15 (reach 10 feet), damage 2d8+6 slashing plus Grab",
        "",
        "Primal Spells. DC 22",
        "Rank 2 (3 slots): fear",
        "Rank 1: grease (2)",
        "Constant (rank 1): know direction",
        "",
        "Flood (2 actions). The warden deals 4d6 cold damage (reflex dc 22 basic).",
        "",
        "Source: Mire Book, page 3.",
    ]
    assert (block.initiative, block.hp, block.ac) == (14, 80, 21)
    assert block.fields == {
        "per": 12, "int": 6, "size": "large", "stealth": 9, "passive": 22, "con": 12, "immune": "cold",
        "saves": "fort+12 ref+9 will+8", "attacks": "Flood dc22 ref 4d6 cold half",
    }  # fmt: skip
    assert block.counters == ("Parry 1 reset=long", '"Slots 2" 3 reset=long')


def test_a_newer_note_of_pathfinder_has_its_numbers_as_values() -> None:
    (block,) = blocks(samples.packed([samples.PATHFINDER_BLOCK]))
    assert block.card.splitlines() == [
        "Creature 2",
        "Perception +8; darkvision",
        "Skills: Stealth +7 (+9 in mud), Athletics +6",
        "Dex +3, Int -1",
        "",
        "AC 17 (19 in mud); Fort +5, Will +8",
        "HP 30; Hardness 2; Immunities poison",
        "",
        "Melee tail (1 action). +9 (agile), damage 1d8+3 slashing",
        "Moor Spells. DC 17",
        "Rank 2: fog",
        "",
        "Innate. DC 18, attack +8, 1 focus point",
        "Rank 1: fear",
    ]
    numbers = {"per": 8, "int": 8, "stealth": 7, "passive": 18, "con": 5}
    assert block.fields == {**numbers, "immune": "poison", "saves": "fort+5 will+8"}
