"""The self-clock on lines of every kind, in virtual time: no backlog, nothing lost, no timer while idle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.ui.wire.line import HEIGHT, WIDTH, Line, draw, opened, shown
from tui.ui.wire.grid import CellRow
from tui.ui.wire.wire import ASK, ASSUMED_SPEED, FIRST_ANSWER_SECONDS, MOST_UNASKED, NAME_SECONDS, Clock

BAUD_9600 = 960.0


words = st.lists(st.text("abcdef gh", max_size=WIDTH).map(str.rstrip), min_size=HEIGHT, max_size=HEIGHT)


@given(
    st.lists(st.tuples(words, st.floats(0, 2)), max_size=20),
    st.sampled_from([100.0, BAUD_9600, 1e4, 1e6]),
    st.floats(0, 0.5),
    st.booleans(),
)
def test_the_terminal_gets_there_on_every_line(
    script: list[tuple[list[str], float]], speed: float, trip: float, deaf: bool
) -> None:
    line = Line(speed, trip, deaf=deaf)
    wire = opened(line)
    texts = ["begin"] * HEIGHT
    draw(wire, texts)
    for texts, pause in script:
        draw(wire, texts)
        line.run(line.time + pause)
    line.run(line.time + 1000)
    assert shown(line) == texts
    assert line.timers() == 0


@given(st.lists(st.tuples(words, st.floats(0, 0.2)), max_size=40), st.sampled_from([300.0, BAUD_9600, 1e4]))
def test_never_more_than_a_frame_and_some_small_ones_underway(
    script: list[tuple[list[str], float]], speed: float
) -> None:
    line = Line(speed, 0.15)
    wire = opened(line)
    frame = 8 * WIDTH * HEIGHT
    for texts, pause in script:
        draw(wire, texts)
        assert line.underway() <= frame + MOST_UNASKED
        line.run(line.time + pause)


def held_key(line: Line, keys: int, per_second: float) -> float:
    """Seconds from the last key to the last byte shown, a line of log and a moved mark for each key."""
    wire = opened(line)
    log = [f"line {i}" for i in range(HEIGHT)]
    draw(wire, log)
    line.run(20.0)
    for i in range(keys):
        log = [*log[1:], f"{i:>3} somebody takes a turn and says {i * 37 % 100}"]
        draw(wire, log)
        line.run(line.time + 1 / per_second)
    last = line.time - 1 / per_second
    line.run(line.time + 100)
    assert shown(line) == [text[:WIDTH] for text in log]
    return line.idle_at + line.trip / 2 - last


def test_a_held_key_on_a_slow_line_leaves_no_backlog() -> None:
    assert held_key(Line(BAUD_9600, 0.15), 30, 15) <= 1.5


def test_a_fast_line_is_hardly_ever_asked() -> None:
    line = Line(1e6, 0.01)
    wire = opened(line)
    for i in range(100):
        draw(wire, [f"turn {i}", *[""] * (HEIGHT - 1)])
        line.run(line.time + 0.2)
    assert line.terminal.asked.count(ASK) < 10


def test_a_mute_terminal_is_asked_twice_and_no_more() -> None:
    line = Line(1e5, 0.01, deaf=True)
    wire = opened(line)
    for i in range(50):
        draw(wire, [f"{i} " * 30] * HEIGHT)
        line.run(line.time + 0.3)
    assert line.terminal.asked.count(ASK) == 3  # once by the driver
    assert shown(line)[0].startswith("49 ")


def test_a_resize_waits_for_the_picture_of_its_size_and_the_same_size_is_drawn_again() -> None:
    line = Line(1e6, 0.0)
    wire = opened(line)
    draw(wire, ["a"] * HEIGHT)
    line.run(1)
    wire.resized(WIDTH + 5, HEIGHT)
    sent = line.sent
    draw(wire, ["b"] * HEIGHT)
    assert line.sent == sent
    line.terminal.scribble("?")
    wire.resized(WIDTH, HEIGHT)
    line.run(10)
    assert shown(line) == ["b"] * HEIGHT


def test_nothing_is_sent_while_the_terminal_is_not_ours() -> None:
    line = Line(1e6, 0.0)
    wire = opened(line)
    draw(wire, ["a"] * HEIGHT)
    line.run(1)
    wire.hold()
    sent = line.sent
    draw(wire, ["b"] * HEIGHT)
    line.run(5)
    assert line.sent == sent
    wire.open(linefeed=True)
    line.run(10)
    assert shown(line) == ["b"] * HEIGHT


def test_rows_of_another_size_are_drawn_whole() -> None:
    line = Line(1e6, 0.0)
    wire = opened(line)
    draw(wire, ["a"] * HEIGHT)
    line.run(1)
    line.terminal.scribble("?")
    wire.show([CellRow.filled_with(WIDTH - 1) for _ in range(HEIGHT - 1)])
    line.run(10)
    assert shown(line) == [""] * HEIGHT


@pytest.mark.parametrize(("ascii_only", "seen"), [(True, "Zoe - 3/4"), (False, "Zoë · 3/4")])
def test_nothing_beyond_ascii_is_sent_where_that_was_asked_for(ascii_only: bool, seen: str) -> None:
    line = Line(1e6, 0.0)
    wire = opened(line)
    wire.can = replace(wire.can, ascii_only=ascii_only)
    draw(wire, ["Zoë · 3/4"] * HEIGHT)
    line.run(1)
    assert shown(line) == [seen] * HEIGHT


def test_a_held_ctrl_l_does_not_flood_a_slow_line() -> None:
    line = Line(BAUD_9600, 0.15)
    wire = opened(line)
    draw(wire, [f"{i} " * 15 for i in range(HEIGHT)])
    line.run(10.0)
    for _ in range(60):
        wire.repaint()
        line.run(line.time + 1 / 15)
        assert line.underway() <= 2 * 8 * WIDTH * HEIGHT
    line.run(line.time + 3)
    assert line.underway() == 0


START = 100.0
PICTURE = 1_400
"""Bytes of a first picture."""


def begun() -> Clock:
    """A clock whose first picture has just been sent."""
    clock = Clock(credit_at=START)
    clock.begin(START)
    clock.expire(START + NAME_SECONDS)
    assert clock.free(START + NAME_SECONDS)
    assert clock.send(PICTURE, START + NAME_SECONDS)
    return clock


@given(st.lists(st.tuples(st.floats(0.03, 2.0), st.integers(10, 300)), max_size=100))
def test_a_terminal_that_never_answers_keeps_no_key_waiting(keys: list[tuple[float, int]]) -> None:
    """It kept the first one for half a second, and the next."""
    clock, now = begun(), START + NAME_SECONDS
    for pause, size in keys:
        now += pause
        clock.expire(now)
        # As long as a line bears it of which nothing is known, and that is not felt.
        assert clock.wait_time(now) <= 300 / ASSUMED_SPEED
        if not clock.free(now):
            now += clock.wait_time(now)
            clock.expire(now)
        assert clock.free(now)
        clock.send(size, now)


@given(st.floats(0.0, 0.9 * FIRST_ANSWER_SECONDS))
def test_once_it_has_answered_one_frame_is_in_flight_at_most(rtt: float) -> None:
    clock, now = begun(), START + NAME_SECONDS + rtt
    for _ in range(4):
        clock.answered(now)
    assert clock.free(now)
    assert clock.send(MOST_UNASKED + 1, now)
    assert not clock.free(now + FIRST_ANSWER_SECONDS)
    assert clock.wait_time(now) > FIRST_ANSWER_SECONDS
    clock.answered(now + 1)
    assert clock.free(now + 1)
