"""The name that is offered for a row of several."""

from __future__ import annotations

import pytest

from tui.core.rules.newcomers import plural_of


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("Orc", "Orcs"),
        ("Dire Wolf", "Dire Wolves"),
        ("Elf", "Elves"),
        ("Dwarf", "Dwarves"),
        ("Thief", "Thieves"),
        ("Harpy", "Harpies"),
        ("Boy", "Boys"),
        ("Hero", "Heroes"),
        ("Swordsman", "Swordsmen"),
        ("Human", "Humans"),
        ("Shaman", "Shamans"),
        ("Witch", "Witches"),
        ("Lynx", "Lynxes"),
        ("龍", "龍s"),
    ],
)
def test_the_plural_is_the_usual_one(one: str, many: str) -> None:
    assert plural_of(one) == many
