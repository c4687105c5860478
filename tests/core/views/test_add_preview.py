"""What an `add` line would do is said in words before Enter, and what it could still say is offered."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.language.creature_actions import Add
from tui.core.rules.newcomers import Borne, Kept, Newcomer
from tui.core.views.add_preview import preview_add


def preview(line: str, system: str = "classic", borne: Borne | None = None) -> str:
    """What a line would do, where three orcs are there already."""
    t = Table(system)
    t.do("add 3 Orc")
    store = t.store

    def known(add: Add) -> Newcomer:
        return Newcomer(add, borne or Borne())

    kept = Kept(lambda _file, _kind: (), known)
    return preview_add(line, store.encounter, store.system, store.systems, kept)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("add Ana +3 kind=pc", "Ana: modifier +3, a player's character, no hit points, on the heroes' side"),
        ("add Ana mod=-2", "Ana: modifier -2, no hit points, on the dark side"),
        ("add 6 Rat +1 15 ac13", "Rat 1 to Rat 6: modifier +1, 15 hit points each, AC 13, on the dark side"),
        ("add 2 Orc", "Orc 4 and Orc 5: no hit points, on the dark side"),
        ("add 1 Orc", "Orc 4: no hit points, on the dark side"),
        ("add 2d4 Rat 2d6", "2d4 Rat: 2d6 hit points each, on the dark side"),
        ("add Ana owner=Mia,Jon", "Ana: player Mia,Jon, no hit points, on the heroes' side"),
        ("add Ana owner=Mia hidden=yes", "Ana: player Mia, hidden, no hit points, on the heroes' side"),
        ("add Ana hidden=no", "Ana: not hidden, no hit points, on the dark side"),
        ("add Cat kind=npc side=red", "Cat: not a player's character, no hit points, on the side of red"),
        ("add Cat kind=m", "Cat: a monster, no hit points, on the dark side"),
        (
            'add Cat note="purrs" round=2',
            "Cat: note purrs, arrives in round 2, no hit points, on the dark side",
        ),
        ('add Cat card="claws"', "Cat: with its card, no hit points, on the dark side"),
        ("add Cat hp=5 max_hp=9", "Cat: 5 hit points, maximum hit points 9, on the dark side"),
        ("add Cat group= hp=", "Cat: no hit points, on the dark side"),
        ("add Cat side=`red` group=Pack`", "Cat: group Pack', no hit points, on the side of 'red'"),
    ],
)
def test_a_line_is_said_in_words(line: str, says: str) -> None:
    assert preview(line) == says


def test_a_modifier_is_that_of_the_running_system() -> None:
    assert preview("add Elf +2", "chaos") == "Elf: initiative bonus +2, no hit points, on the dark side"
    assert preview("add Elf per=4 distance=3", "dungeon-track").startswith("Elf: Perception +4, ")
    assert "+3" not in preview("add Elf distance=3", "dungeon-track")


def test_what_the_library_knows_is_said_too() -> None:
    told = preview("add Drake 30", borne=Borne(counters=("fire 1 reset=1d6>=5", "wings 2")))
    assert told == "Drake: 30 hit points, counts fire 1, counts wings 2, on the dark side"


@pytest.mark.parametrize("key", ["side", "group", "owner"])
def test_what_cannot_be_a_name_is_refused_before_enter(key: str) -> None:
    with pytest.raises(RuleError, match="@dark cannot be a name"):
        preview(f"add Cat {key}=@dark")


def test_another_line_says_nothing_and_a_wrong_one_is_refused() -> None:
    assert preview("damage Orc* 3") == ""
    for line in ("add Ana hp=x", "add Ana zz=3", "add Ana kind=hero", "add Ana mod=1e3"):
        with pytest.raises(RuleError):
            preview(line)
