"""Inside tmux and GNU screen the wire shows what stock output shows. Long, because both must be installed."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.kit.emulator import Terminal
from tests.kit.ptyrun import DEADLINE, SAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.hours

KEYS = {"n": "READY 1", "Down": "READY 2", "d": "READY 3", "a": "escape closes", "Escape": "READY 3"}
"""What is pressed, and what it leads to; then one more turn after another."""

ENVIRON = {k: v for k, v in os.environ.items() if k not in {"TMUX", "NO_COLOR", "STY", "COLUMNS", "LINES"}}


class Tmux:
    """One tmux server with one window."""

    def __init__(self, folder: Path, name: str, command: list[str], terminal: str) -> None:
        self.base = ["tmux", "-S", str(folder / name), "-f", "/dev/null"]
        self.size, self.erases = (80, 24), terminal.startswith("xterm")
        self.call(
            "new-session",
            "-d",
            "-x",
            "80",
            "-y",
            "24",
            f"sleep 1; TERM={terminal} exec {shlex.join(command)}",
        )

    def call(self, *words: str) -> str:
        done = subprocess.run([*self.base, *words], env=ENVIRON, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def cells(self) -> list[list[tuple[object, ...]]]:
        terminal = Terminal(*self.size)
        for y, line in enumerate(self.call("capture-pane", "-p", "-e", "-N").splitlines()[: self.size[1]]):
            terminal.feed(f"\x1b[{y + 1}H" + re.sub("[\x0e\x0f]", "", line))
        return [self._captured(row) for row in terminal.cells()]

    def _captured(self, row: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
        """Return a row without the erased cells at its end, whose colour a capture does not tell."""
        while self.erases and row and row[-1][0] == " ":
            row = row[:-1]
        return row

    def text(self) -> str:
        return self.call("capture-pane", "-p")

    def resize(self, width: int, height: int) -> None:
        self.call("resize-window", "-x", str(width), "-y", str(height))
        self.size = (width, height)


@pytest.fixture(params=["tmux-256color", "screen-256color", "xterm-256color"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Tmux, Tmux]]:
    frugal = Tmux(tmp_path, "frugal", SAMPLE, request.param)
    stock = Tmux(tmp_path, "stock", [*SAMPLE, "--stock"], request.param)
    try:
        yield frugal, stock
    finally:
        for one in (frugal, stock):
            with contextlib.suppress(AssertionError):
                one.call("kill-server")


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_tmux(both: tuple[Tmux, Tmux]) -> None:
    frugal, stock = both
    for one in both:
        until(lambda one=one: "READY" in one.text())  # type: ignore[misc]
    steps = [*KEYS.items(), *[("n", f"READY {count}") for count in range(4, 14)]]
    for i, (key, seen) in enumerate(steps):
        for one in both:
            one.call("send-keys", key)
        if i == 8:
            for one in both:
                one.resize(90, 28)
        agree(frugal, stock, seen, "escape closes" if key == "Escape" else "\0")


def agree(frugal: Tmux, stock: Tmux, seen: str, unseen: str) -> None:
    """Wait until both show a text, and not another one, and the same in every cell."""
    for one in (frugal, stock):
        until(lambda one=one: seen in one.text() and unseen not in one.text())  # type: ignore[misc]
    until(lambda: frugal.cells() == stock.cells())


def hardcopy(session: str, path: Path) -> str:
    subprocess.run(["screen", "-S", session, "-X", "hardcopy", str(path)], env=ENVIRON, check=True)
    time.sleep(0.1)
    return path.read_text(errors="replace") if path.exists() else ""


def test_gnu_screen(tmp_path: Path) -> None:
    """Text only: a hard copy holds no colours."""
    copies: list[Callable[[], str]] = []
    sessions = [f"frugal{os.getpid()}", f"stock{os.getpid()}"]
    for session, command in zip(sessions, (SAMPLE, [*SAMPLE, "--stock"]), strict=True):
        subprocess.run(
            ["screen", "-U", "-dmS", session, *command], env={**ENVIRON, "TERM": "xterm"}, check=True
        )
        copies.append(lambda session=session: hardcopy(session, tmp_path / session))  # type: ignore[misc]
    try:
        for copy in copies:
            until(lambda copy=copy: "READY" in copy())  # type: ignore[misc]
        for count, key in enumerate("nnddnnnnn", 1):
            for session, copy in zip(sessions, copies, strict=True):
                subprocess.run(["screen", "-S", session, "-X", "stuff", key], env=ENVIRON, check=True)
                until(lambda copy=copy, count=count: f"READY {count}" in copy())  # type: ignore[misc]
            until(lambda: copies[0]() == copies[1]())
    finally:
        for session in sessions:
            subprocess.run(["screen", "-S", session, "-X", "quit"], env=ENVIRON, check=False)
