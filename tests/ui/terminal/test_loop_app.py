"""The app's loop before and while it runs: what is asked of it early happens once, and in order."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from tui.ui.terminal.loop import AppLoop


class Cancelled:
    """A timer of the other loop."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Event:
    """An event loop that calls when it is told to."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []
        self.timers: list[tuple[float, Callable[[], None], Cancelled]] = []

    def call_soon_threadsafe(self, callback: Callable[[], None]) -> object:
        self.calls.append(callback)
        return None

    def call_later(self, delay: float, callback: Callable[[], None]) -> Cancelled:
        timer = Cancelled()
        self.timers.append((delay, callback, timer))
        return timer

    def run(self) -> None:
        for call in self.calls:
            call()
        for _, call, timer in sorted(self.timers, key=lambda timer: timer[0]):
            if not timer.cancelled:
                call()


@given(st.lists(st.sampled_from(["call", "timer", "cancelled"]), max_size=20), st.integers(0, 20))
def test_what_is_asked_before_and_after_the_start_happens_once_and_in_order(
    kinds: list[str], when: int
) -> None:
    loop, event, seen = AppLoop(), Event(), list[int]()

    def ask(number: int, kind: str) -> None:
        if kind == "call":
            loop.soon(lambda: seen.append(number))
        else:
            timer = loop.later(10 * number, lambda: seen.append(number))
            if kind == "cancelled":
                timer.cancel()

    for number, kind in enumerate(kinds[:when]):
        ask(number, kind)
    loop.run_on(event)
    for number, kind in enumerate(kinds[when:], when):
        ask(number, kind)
    event.run()
    expected = {kind: [n for n, k in enumerate(kinds) if k == kind] for kind in ("call", "timer")}
    assert seen == [*expected["call"], *expected["timer"]]


def test_nothing_is_lost_that_other_threads_ask_for_while_it_starts() -> None:
    for _ in range(50):
        loop, event, seen = AppLoop(), Event(), list[int]()

        def ask(loop: AppLoop = loop, seen: list[int] = seen) -> None:
            for _ in range(50):
                loop.soon(lambda: seen.append(1))

        threads = [Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        loop.run_on(event)
        for thread in threads:
            thread.join()
        event.run()
        assert len(seen) == 150
