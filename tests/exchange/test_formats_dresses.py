"""One stat block in many dresses: in each the same numbers are read."""

from __future__ import annotations

import re

import pytest

from tests.kit.shapes import blocks

HEAD = ("Bog Lurker", "Large monstrosity, unaligned")
VALUES = (
    ("Armor Class", "13 (hide)"), ("Hit Points", "22 (4d8 + 4)"), ("Initiative", "+9 (19)"),
    ("Saving Throws", "Con +3"), ("Skills", "Perception +3, Stealth +6"), ("Damage Immunities", "fire"),
    ("Damage Resistances", "cold; acid"), ("Senses", "passive Perception 13"), ("CR", "1/2"),
)  # fmt: skip
SCORES = "| STR | DEX | CON | INT | WIS | CHA |\n|:---:|:---:|:---:|:---:|:---:|:---:|\n"
SCORES += "|18 (+4)|14 (+2)|12 (+1)| 6 (-2)|12 (+1)| 4 (-3)|\n"
BITE = "Melee Weapon Attack: +6 to hit, reach 10 ft. Hit: 9 (1d10 + 4) piercing damage.\n"
PROSE = "\nThe Bog\n\nAbove it flies a Small bird with 3 HP.\n"


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def lines(between: str, mark: str = "") -> str:
    return "".join(f"{mark}{label}{mark}{between}{value}\n" for label, value in VALUES)


PLAIN = "\n".join(HEAD) + f"\n{lines(' ')}{SCORES}Actions\nBite. {BITE}"
RICH = f"*{HEAD[1]}*\n___\n{lines(' ', '**')}\n{SCORES}### Actions\n***Bite.*** {BITE}"
BREW = f"{{{{monster,frame\n## {HEAD[0]}\n{RICH.replace('** ', '** :: ')}}}}}\n"
DRESSES = {
    "plain": PLAIN,
    "quoted": PROSE + "\n" + quoted(PLAIN) + PROSE,
    "after a link": "[[The Bog]]\n\n" + PLAIN,
    "a heading, quoted": quoted(f"## {HEAD[0]}\n{RICH}") + PROSE,
    "callout": PROSE + quoted(f"[!statblock]- {HEAD[0]}\n![](bog.png)\n{RICH}") + PROSE,
    "homebrewery": PROSE + BREW + PROSE,
    "homebrewery alone": BREW,
    "web": re.sub(r"(?m)^(Armor Class|Skills|Senses|Damage \w+) ", r"\1\n", PLAIN),
    "links": PLAIN.replace("Stealth", "[[Stealth]]").replace("Perception +", "[Perception](p) +"),
    "dice roller": PLAIN.replace("4d8 + 4", "`dice: 4d8+4|render`"),
    "short labels": (
        f"**{HEAD[0]}** (CR 1/2)\n{HEAD[1]}\nAC 13 | HP 22 (4d8+4) | Spd 30 ft | Init +9\n"
        "STR 18, DEX 14, CON 12, INT 6, WIS 12, CHA 4\n"
        "Saves: Con +3; Skills: Perception +3, Stealth +6; CR 1/2\n"
        f"Res: cold, acid; Imm: fire; PP 13\nBite. {BITE}"
    ),
    "one line": re.sub("Armor.*\n.*", "HP: 22 (4d8+4), AC: 13", PLAIN, count=1),
}  # fmt: skip


@pytest.mark.parametrize("dress", DRESSES)
def test_a_stat_block_is_read_in_every_dress(dress: str) -> None:
    (b,) = blocks(DRESSES[dress].encode())
    assert (b.name, b.hp, b.hp_dice, b.ac, b.initiative) == ("Bog Lurker", 22, "4d8+4", 13, 9)
    assert b.fields == {
        "per": 3, "int": 6, "size": "large", "stealth": 6, "passive": 13, "con": 3, "resist": "cold, acid",
        "immune": "fire", "saves": "con+3", "cr": "1/2", "attacks": "Bite +6 1d10+4 piercing",
    }  # fmt: skip
    assert "bird" not in b.card
    assert "Melee Weapon Attack" in b.card
    assert not any(mark in b.card for mark in ("> ", "{{", "::", "[[", "`", "[!", "**"))
