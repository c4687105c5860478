"""The same app, the same keys, in a real pty: the wire's screen equals stock output's."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.kit.ptyrun import SAMPLE, Pty
from tests.ui.wire.agreeing import agree

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

STOCK = [*SAMPLE, "--stock"]


@pytest.fixture
def both() -> Iterator[tuple[Pty, Pty]]:
    with Pty(SAMPLE) as frugal, Pty(STOCK) as stock:
        for one in (frugal, stock):
            one.sees("READY")
        yield frugal, stock


def showing(text: str) -> Callable[[Pty], bool]:
    return lambda one: one.shows(text)


def test_keys_dialogs_and_sizes(both: tuple[Pty, Pty]) -> None:
    frugal, stock = both
    chance = random.Random(5)
    keys = 0
    for size in ((80, 24), (100, 30), (40, 12), (81, 25)):
        if size != (80, 24):
            for one in both:
                one.resize(*size)
            agree(frugal, stock, lambda one: one.shows("Now:") and not one.shows("??"))
        for _ in range(12):
            name = chance.choice(["n", "n", "down", "up", "d", "d"])
            keys += 1
            for one in both:
                one.press(name)
            if size[0] >= 80:
                agree(frugal, stock, showing(f"READY {keys}"))
        for one in both:
            one.press("a")
        agree(frugal, stock, showing("escape closes"))
        for one in both:
            one.press("escape")
        agree(frugal, stock, lambda one: not one.shows("escape closes"))
    assert len(frugal.raw) < len(stock.raw) / 5


@pytest.mark.parametrize(
    "environ",
    [
        {"COLORTERM": ""},
        {"COLORTERM": "", "TERM": "xterm-16color"},
        {"COLORTERM": "", "TERM": "linux"},
        {"COLORTERM": "", "TERM": "vt100"},
        {"TERM": "screen-256color"},
        {"NO_COLOR": "1"},
    ],
    ids=["256", "16", "linux", "vt100", "screen", "no color"],
)
def test_terminals_of_few_colours_and_few_arts(environ: dict[str, str]) -> None:
    able = environ.get("TERM") not in {"vt100", "screen-256color"}
    with (
        Pty(SAMPLE, environ=environ, erases_in_colour=able) as frugal,
        Pty(STOCK, environ=environ, erases_in_colour=able) as stock,
    ):
        agree(frugal, stock, showing("READY 0"))
        for count, key in enumerate(["n", "d", "down", "n", "n", "n", "n", "n", "n"], 1):
            frugal.press(key)
            stock.press(key)
            agree(frugal, stock, showing(f"READY {count}"))
        assert len(frugal.raw) < len(stock.raw) / 3


def test_typing_in_a_field_and_repainting(both: tuple[Pty, Pty]) -> None:
    frugal, stock = both
    for one in both:
        one.press(":")
        one.quiet()
        for letter in "add Orc漢":
            one.press(letter)
            one.pump(0.01)
    agree(frugal, stock, showing("add Orc漢"))
    for one in both:
        one.press("enter")
        one.sees("line: add Orc漢")
        one.quiet()
    frugal.terminal.scribble("%")
    for one in both:
        one.press("ctrl+l")
    agree(frugal, stock, lambda one: not one.shows("%%"))


def test_a_fault_of_the_wire_is_told_and_not_seen(tmp_path: Path) -> None:
    """Three faults, and stock output takes over for good."""
    with Pty(SAMPLE, environ={"SAMPLE_LOG": str(tmp_path / "log")}) as one:
        one.sees("READY 0")
        one.quiet()
        for count in range(1, 6):
            one.press("f" if count in {1, 3, 4} else "n")
            one.until(partial(counted, one, count))
            one.quiet()
            before = one.terminal.cells()
            one.press("ctrl+l")
            one.quiet()
            assert one.terminal.cells() == before
        assert (tmp_path / "log").read_text().count("the output failed (ValueError)") == 3
        sent = len(one.raw)
        one.press("n")
        one.until(partial(counted, one, 6))
        # Whole lines of every pane that changed: the wire sends a tenth of it.
        assert len(one.raw) - sent > 700


def test_a_fault_before_the_app_runs_is_told(tmp_path: Path) -> None:
    with Pty(SAMPLE, environ={"SAMPLE_LOG": str(tmp_path / "log")}) as one:
        one.sees("READY 0")
        one.press("f", "n")
        one.until(partial(counted, one, 2))
        assert "the output failed (ValueError)" in (tmp_path / "log").read_text()


def counted(one: Pty, count: int) -> bool:
    return one.terminal.lines_of_text()[-1].rstrip().endswith(f" {count}")
