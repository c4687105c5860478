"""Every shape: the numbers go where they belong, and what has no place of its own is on the card."""

from __future__ import annotations

import pytest

from tests.exchange import samples
from tests.exchange.samples import SHAPES
from tui.core.fight.combatant import StatBlock
from tui.exchange.document import Unreadable
from tui.exchange.gathering import Source, gathered
from tui.exchange.mapping import Imported
from tui.exchange.registry import Understood, formats, understood
from tui.store.problems import BadFile
from tui.store.safetoml import safe_toml


def toml(data: bytes) -> dict[str, object]:
    try:
        return safe_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def held(data: bytes) -> Understood:
    return understood(data, toml)


def blocks(data: bytes) -> list[StatBlock]:
    return list(gathered([Source("it", held(data))]).blocks)


@pytest.mark.parametrize("name", SHAPES)
def test_a_creature_is_the_same_in_every_shape(name: str) -> None:
    shape = SHAPES[name]
    assert held(shape.data).title == shape.title
    (b,) = blocks(shape.data)
    assert (b.name, b.hp, b.hp_dice, b.ac, b.initiative) == (
        "Bog Lurker",
        22,
        shape.hp_dice,
        13,
        shape.initiative,
    )
    numbers = {"per": 3, "int": 6, "size": "large", "stealth": 6, "passive": 13, "con": shape.con}
    if shape.title == "Foundry dnd5e":
        # Its program works the others out of training.
        numbers = {"int": 6, "size": "large"}
    assert {k: v for k, v in b.fields.items() if k not in ("saves", "resist", "immune")} == numbers
    assert "Grab" in b.card or name in ("csv", "tsv")
    assert samples.DESC in b.card


def test_every_format_is_tried_here() -> None:
    tried = {shape.title for shape in SHAPES.values()} | {
        "Obsidian Initiative Tracker",
        "5etools encounter",
    }
    assert {f.title for f in formats()} == tried


def test_a_note_with_name_hit_points_and_armour_is_a_creature() -> None:
    (b,) = blocks(b"---\nname: Bog Lurker\nsize: Large\nhp: 22\nac: 13\ninitiative: 2\n---\n# The bog\n")
    assert (b.name, b.hp, b.ac, b.initiative, b.fields) == ("Bog Lurker", 22, 13, 2, {"size": "large"})


def test_a_hazard_rolls_stealth_and_0_hit_points_are_none() -> None:
    (b,) = blocks(samples.packed(samples.HAZARD))
    assert (b.hp, b.ac, b.initiative, b.fields) == (
        None,
        None,
        8,
        {"size": "medium", "stealth": 8},
    )
    assert "Disable: DC 18 Survival" in b.card


def test_what_pf2e_said_before_is_on_the_card() -> None:
    (b,) = blocks(samples.packed(samples.PF2E_OLD))
    assert "It waits." in b.card
    assert "Older traits: bog" in b.card


def test_a_part_of_a_note_is_no_name() -> None:
    text = (
        "# Bog Lurker\n\n> [!infobox]\n> # Bog Lurker\n> ###### Main Info\n"
        "> | Large beast | |\n> | --- | --- |\n> AC: 13\n> HP: 22\n"
    )
    (b,) = blocks(text.encode())
    assert (b.name, b.hp, b.ac) == ("Bog Lurker", 22, 13)


def test_a_note_that_begins_with_a_link_is_no_toml() -> None:
    (b,) = blocks(f"[[The Bog]]\n\n{samples.TEXT}".encode())
    assert b.name == "Bog Lurker"


@pytest.mark.parametrize(
    "row",
    [
        "- 2: {creature: '[[bog-lurker|Bog Lurker]]', hp: 22, ac: 13, mod: 2}",
        "- creature: Bog Lurker\n    hp: 22\n    ac: 13\n    mod: 2",
    ],
)
def test_a_table_of_obsidian(row: str) -> None:
    text = f"```encounter\nname: Bog\ncreatures:\n  {row}\n```\n"
    assert held(text.encode()).title == "Obsidian Initiative Tracker"
    (b,) = blocks(text.encode())
    assert (b.name, b.hp, b.ac, b.initiative) == ("Bog Lurker", 22, 13, 2)


@pytest.mark.parametrize(
    "text",
    [
        "- 2: [[bog|Bog Lurker]], 22, 13, 2\n",
        "- 3: Bog Lurker, 22, 13, 2, 450\n",
        "```encounter\nname: Bog\ncreatures:\n  - 3: Bog Lurker, 22, 13, 2\n```\n",
    ],
)
def test_a_line_of_obsidian(text: str) -> None:
    assert held(text.encode()).title == "Obsidian Initiative Tracker"
    (b,) = blocks(text.encode())
    assert (b.name, b.hp, b.ac, b.initiative) == ("Bog Lurker", 22, 13, 2)


@pytest.mark.parametrize(
    ("rows", "many"),
    [
        ("- 3: Goblin\n  - Ogre\n", {"Goblin": "3"}),
        ("- 1d4: [[goblin|Goblin]]\n  - 1: Ogre\n", {"Goblin": "1d4"}),
        ("- 3: Goblin, 7, 15, 2\n  - Ogre\n", {"Goblin": "3"}),
        ("- 3: {creature: Goblin, hp: 7}\n  - creature: Ogre\n    hp: 59\n", {"Goblin": "3"}),
    ],
)
def test_an_encounter_of_obsidian_says_how_many_and_may_say_names_alone(
    rows: str, many: dict[str, str]
) -> None:
    text = f"```encounter\nname: Gate\ncreatures:\n  {rows}```\n"
    found = gathered([Source("gate.md", held(text.encode()))])
    assert [b.name for b in found.blocks] == ["Goblin", "Ogre"]
    assert found.many == many


@pytest.mark.parametrize("text", ["- Goblin\n- Ogre\n", "creatures: Goblin\n", "# creatures:\n\n- Goblin\n"])
def test_a_list_of_names_is_no_encounter(text: str) -> None:
    with pytest.raises(Unreadable):
        held(text.encode())


def test_a_copy_takes_what_it_does_not_say_itself() -> None:
    mother = next(b for b in blocks(samples.packed(samples.TOOLS)) if b.name == "Bog Mother")
    assert (mother.hp, mother.ac, mother.fields["stealth"]) == (40, 13, 6)


def test_markup_and_tags_are_read_and_not_shown() -> None:
    (lurker, _) = blocks(samples.packed(samples.TOOLS))
    assert "+6, 1d6, an ape" in lurker.card
    actor = samples.packed(samples.ACTOR).replace(
        b"<p>", b"<p onclick='x'><script>alert(1)</script>\\u001b[2J&lt;b&gt;"
    )
    (b,) = blocks(actor)
    assert "<" not in b.card.replace("<b>", "")
    assert "\x1b" not in b.card
    assert "http://x/y.png" not in blocks(samples.packed(samples.V1))[0].card


def test_two_stat_blocks_in_one_text_are_two_creatures() -> None:
    other = samples.TEXT.replace("Bog Lurker", "Bog Mother").replace("22 (4d8 + 4)", "40")
    found = blocks(f"A bog, told at length.\n\n{samples.TEXT}\n\n{other}".encode())
    assert [(b.name, b.hp) for b in found] == [("Bog Lurker", 22), ("Bog Mother", 40)]


def test_a_number_of_its_own_comes_before_dexterity() -> None:
    assert blocks(samples.packed({**samples.V1, "initiative_bonus": 7}))[0].initiative == 7
    assert blocks(samples.TEXT.replace("Speed", "Initiative +9 (19)\nSpeed").encode())[0].initiative == 9


# --- encounters of 5etools


def test_an_encounter_of_5etools_names_its_creatures() -> None:
    data = {
        "items": [{"h": "bog%20lurker_mb", "c": "3"}, {"h": "bog%20mother_mb", "c": "1"}, {"h": "_", "c": 1}]
    }
    encounter = held(samples.packed({**data, "fileType": "encounter"}))
    assert encounter.title == "5etools encounter"
    assert len(encounter.problems) == 1
    saves = held(
        samples.packed(
            {"fileType": "bestiary-saves", "saves": [{"id": "a", "entity": {**data, "name": "Ambush"}}]}
        )
    )
    assert saves.entries == encounter.entries
    alone = gathered([Source("e.json", encounter)])
    assert ([b.name for b in alone.blocks], alone.many) == (["Bog Lurker", "Bog Mother"], {"Bog Lurker": "3"})
    assert all(b.bare for b in alone.blocks)
    both = gathered([Source("e.json", encounter), Source("b.json", held(samples.packed(samples.TOOLS)))])
    assert [(b.name, b.hp) for b in both.blocks] == [("Bog Lurker", 22), ("Bog Mother", 40)]
    assert both.clashes == ()


# --- several files together


def test_a_copy_of_a_creature_in_another_file_is_that_one_with_what_it_says_itself() -> None:
    lurker, mother = samples.TOOLS["monster"]
    parts = [Source(str(i), held(samples.packed({"monster": [m]}))) for i, m in enumerate((mother, lurker))]
    found = next(b for b in gathered(parts).blocks if b.name == "Bog Mother")
    assert (found.hp, found.ac, found.initiative, found.fields["stealth"]) == (40, 13, 6, 6)
    assert samples.DESC in found.card


def source(file: str, **changes: object) -> Source:
    return Source(file, held(samples.packed({**samples.V1, **changes})))


def test_the_same_creature_twice_is_one() -> None:
    assert len(gathered([source("a"), source("b")]).blocks) == 1


def test_of_two_of_one_name_and_book_that_differ_one_is_taken_and_the_other_named() -> None:
    parts = [source("a.json"), source("in/b.json", hit_points=30), source("c.json", name="Other")]
    for over, points, taken, left in ((False, 22, "a.json", "in/b.json"), (True, 30, "in/b.json", "a.json")):
        found = gathered(parts, over=over)
        assert [(b.name, b.hp) for b in found.blocks] == [("Bog Lurker", points), ("Other", 22)]
        assert [(x.name, x.taken, x.left) for x in found.clashes] == [("Bog Lurker", taken, left)]
    assert [b.hp for b in gathered(parts).lasting] == [30, 22]


def test_two_of_one_name_from_two_books_are_told_apart() -> None:
    found = gathered([source("a"), source("b", document__title="Theirs", hit_points=30)]).blocks
    assert [b.name for b in found] == ["Bog Lurker (My Bestiary)", "Bog Lurker (Theirs)"]


def test_what_a_file_says_of_anothers_creature_is_on_its_card() -> None:
    creature, action = samples.DUMP2
    found = gathered(
        [Source("a", held(samples.packed([action]))), Source("b", held(samples.packed([creature])))]
    )
    assert samples.DESC in found.blocks[0].card


def test_every_value_says_from_where_it_came() -> None:
    rows = {to: path for to, path, _ in gathered([source("a")]).rows}
    assert rows["ac"] == "armor_class"
    assert rows["per"] == "perception"
    assert all(isinstance(x, Imported) for x in source("a").held.entries)


# --- what is limited and what it withstands, of every format that says it


FEATURES: dict[str, dict[str, object]] = {
    "open5e v1": {"damage_immunities": "fire", "damage_resistances": "cold; slashing from nonmagical attacks",
                  "condition_immunities": "charmed",
                  "actions": [{"name": "Spit (Recharge 5-6)", "desc": "It spits."}]},
    "open5e v2": {"resistances_and_immunities": {"damage_immunities_display": "fire",
    "damage_resistances_display": "cold",
                  "condition_immunities_display": "charmed"},
                  "actions": [{"name": "Spit", "desc": "It spits.", "action_type": "ACTION",
                  "usage_limits": {"type": "RECHARGE_ON_ROLL", "param": 5}}]},
    "5e-bits": {"damage_immunities": ["fire"], "damage_resistances": ["cold"],
    "condition_immunities": [{"name": "charmed"}],
                "actions": [{"name": "Spit", "desc": "It spits.",
                "usage": {"type": "recharge on roll", "dice": "1d6", "min_value": 5}, "dc": {"x": 1}}]},
    "improved initiative": {"DamageImmunities": ["fire"], "DamageResistances": ["cold"],
    "ConditionImmunities": ["charmed"],
                            "Actions": [{"Name": "Spit", "Content": "It spits.", "Usage": "Recharge 5-6"}]},
    "5etools": {"immune": ["fire"],
    "resist": ["cold", {"resist": ["slashing"], "note": "from nonmagical attacks", "cond": True}],
                "conditionImmune": ["charmed"],
                "action": [{"name": "Spit {@recharge 5}", "entries": ["It spits."]}]},
}  # fmt: skip


@pytest.mark.parametrize("name", FEATURES)
def test_every_format_fills_what_the_engine_knows(name: str) -> None:
    entry = samples.unpacked(SHAPES[name].data)
    rows = entry["monster"] if isinstance(entry, dict) and "monster" in entry else entry
    row = rows[0] if isinstance(rows, list) else rows
    (b,) = blocks(samples.packed({**row, **FEATURES[name]}))
    assert (b.fields["immune"], b.fields["resist"]) == ("fire", "cold")
    assert b.counters == ("Spit 1 reset=1d6>=5",)
    assert "Spit (Recharge 5" in b.card
    assert "charmed" in b.card
    assert "fire" in b.card
    assert "Dc" not in b.card


def test_a_stat_block_as_text_fills_them_too() -> None:
    text = samples.TEXT.replace("Senses", "Damage Immunities fire\nDamage Resistances cold\nSenses")
    (b,) = blocks(f"{text}Spit (Recharge 5-6). It spits.\n".encode())
    assert {k: b.fields[k] for k in ("immune", "resist", "saves")} == {
        "immune": "fire",
        "resist": "cold",
        "saves": "con+3",
    }
    assert b.counters == ("Spit 1 reset=1d6>=5",)


def test_names_of_skills_and_saves_are_kept() -> None:
    (b,) = blocks(SHAPES["improved initiative"].data)
    assert "Skills: Perception +3, Stealth +6" in b.card.splitlines()
    assert "Saves: Con +3" in b.card.splitlines()


def test_pf2e_tells_what_it_withstands_and_what_is_rolled() -> None:
    actor = samples.unpacked(SHAPES["foundry pf2e"].data)
    actor["system"]["attributes"] |= {
        "immunities": [{"type": "fire"}, {"type": "sleep"}],
        "weaknesses": [{"type": "cold", "value": 15}],
        "resistances": [{"type": "physical", "value": 5, "exceptions": ["silver"]}],
        "speed": {"value": 25, "otherSpeeds": [{"type": "fly", "value": 60}]},
    }
    actor["system"]["perception"] |= {"senses": [{"type": "scent", "acuity": "imprecise", "range": 30}]}
    check = "@Check[fortitude|dc:21|basic]"
    text = f"<p>@Damage[2d6[fire]] ({check} save) in a @Template[type:cone|distance:30].</p>"
    jaws = {
        "bonus": {"value": 9},
        "damageRolls": {"a": {"damage": "1d8+4", "damageType": "piercing"}},
        "traits": {"value": ["reach-10"]},
    }
    actor["items"] = [
        {"name": "Breath", "type": "action",
        "system": {"description": {"value": text}, "frequency": {"max": 1, "per": "day"},
                                                        "actions": {"value": 2}}},
        {"name": "Jaws", "type": "melee", "system": jaws},
    ]  # fmt: skip
    (b,) = blocks(samples.packed(actor))
    for line in (
        "Immunities: fire, sleep",
        "Resistances: physical, 5, exceptions silver",
        "Weaknesses: cold, 15",
        "Speed: 25, other speeds fly, 60",
        "Perception: 3",
        "Senses: scent, acuity imprecise, range 30",
        "Jaws. +9, (reach-10), damage 1d8+4 piercing.",
        "Breath (1/day). 2 actions. 2d6 fire (fortitude dc 21 basic save) in a cone distance 30.",
    ):
        assert line in b.card.splitlines(), b.card
    assert b.fields["immune"] == "fire"
    assert "resist" not in b.fields


# --- notes of Obsidian

NOTE = """# The bog

```statblock
layout: Basic 5e Layout
image: [[Bog Lurker.png]]
name: [[Bog Lurker|The Bog: Lurker]]
size: Large
type: [[Monstrosity]]
ac: 13 (hide)
hp: 22
hit_dice: 4d8+4
stats: [18, 14, 12, 6, 12, 4]
skillsaves:
  - [[Perception]]: +3
condition_immunities: [[Charmed]], [[Prone|prone]]
senses: [[Darkvision]] 60 ft., passive Perception 13
traits:
  - name: Wet: always
    desc: *Mud* and "water": it
      hides in both
  - name: Quoted
    desc: "It says "mine" of everything"
actions:
  - name: Grab.
    desc: |
      Melee: +6 to hit.
      - and holds
```

The bog has Armor Class 5 and Hit Points 3.
"""


def test_links_colons_and_open_quotes_of_a_note_are_read() -> None:
    (b,) = blocks(NOTE.encode())
    assert (b.name, b.hp, b.ac, b.fields["per"], b.fields["passive"]) == ("The Bog: Lurker", 22, 13, 3, 13)
    assert "Condition immunities: Charmed, prone" in b.card
    assert 'Wet: always. Mud and "water": it hides in both' in b.card.replace("*", "")
    assert 'It says "mine" of everything' in b.card
    assert "Melee: +6 to hit.\n- and holds" in b.card


def test_a_note_with_a_block_is_what_the_block_says() -> None:
    prose = f"---\nname: Page\nhp: 5\nac: 9\n---\n{samples.TEXT}\n"
    for block in ("name: Hag\nhp: 9\nac: 12", "> name: Hag\n> hp: 9\n> ac: 12"):
        quote = "> " if block.startswith(">") else ""
        assert [
            (b.name, b.hp) for b in blocks(f"{prose}{quote}```statblock\n{block}\n{quote}```\n".encode())
        ] == [("Hag", 9)]


def test_several_blocks_of_a_note_are_several_creatures_and_what_fails_is_named() -> None:
    note = (
        "```statblock\nname: A\nhp: 1\nac: 1\n```\n\n```statblock\nname: B\nhp: [1\n```\n"
        "~~~statblock\nname: C\nhp: 3\nac: 3\n~~~\n```statblock\nnote: nothing\n```\n"
    )
    found = held(note.encode())
    assert [x.block.name for x in found.entries if isinstance(x, Imported)] == ["A", "C"]
    assert [line for line, _ in found.problems] == [10, 17]
    assert "no YAML" in found.problems[0][1]


def test_a_block_that_cannot_be_read_is_no_prose() -> None:
    note = "# Knight\n\n```statblock\nname: Knight\nhp: [180\n```\nArmor Class 20\nHit Points 52 (8d8)\n"
    with pytest.raises(Unreadable) as refused:
        held(note.encode())
    assert refused.value.line in (5, 6)


def test_a_block_may_say_that_it_is_like_another() -> None:
    note = (
        "```statblock\nname: Hag\nhp: 9\nac: 12\n```\n```statblock\nmonster: Hag\nname: Agnes\nac: 14\n```\n"
    )
    found = gathered([Source("a.md", held(note.encode()))]).blocks
    assert [(b.name, b.hp, b.ac) for b in found] == [("Hag", 9, 12), ("Agnes", 9, 14)]


@pytest.mark.parametrize(
    ("row", "name", "many", "numbers"),
    [
        ("- Hobgoblin", "Hobgoblin", "", (None, None, None)),
        ("- 2: Hobgoblin", "Hobgoblin", "2", (None, None, None)),
        ("- 2 Hobgoblin", "Hobgoblin", "2", (None, None, None)),
        ("- Hobgoblin, 12, 18, 1, 100", "Hobgoblin", "", (12, 18, 1)),
        ("- 3: Hobgoblin, hidden, 12, 18, 1", "Hobgoblin", "3", (12, 18, 1)),
        ("- [Hobgoblin, Jim]", "Jim", "", (None, None, None)),
        ("- 1d4: [Hobgoblin, Jim]", "Jim", "1d4", (None, None, None)),
        ("- [[Hobgoblin, Jim], 12, 18, 1, 100]", "Jim", "", (12, 18, 1)),
        ("- [Hobgoblin, Jim], 12, 18, 1", "Jim", "", (12, 18, 1)),
        ("- [Hobgoblin, 12, 18, 1]", "Hobgoblin", "", (12, 18, 1)),
        ("- creature: Hobgoblin\n    name: Jim\n    hp: 12\n    mod: 1", "Jim", "", (12, None, 1)),
        ("- 3: {creature: [[Hobgoblin]], name: Jim}", "Jim", "3", (None, None, None)),
        ("- 2: [[hob|Hobgoblin]], 12", "Hobgoblin", "2", (12, None, None)),
    ],
)
def test_every_way_to_write_a_row_of_an_encounter(
    row: str, name: str, many: str, numbers: tuple[int | None, ...]
) -> None:
    """Also beside others of another way."""
    text = f"```encounter\nname: Gate\ncreatures:\n  - 5: Rat\n  {row}\n  - creature: Ogre\n    hp: 59\n```\n"
    found = gathered([Source("gate.md", held(text.encode()))])
    assert [b.name for b in found.blocks] == ["Rat", name, "Ogre"]
    b = found.blocks[1]
    assert (b.hp, b.ac, b.initiative, found.like[name]) == (*numbers, "hobgoblin")
    assert found.many == {"Rat": "5", **({name: many} if many else {})}


def test_a_comma_in_brackets_is_part_of_a_name() -> None:
    text = "```encounter\ncreatures:\n  - 2: Beast (Land, 3rd level), 30, 14\n```\n"
    (b,) = blocks(text.encode())
    assert (b.name, b.hp, b.ac) == ("Beast (Land 3rd level)", 30, 14)


@pytest.mark.parametrize(
    ("more", "per"),
    [
        ({"skills_json": '{"Perception": 8}', "perception": 18}, 8),
        ({"perception": 20, "wisdom": 22}, 10),
        ({"perception": 15, "wisdom": 22}, 15),
    ],
)
def test_a_book_may_have_what_perception_is_rolled_against_in_place_of_its_bonus(
    more: dict[str, object], per: int
) -> None:
    fields = {**samples.DUMP1["fields"], "senses": "", **more}
    (b,) = blocks(samples.packed([{**samples.DUMP1, "fields": fields}]))
    assert (b.fields["per"], b.fields["passive"]) == (per, 10 + per)


def test_a_creature_of_several_rows_is_counted_together() -> None:
    text = "```encounter\ncreatures:\n  - 2: Rat\n  - Rat\n  - 4: {price: 3}\n```\n"
    found = held(text.encode())
    assert gathered([Source("a.md", found)]).many == {"Rat": "3"}
    assert [cause for _, cause in found.problems] == [
        "this row of an encounter names no creature: {'4': {'price': 3}}"
    ]


def test_what_files_say_of_a_creature_stands_under_its_heading_in_its_order() -> None:
    def action(name: str, kind: str, place: int, **more: object) -> dict[str, object]:
        fields = {"name": name, "desc": "It acts.", "parent": "my_bog-lurker", "action_type": kind,
                  "order_in_statblock": place, **more}  # fmt: skip
        return {"model": "api_v2.creatureaction", "pk": name, "fields": fields}

    trait = {"name": "Wet", "desc": "It drips.", "parent": "my_bog-lurker"}
    rows = [
        action("Tail", "LEGENDARY_ACTION", 0, legendary_action_cost=2),
        action("Bite", "ACTION", 1),
        action("Many", "ACTION", 0),
        action("Step", "BONUS_ACTION", 0, uses_type="RECHARGE", uses_param=4),
        samples.DUMP2[0],
        {"model": "api_v2.creaturetrait", "pk": "t", "fields": trait},
    ]
    (b,) = blocks(samples.packed(rows))
    ends = b.card[b.card.index("Traits") :]
    assert [line.partition(".")[0] for line in ends.splitlines() if line] == [
        "Traits",
        "Wet",
        "Actions",
        "Many",
        "Bite",
        "Bonus actions",
        "Step (Recharge 4-6)",
        "Legendary actions",
        "Tail (Costs 2 Actions)",
    ]
    assert set(b.counters) == {'"Legendary actions" 3 reset=turn', "Step 1 reset=1d6>=4"}
