"""Everything is found by the words that people use, in the palette and in the help."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.keyboard import FIGHT, Player
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.systems import Registry
from tui.ui.modes.manual import Manual
from tui.ui.modes.menu import Menu


def palette(p: Player, *searches: str) -> list[list[str]]:
    """Return the lines that the palette shows for each of these words."""
    menu = p.press("ctrl+p").desk.view.mode
    assert isinstance(menu, Menu)
    p.press("escape")
    return [
        [item.label or item.line for item in replace(menu, search=words).visible_items] for words in searches
    ]


def helped(p: Player, *searches: str) -> list[list[str]]:
    """Return the heads that the help shows for each of these words."""
    manual = p.press("?").desk.view.mode
    assert isinstance(manual, Manual)
    p.press("escape")
    return [[entry.head for entry in replace(manual, search=words).visible_entries] for words in searches]


@pytest.mark.parametrize("system", Registry().ids())
def test_every_house_rule_is_found_by_its_key_and_as_one(system: str) -> None:
    p = Player(system)
    fields = (*Registry().get(system).options, *COMMON_OPTIONS)
    searches = [(f.key, words) for f in fields for words in ("house rule", f.key, *f.choices)]
    found = palette(p, *(words for _, words in searches))
    assert [x for x, lines in zip(searches, found, strict=True) if f"option {x[0]}" not in lines] == []
    keys = [f.key for f in fields]
    assert [k for k, heads in zip(keys, helped(p, *keys), strict=True) if k not in heads] == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("death save", "option zero"), ("fireball", "blast"), ("long rest", "rest"),
        ("concentrate", "condition"),
        ("poisoned", "condition"), ("save ends", "condition"), ("legendary", "count"), ("refill", "count"),
        ("slot", "count"), ("hidden", "hide"), ("kill", "out"), ("hurt", "damage"), ("mistake", "undo"),
        ("called totals", "totals"), ("mob", "group"), ("wait", "hold"), ("zero", "option zero"),
        ("massive", "option zero"),
    ],
)  # fmt: skip
def test_a_command_is_found_by_the_words_people_use(words: str, line: str) -> None:
    p = Player(lines=FIGHT)
    (found,) = palette(p, words)
    assert any(x.startswith(line) for x in found), found
    assert any(helped(p, words, words.rsplit(maxsplit=1)[-1]))


def test_a_table_without_a_game_master_is_found() -> None:
    assert palette(Player("chaos"), "without game master")[0][0] == "option cha.mode"
