"""A program on a small machine, behind a slow line: keys go up, pictures come down, and everything has its
time.

Times are seconds of one clock. What leaves the program is taken from it at once: a line does not say that it
is full, as a modem with a buffer or an SSH connection does not. How much is under way is the program's to
bound.
"""

from __future__ import annotations

import fcntl
import heapq
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

from tests.benchmarks.small_machine.cage import Cage
from tests.benchmarks.small_machine.line import Way

QUIET = 0.25
"""Seconds without a byte after which a program has said all: longer than a sync of the slow disk."""
_QUERY = re.compile(rb"\x1b\[5n|\x1b\[\?(\d+)\$p|\x1b\[c|\x1b\[>0?q")
_NAME = b"\x1bP>|XTerm(388)\x1b\\"
_SAYS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?64;1c", b"\x1b[>q": _NAME, b"\x1b[>0q": _NAME}


class Speed(Struct, frozen=True):
    """A line: bytes a second each way, and seconds from one end to the other and back."""

    rate: float = 960.0
    round_trip: float = 0.3


class Piece(Struct, frozen=True):
    """Bytes that the program wrote: when, and when the first and the last were on the user's terminal."""

    written: float
    first: float
    last: float
    data: bytes


class Answer(Struct, frozen=True):
    """What came of a key. Seconds: the program's own, from the key at the program to its first byte out; from
    the finger to the first byte on the user's terminal, to the last of that frame, and to the last of all
    that came until it was quiet, which for a step is its *saved* mark. `bytes` of the frame.
    """

    own: float
    first: float
    whole: float
    last: float
    bytes: int


class Rig:
    """The program in a pty of 80 by 24 inside of a cage, its user at the other end of the line."""

    def __init__(self, words: Sequence[str], cage: Cage, speed: Speed, environ: Mapping[str, str]) -> None:
        self.pieces: list[Piece] = []
        self._up = Way(speed.rate, speed.round_trip / 2)
        self._down = Way(speed.rate, speed.round_trip / 2)
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self.heard = self._told = 0.0
        self.begun = time.monotonic()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            _become(words, cage, environ)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    # --- the user's end

    @staticmethod
    def now() -> float:
        """Seconds of the clock that all times here are of."""
        return time.monotonic()

    def pause(self, seconds: float) -> None:
        """Serves for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.serve(left)

    def press(self, keys: bytes) -> float:
        """Presses keys; when."""
        now = time.monotonic()
        self._at(self._up.send(len(keys), now).last, partial(self._key, keys))
        return now

    def ask(self, keys: bytes, patience: float = 10.0) -> Answer | None:
        """Presses keys and waits until all is quiet; None when nothing came of them."""
        before, self.heard = len(self.pieces), 0.0
        pressed = self.press(keys)
        self.settle(patience)
        found = [piece for piece in self.pieces[before:] if piece.written >= self.heard > 0]
        if not found:
            return None
        one = found[0]
        return Answer(
            one.written - self.heard,
            one.first - pressed,
            one.last - pressed,
            found[-1].last - pressed,
            len(one.data),
        )

    def settle(self, patience: float = 10.0) -> None:
        """Serves until nothing is under way and the program has been quiet."""
        end = time.monotonic() + patience
        while (now := time.monotonic()) < end:
            last = max(self._told, self.pieces[-1].written if self.pieces else 0.0)
            if not self._due and now >= last + QUIET and now >= self.shown:
                break
            self.serve(0.02)

    def until(self, true: Callable[[], object], patience: float = 60.0) -> None:
        """Serves until something is true."""
        end = time.monotonic() + patience
        while not true():
            assert time.monotonic() < end, self.text[-400:]
            self.serve(0.02)

    @property
    def shown(self) -> float:
        """When the last byte so far is on the user's terminal."""
        return self.pieces[-1].last if self.pieces else 0.0

    @property
    def text(self) -> bytes:
        """Every byte that the program has written."""
        return b"".join(piece.data for piece in self.pieces)

    # --- the line

    def serve(self, seconds: float) -> None:
        """Is line and terminal for a moment."""
        while self._due and self._due[0][0] <= time.monotonic():
            heapq.heappop(self._due)[2]()
        wait = min([seconds, *(when - time.monotonic() for when, _, _ in self._due[:1])])
        if select.select([self._fd], [], [], max(0.0, wait))[0]:
            self._take()

    def _at(self, when: float, call: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._due, (when, self._number, call))

    def _say(self, data: bytes, now: float) -> None:
        """The user's terminal sends something up the line."""
        self._at(self._up.send(len(data), now).last, partial(self._hear, data))

    def _key(self, data: bytes) -> None:
        """The program hears a key."""
        self.heard = time.monotonic()
        self._hear(data)

    def _hear(self, data: bytes) -> None:
        self._told = time.monotonic()
        with suppress(OSError):
            os.write(self._fd, data)

    def _take(self) -> None:
        now = time.monotonic()
        with suppress(OSError):
            data = os.read(self._fd, 65536)
            way = self._down.send(len(data), now)
            self.pieces.append(Piece(now, way.first, way.last, data))
            for query in _QUERY.finditer(data):
                answer = _SAYS.get(query[0]) or b"\x1b[?%b;2$y" % query[1]
                # Answered when the question is there, not when the last byte behind it is.
                there = way.last - (way.last - way.first) * (1 - query.end() / len(data))
                self._at(there, partial(self._say, answer, there))

    # --- the program

    def peak(self) -> float:
        """The most memory that the program itself has had, in MiB."""
        return int(Path(f"/proc/{self.pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024

    def close(self) -> None:
        """Ends it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)


def _become(words: Sequence[str], cage: Cage, environ: Mapping[str, str]) -> None:
    """Is the program from now on, inside of the cage."""
    try:
        cage.enter()
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        os.execve(sys.executable, [sys.executable, *words], {**os.environ, **terminal, **environ})
    finally:
        os._exit(70)
