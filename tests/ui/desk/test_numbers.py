"""Digits that are no ASCII digits: neither a count nor faces, wherever they are typed."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, PARTY, Player
from tui.ui.text.press import Press

OTHERS = "²³¹①٣３½"


@pytest.mark.parametrize("digit", OTHERS)
@pytest.mark.parametrize("key", ["n", "d", "u", "j", "a", "pagedown"])
def test_they_are_no_count(digit: str, key: str) -> None:
    p = Player(lines=FIGHT)
    p.desk.press(Press(digit, digit))
    assert p.desk.view.count == ""
    assert "means nothing here" in p.message()
    p.press("2")
    p.desk.press(Press(digit, digit))
    assert p.desk.view.count == ""
    p.press("2", key)


@pytest.mark.parametrize("told", [*OTHERS, "nb", "x", "-", "+"])
def test_they_are_no_faces_and_the_app_does_not_roll_instead(told: str) -> None:
    p = Player(lines=[*PARTY, "begin"]).press("#", "#")
    before, shown = p.store.encounter, p.picture()["hints"]
    for letter in told:
        p.desk.press(Press(letter, letter))
        assert "faces are numbers" in p.message()
    assert p.picture()["hints"] == shown
    p.press("enter")
    assert p.store.encounter is before
    assert p.desk.view.mode is not None


@pytest.mark.parametrize("told", [*OTHERS, "1²", "rn", "17 x", "-3", "+4"])
def test_pasted_they_are_refused(told: str) -> None:
    p = Player(lines=[*PARTY, "begin"]).press("#", "#")
    before = p.store.encounter
    p.desk.paste(told)
    assert "faces are numbers" in p.message()
    p.press("enter")
    assert p.store.encounter is before


def test_a_flood_of_digits_is_a_number_that_is_refused() -> None:
    p = Player(lines=[*PARTY, "begin"]).press("#", "#")
    before = p.store.encounter
    p.desk.paste("7" * 3_000)
    p.press("enter")
    assert p.store.encounter is before
    assert p.message()
