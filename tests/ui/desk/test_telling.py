"""`:story` on the screen: read over the panes, and nothing of it happens."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tests.kit.keyboard import Player
from tui.ui.modes.page import Page

DECLARED = ["add Fay kind=pc", "add Bo kind=pc", "add Orc", "begin"]


def asked(p: Player, line: str) -> Page:
    step = p.store.step
    p.press(":", *("space" if x == " " else x for x in line), "enter")
    assert p.store.step == step, "nothing happens"
    assert isinstance(p.desk.view.mode, Page), p.message()
    return p.desk.view.mode


def test_the_story_is_read_with_figures_first() -> None:
    p = Player(
        "classic",
        ["add Ana hp=9 side=heroes", "add Orc hp=7", "begin", "roll", "next", "damage Orc 3", "damage Ana 1"],
    )
    found = asked(p, "story")
    assert found.title.startswith("Story: Classic, 1 round")
    figures = found.text[: found.text.index("")]
    assert {x.partition(":")[0] for x in figures} == {"Ana", "Orc"}
    assert any("took 3" in x for x in figures)
    assert "Round 1" in found.text
    assert any("Orc takes 3 damage" in x for x in found.text)


def test_what_takes_long_is_shown_when_it_is_done_to_whoever_still_waits_for_it() -> None:
    p = Player("dynamic", DECLARED)
    waiting: list[Callable[[], Callable[[], None]]] = []
    p.desk.services = replace(p.desk.services, aside=waiting.append)
    assert asked(p, "story").text == ("Gathering the story: Esc goes back without it.",)
    p.press("n")
    waiting.pop()()()
    assert isinstance(p.desk.view.mode, Page)
    assert len(p.desk.view.mode.text) > 3
    p.press("escape")
    asked(p, "story")
    p.press("escape")
    waiting.pop()()()
    assert not isinstance(p.desk.view.mode, Page)
