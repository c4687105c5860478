"""Rows of the track: places, hit points, conditions by weight, who delays, has acted, waits in reserve."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import FIGHT, Player
from tests.rendering import desk_of
from tui.ui.panes.creatures import alike
from tui.ui.text.glyphs import UNICODE
from tui.ui.text.rows import cells, fitted, short, words

WORDS = st.lists(st.text("abc龍 ", min_size=1, max_size=12).map(str.strip).filter(bool), max_size=6)
MORE = re.compile("\N{HORIZONTAL ELLIPSIS}([0-9]+)$")


def row(p: Player, name: str) -> str:
    """The row of the track on which this name stands."""
    return next(line for line in p.picture()["track"] if f" {name} " in line + " ")


def test_rows_have_places_numbers_and_hit_points_at_fixed_columns() -> None:
    p = Player(
        lines=["add Ana hp=24 value=18", "add Bo hp=9 value=7", "begin", "damage Ana 11", "temp Ana 5"]
    )
    assert row(p, "Ana")[4:33] == " 1  18 ● Ana          13/24+5"
    assert row(p, "Bo")[4:33] == " 2   7 ● Bo               9/9"


def test_classic_3_whoever_delays_looks_unlike_those_who_wait_their_turn() -> None:
    p = Player(lines=FIGHT)
    name = p.store.encounter.combatants[p.store.encounter.acting].name
    p.press(",", "n")
    assert "‖" in row(p, name)
    assert "delays" in row(p, name)
    assert name in "".join(p.picture()["now"])


def test_unb_10_members_stand_under_their_faction_and_who_has_acted_is_ticked() -> None:
    lines = ["add Iris side=Crew", "add Jax side=Crew", "add Beast side=Wild", "add Cub side=Wild", "begin"]
    p = Player("unbound", [*lines, "roll Crew 9", "roll Wild 3", "turn Iris"])
    assert "2 of 2 to act" in row(p, "Crew")
    assert "▶" in row(p, "Iris")
    p.press("e")
    assert "✓" in row(p, "Iris")
    assert "1 of 2 to act" in row(p, "Crew")
    assert "✓" not in row(p, "Jax")


def test_death_saves_counters_and_a_maximum_for_a_while_are_on_row_and_card() -> None:
    lines = [
        "option zero.pc=dying",
        "add Ana kind=pc hp=20 value=18 resist=fire",
        "add Bo hp=9 value=7",
        "begin",
        "turn Ana",
    ]
    p = Player(lines=[*lines, "set Ana temp_max=5", "count Ana rage 2 max=3"])
    assert "20/25" in row(p, "Ana")
    assert "rage 2/3" in row(p, "Ana")
    assert "rage 2/3" in p.text()
    assert "resists fire" in p.text()
    p.store.run("damage Ana 20")
    p.press("g")
    assert "dying +0 -0" in row(p, "Ana")
    assert "dying: 0 saves made, 0 failed" in p.text()


def test_a_pane_with_nothing_to_say_has_no_line_not_even_a_title() -> None:
    p = Player(lines=FIGHT)
    assert "orders" not in p.picture()
    assert "Orders" not in p.text()


def test_who_is_in_reserve_or_out_stands_below_and_folds_first() -> None:
    lines = ["add Ana side=heroes", "add 3 Rat side=dark hp=3", "begin", 'out "Rat 2"']
    p = Player("dungeon-universalis", lines)
    assert "reserve" in row(p, "Rat 1")
    assert "out" in row(p, "Rat 2")
    many = Player("dungeon-universalis", ["add 12 Hero side=heroes", "add 9 Rat side=dark", "begin"])
    assert "9 in reserve" in "\n".join(many.picture()["track"])


def test_what_weighs_most_stands_first_and_the_rest_is_counted() -> None:
    lines = [
        "condition Ana charmed",
        "condition Ana stunned rounds=3",
        "condition Ana slowed rounds=1",
        "condition Ana concentration",
    ]
    p = Player(lines=["add Ana hp=9 value=9", "add Bo value=3", "begin", *lines])
    assert re.search("9/9 ◎ slowed 1 (stunned 3 )?\N{HORIZONTAL ELLIPSIS}[23]", row(p, "Ana"))
    p.size = (120, 40)
    told = row(p, "Ana")
    assert told.index("◎") < told.index("slowed 1") < told.index("stunned 3") < told.index("charmed")
    p.store.run("damage Ana 40")
    assert row(p, "Ana").index("at 0") < row(p, "Ana").index("slowed 1")


@given(WORDS, st.integers(1, 60))
def test_what_is_left_out_is_counted_and_nothing_is_wider_than_its_column(
    told: list[str], width: int
) -> None:
    shown = (
        words(tuple(fitted([(x, "text") for x in told], width, "\N{HORIZONTAL ELLIPSIS}"))) if told else ""
    )
    assert cells(shown) <= width
    if shown == " ".join(told) or not told:
        return
    left = MORE.search(shown)
    if left:
        kept = shown[: left.start()].rstrip()
        assert len(told) - int(left[1]) >= 1
        assert kept[:1] == told[0][:1]
    else:
        assert shown.endswith("\N{HORIZONTAL ELLIPSIS}")


@given(st.text("abcö龍 ", min_size=1, max_size=20), st.integers(1, 99), st.integers(8, 30))
def test_a_cut_name_keeps_the_number_that_tells_two_apart(base: str, number: int, width: int) -> None:
    name = f"{base.strip() or 'x'} {number}"
    shown = short(name, width, "\N{HORIZONTAL ELLIPSIS}")
    assert cells(shown) == width
    assert shown.rstrip().endswith(f" {number}")


def test_those_who_differ_in_their_number_alone_are_one_name() -> None:
    assert alike(["Rat 1", "Rat 2", "Rat 3", "Rat 7"], UNICODE) == "Rat 1\N{EN DASH}3, 7"
    assert alike(["Rat 1", "Cat 2"], UNICODE) == "Rat 1, Cat 2"
    assert alike(["Ana"], UNICODE) == "Ana"


@pytest.mark.parametrize("system", ["dungeon-universalis", "dungeon-track"])
def test_dun_2_an_opposed_roll_gives_nobody_a_place(system: str) -> None:
    """Sides take turns: nobody stands at a number, whoever rolls against whom."""
    p = Player(system, ["add Ana side=heroes", "add Bo side=heroes", "add 2 Orc int=3", "begin", "meet Ana"])
    assert p.store.table().due
    for name in ("Ana", "Bo", "Orc 1", "Orc 2"):
        assert not re.search(r"[0-9?]", row(p, name).replace(name, "")), row(p, name)


def test_the_card_of_a_group_that_acts_is_read_once_for_all_of_it() -> None:
    lines = [
        'add 3 Orc hp=9 group=Orcs card="Axe: +4, 1d8+2"',
        "set 'Orc 1' hp=4".replace("'", '"'),
        "begin",
        "roll",
        "next",
    ]
    p = Player(lines=lines)
    shown = "\n".join(p.picture()["card"])
    assert "Orcs act" in shown
    assert shown.count("Axe: +4, 1d8+2") == 1


def test_unb_6_a_new_faction_in_mid_fight_makes_no_numbers_of_the_places_of_the_others() -> None:
    lines = ["add Iris side=Crew", "add 2 Beast side=Wild", "begin", "roll Crew 9", "roll Wild 3", "next"]
    p = Player("unbound", [*lines, "add 2 Drone side=Station"])
    assert "?" in row(p, "Station")[4:13]
    for side in ("Crew", "Wild"):
        assert re.search(r"\d", row(p, side)[4:13]) is None


@pytest.mark.parametrize("size", [(80, 24), (60, 18), (120, 40)])
def test_a_remark_of_the_roster_is_never_cut_to_a_few_letters(size: tuple[int, int]) -> None:
    p = Player(
        "dungeon-track", ("add Ana kind=pc per=1 int=2", "add 2 Archer group=Archers per=3 int=4 distance=7")
    )
    p.size = size
    p.press("b")
    kinds = "\n".join(p.picture().get("roster", []))
    assert not re.search(r"\b\w{1,4}…", kinds)


def test_the_sides_in_the_title_of_the_roster_keep_their_numbers() -> None:
    heroes = tuple(f"add Hero{n} kind=pc" for n in range(5))
    p = Player("dungeon-universalis", (*heroes, "add 7 Orc")).press("a")
    assert "● 5 ○ 7" in p.picture()["roster"][0]
    assert "● heroes 5 ○ dark 7" in p.press("escape").picture()["roster"][0]


def test_the_armour_class_of_one_is_not_that_of_all_of_a_side() -> None:
    lines = ("add Ana side=Crew ac=15 hp=9", "add Bo side=Crew hp=9", "add Rat side=Pack ac=12 hp=3", "begin")
    p = Player("unbound", lines)
    p.size = (120, 40)
    rows = p.picture()["track"]
    crew, pack = (next(row for row in rows if name in row) for name in ("Crew", "Pack"))
    assert "15" not in crew
    assert "12" in pack
    p.store.run("set Bo ac=15")
    assert any("Crew" in row and "15" in row for row in p.picture()["track"])


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_blank_stands_between_place_and_card(size: tuple[int, int]) -> None:
    desk = desk_of("canyon")
    drawn = [words(row) for row in desk.draw(desk.boxes(*size))["track"]]
    assert any("1 joker" in row for row in drawn)
    assert any("4   10♣ " in row for row in drawn)
