"""What a terminal shows beside what was drawn."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from tests.kit.ptyrun import DEADLINE, Pty


def agree(frugal: Pty, stock: Pty, done: Callable[[Pty], bool]) -> None:
    """Wait until both have done it and show the same."""
    end = time.monotonic() + DEADLINE
    for one in (frugal, stock):
        one.until(partial(done, one))
    while frugal.terminal.cells() != stock.terminal.cells():
        assert time.monotonic() < end, difference(frugal, stock)
        frugal.pump(0.02)
        stock.pump(0.02)


def difference(frugal: Pty, stock: Pty) -> str:
    """The first cell of each line that differs."""
    pairs = zip(frugal.terminal.cells(), stock.terminal.cells(), strict=True)
    found = [
        next(
            (f"{y}, {x}: {a} for {b}" for x, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), ""
        )
        for y, (one, other) in enumerate(pairs)
    ]
    return "\n".join(filter(None, found))
