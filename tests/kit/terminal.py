"""The real program in a pty, with an emulator that answers its questions; tests press keys and read the
screen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pyte


def logged(step: int) -> str:
    """Return how the screen's row of a step in the log begins, after the line feed."""
    return f"\n {step:>2} "


_QUERY = re.compile(rb"\x1b\[5n|\x1b\[\?(\d+)\$p|\x1b\[>q|\x1b\[>0q|\x1b\[c")
LONGEST_QUERY = 16
_ALLOWED = re.compile(
    rb"\x1b\[[<=>?]?[0-9;:]*[ -/]*[@-~]"  # CSI
    rb"|\x1b[=>78DEMc]|\x0f\x1b\(B"  # the last: plain letters again, as ctrl+l says first
    rb"|[\r\n\b\t]"
    rb"|[\x20-\x7e]|[\x80-\xff]+"
)
PATIENCE = 45.0  # seconds; generous, because machines are slow, and never part of a claim


class Screen(pyte.Screen):
    """pyte's screen, corrected in one point.

    Below the scrolling region the cursor moves down to the last row. pyte would put it back into the region,
    and tmux writes its own rows there.
    """

    def cursor_down(self, count: int | None = None) -> None:
        """Move down, at most to the end of the scrolling region, or from below it to the last row."""
        bottom = self.margins.bottom if self.margins else self.lines - 1
        last = bottom if self.cursor.y <= bottom else self.lines - 1
        self.cursor.y = min(self.cursor.y + (count or 1), last)


class Terminal:
    """The program in a pty, drawn by an emulator; `raw` holds every byte that it has sent."""

    program: tuple[str, ...] = (sys.executable, "-m", "tui")
    """The command that is started, before its words; the program by its absolute path."""

    def __init__(self, words: list[str], size: tuple[int, int] = (80, 24), **environ: str) -> None:
        self.columns, self.rows = size
        self.screen = Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = self._unread = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            env = {
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "LANG": "C.UTF-8",
                # Random keys find the key of the editor: they must not run an editor of this machine.
                **environ,
            }
            env.pop("NO_COLOR", None) if "NO_COLOR" not in environ else None
            os.execve(self.program[0], [*self.program, *words], env)
        self.resize(*size)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    @property
    def text(self) -> str:
        """The text on the screen, line by line."""
        return "\n".join(self.screen.display)

    def type(self, keys: str) -> None:
        """Send keys as bytes."""
        os.write(self._fd, keys.encode())
        self._read(0)

    def wait(self, *says: str, silent: tuple[str, ...] = ()) -> str:
        """Wait until the screen shows all of `says` and none of `silent`; return the text then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            # Asked before the last look, for it may write and end between the two.
            gone = self._gone()
            self._read(0.05)
            shown = self.text
            if all(s in shown for s in says) and not any(s in shown for s in silent):
                return shown
            if gone:
                break
        raise AssertionError(f"never showed {says} without {silent}:\n{self.text}")

    def press(self, keys: str, *says: str, silent: tuple[str, ...] = ()) -> str:
        """Send keys, then `wait`."""
        self.type(keys)
        return self.wait(*says, silent=silent)

    def end(self) -> int:
        """Wait for the program to end; return the exit code, 128 + n after signal n."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            gone = self._gone()
            self._read(0.05)
            if gone:
                return self._code
        self.kill()
        raise AssertionError(f"the program is still there:\n{self.text}")

    def kill(self) -> None:
        """Kill the program at once."""
        if not self._gone():
            os.kill(self.pid, signal.SIGKILL)
            self._mark(os.waitpid(self.pid, 0)[1])

    def foreign(self) -> bytes:
        """Return bytes that the program must not send: controls and sequences that are not allowed."""
        return _ALLOWED.sub(b"", self.raw)[:200]

    _code = 0
    _ended = False

    def _gone(self) -> bool:
        if not self._ended:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._mark(status)
        return self._ended

    def _mark(self, status: int) -> None:
        code = os.waitstatus_to_exitcode(status)
        self._code, self._ended = (code if code >= 0 else 128 - code), True

    def _read(self, seconds: float) -> None:
        ready, _, _ = select.select([self._fd], [], [], seconds)
        if not ready:
            return
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            return
        self.raw += data
        self._stream.feed(data)
        # A query may arrive in two parts, and the program waits until it is answered.
        unread, end = self._unread + data, 0
        for query in _QUERY.finditer(unread):
            end = query.end()
            self._answer(query)
        self._unread = unread[end:][-LONGEST_QUERY:]

    def _answer(self, query: re.Match[bytes]) -> None:
        said = b""
        if query[0] == b"\x1b[5n":
            said = b"\x1b[0n"
        elif query[1]:
            said = b"\x1b[?%b;2$y" % query[1]
        elif query[0] == b"\x1b[c":
            said = b"\x1b[?64;1c"
        with suppress(BlockingIOError):  # a line that is full of keys has no room for answers
            os.write(self._fd, said)


def tocsin(folder: Path, *words: str, size: tuple[int, int] = (80, 24), **environ: str) -> Terminal:
    """Start the program with its saves and settings in a folder."""
    environ.setdefault("TOCSIN_CONFIG", str(folder / "config"))
    return Terminal([*words, "--saves", str(folder)], size, **environ)
