"""Adding by keys: short words, one line after the other, what is understood said before Enter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.store.dependencies import StoreEffects
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


def test_enter_adds_and_asks_for_the_next_and_enter_alone_ends_it() -> None:
    p = Player().press("a", "'Ana +3 18'", "enter", "'Bo +1 24'", "enter")
    assert p.asked(2) == ["add Ana +3 18 kind=pc", "add Bo +1 24 kind=pc"]
    assert p.desk.view.mode is not None
    p.press("enter")
    assert p.desk.view.mode is None
    assert p.store.step == 2


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("2 bog lurker", 'add 2 "bog lurker"'),
        ("Bog Lurker +3 side=red", 'add "Bog Lurker" +3 side=red'),
        ('2 "bog lurker"', 'add 2 "bog lurker"'),
        ("bog +2", "add bog +2"),
    ],
)
def test_a_name_of_several_words_from_the_library_needs_no_quotes(typed: str, line: str) -> None:
    class Library(StoreEffects, frozen=True):
        def stock(self, kind: str, begun: str) -> tuple[str, ...]:
            return ("Bog Lurker",) if kind == "creature" and "bog lurker".startswith(begun.lower()) else ()

    p = Player(lines=("add Zed",))
    p.store.effects = Library(**asdict(p.store.effects))
    p.press("a", f"'{typed}'")
    assert "one word too many" not in told(p)
    assert p.press("enter").asked() == [line]
    assert Player(lines=("add Zed",)).press("a", "'two words'", "enter").store.step == 1


def test_the_first_of_a_fight_is_proposed_as_a_players_character_and_a_creature_of_the_library_is_not() -> (
    None
):
    class Library(StoreEffects, frozen=True):
        def stock(self, kind: str, begun: str) -> tuple[str, ...]:
            return ("Ogre",) if kind == "creature" and "ogre".startswith(begun.lower()) else ()

    p = Player()
    p.store.effects = Library(**asdict(p.store.effects))
    assert text(p.press("a")) == "add  kind=pc"
    assert text(p.press("'Ogre'")) == "add Ogre"
    assert text(p.press("escape", "a", "'Ana'")) == "add Ana kind=pc"
    assert text(p.press("escape", "a", "'2 Orc'")) == "add 2 Orc"


def test_side_and_kind_of_the_line_before_stand_in_the_line_and_are_sent_with_it() -> None:
    p = Player().press("a", "'Ana +3 18 kind=p side=heroes'", "enter")
    assert text(p) == "add  side=heroes kind=pc"
    assert "kind=pc" in p.picture()["hints"][0]
    p.press("'Bo +1 24'", "enter", "enter")
    assert p.asked() == ["add Bo +1 24 side=heroes kind=pc"]
    p.press("n", "a")
    assert text(p) == "add  side=heroes kind=pc"


def test_what_was_taken_over_gives_way_to_what_is_typed() -> None:
    p = Player().press("a", "'Ana kind=pc side=blue'", "enter")
    p.press("'Orc side=r'")
    assert text(p) == "add Orc side=r kind=pc"
    p.press("'ed kind='", "'npc'", "enter")
    assert p.asked() == ["add Orc side=red kind=npc"]


def test_it_can_be_taken_away_like_any_other_text() -> None:
    p = Player().press("a", "'Ana kind=pc'", "enter", "'Cat'", "end", "ctrl+w", "enter")
    assert p.asked() == ["add Cat"]


def test_tab_names_what_it_goes_through() -> None:
    p = Player("classic", ("add Ana", 'add "Bo the Bold"')).press("c", "tab")
    assert p.message().startswith("1 of 26: blinded charmed concentration")
    p.press("escape", ":", "'damage '", "tab", "tab")
    assert p.message() == '2 of 7: "Bo the Bold" @dark half= none= type= pool='


def test_several_at_once_are_no_players_characters() -> None:
    p = Player().press("a", "'Ana kind=pc'", "enter", "'6 Orc'")
    assert text(p) == "add 6 Orc"
    assert "on the dark side" in told(p)
    p.press("escape", "6", "a")
    assert text(p) == "add 6 "


def test_what_cannot_be_read_is_said_too_and_a_word_half_typed_is_not_a_fault() -> None:
    p = Player("unbound", THERE).press("a", "'Ana +3 '")
    assert "has no modifier" in told(p)
    assert "Ana: 18 hit points" in told(Player(lines=THERE).press("a", "'Ana 18 no'"))


@pytest.mark.parametrize("system", Registry().ids())
def test_the_fields_of_the_running_system_come_first_in_its_order(system: str) -> None:
    p = Player(system, THERE).press("a")
    own = [f.key for f in p.store.system.fields]
    shown = [word[:-1] for word in told(p).split() if word.endswith("=") and word != "="]
    assert shown[: len(own)] == own[: len(shown)]
    p.press("'Ana '", "tab")
    assert text(p).endswith(f"{shown[0]}=")


def test_the_first_key_with_a_letter_is_the_systems_own() -> None:
    assert text(Player(lines=THERE).press("a", "'Ana m'", "tab")).endswith(" mod=")


def test_completion_goes_before_what_was_taken_over() -> None:
    p = Player(lines=THERE).press("a", "'Ana side=heroes'", "enter", "'Bo k'", "tab", "'p'", "tab")
    assert text(p) == "add Bo kind=pc  side=heroes"
    p.press("enter")
    assert p.asked() == ["add Bo kind=pc side=heroes"]


def test_a_refused_line_stays_with_the_reason_and_the_cursor() -> None:
    p = Player().press("a", "'Ana kind=pc'", "enter", "'Ana'", "enter")
    assert p.store.step == 1
    assert p.message()
    p.press("backspace", "'e'", "enter")
    assert p.asked() == ["add Ane kind=pc"]


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


PET = ("add Mira kind=pc", "add Tam kind=pc")


def test_a_pet_is_on_its_owners_side_and_no_players_character() -> None:
    p = Player("dungeon-universalis", PET).press("a", "'Wolf hp=6 acts_with=Mira '")
    assert text(p) == "add Wolf hp=6 acts_with=Mira  side=heroes"
    assert "on the heroes' side" in told(p)
    assert "a player's character" not in told(p)
    p.press("enter")
    assert not p.store.encounter.combatants["c3"].fields.get("kind")


def test_several_behind_one_on_the_heroes_side_are_their_enemies() -> None:
    p = Player("dungeon-universalis", PET).press("a", "'Wolf acts_with=Mira'", "enter", "'Cat'")
    assert text(p) == "add Cat side=heroes"
    p.press("ctrl+u", "'4 Orc '")
    assert text(p) == "add 4 Orc "
    assert "on the dark side" in told(p)


def test_several_behind_one_of_another_side_are_on_that_side() -> None:
    p = Player("unbound", ("add Ana kind=pc",)).press("a", "ctrl+u", "'Chief side=cult'", "enter", "'4 Monk'")
    assert text(p) == "add 4 Monk side=cult"


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
