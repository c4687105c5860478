"""A program in a pty, with an emulator on the other side that answers questions like a terminal."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING, Any, Self

from tests.kit.emulator import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

DEADLINE = 30.0
"""Seconds after which a test fails. Nothing is measured by it."""

ANSWERS = {"\x1b[5n": "\x1b[0n", "\x1b[?2026$p": "\x1b[?2026;2$y", "\x1b[>q": "\x1bP>|XTerm(388)\x1b\\"}

KEYS = {"down": "\x1b[B", "up": "\x1b[A", "enter": "\r", "escape": "\x1b", "ctrl+l": "\x0c", "ctrl+z": "\x1a"}

SAMPLE = [sys.executable, "-m", "tests.ui.wire.sample"]


class Pty:
    """A program in a pty, as a context; it is killed at the end.

    With `answers=False` the terminal never answers; with `erases_in_colour=False` it is an old one that does
    not report its name.
    """

    def __init__(
        self,
        command: list[str],
        *,
        size: tuple[int, int] = (80, 24),
        answers: bool = True,
        controlling: bool = True,
        erases_in_colour: bool = True,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.width, self.height = size
        self.terminal = Terminal(*size, erases_in_colour=erases_in_colour)
        self.terminal.modes = {"7", "25"}
        self.raw = b""
        self.answers, self.modern, self.told = answers, erases_in_colour, 0
        self.ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.master, self.slave = pty.openpty()
        self.size(*size)
        self.before = termios.tcgetattr(self.slave)
        base = {
            k: v
            for k, v in os.environ.items()
            if k not in {"NO_COLOR", "COLUMNS", "LINES", "SSH_TTY", "TMUX"}
        }
        self.process = subprocess.Popen(
            command,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if controlling else None,  # noqa: PLW1509
            env={
                **base,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                **(environ or {}),
            },
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for number in (self.master, self.slave):
            with contextlib.suppress(OSError):
                os.close(number)

    def size(self, width: int, height: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def resize(self, width: int, height: int) -> None:
        """Change the size of the window, whose contents become "?", as after a reflow."""
        self.quiet()
        self.width, self.height = width, height
        told, modes = self.terminal.asked, self.terminal.modes
        self.terminal = Terminal(width, height)
        self.terminal.asked, self.terminal.modes = told, modes
        self.terminal.scribble("?")
        self.size(width, height)

    def send(self, data: str | bytes) -> None:
        rest = memoryview(data.encode() if isinstance(data, str) else data)
        while rest:
            rest = rest[os.write(self.master, rest[:4096]) :]
            if rest:
                self.pump(0)

    def press(self, *names: str) -> None:
        for name in names:
            self.send(KEYS.get(name, name))

    def pump(self, seconds: float) -> bool:
        """Read what comes within some seconds; return whether anything came."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            data = b""
        self.ended = not data
        self.raw += data
        self.terminal.feed(self._decoder.decode(data))
        for question in self.terminal.asked[self.told :]:
            if self.answers and (self.modern or question != "\x1b[>q"):
                self.send(ANSWERS[question])
        self.told = len(self.terminal.asked)
        return bool(data)

    def until(self, true: Callable[[], Any], *, seconds: float = DEADLINE) -> None:
        """Read until `true()` is true; fail after `seconds`."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "\n".join(self.terminal.lines_of_text())
            self.pump(0.02)

    def shows(self, text: str) -> bool:
        return any(text in line for line in self.terminal.lines_of_text())

    def sees(self, text: str) -> None:
        """Read until the screen shows a text."""
        self.until(lambda: self.shows(text))

    def gone(self) -> bool:
        return self.process.poll() is not None

    def ends(self) -> int | None:
        """Wait for the process to end without reading its output; return the exit code."""
        end = time.monotonic() + DEADLINE
        while not self.gone():
            assert time.monotonic() < end, "hung"
            time.sleep(0.02)
        code: int | None = self.process.returncode
        return code

    def quiet(self, seconds: float = 0.3) -> None:
        """Read until nothing has come for `seconds`."""
        while self.pump(seconds):
            pass

    def given_back(self) -> bool:
        """Return whether modes and line discipline are as before the program started."""
        return self.terminal.modes == {"7", "25"} and self.attributes() == self.before

    def attributes(self) -> list[Any]:
        """Return the line discipline."""
        return termios.tcgetattr(self.slave)

    def stuff(self) -> None:
        """Fill the terminal's buffer, so that the program's next byte does not fit."""
        own = os.open(os.ttyname(self.slave), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(own, b"x" * 1024)
        os.close(own)

    def rest(self) -> bytes:
        """Return the bytes that were not read yet, without showing them."""
        data = b""
        while select.select([self.master], [], [], 0.2)[0] and (more := os.read(self.master, 65536)):
            data += more
        return data

    def cook(self) -> None:
        """Restore the line discipline, as a shell does when a job has stopped."""
        termios.tcsetattr(self.slave, termios.TCSANOW, self.before)
