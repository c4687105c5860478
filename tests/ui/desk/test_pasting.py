"""Several pasted lines, half lines that were given up, and keys that came before what they would answer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import FIGHT, Player, press_of
from tests.kit.tiers import cases
from tui.ui.modes.page import Page
from tui.ui.modes.prompt import Prompt

GOOD = ("damage Ana 3", "heal Bo 1", ":note well", 'condition "Orc 1" prone', "select Ana", "")
BAD = ("damage Nobody 3", "dmg Ana 1", "total Ana 1000")


def _typed(p: Player) -> str:
    return p.desk.view.mode.editor.text if isinstance(p.desk.view.mode, Prompt) else ""


@cases(60)
@given(
    st.lists(st.sampled_from(GOOD), min_size=2, max_size=5), st.sampled_from(["", *BAD]), st.integers(0, 5)
)
def test_pasted_lines_do_what_they_would_if_they_were_typed_up_to_the_first_refusal(
    lines: list[str], bad: str, at: int
) -> None:
    pasted = [*lines[:at], *([bad] if bad else []), *lines[at:]]
    real = [line.removeprefix(":") for line in pasted if line]
    if len(real) < 2:
        return
    p, q = Player(lines=FIGHT), Player(lines=FIGHT)
    p.press(":").desk.paste("\r\n".join(pasted))
    stopped = real.index(bad) if bad else len(real)
    for line in real[:stopped]:
        q.press(":", f"'{line}'", "enter")
    assert p.store.encounter == q.store.encounter
    assert _typed(p) == (bad or "")
    left = real[stopped + 1 :]
    while left:
        middle = len(left) // 2
        p.press("escape", ":", *["up"] * (middle + 1))
        assert _typed(p) == left.pop(middle)
        p.press("enter")
    assert p.desk.view.unsent == ()


def test_a_refused_line_names_its_place_and_each_up_is_the_next_line() -> None:
    p = Player(lines=FIGHT).press(":")
    p.desk.paste("damage Ana 1\ndamage Bo 1\ndamage Zed 1\nheal Ana 1\nheal Bo 1\n")
    assert p.asked(2) == ["damage Ana 1", "damage Bo 1"]
    assert "line 3 of 5" in p.message()
    assert "[Up] brings the 2 after it" in p.message()
    assert _typed(p) == "damage Zed 1"
    p.press("up")
    assert _typed(p) == "heal Ana 1"
    p.press("up")
    assert _typed(p) == "heal Bo 1"
    p.press("down", "down")
    assert _typed(p) == "damage Zed 1"
    p.press("backspace", "'2'", "ctrl+u", "'damage Ana 2'", "enter", ":", "up", "enter", ":", "up", "enter")
    assert p.asked(3) == ["damage Ana 2", "heal Ana 1", "heal Bo 1"]


def test_a_list_is_pasted_into_the_prompt_that_adds() -> None:
    p = Player().press("a")
    p.desk.paste("Ana +3 18\nadd 2 Orc hp=7\nBo hp=x\nCid hp=9")
    assert [c.name for c in p.store.encounter.combatants.values()] == ["Ana", "Orc 1", "Orc 2"]
    assert _typed(p) == "add Bo hp=x"
    p.press("backspace", "'8'", "enter", "up", "enter")
    assert p.asked(2) == ["add Bo hp=8", "add Cid hp=9"]
    assert _typed(p) == "add "


def test_notes_are_pasted_as_they_are() -> None:
    p = Player().press("a")
    p.desk.paste(
        "Bram, hp 24, AC 14, init +1\nBog Lurker\tHP: 31\tAC 16\n\n"
        "- 3x Orc | 15 hp | AC13\nDov, hp 9, wizard\nZed 8"
    )
    found = [(c.name, c.hp, c.ac, c.side) for c in p.store.encounter.combatants.values()]
    assert found[:2] == [("Bram", 24, 14, "heroes"), ("Bog Lurker", 31, 16, "heroes")]
    assert found[2:] == [(f"Orc {n}", 15, 13, "dark") for n in (1, 2, 3)]
    assert _typed(p) == "add Dov, hp 9, wizard"
    assert 'line 4 of 5: add: "wizard" is not understood' in p.message()
    p.press("ctrl+u", "up", "enter")
    assert p.store.encounter.combatants["c6"].name == "Zed"


def test_a_row_of_a_table_is_pasted_into_the_prompt_that_adds() -> None:
    p = Player().press("a")
    p.desk.paste("Bog Lurker\t31\tac16\n")
    p.press("enter")
    assert [(c.name, c.hp, c.ac) for c in p.store.encounter.combatants.values()] == [("Bog Lurker", 31, 16)]


def test_a_line_that_asks_stops_the_paste() -> None:
    p = Player(lines=FIGHT).press(":")
    p.desk.paste("system chaos\nnote later")
    assert isinstance(p.desk.view.mode, Page)
    assert p.desk.view.unsent == ("note later",)
    assert p.store.step == len(FIGHT)


def test_one_line_with_its_end_waits_for_enter() -> None:
    p = Player(lines=FIGHT).press(":")
    p.desk.paste("damage Ana 3\n")
    assert (_typed(p), p.store.step) == ("damage Ana 3", len(FIGHT))


def test_the_rest_of_a_second_paste_comes_before_that_of_the_first_and_only_creatures_are_added() -> None:
    p = Player(lines=FIGHT)
    for rest in ("note a", "note b"):
        p.press(":").desk.paste(f"damage Zed 1\n{rest}")
        p.press("escape")
    assert p.desk.view.unsent == ("note b", "note a")
    assert _typed(p.press("a", "up")) == FIGHT[2]


def test_a_paste_replaces_what_was_proposed() -> None:
    p = Player("chaos", ("add Wolf", "begin", "order Wolf action=bite")).press("o", "tab")
    p.desk.paste("run")
    assert p.press("enter").asked() == ["order Wolf action=run"]


def test_too_many_lines_are_refused_whole() -> None:
    p = Player(lines=FIGHT).press(":")
    p.desk.paste("note x\n" * 101)
    assert p.store.step == len(FIGHT)
    assert "100 lines at most" in p.message()
    p.desk.paste("note x\n" * 100)
    assert p.store.step == len(FIGHT) + 100


def test_a_half_line_that_was_given_up_comes_back_with_up() -> None:
    for key, typed, line in (
        ("a", "4 Ghoul hp=2d8", "add 4 Ghoul hp=2d8"),
        (":", "condition Bo poi", "condition Bo poi"),
        ("d", "1 ty", 'damage "Orc 1" 1 ty'),
    ):
        p = Player(lines=FIGHT).press(key, f"'{typed}'", "escape", ":", "up")
        assert _typed(p) == line


def test_an_enter_behind_a_refused_paste_does_nothing() -> None:
    p = Player(lines=FIGHT)
    acting = p.store.encounter.acting
    p.desk.paste("Ana 3\nBo 4")
    p.press("enter")
    assert p.store.encounter.acting == acting
    assert "another Enter continues" in p.message()
    p.press("enter")
    assert p.desk.mode is not None, "the next one means what it says: the card of the row"


def test_a_question_is_answered_by_a_key_after_it_was_shown() -> None:
    p = Player(lines=FIGHT).press(":", "'system chaos'")
    p.desk.press(press_of("enter"))
    p.desk.press(press_of("y"))
    assert p.store.encounter.system == "classic"
    assert "press it again" in p.message()
    p.picture()
    p.press("y")
    assert p.store.encounter.system == "chaos"
