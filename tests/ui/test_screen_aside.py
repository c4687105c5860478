"""What takes long is worked out beside the screen, and taken on the loop, once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from tests.kit.loop import TestLoop
from tui.ui.screen import SOON, aside


def run(work: Callable[[], Callable[[], None]], loop: TestLoop, seen: list[str], until: str) -> None:
    """Asks for the work and runs the loop until something was seen."""
    aside(loop, work, partial(seen.append, "drawn"))
    loop.later(60.0, partial(seen.append, until))  # or never
    loop.run(lambda: until in seen)


def test_what_is_quick_is_there_at_once() -> None:
    seen = list[str]()
    run(lambda: partial(seen.append, "done"), TestLoop(), seen, "drawn")
    assert seen[:2] == ["done", "drawn"]


def test_what_takes_long_holds_nobody_up_and_is_taken_on_the_loops_thread() -> None:
    seen, threads, loop = list[str](), list[threading.Thread](), TestLoop()
    go = threading.Event()

    def taken() -> None:
        threads.append(threading.current_thread())
        seen.append("done")

    def work() -> Callable[[], None]:
        go.wait(60)
        return taken

    def key() -> None:
        seen.append("a key")
        go.set()

    loop.later(0.05, key)
    run(work, loop, seen, "drawn")
    assert seen == ["a key", "done", "drawn"]
    assert threads == [threading.current_thread()]


def test_an_error_is_raised_on_the_loop_and_nowhere_printed(capfd: pytest.CaptureFixture[str]) -> None:
    def work() -> Callable[[], None]:
        time.sleep(SOON * 2)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(work, TestLoop(), [], "drawn")
    assert capfd.readouterr().err == ""
