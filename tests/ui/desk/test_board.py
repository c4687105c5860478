"""A fight by keys alone: what each key sends to the store."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, PARTY, Player
from tui.ui.state.scene import current


def test_five_orcs_join_and_a_fight_begins() -> None:
    p = Player().press("5", "a", "'Orc hp=7'", "enter", "enter")
    assert p.asked() == ["add 5 Orc hp=7"]
    assert len(p.store.encounter.combatants) == 5
    p.press("b")
    assert p.store.encounter.round == 1
    p.press("r", "n")
    assert p.store.encounter.acting
    assert p.asked(3) == ["begin", "roll", "next"]


def test_a_face_that_is_not_on_the_die_stays_in_the_prompt() -> None:
    p = Player(lines=[*PARTY, "begin"]).press("R", "'21'", "enter")
    assert p.store.step == len(PARTY) + 1
    assert "not on a d20" in p.message()
    p.press("backspace", "'0'", "enter")
    assert p.asked() == ["roll Ana 20"]


def test_r_rolls_for_marked_rows_only() -> None:
    p = Player(lines=[*PARTY, "begin"]).press("g", "space", "j", "space", "r")
    assert p.asked() == ["roll Ana,Bo"]
    assert set(p.store.encounter.rolls) == {"init c1", "init c2"}


@pytest.mark.parametrize(
    ("keys", "line", "hp"),
    [
        (("d", "'5'", "enter"), "damage Ana 5", 13),
        (("d", "'5'", "h"), "damage Ana 5/2", 16),
        (("d", "'5'", "x"), "damage Ana 5*2", 8),
        (("1", "2", "d"), "damage Ana 12", 6),
        (("d", "'2d6'", "x"), "damage Ana 2d6*2", None),
        (("d", "'5'", "enter", "+", "'2'", "enter"), "heal Ana 2", 15),
        (("5", "t"), "temp Ana 5", 18),
    ],
)
def test_damage_is_full_half_or_double_in_one_key(keys: tuple[str, ...], line: str, hp: int | None) -> None:
    p = Player(lines=FIGHT).press("tab", "g", *keys)
    assert p.asked() == [line]
    assert hp is None or p.store.encounter.combatants["c1"].hp == hp


def test_a_refused_line_stays_as_a_draft_with_the_reason() -> None:
    p = Player(lines=FIGHT).press("tab", "g", "d", "'5axe'", "enter")
    assert p.store.step == len(FIGHT)
    assert p.message()
    assert "damage Ana 5axe" in p.text()
    p.press("ctrl+w", "'3'", "enter")
    assert p.asked() == ["damage Ana 3"]


def test_marks_serve_one_action_and_go() -> None:
    p = Player(lines=FIGHT).press("tab", "g", "space", "j", "space", "3", "d")
    assert p.asked() == ["damage Ana,Bo 3"]
    assert p.desk.view.selected == ()
    assert p.store.encounter.combatants["c2"].hp == 19


def test_conditions_are_completed_and_cleared() -> None:
    p = Player(lines=FIGHT).press("tab", "g", "c", "'poi'", "tab", "enter")
    assert p.asked() == ["condition Ana poisoned"]
    p.press("X", "tab", "enter")
    assert p.asked() == ["clear Ana poisoned"]


def test_out_and_back_are_one_key() -> None:
    p = Player(lines=FIGHT).press("tab", "g", "x")
    assert p.store.encounter.combatants["c1"].out
    p.press("x")
    assert p.asked(2) == ["out Ana", "back Ana"]


def test_one_key_puts_out_whom_now_points_out_whoever_is_selected() -> None:
    p = Player(lines=[*FIGHT, 'damage "Orc 2" 9']).press("tab", "g")
    assert "Orc 2 is at 0: [!] out" in "".join(p.picture()["now"])
    p.press("!")
    assert p.asked() == ['out "Orc 2"']
    p.press("!")
    assert "no creature at 0" in p.message()


def test_counts_repeat_and_undo() -> None:
    p = Player(lines=FIGHT).press("2", "n")
    assert p.asked(2) == ["next", "next"]
    p.press("2", "u")
    assert p.store.step == len(FIGHT)
    p.press("2", "ctrl+r")
    assert p.store.step == len(FIGHT) + 2
    assert p.message().startswith("did again: ")


def test_a_count_is_shown_with_what_may_follow() -> None:
    p = Player(lines=FIGHT).press("1", "2")
    assert p.picture()["hints"][0].endswith(" 12 ")
    assert "damage" in p.picture()["hints"][0]
    before = p.picture()["hints"][0]
    assert p.press("3").picture()["hints"][0][:70] == before[:70]
    p.press("escape")
    assert p.desk.view.count == ""


def test_hold_and_act() -> None:
    p = Player(lines=FIGHT)
    who = p.store.encounter.acting
    p.press(",")
    assert p.store.encounter.acting == ""
    p.press("n", "g")
    held = next(k for k, c in p.store.encounter.combatants.items() if "held" in c.marks)
    assert held == who
    p.press("'/'", "'" + p.store.encounter.combatants[who].name + "'", "enter", ".")
    assert p.store.encounter.acting == who


def test_rows_are_put_by_hand() -> None:
    p = Player(lines=FIGHT)
    rows = [r.entry for r in p.store.system.rows(p.store.encounter)]
    p.press("G", "K")
    moved = [r.entry for r in p.store.system.rows(p.store.encounter)]
    assert moved == [*rows[:-2], rows[-1], rows[-2]]
    p.press("J")
    assert [r.entry for r in p.store.system.rows(p.store.encounter)] == rows


def test_the_filter_narrows_and_esc_clears_it() -> None:
    p = Player(lines=FIGHT).press("tab", "/", "'bo'", "enter")
    shown = "\n".join(p.picture()["roster"])
    assert "Bo" in shown
    assert "Orc" not in shown
    p.press("2", "d")
    assert p.asked() == ["damage Bo 2"]
    p.press("escape")
    assert "Orc 1" in "\n".join(p.picture()["roster"])


def test_q_leaves_at_once() -> None:
    left = []
    p = Player(lines=FIGHT)
    from msgspec.structs import replace

    p.desk.services = replace(p.desk.services, leave=lambda: left.append(True))
    p.press("q")
    assert left == [True]


def test_an_unknown_key_says_so_and_changes_nothing() -> None:
    p = Player(lines=FIGHT)
    step = p.store.step
    p.press("~")
    assert p.store.step == step
    assert "means nothing" in p.message()


def test_the_line_has_a_history_that_begins_like_what_is_typed() -> None:
    p = Player(lines=[*FIGHT, "damage Ana 2", "damage Bo 4", "next"])
    p.press(":", "'dam'", "up", "up")
    assert "damage Ana 2" in p.text()
    p.press("down", "enter")
    assert p.asked() == ["damage Bo 4"]


def test_words_of_the_screen_can_be_typed_too() -> None:
    p = Player(lines=FIGHT).press(":", "'help'", "enter")
    assert "does what the row needs" in p.text()
    p.press("escape", ":", "'filter orc'", "enter")
    assert p.desk.view.filter == "orc"


def test_tab_completes_verbs_and_names() -> None:
    p = Player(lines=FIGHT).press(":", "'rem'", "tab", "'a'", "tab", "enter")
    assert p.asked() == ["remove Ana"]


def test_the_cursor_is_where_play_is_when_a_turn_begins() -> None:
    p = Player(lines=FIGHT)
    p.press("j", "j", "d", "'1'", "enter")
    assert p.desk.view.track
    p.press("n")
    assert p.desk.view.track == ""
    assert current(p.desk.scene) == p.store.encounter.acting


def test_what_would_work_is_said_by_its_key_on_the_board_and_as_a_line_where_one_is_typed() -> None:
    p = Player("unbound", ["add Ana side=heroes", "add Bo side=heroes", "begin", "roll"]).press("n")
    assert p.message().startswith("next has to wait; ")
    assert p.message().endswith("[Enter] on Ana")
    p.press(":", "'next'", "enter")
    assert p.message().endswith("turn Ana")
