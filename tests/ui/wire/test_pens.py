"""Laws of the parts: moves arrive, pens are reached, texts keep their columns, memory is bounded."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len as measured
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from tests.kit.emulator import Cell, Terminal
from tests.ui.wire.painter import Painter, Pens, Picture
from tests.ui.wire.strategies import styles
from tui.ui.wire.abilities import Abilities, from_environment
from tui.ui.wire.grid import NARROW_RANGES, CellRow, cell_len, cells
from tui.ui.wire.pens import ON_CODES, PLAIN, Pen, blank_pen, dress, is_alike, transition
from tui.ui.wire.stroke import address, move
from tui.ui.wire.wire import Screen

WIDTH, HEIGHT = 90, 40
places = st.tuples(st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1))
colours = st.sampled_from(["", "31", "94", "5;46", "2;30;30;46", "2;205;214;244"])
pens = st.builds(
    Pen,
    colours.map(lambda c: f"38;{c}" if ";" in c else c),
    colours.map(lambda c: f"48;{c}" if ";" in c else c and str(int(c) + 10)),
    st.integers(0, 2 ** len(ON_CODES) - 1),
)


@given(places, places, st.booleans(), st.booleans(), st.booleans())
def test_a_move_arrives_and_is_never_longer_than_the_address(
    start: tuple[int, int], goal: tuple[int, int], linefeed: bool, lost: bool, edge: bool
) -> None:
    terminal = Terminal(WIDTH, HEIGHT)
    terminal.feed(address(*start))
    terminal._edge = edge and not lost
    known = (None, None) if lost else (start[0], None if edge else start[1])
    sequence = move(known, goal, linefeed=linefeed)
    terminal.feed(sequence)
    assert (terminal.cursor.y, terminal.cursor.x) == goal
    assert len(sequence) <= len(address(*goal))
    assert linefeed or "\n" not in sequence


def held(*sequences: str) -> Cell:
    terminal = Terminal(2, 1)
    for sequence in sequences:
        terminal.feed(sequence)
    return terminal._pen


@given(pens, pens)
def test_a_transition_reaches_the_pen_from_any_other(old: Pen, new: Pen) -> None:
    reached = held(transition(None, old), transition(old, new))
    assert reached == held(transition(None, new))
    assert len(transition(old, new)) <= len(transition(None, new))


@given(pens, pens)
def test_a_blank_looks_right_in_the_pen_it_is_dressed_with(old: Pen, new: Pen) -> None:
    pen = dress(old, blank_pen(new))
    assert held(transition(None, pen)).seen() == held(transition(None, new)).seen()
    assert len(transition(old, pen)) <= len(transition(old, blank_pen(new)))
    for other in (old, Pen("", new.bg), blank_pen(new)):
        assert (
            not is_alike(new, other)
            or held(transition(None, other)).seen() == held(transition(None, new)).seen()
        )


@given(
    st.text(st.characters(exclude_categories=["Cs"]))
    | st.text("ae\u0301漢❤\ufe0f\u200d👩🚀🇩\x1b\x07\u202e\u0085 ")
)
def test_a_text_keeps_its_columns_and_loses_what_could_steer(text: str) -> None:
    columns = cells(text)
    assert len(columns) == cell_len(text)
    assert not any(
        ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2066\u2028\ufeff" for c in "".join(columns)
    )


@given(st.text(st.characters()) | st.text("ae\u0301漢❤\ufe0f\u200d👩🚀🇩 "))
def test_where_only_ascii_may_be_sent_a_row_keeps_its_columns(text: str) -> None:
    row = CellRow.filled_with(20)
    row.paint(0, 20, [(text, PLAIN)])
    texts = row.in_ascii().texts
    assert len(texts) == 20
    assert all(x and len(x) == 1 and " " <= x <= "~" for x in texts)
    for seen, was in zip(texts, row.texts, strict=True):
        assert seen == was or not (was and was.isascii()), "ASCII stays as it is"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Zoë", "Zoe"),
        ("Łucja Ångström", "Lucja Angstrom"),
        ("e\u0301", "e"),
        ("a · b…", "a - b~"),
        ("±1 ½ → ▶", "+1 / > >"),
        ("漢 Ж", "?? ?"),
    ],
)
def test_letters_lose_their_accents_where_only_ascii_may_be_sent(text: str, seen: str) -> None:
    row = CellRow.filled_with(cell_len(text))
    row.paint(0, cell_len(text), [(text, PLAIN)])
    assert row.in_ascii().texts == [*seen]
    plain = CellRow.filled_with(4)
    assert plain.in_ascii() is plain
    assert CellRow.make_unknown(1).in_ascii().texts == ["?"]


@given(st.text(st.characters(), max_size=40), styles())
def test_whatever_text_is_drawn_the_terminal_takes_no_harm(text: str, style: Style | None) -> None:
    """The emulator refuses everything that is neither text nor one of the wire's own sequences."""
    strip = Strip([Segment("<", style), Segment(text, style), Segment(">", style)]).crop(0, WIDTH)
    strip = strip.adjust_cell_length(WIDTH, style)
    picture, screen, terminal = Picture(WIDTH, 1), Screen(), Terminal(WIDTH, 1)
    Painter(Pens(ColorSystem.TRUECOLOR)).paint(picture, LayoutUpdate([[strip]], Region(0, 0, WIDTH, 1)))
    terminal.feed(screen.frame(picture.rows, Abilities(erases_in_colour=True, repeats=True)))
    assert [terminal.buffer[0][x].data for x in range(WIDTH)] == picture.rows[0].texts


@pytest.mark.parametrize(
    ("term", "colour", "scrolls"),
    [("xterm-256color", True, True), ("screen-256color", False, True), ("tmux-256color", False, True),
     ("linux", True, True), ("vt100", False, False), ("", False, False), ("xterm-kitty", True, True)],
)  # fmt: skip
def test_what_a_name_promises(term: str, colour: bool, scrolls: bool) -> None:
    can = from_environment({"TERM": term})
    assert (can.erases_in_colour, can.scrolls, can.repeats) == (colour, scrolls, False)


def test_a_terminal_that_tells_its_name_may_be_known_to_repeat() -> None:
    assert Abilities().with_program("kitty(0.35.2)").repeats
    assert Abilities().with_program("XTerm(388)").erases_in_colour
    assert not Abilities().with_program("tmux 3.3a").repeats  # it repeats ASCII alone
    assert not Abilities().with_program("mosh 1.4").repeats


SIGNS = [chr(code) for low, high in NARROW_RANGES for code in range(low, high + 1)]
TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from(SIGNS), st.sampled_from("a \t\x07\u0301\u200d漢🧝"))
)


@given(TEXTS)
def test_a_width_is_what_rich_says(text: str) -> None:
    assert cell_len(text) == measured(text)


def test_every_sign_of_the_frame_is_one_column() -> None:
    assert [c for c in SIGNS if measured(c) != 1] == []


def test_words_and_frames_do_without_rich() -> None:
    script = (
        "import sys; from tui.ui.wire.grid import cell_len; "
        "cell_len('── Track … é █'); print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
