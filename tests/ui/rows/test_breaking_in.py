"""What must be known while an order runs: who may break in, with which key; and what is read before it."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.ui.modes.form import Form

LINES = (
    "add Ana side=red owner=Mia hp=18",
    "add Bo side=red owner=Tom",
    "add 2 Orc side=blue",
    "begin",
    'order Ana reaction="Bo falls => shout" action="strike or else dodge"',
    'order Bo ready="shoot whoever casts"',
    "lock missing=empty",
    "roll Bo 20",
    "roll Ana 19",
    "roll",
)


def orders(p: Player) -> str:
    drawn = p.picture()
    return " ".join(" ".join([*drawn["orders"], *drawn.get("coming", [])]).split())


@pytest.mark.parametrize("size", [(80, 24), (60, 18)])
def test_the_running_order_and_who_may_interrupt_are_in_sight(size: tuple[int, int]) -> None:
    p = Player("chaos", [*LINES, "ok", "next", "next"])
    p.size = size
    shown = orders(p)
    assert "strike or else dodge" in shown
    assert "may interrupt" in shown
    assert "f Orc 1" in shown


def test_a_long_order_names_the_key_that_scrolls_it_until_the_next_turn() -> None:
    long = " ".join(f"word{number}" for number in range(120))
    p = Player("chaos", [*LINES[:4], f'order Ana action="{long}"', *LINES[5:], "ok", "next", "next"])
    assert "[>]" in p.picture()["orders"][0]
    assert "word119" not in p.text().split("Log")[0]
    p.press(*[">"] * 20)
    assert "word119" in " ".join(p.picture()["orders"])
    p.press("n")
    assert p.desk.view.scrolled == ("", 0)
    assert p.desk.view.tops == {}


def test_cha_7_beside_the_running_order_stands_who_may_interrupt_with_the_keys() -> None:
    p = Player("chaos", [*LINES, "ok", "next", "next"])
    acting = p.store.encounter.combatants[p.store.encounter.acting].name
    assert acting == "Ana"
    shown = orders(p)
    assert "may interrupt" in shown
    assert "F Bo (shoot whoever casts)" in shown
    assert "f Orc 1\N{EN DASH}2: the first opportunity attack" in shown, "foes of the mover, and no one else"
    assert "f Ana" not in shown, "in one's own turn one breaks in on nobody"
    p.store.run('react "Orc 1"')
    assert "f Orc 2: the first" in orders(p), "Orc 1 has spent the reaction"


def test_who_may_break_in_and_is_hidden_comes_first_and_is_named_by_now() -> None:
    p = Player("chaos", [*LINES, 'hide "Orc 2"', "ok", "next", "next"])
    shown = orders(p)
    assert shown.index("f HIDDEN Orc 2") < shown.index("f Orc 1")
    assert "HIDDEN: Orc 2 may interrupt" in p.picture()["now"][1]


def test_what_is_hidden_is_read_apart_from_what_is_read_aloud() -> None:
    p = Player("chaos", [*LINES, 'hide "Orc 1"'])
    board = p.picture()["orders"]
    apart = next(place for place, row in enumerate(board) if "Not aloud" in row)
    assert [place > apart for place, row in enumerate(board) if "Orc 1" in row] == [True]
    assert not any("Ana" in row or "Orc 2" in row for row in board[apart:])


def test_a_reaction_is_free_only_where_it_is() -> None:
    surprised = Player(
        "dynamic", ["add Ana owner=Mia hp=9", "add Orc hp=5 side=dark", "begin", "surprised Orc"]
    )
    surprised.press("tab", "j")
    # The reason stands below it once, as the mark says it.
    assert ["no reaction" in row for row in surprised.picture()["card"]].count(True) == 1
    assert "is surprised" in "\n".join(surprised.picture()["card"])
    readied = Player("chaos", ["option cha.ready_keeps_oa=no", *LINES, "ok", "next", "next"]).press("g")
    readied.size = (120, 40)
    assert "no reaction: has readied" in readied.text()
    assert readied.text().count("no reaction") == 1, "said once, with the reason"


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_hidden_is_never_cut_and_stands_before_all_conditions(width: int) -> None:
    conditions = [f"condition Shade curse{number} rounds=3" for number in range(8)]
    p = Player(
        lines=[
            "add Ana hp=9",
            "add Shade hp=5 hidden=yes",
            *conditions,
            "begin",
            "roll Ana 9",
            "roll Shade 5",
            "next",
        ]
    )
    p.size = (width, 24)
    p.press("z")
    row = next(row for row in p.picture()["track"] if "Sha" in row)
    assert "HIDDEN" in row.split("curse")[0]
    assert "HIDDEN Shade" in " ".join(p.picture()["now"]) or width < 40


def test_the_list_is_not_shown_to_a_screen_that_the_players_read() -> None:
    p = Player("chaos", [*LINES, "ok", "next", "next"])
    p.desk.show(masked=True)
    assert "may interrupt" not in p.text()


def test_cha_15_each_line_of_the_board_has_its_place_and_the_arrows_scroll_it() -> None:
    p = Player("chaos", LINES)
    p.size = (80, 18)
    board = p.picture()["orders"]
    assert board[0].startswith("── [Read before play goes on]")
    assert [row.split()[:2] for row in board[1:3]] == [["1", "Bo"], ["2", "Ana:"]]
    assert "j/k scroll" in p.picture()["hints"][0]
    p.size = (30, 9)
    first = p.picture()["orders"]
    p.press("j")
    assert p.picture()["orders"] != first
    assert p.desk.view.track == ""


def test_fields_without_a_text_share_a_row_where_there_is_little_room() -> None:
    p = Player("chaos", [*LINES, *("ok", *["next"] * 5)]).press("o")
    assert isinstance(p.desk.view.mode, Form)
    p.size = (80, 40)
    assert "empty:" not in p.text()
    p.size = (80, 12)
    shown = orders(p)
    assert "empty:" in shown
    assert "strike" in shown
    p.press("tab")
    assert ">" in shown


def test_what_stands_as_last_round_is_explained_while_it_is_written() -> None:
    p = Player("chaos", [*LINES, *("ok", *["next"] * 5)]).press("o")
    assert "= is as last round" in p.picture()["now"][1]
    p.press("escape", "o", "enter")
    p.press("escape")
    fresh = Player("chaos", LINES[:4]).press("o")
    assert "as last round" not in fresh.text()


DYING = (*LINES[:3], "set Ana kind=pc", "option zero.pc=dying", *LINES[3:])


def test_who_is_dying_is_not_read_aloud_breaks_in_on_nobody_and_carries_out_no_order() -> None:
    board = Player("chaos", [*DYING, "damage Ana 18"])
    assert "Ana" not in " ".join(board.picture()["orders"])
    p = Player("chaos", [*DYING, "ok", "damage Ana 18", "next"])
    assert p.store.encounter.acting == key_named(p, "Bo")
    assert "Ana" not in orders(p).split("may interrupt")[1].split("Orders")[0]
    p.press("f")
    assert "Ana" not in " ".join(p.picture()["orders"])
    p.press("escape", "n")
    assert "Ana is dying and does nothing" in " ".join(p.picture()["now"])
    p.store.run("heal Ana 5")
    assert "action impossible? [E] else" in " ".join(p.picture()["now"])


def key_named(p: Player, name: str) -> str:
    return next(c.id for c in p.store.encounter.combatants.values() if c.name == name)


def test_what_was_written_and_readied_stands_before_what_all_others_may_do() -> None:
    p = Player("chaos", [*LINES[:4], 'order "Orc 2" reaction="Ana comes => bite"', *LINES[4:], "ok"])
    p.press("n", "n")
    shown = orders(p).split("may interrupt")[1]
    assert shown.index("f Orc 2: bite") < shown.index("f Orc 1: the first")
    assert shown.index("F Bo (shoot") < shown.index("f Orc 1: the first")


def test_a_menu_marks_whom_the_players_do_not_know_of() -> None:
    p = Player("chaos", [*LINES, 'hide "Orc 2"', "ok", "next", "next"]).press("f")
    rows = p.picture()["orders"]
    assert [("HIDDEN" in row) for row in rows if "Orc" in row] == [False, True]


@pytest.mark.parametrize("keys", [(), ("j",), ("-", "o"), ("tab",)])
def test_what_must_be_read_takes_the_whole_width_whatever_had_the_keys(keys: tuple[str, ...]) -> None:
    p = Player("chaos", LINES[:-1]).press(*keys)
    p.press(":", "'roll'", "enter")
    assert p.picture()["orders"][0].startswith("── [Read before play goes on]")
    assert p.desk.placed["orders"].width == 80


def test_cha_25_at_one_terminal_without_a_game_master_orders_are_sealed_until_the_first_is_carried_out() -> (
    None
):
    lines = (
        "option cha.mode=head-to-head",
        "add Ana owner=Mia side=red",
        "add Bo owner=Tom side=blue",
        "begin",
        'order Ana action="climb the tower" ready="strike"',
        'order Bo action="bar the door if it stands open"',
    )
    p = Player("chaos", lines)
    assert not any(word in p.text() for word in ("ready", "condition:", "reads like")), "a warning tells it"
    for line in ("lock", "roll Ana 19", "roll Bo 3"):
        assert "climb the tower" not in p.text()
        assert p.text().count("(sealed)") >= 2
        p.store.run(line)
    assert "climb the tower" not in p.text()
    # There is nothing to read yet: one key goes on.
    assert "Read before play goes on" not in p.text()
    assert "The reactions open with the first slot" in p.picture()["now"][0]
    assert p.press("O").asked() == ["ok"]
    assert "climb the tower" not in p.text()
    p.press("n")
    assert "climb the tower" in p.text()
    assert "bar the door" in p.text()
    p.press("n", "n")
    assert "climb the tower" not in p.text().partition("Log")[0]


def test_on_a_narrow_screen_who_may_break_in_stays_when_the_cursor_goes_to_another_row() -> None:
    p = Player("chaos", [*LINES, "ok", "next"])
    p.size = (60, 18)
    assert "may interrupt" in p.text()
    for _ in range(3):
        p.press("j")
        assert "may interrupt" in p.text()
