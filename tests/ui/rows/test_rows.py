"""Rows of the track: places, hit points, conditions by weight, who delays, has acted, waits in reserve."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import FIGHT, Player
from tests.rendering import desk_of
from tui.ui.panes.creatures import join_numbered
from tui.ui.text.glyphs import UNICODE
from tui.ui.text.rows import cells, fit_pieces, short, words

WORDS = st.lists(st.text("abc龍 ", min_size=1, max_size=12).map(str.strip).filter(bool), max_size=6)
MORE = re.compile("\N{HORIZONTAL ELLIPSIS}([0-9]+)$")


def row(p: Player, name: str) -> str:
    """The row of the track on which this name stands."""
    return next(line for line in p.picture()["track"] if f" {name} " in line + " ")


def test_a_pane_with_nothing_to_say_has_no_line_not_even_a_title() -> None:
    p = Player(lines=FIGHT)
    assert "orders" not in p.picture()
    assert "Orders" not in p.text()


@given(WORDS, st.integers(1, 60))
def test_what_is_left_out_is_counted_and_nothing_is_wider_than_its_column(
    told: list[str], width: int
) -> None:
    shown = (
        words(tuple(fit_pieces([(x, "text") for x in told], width, "\N{HORIZONTAL ELLIPSIS}")))
        if told
        else ""
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
    assert join_numbered(["Rat 1", "Rat 2", "Rat 3", "Rat 7"], UNICODE) == "Rat 1\N{EN DASH}3, 7"
    assert join_numbered(["Rat 1", "Cat 2"], UNICODE) == "Rat 1, Cat 2"
    assert join_numbered(["Ana"], UNICODE) == "Ana"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_blank_stands_between_place_and_card(size: tuple[int, int]) -> None:
    desk = desk_of("canyon")
    drawn = [words(row) for row in desk.draw(desk.boxes(*size))["track"]]
    assert any("1 joker" in row for row in drawn)
    assert any("4   10♣ " in row for row in drawn)


def test_a_wide_letter_is_not_given_up_for_the_number_after_it() -> None:
    assert short("龍の子 4", 4, "…") == "龍… "
    assert short("龍の子 4", 5, "…") == "龍… 4"
    assert short("Goblin 12", 6, "…") == "Go… 12"
