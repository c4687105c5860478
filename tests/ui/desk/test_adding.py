"""Adding by keys: short words, one line after the other, what is understood said before Enter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.systems import Registry
from tui.ui.modes.prompt import Prompt

THERE = ("add Zed",)
"""Somebody is there already, so that nobody is proposed as a player's character."""


def text(p: Player) -> str:
    """The line in the prompt."""
    mode = p.desk.view.mode
    assert isinstance(mode, Prompt)
    return mode.editor.text


def told(p: Player) -> str:
    """The band above the log."""
    return " ".join(" ".join(p.picture()["orders"]).split())


@pytest.mark.parametrize("typed", ["2 bog lurker", "Bog Lurker +3 side=red", '2 "bog lurker"', "bog +2"])
def test_a_name_of_several_words_needs_no_quotes(typed: str) -> None:
    p = Player(lines=("add Zed",))
    p.press("a", f"'{typed}'")
    assert "one word too many" not in told(p)
    assert p.press("enter").asked() == [f"add {typed}"]
    assert p.store.step == 2


def test_the_first_of_a_fight_is_proposed_as_a_players_character_and_a_creature_of_the_box_is_not() -> None:
    p = Player(lines=("option library.box=5.2.1",))
    assert text(p.press("a")) == "add  kind=pc"
    assert text(p.press("'Ogre'")) == "add Ogre"
    assert text(p.press("escape", "a", "'Ana'")) == "add Ana kind=pc"
    assert text(p.press("escape", "a", "'2 Orc'")) == "add 2 Orc"


def test_values_end_the_search_and_several_join_no_side_of_heroes() -> None:
    p = Player(lines=("option library.box=5.2.1",)).press("a", "'gob +2'")
    assert "Goblin" not in told(p)
    p.press("escape", "a", "'Ana kind=pc side=blue'", "enter", "'2 Orc'")
    assert text(p) == "add 2 Orc"


def test_an_earlier_line_comes_back_as_it_was_and_the_own_with_its_proposal() -> None:
    p = Player(lines=("add Zed", "add Bo kind=pc")).press("a", "up", "up")
    assert text(p) == "add Zed"
    assert text(p.press("down", "down")) == "add  kind=pc"


@pytest.mark.parametrize("system", Registry().ids())
def test_the_fields_of_the_running_system_come_first_in_its_order(system: str) -> None:
    p = Player(system, THERE).press("a")
    fields = p.store.system.fields
    own = [f.key for f in fields if f.key not in {x.dice for x in fields}]
    shown = [word[:-1] for word in told(p).split() if word.endswith("=") and word != "="]
    assert shown[: len(own)] == own[: len(shown)]
    p.press("'Ana '", "tab")
    assert text(p).endswith(f"{shown[0]}=")


LETTERS = st.text(st.sampled_from("ab +-18=k\"',d*sideknpc龍…"), max_size=60)


@cases(60)
@given(LETTERS, st.tuples(st.integers(1, 130), st.integers(1, 40)), st.sampled_from(Registry().ids()))
def test_whatever_is_typed_nothing_is_raised_and_the_line_sent_is_the_line_shown(
    typed: str, size: tuple[int, int], system: str
) -> None:
    p = Player(system, ["add Zed kind=pc"])
    p.size = size
    p.press("a")
    p.desk.paste(typed)
    p.picture()
    shown = text(p).split()
    p.press("enter")
    if p.store.step > 1:
        assert p.asked()[0].split() == shown


@pytest.mark.parametrize("system", Registry().ids())
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_no_key_or_preview_above_the_line_is_cut(system: str, size: tuple[int, int]) -> None:
    p = Player(system)
    p.size = size
    p.press("a")
    for letter in "Shaman hp=10 mod=4 side=heroes":
        p.press("space" if letter == " " else f"'{letter}'")
        # A line's usage is written with that sign.
        assert "…" not in "".join(p.picture()["orders"]).replace("value…", "").replace("=…", "")


@pytest.mark.parametrize("system", Registry().ids())
def test_the_example_in_an_empty_fight_is_a_line_of_its_system(system: str) -> None:
    p = Player(system)
    example, _, meanings = told(p.press("a")).partition("Ana ")[2].partition(" (")
    p.press(f"'Ana {example}'")
    understood = told(p).lower()
    assert all(
        title.lower() in understood or title == "armour class"
        for title in meanings.partition(")")[0].split(", ")
    )
    assert "left out" not in understood
    assert p.press("enter").store.step == 1
