"""The order pane can be read: from its first row after every step, page by page, never cut in silence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.keyboard import Player
from tests.kit.visitor import Visitor
from tui.manual import ManualChapter, read_chapters, write_plain_chapter
from tui.systems import Registry
from tui.ui.modes.page import Page

LONG = "move along the wall to the third window and wait there until somebody opens it"
FIGHTERS = ("Ana", "Bo", "Cay", "Dov")
BOARD = [
    *(f"add {name} owner=P{i}" for i, name in enumerate(FIGHTERS)),
    "begin",
    *(f'order {name} action="{LONG}" reaction="an enemy is seen => {LONG}"' for name in FIGHTERS),
    "lock",
    "roll",
]


def board(size: tuple[int, int]) -> Player:
    p = Player("chaos", BOARD)
    p.size = size
    p.picture()
    return p


def read_to_the_end(p: Player, key: str) -> str:
    """All that was on the screen until play went on."""
    seen, step = [], p.store.step
    for _ in range(200):
        seen.append(" ".join(" ".join(p.picture().get("orders", [])[1:]).split()))
        p.press(key)
        if p.store.step > step:
            return " ".join(seen)
    raise AssertionError("it never went on")


@pytest.mark.parametrize("key", ["n", "enter"])
@pytest.mark.parametrize("size", [(80, 24), (60, 18), (50, 16), (40, 10), (30, 8)])
def test_the_whole_board_is_shown_before_play_goes_on(key: str, size: tuple[int, int]) -> None:
    """CHA-15."""
    seen = read_to_the_end(board(size=size), key)
    for name in FIGHTERS:
        assert seen.count(f"{name}:") >= 1, (name, seen)
    assert "third" in seen


def test_a_board_that_is_cut_says_so() -> None:
    p = board(size=(60, 12))
    title = p.picture()["orders"][0]
    assert re.search("1\N{EN DASH}[0-9]+ of [0-9]+", title), title
    p.press("n")
    assert "there is more" in p.message()
    assert "1\N{EN DASH}" not in p.picture()["orders"][0]


def test_a_board_that_fits_is_acknowledged_with_one_key() -> None:
    p = board(size=(120, 60))
    step = p.store.step
    p.press("n")
    assert p.store.step == step + 1


def test_a_text_is_shown_from_its_first_row_again_when_the_fight_has_moved() -> None:
    p = Player("chaos", [*BOARD, "ok"])
    p.size = (80, 18)
    p.press("n", "tab", "tab", "j", "j", "j")
    p.press("tab", "n")
    assert p.desk.view.tops == {}
    assert p.picture()["orders"][1].strip().startswith("action")


def test_scrolling_ends_at_the_last_row_and_comes_back_at_once() -> None:
    p = Player("chaos", [*BOARD, "ok", "next"])
    p.size = (80, 18)
    p.press("tab", "tab", *["j"] * 90)
    shown = p.picture()["orders"]
    assert shown[-1].strip()
    top = p.desk.view.tops["orders"]
    p.press("k")
    assert p.desk.view.tops["orders"] == top - 1
    p.press("G")
    assert p.desk.view.tops["orders"] == top
    p.press("g")
    assert p.desk.view.tops["orders"] == 0


@pytest.mark.parametrize(("size", "rows"), [((80, 24), 8), ((60, 18), 11)])
def test_what_has_nothing_to_say_leaves_its_room_to_the_log(size: tuple[int, int], rows: int) -> None:
    """A short board is as high as its lines; of whoever is unhurt nothing is said."""
    lines = ["add Ana owner=Mia hp=9", "add Bo owner=Tom hp=9", "begin", "lock missing=empty", "roll"]
    p = Player("chaos", lines)
    p.size = size
    shown = p.picture()
    assert "nobody is hurt" not in p.text()
    assert all(row.strip() for row in shown["orders"])
    assert len(shown["log"]) >= rows
    p = Player("chaos", ["add Ana owner=Mia hp=9", "damage Ana 4", "begin"]).press("o")
    p.size = (60, 24)
    assert "Ana 5/9" in "\n".join(p.picture()["summary"])


@pytest.mark.parametrize("chapter", read_chapters(), ids=lambda one: one.name)
def test_what_is_called_as_a_chapter_opens_that_chapter_whole(chapter: ManualChapter, tmp_path: Path) -> None:
    systems = Registry()
    running = chapter.name if chapter.name in systems.ids() else "classic"
    typed = {chapter.name, chapter.name.replace("-", " "), chapter.title.upper()}
    typed |= {systems.get(chapter.name).title} if chapter.name in systems.ids() else set()
    for called in typed:
        visitors = [Visitor(tmp_path)] if called == chapter.name else []
        readers: list[Player | Visitor] = [Player(running), *visitors]
        for p in readers:
            page = p.press("?", f"'{called}'", "enter").desk.view.mode
            assert isinstance(page, Page)
            assert (page.title, page.top) == (chapter.title, 0)
            assert page.text == tuple(write_plain_chapter(chapter.text, 78))
