"""Rows are reached by a letter, with the key that aims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.systems import Registry
from tui.ui.state.scene import assign_letters

PEOPLE = ("add Ana owner=Mia hp=18", "add 6 Orc hp=7", "add 2 Wolf hp=9 group=Wolves")


def letter(p: Player, name: str) -> str:
    """The letter of a creature's row."""
    key = next(c.id for c in p.store.encounter.combatants.values() if c.name == name)
    return assign_letters(p.desk.scene)[key]


@pytest.mark.parametrize("system", Registry().ids())
def test_two_keys_lead_to_any_row(system: str) -> None:
    p = Player(system, PEOPLE)
    for name in ("Orc 4", "Ana", "Wolf 2", "Orc 1"):
        p.press("-", letter(p, name), "3", "d")
        assert p.asked() == [f'damage "{name}" 3' if " " in name else f"damage {name} 3"]


def test_a_count_before_it_is_damage_to_the_row_of_the_letter() -> None:
    p = Player(lines=(*PEOPLE, "begin", "roll", "next"))
    p.press("3", "-", letter(p, "Orc 4"))
    assert p.asked() == ['damage "Orc 4" 3']
    p.press("1", "2", "-", "escape")
    assert p.asked() == ['damage "Orc 4" 3']
    p.press("2", "-", "w", "down", "enter")
    assert p.asked() == ['damage "Wolf 2" 2']
    assert p.desk.view.count == ""


@pytest.mark.parametrize("keys", [("3", "-"), ("-", "3"), ("-", "3", "1", "backspace")])
def test_the_number_may_come_before_or_after_the_key(keys: tuple[str, ...]) -> None:
    p = Player(lines=PEOPLE)
    assert p.press(*keys, letter(p, "Orc 4")).asked() == ['damage "Orc 4" 3']


def test_letters_stand_on_the_rows_only_while_they_mean_them() -> None:
    p = Player(lines=(*PEOPLE, "begin", "roll", "next"))
    plain = p.picture()["track"]
    shown = p.press("-").picture()["track"]
    assert [row[2:] for row in shown[1:]] == [row[2:] for row in plain[1:]]
    assert len({row[1] for row in shown[1:9]}) == 8
    assert p.press("escape").picture()["track"] == plain
    p.press("d", "5")
    assert p.picture()["track"] == plain


def test_a_letter_of_no_row_says_so_and_moves_nothing() -> None:
    p = Player(lines=PEOPLE)
    assert "no row has the letter d" in p.press("-", "d").message()
    assert p.press("escape").desk.view.mode is None


@cases(20)
@given(st.lists(st.sampled_from(["hold", "next", "damage", "out", "hide"]), max_size=6))
def test_letters_do_not_follow_the_order(words: list[str]) -> None:
    """Law: whatever happens in a fight, a row keeps its letter while nobody joins, leaves or is grouped."""
    p = Player(lines=(*PEOPLE, "begin", "roll", "next"))
    before = assign_letters(p.desk.scene)
    for word in words:
        p.desk.submit(
            {"damage": 'damage "Orc 3" 9', "out": 'out "Orc 2"', "hide": "hide Ana"}.get(word, word)
        )
    assert assign_letters(p.desk.scene) == before
