"""A format of the user's own is read; a file of a format that went is refused by its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.shapes import blocks, read
from tui.exchange import own
from tui.exchange.document import Unreadable

CHAPTER = Path(__file__).parents[2] / "tui" / "manual" / "import.md"
GRAB = "Lies under the water until something steps on it."
SAMPLE = f"""name = "Bog Lurker"
size = "large"
max_hp = "4d8+4"
ac = 13
dex = 14
con = 12
int = 6
wis = 12
[skills]
stealth = 6
perception = 3
[senses]
perception = 13
[actions.grab]
name = "Grab"
description = "{GRAB}"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(own, "__path__", [str(tmp_path)])
    return tmp_path


def test_the_format_of_the_manual_reads_its_sample(folder: Path) -> None:
    code = re.search(r"^```python\n(.*?)^```", CHAPTER.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert code
    (folder / "dndme.py").write_text(code[1], encoding="utf-8")
    assert read(SAMPLE.encode()).title == "dndme"
    (b,) = blocks(SAMPLE.encode())
    assert (b.name, b.hp, b.hp_dice, b.ac, b.initiative) == ("Bog Lurker", 22, "4d8+4", 13, 2)
    assert b.fields == {"per": 3, "int": 6, "size": "large", "stealth": 6, "passive": 13, "con": 1}
    assert f"Grab. {GRAB}" in b.card


def test_a_format_that_finds_no_name_is_named(folder: Path) -> None:
    code = (
        "from tui.exchange.mapping import To, take\n"
        "from tui.exchange.registry import Format\n"
        "TABLE = (To('hp', 'life'),)\n"
        "TOOL = Format('tool', ('json',), lambda x: 'life' in x, lambda x: filter(None, [take(x, TABLE)]))\n"
    )
    (folder / "tool.py").write_text(code, encoding="utf-8")
    with pytest.raises(Unreadable, match=r"your format tool fits, but finds no creature"):
        read(b'{"title": "Imp", "life": 12}')


def test_a_format_that_writes_its_card_gives_attacks(folder: Path) -> None:
    code = (
        "from tui.exchange.mapping import To, take\n"
        "from tui.exchange.registry import Format\n"
        "def card(x):\n"
        "    return '\\n'.join(f\"{a['n']}. +{a['hit']} to hit, {a['hurts']} damage\" for a in x['moves'])\n"
        "def creatures(x):\n"
        "    yield take(x, [To('hp', 'life')], name=x['title'], text=card(x))\n"
        "MOVES = Format('moves', ('json',), lambda x: 'moves' in x, creatures)\n"
    )
    (folder / "moves.py").write_text(code, encoding="utf-8")
    data = b'{"title": "Ogre", "life": 59, "moves": [{"n": "Club", "hit": 6, "hurts": "2d8+4 bludgeoning"}]}'
    (b,) = blocks(data)
    assert (b.name, b.hp, b.fields["attacks"]) == ("Ogre", 59, "Club +6 2d8+4 bludgeoning")


def test_a_format_that_is_not_known_is_refused_by_what_it_lacks() -> None:
    with pytest.raises(Unreadable, match="this is TOML with title, life, and without hit points") as refused:
        read(b'title = "Imp"\nlife = 3\n')
    assert "a creature needs a name and hit points" in refused.value.hint
