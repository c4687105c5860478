"""For screen readers: words instead of marks, no rules, one pane at a time, the cursor where the eye is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import FIGHT, PARTY, Player
from tests.kit.terminal import Terminal, tocsin
from tests.kit.tiers import cases
from tests.ui.desk.asking import PLAYING, TOYS, WRITING, WRITTEN
from tests.ui.wire.line import Line, draw, opened, shown
from tui.ui.desk.ports import Services
from tui.ui.state.settings import Settings

ALOUD = Settings(ascii=True, a11y=True)
MARKS = set("─━▶✓✗◎●○◆◇■□·→…*#|@^")


def aloud(*lines: str, system: str = "classic") -> Player:
    return Player(system, lines, systems=TOYS, settings=ALOUD)


def at(p: Player) -> tuple[int, int]:
    boxes = p.desk.boxes(*p.size)
    return p.desk.point(boxes, p.desk.draw(boxes))


def line_at(p: Player) -> str:
    """The text of the part's line that the cursor stands in, from the cursor on."""
    x, y = at(p)
    for part, box in p.desk.boxes(*p.size).items():
        if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
            return p.picture()[part][y - box.y][x - box.x :]
    raise AssertionError((x, y))


@pytest.mark.parametrize("ascii_only", [False, True])
def test_there_are_no_boxes_and_no_mark_stands_for_a_word(ascii_only: bool) -> None:
    p = Player(lines=[*FIGHT, "next", 'out "Orc 1"'], settings=Settings(ascii=ascii_only, a11y=True))
    for pane in ("track", "roster", "orders", "log"):
        p.press(":", f"'panes {pane}'", "enter")
        assert not set(p.text()) & MARKS, p.text()
        assert "---" not in p.text()
        assert "===" not in p.text()


def test_side_state_and_mark_of_a_row_are_words() -> None:
    p = aloud(*FIGHT).press("space", "k")
    rows = p.picture()["track"]
    assert "acting, dark, selected" in next(r for r in rows if r.startswith(">"))
    assert any("Ana" in r and "heroes" in r for r in rows)
    assert "Track, has focus" in rows[0]


def test_what_is_not_on_the_disk_yet_is_said() -> None:
    p = Player(lines=FIGHT, settings=ALOUD, services=Services(is_saved=lambda: False))
    assert p.picture()["header"][0].endswith("saving ")


def test_one_pane_at_a_time_and_z_shows_all_that_belong_together() -> None:
    p = aloud(*FIGHT)
    assert set(p.picture()) == {"header", "track", "now", "hints"}
    p.press("tab")
    assert "roster" in p.picture()
    p.press("w")
    assert set(p.picture()) == {"header", "orders", "now", "hints"}
    p.press("escape", "z")
    assert {"card", "roster", "log"} <= set(p.picture())
    p.press("shift+tab")
    assert {"track", "card", "log"} <= set(p.picture())


def test_the_cursor_follows_the_selected_row() -> None:
    p = aloud(*FIGHT).press("g")
    seen = [line_at(p)]
    for _ in range(4):
        p.press("j")
        seen.append(line_at(p))
    names = [p.store.encounter.combatants[r.entry].name for r in p.store.system.rows(p.store.encounter)]
    assert [next(n for n in names if n in line) for line in seen] == names
    p.press("tab", "G")
    assert "Orc 3" in line_at(p)
    p.press("tab")
    assert "acts" in line_at(p)


def test_the_cursor_is_where_something_is_typed() -> None:
    p = aloud(*FIGHT).press("d", "'12'")
    assert line_at(p).startswith(" ")
    p.press("left")
    assert line_at(p).startswith("2 ")
    p.press("home")
    assert line_at(p).startswith("damage")


def test_the_cursor_follows_forms_menus_choices_and_what_is_read() -> None:
    p = aloud(*WRITING, system="toy").press("o", "'left'", "home")
    assert line_at(p).startswith("left")
    p.press("tab")
    assert "stance" in line_at(p)
    p = aloud(*WRITTEN, system="toy").press("enter", "j")
    assert "Bo" in line_at(p)
    p = aloud(*PLAYING, system="toy").press("y", "j")
    assert "a jig" in line_at(p)
    p.press("escape", "?")
    assert "does what the row needs" in line_at(p)


@given(
    st.lists(
        st.sampled_from(["j", "k", "tab", "d", "'3'", "escape", "enter", "?", "n", "/", "o", "z", "w", ":"])
    ),
    st.tuples(st.integers(1, 120), st.integers(1, 40)),
)
@cases(40)
def test_the_cursor_never_leaves_the_screen(keys: list[str], size: tuple[int, int]) -> None:
    p = aloud(*FIGHT)
    p.size = size
    p.press(*keys)
    x, y = at(p)
    assert 0 <= x < size[0]
    assert 0 <= y < size[1]


def test_an_empty_pane_says_what_fills_it() -> None:
    assert "No creatures yet" in line_at(aloud())


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200), st.text("abc ", max_size=8)), min_size=1))
@cases(60)
def test_after_every_frame_the_cursor_is_at_the_point(script: list[tuple[int, int, str]]) -> None:
    line = Line(1e6, 0.01)
    wire = opened(line)
    for x, y, text in script:
        wire.point(x, y)
        draw(wire, [text] * line.terminal.lines)
        line.run(line.time + 1)
        cursor = line.terminal.cursor
        assert (cursor.x, cursor.y) == (min(x, line.terminal.columns - 1), min(y, line.terminal.lines - 1))
        assert shown(line) == [text.rstrip()] * line.terminal.lines
    sent = line.sent
    wire.flush()
    assert line.sent == sent
    wire.repaint()
    line.run(line.time + 1)
    assert (cursor.x, cursor.y) == (min(x, line.terminal.columns - 1), min(y, line.terminal.lines - 1))


def row_of(t: Terminal) -> str:
    return t.screen.display[t.screen.cursor.y]


@pytest.mark.long
def test_the_real_terminal_shows_its_cursor_at_the_row(tmp_path: Path) -> None:
    t = tocsin(tmp_path, "fight", "--a11y")
    t.wait("Which system for fight?")
    t.press("\r", "No creatures yet")
    for line in PARTY:
        t.press(f":{line}\r", line.split()[1] if not line.split()[1].isdigit() else "Orc 3")
    t.press("\t\t\t\tg", "Roster, has focus")
    for key, name in (("", "Ana"), ("j", "Bo"), ("j", "Orc 1")):
        t.type(key)
        t.wait(name)
        for _ in range(100):
            if name in row_of(t):
                break
            t.wait(name)
        assert name in row_of(t)
        assert not t.screen.cursor.hidden
    t.press(":note x", ":note x")
    assert t.screen.cursor.x == len(":note x")
    t.press("\x1b", "Roster")
    t.press("bG:leave-out\r", "no effect")
    for _ in range(10):  # the answers to what was sent come in
        t.wait("no effect")
    sent = len(t.raw)
    for _ in range(40):
        t.wait("no effect")
    assert len(t.raw) == sent  # neither the clock nor the cursor costs an idle screen a byte
    t.type("q")
    assert t.end() == 0
    assert t.foreign() == b""
