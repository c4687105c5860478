"""Every hint says what a word takes: not the word again, and not the grammar of something else."""

from __future__ import annotations

import re

import pytest

from tests.kit.keyboard import Player
from tui.systems import Registry
from tui.ui.modes.prompt import Prompt
from tui.ui.text.rows import Box, words


def shown(p: Player) -> str:
    """All that is on the screen, in one line."""
    return " ".join(" ".join(" ".join(lines) for lines in p.picture().values()).split())


FAY = ("add Fay kind=pc", "add Ogre", "begin")


@pytest.mark.parametrize("system", Registry().ids())
def test_no_key_is_explained_by_itself(system: str) -> None:
    p = Player(system).press("a", "'Bo '")
    p.size = (80, 60)
    told = shown(p)
    keys = re.findall(r"(\w+)= (.*?)(?= \w+=| ·|$)", told)
    assert len(keys) > 5
    assert [key for key, word in keys if key == word] == []


def test_a_weapon_that_is_no_dice_is_answered_with_what_a_weapon_is() -> None:
    p = Player("dynamic", FAY).press("o", *["enter"], "'longsword'")
    told = shown(p)
    assert '"longsword" is not dice; a weapon is its dice: 1d8 for a longsword' in told
    assert "4d6kh3" not in told


def test_an_action_says_that_it_takes_how_many() -> None:
    p = Player("dynamic", FAY).press("o", "enter", "tab", "tab")
    assert "how many other actions: 1 for one" in shown(p)
    p.press("'2'", "enter")
    assert p.asked() == ["order Fay action=2"]


@pytest.mark.parametrize(
    ("key", "told"), [("m", "squares from who finds them"), ("M", "squares from the hero")]
)
def test_squares_say_from_whom_they_are_counted(key: str, told: str) -> None:
    lines = ("add Ana side=heroes per=4", "add Bo side=heroes per=3", "add Orc per=2", "begin")
    p = Player("dungeon-universalis", lines).press(key)
    assert told in shown(p)
    p.press("tab", "tab")
    if key == "M":
        assert "squares from the enemy that rolls" in shown(p)


def test_a_key_without_its_value_is_answered_with_how_it_is_written() -> None:
    p = Player().press("a", "'Bo owner'", "enter")
    assert "a key its value, owner=…" in p.message()


def test_after_the_fight_the_footer_offers_a_rest_and_nothing_to_finish() -> None:
    p = Player(lines=("add Ana owner=Mia hp=9", "add Orc hp=7", "begin", "roll", "out Orc", "finish"))
    assert "Q rest" in " ".join(p.picture()["hints"])


@pytest.mark.parametrize("system", Registry().ids())
def test_no_key_of_a_creature_is_explained_by_a_word_that_is_cut_or_its_plural(system: str) -> None:
    p = Player(system).press("a")
    prompt = p.desk.view.mode
    assert isinstance(prompt, Prompt)
    told = [words(row) for row in prompt.rows(p.desk.scene, Box(0, 0, 80, 40))]
    assert "group= one row" in " ".join(told)
    assert [line for line in told if "…" in line or "more with Tab" in line or "bonuses" in line] == []


@pytest.mark.parametrize(
    ("line", "takes"),
    [
        ("save party", "save party|encounter NAME [WHO] [hp=now|full] [over=yes]"),
        ("surprised ", "surprised WHO | surprised none"),
        ("option dis.disruption=", "dis.disruption= takes off, once, each_hit"),
        ("option dis.switch_level=", "dis.switch_level= takes true, false"),
        ("option dis.floor=", "dis.floor= takes 1 to 4"),
        ("option zero.pc=", "zero.pc= takes nothing, out, dying"),
        ("option nothing=", "option KEY=VALUE…"),
    ],
)
def test_a_line_that_is_begun_says_below_now_what_it_takes(line: str, takes: str) -> None:
    p = Player("dynamic", FAY).press(":", f"'{line}'")
    assert p.picture()["now"][1].strip() == takes
    p.press("escape")
    assert takes not in shown(p)


def test_what_no_line_begins_with_says_nothing_new() -> None:
    p = Player("dynamic", FAY)
    before = p.picture()["now"]
    assert p.press(":", "'nonsense '").picture()["now"] == before
