"""The loop of a player's terminal: calls in order, alarms in time."""

from __future__ import annotations

from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from tui.ui.players.player_loop import MainLoop


@given(st.lists(st.integers(), max_size=20))
def test_calls_come_in_order(numbers: list[int]) -> None:
    loop, seen = MainLoop(), list[int]()
    for number in numbers:
        loop.soon(lambda number=number: seen.append(number))  # type: ignore[misc]
    loop.run(lambda: len(seen) == len(numbers))
    assert seen == numbers


def test_alarms_ring_in_time_and_not_when_cancelled() -> None:
    loop, seen = MainLoop(), list[str]()
    loop.later(0.02, lambda: seen.append("second"))
    loop.later(0.01, lambda: seen.append("first"))
    loop.later(0.0, lambda: seen.append("never")).cancel()
    loop.run(lambda: len(seen) == 2)
    assert seen == ["first", "second"]


def test_a_call_that_asks_for_itself_again_keeps_no_alarm_waiting() -> None:
    loop, rang = MainLoop(), list[bool]()

    def again() -> None:
        loop.soon(again)

    loop.soon(again)
    loop.later(0.01, lambda: rang.append(True))
    loop.run(lambda: bool(rang))


def test_another_thread_wakes_a_loop_that_sleeps() -> None:
    loop, seen = MainLoop(), list[int]()
    thread = Thread(target=lambda: loop.soon(lambda: seen.append(1)))
    loop.later(0.01, thread.start)
    loop.run(lambda: bool(seen))
    thread.join()
