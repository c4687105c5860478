"""Names that mean something to markup, terminals and layouts are drawn as they are, in straight columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote
from tui.ui.panes.keyed import keyed_text
from tui.ui.text.rows import cells

EVIL = [
    "Orc [/]",
    "[@click=app.quit]X[/]",
    "[bold red]Bo",
    "{who}",
    "{0}",
    "Zoë",
    "龍の子",
    "👩‍👩‍👧‍👦 clan",
    "e\u0301\u0301\u0301\u0301",
    "a\x1b[31mb",
    "tab\there",
    "`next`",
    "-" * 64,
    "\u202eevil",
    "x" * 64,
]


def fight(name: str) -> Player:
    return Player(
        lines=[f"add {quote(name)} owner=Mia hp=9", "add 2 Orc hp=7 hidden=yes", "begin", "roll", "next"]
    )


@pytest.mark.parametrize("name", EVIL, ids=range(len(EVIL)))
def test_evil_names_are_drawn_straight(name: str) -> None:
    p = fight(name)
    shown = next(iter(p.store.encounter.combatants.values())).name
    assert not any(ord(c) < 32 or c == "\u202e" for c in shown)
    for size in ((80, 24), (120, 40), (50, 20), (20, 5)):
        p.size = size
        for mode in ("", "d", "w", "c", "'/'"):
            p.press(*([mode] if mode else []))
            text = p.text()
            assert not any(ord(c) < 32 and c != "\n" for c in text)
            p.press("escape")


@pytest.mark.parametrize("name", EVIL, ids=range(len(EVIL)))
def test_keys_mean_who_is_selected_whatever_the_name(name: str) -> None:
    p = fight(name).press("tab", "g", "3", "d")
    assert p.store.encounter.combatants["c1"].hp == 6


@given(st.text(max_size=30))
@cases(60)
def test_any_text_as_a_name_is_refused_or_drawn(name: str) -> None:
    p = Player()
    try:
        p.store.run("add " + quote(name))
    except RuleError:
        return
    p.press("space", "w", "escape", "2", "d")
    boxes = p.desk.boxes(80, 24)
    for part, lines in p.desk.draw(boxes).items():
        assert all(sum(cells(text) for text, _ in line) <= boxes[part].width for line in lines)


def test_what_is_said_about_words_is_not_taken_for_words() -> None:
    assert keyed_text("`next` when done; `nonsense`", {"next": "n"}) == "[n] next when done; :nonsense"


def test_marks_and_words_never_colour_alone() -> None:
    p = Player(
        lines=[
            "add Ana owner=Mia hp=9",
            "add Bo hp=5 hidden=yes",
            "add Cy hp=5",
            "add Di hp=4",
            "begin",
            "roll",
            "condition Ana concentration",
            "out Cy",
            "damage Di 9",
            "next",
        ]
    )
    p.size = (120, 40)
    text = p.text()
    for mark, word in (
        ("▶", "acts"),
        ("✗", "out"),
        ("●", "HIDDEN"),
        ("━", "concentrating"),
        ("0/4", "at 0"),
        ("●", "heroes"),
    ):
        assert mark in text
        assert word in text
