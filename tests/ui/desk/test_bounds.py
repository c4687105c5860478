"""Typing is bounded: an editor says when it is full, and a key costs the same at any length."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.kit.keyboard import FIGHT, Player, press_of
from tests.kit.tiers import share
from tui.core.base.text import LONGEST_LINE, clusters
from tui.ui.modes import form as forms
from tui.ui.modes.form import Form
from tui.ui.modes.menu import Menu
from tui.ui.modes.prompt import Prompt
from tui.ui.panes import hints, now, orders
from tui.ui.text import editor as typing
from tui.ui.text import fit
from tui.ui.text import rows as columns
from tui.ui.text.editor import Editor

WIDE, NARROW = "龍", "x"
FLAGS = "🇩🇪"


def typed(p: Player) -> str:
    """What stands in the editor."""
    match p.desk.view.mode:
        case Prompt() as prompt:
            return prompt.editor.text
        case Form() as form:
            return "".join(form.texts.values())
        case other:
            raise AssertionError(other)


def in_a_prompt() -> Player:
    return Player(lines=FIGHT).press(":")


def in_a_filter() -> Player:
    return Player(lines=FIGHT).press("/")


def in_an_order() -> Player:
    return Player("chaos", ["add Ana owner=Mia", "add Orc", "begin"]).press("o")


@pytest.mark.law
@pytest.mark.parametrize("place", [in_a_prompt, in_a_filter, in_an_order])
@pytest.mark.parametrize("text", [NARROW, WIDE, "é\u0301", "a b "])
def test_megabytes_pasted_in_pieces_leave_a_line_and_say_so(place: type[Player], text: str) -> None:
    p = place()
    piece = text * (4_000 // len(text))
    p.press("x")
    most = share(2_000_000) if text == NARROW else share(100_000)
    for _ in range(max(3, most // len(piece.encode()))):
        p.desk.paste(piece)
    assert "the line is full" in p.message()
    assert LONGEST_LINE - 8 <= len(typed(p)) <= LONGEST_LINE
    before = typed(p)
    p.press("'zzzzzzzz'")
    assert "the line is full" in p.message()
    assert typed(p).startswith(before)
    p.press("backspace")
    assert len(typed(p)) < LONGEST_LINE


class Work:
    """How many letters were measured, cut into clusters or searched."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.letters = 0

        def measured(text: str) -> int:
            self.letters += len(text)
            return cell_len(text)

        def parted(text: str) -> list[str]:
            self.letters += len(text)
            return clusters(text)

        for module in (columns, now, hints, orders, fit, typing, forms):
            if hasattr(module, "cells"):
                monkeypatch.setattr(module, "cells", measured)
        monkeypatch.setattr(columns, "cell_len", measured)
        monkeypatch.setattr(columns, "clusters", parted)
        monkeypatch.setattr(typing, "clusters", parted)

    def of(self, p: Player, key: str) -> int:
        """The work of one key and the picture after it."""
        self.letters = 0
        p.desk.press(press_of(key))
        p.desk.draw(p.desk.boxes(*p.size))
        return self.letters


@pytest.mark.parametrize("place", [in_a_prompt, in_an_order])
@pytest.mark.parametrize("text", [NARROW, WIDE, FLAGS])
@pytest.mark.parametrize("key", ["y", "left", "backspace", "right", "home", "end", "ctrl+k"])
@pytest.mark.parametrize("size", [(80, 24), (1, 1)])
def test_a_key_costs_the_same_at_any_length(
    place: type[Player], text: str, key: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, found = Work(monkeypatch), []
    for letters in (400, LONGEST_LINE - 400):
        p = place()
        p.size = size
        for _ in range(0, letters, 400):
            p.desk.paste(text * (400 // len(text)))
        p.press("left", "left")
        found.append(work.of(p, key))
    few, many = found
    flags = (
        len(FLAGS) * LONGEST_LINE if text == FLAGS else 0
    )  # which of a run pair is known from its beginning
    assert many <= 1.3 * few + 500 + flags


@pytest.mark.parametrize("text", [NARROW, WIDE, FLAGS, "é\u0301"])
@pytest.mark.parametrize("width", [1, 2, 3, 7, 40, 80])
def test_the_cursor_is_in_sight_wherever_it_stands_in_a_long_line(text: str, width: int) -> None:
    whole = Editor.from_text(text * (3_000 // len(text)))
    for at in range(0, len(whole.text), 37):
        row = typing.typed_line(Editor(whole.text, at), width)
        assert sum(cell_len(piece) for piece, _ in row) <= width
        if width > 2:
            assert any(role == "current" and piece for piece, role in row)


def test_a_menu_is_narrowed_by_few_letters() -> None:
    p = Player(lines=FIGHT).press("ctrl+p")
    for _ in range(500):
        p.desk.press(press_of("x"))
    assert isinstance(p.desk.view.mode, Menu)
    assert len(p.desk.view.mode.search) <= 100
