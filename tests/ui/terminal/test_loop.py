"""One loop: calls in order, alarms in time, and nothing lost when another loop takes over."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from tui.ui.terminal.loop import Alarm, MainLoop


class Other:
    """A loop that calls when it is told to."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []
        self.alarms: list[tuple[float, Alarm]] = []

    def soon(self, call: Callable[[], None]) -> None:
        self.calls.append(call)

    def later(self, delay: float, call: Callable[[], None]) -> Alarm:
        alarm = Alarm(delay, call)
        self.alarms.append((delay, alarm))
        return alarm

    def run(self) -> None:
        for call in self.calls:
            call()
        for _, alarm in self.alarms:
            alarm.ring()


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


@given(st.lists(st.sampled_from(["call", "alarm", "cancelled"]), max_size=20), st.integers(0, 20))
def test_whatever_waits_at_a_hand_over_happens_once_and_in_order(kinds: list[str], when: int) -> None:
    loop, other, seen = MainLoop(), Other(), list[int]()

    def ask(number: int, kind: str) -> None:
        if kind == "call":
            loop.soon(lambda: seen.append(number))
        else:
            alarm = loop.later(number, lambda: seen.append(number))
            if kind == "cancelled":
                alarm.cancel()

    for number, kind in enumerate(kinds[:when]):
        ask(number, kind)
    loop.hand_over(other)
    for number, kind in enumerate(kinds[when:], when):
        ask(min(number, 99), kind)
    other.run()
    expected = {kind: [n for n, k in enumerate(kinds) if k == kind] for kind in ("call", "alarm")}
    assert seen == [*expected["call"], *expected["alarm"]]


def test_nothing_is_lost_that_other_threads_ask_for_during_a_hand_over() -> None:
    for _ in range(50):
        loop, other, seen = MainLoop(), Other(), list[int]()

        def ask(loop: MainLoop = loop, seen: list[int] = seen) -> None:
            for _ in range(50):
                loop.soon(lambda: seen.append(1))

        threads = [Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        loop.hand_over(other)
        for thread in threads:
            thread.join()
        other.run()
        assert len(seen) == 150
