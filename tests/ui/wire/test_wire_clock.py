"""Laws of the self-clock: a slow line holds one frame, a silent terminal delays no key."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.ui.wire.wire import ASSUMED_SPEED, FIRST_ANSWER_SECONDS, MOST_UNASKED, NAME_SECONDS, Clock

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


@given(st.lists(st.integers(1, 2_000), min_size=1, max_size=50))
def test_what_leaves_before_the_first_answer_is_bounded(sizes: list[int]) -> None:
    clock, now = begun(), START + NAME_SECONDS
    sent = 0
    for size in sizes:
        if clock.free(now):
            clock.send(size, now)
            sent += size
    assert sent <= MOST_UNASKED + max(sizes)


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


def test_a_terminal_that_never_answers_is_soon_asked_no_more() -> None:
    clock, now, asked = begun(), START, 0
    for _ in range(100):
        now += 1.0
        clock.expire(now)
        asked += clock.send(1_000, now)
    assert asked <= 2
