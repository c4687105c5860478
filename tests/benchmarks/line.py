"""A program in a terminal of its own, whose bytes are counted."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable

QUIET = 0.25
"""Seconds without a byte after which a program has settled."""

_QUERY = re.compile(rb"\x1b\[5n|\x1b\[\?(\d+)\$p|\x1b\[c|\x1b\[>0?q")
_NAME = b"\x1bP>|XTerm(388)\x1b\\"
_SAYS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?64;1c", b"\x1b[>q": _NAME, b"\x1b[>0q": _NAME}


class Line:
    """A program in a pty at 80 by 24, with a terminal that answers."""

    def __init__(self, words: list[str], first: Callable[[], object] = bool) -> None:
        self.sent, self.got = 0, b""
        self.seen = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
            first()
            os.execve(words[0], words, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.fd, keys.encode())

    def settle(self, first: float = 10.0) -> float:
        """Read until it is quiet; when the last byte was seen, in seconds of the clock."""
        patience = first
        while self.serve(patience):
            patience = QUIET
        return self.seen

    def serve(self, seconds: float) -> bool:
        """Be its terminal for a moment; False when nothing came."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        data = os.read(self.fd, 65536)
        self.sent += len(data)
        self.got += data
        self.seen = time.perf_counter()
        for query in _QUERY.finditer(data):
            os.write(self.fd, _SAYS.get(query[0]) or b"\x1b[?%b;2$y" % query[1])
        return True

    def spent(self) -> float:
        """Return the seconds of the processor that it has taken, by its own clock on Linux."""
        return time.clock_gettime(~self.pid << 3 | 2)

    def close(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
