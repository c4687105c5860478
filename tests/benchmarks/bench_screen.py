"""The screen in a terminal of its own: start, keys, memory, idleness, slow links; paired with peers in one
run.

    python -m tests.benchmarks.bench_screen [--runs 5]

Medians. `start` and `memory` are ratios to a bare Textual app, run by run. A link of 9600 baud carries 960
bytes a second, one after the other, and every byte and every answer takes 75 ms on its way.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.bench_store import fight

BAUD, HALF = 960.0, 0.075  # bytes a second, seconds one way
QUIET = 0.25  # seconds without a byte: settled
_QUERY = re.compile(rb"\x1b\[5n|\x1b\[\?(\d+)\$p|\x1b\[c|\x1b\[>0?q")
_NAME = b"\x1bP>|XTerm(388)\x1b\\"
_SAYS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?64;1c", b"\x1b[>q": _NAME, b"\x1b[>0q": _NAME}
Figures = dict[str, float]


class Line:
    """A program in a pty at 80 by 24; with `slow`, behind a slow link."""

    def __init__(self, words: list[str], *, slow: bool = False) -> None:
        self.slow, self.sent, self.free = slow, 0, 0.0
        self.got = b""
        self.answers: list[tuple[float, bytes]] = []
        self.begun = self.seen = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
            os.execve(words[0], words, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.fd, keys.encode())

    def settle(self, first: float = 10.0) -> float:
        """Read until it is quiet; when the last byte was seen, in seconds of the clock."""
        patience = first
        while True:
            self._answer()
            wait = min([patience, *(due - time.perf_counter() for due, _ in self.answers)])
            ready, _, _ = select.select([self.fd], [], [], max(0.0, wait))
            if ready:
                self._read()
                patience = QUIET
            elif not self.answers:
                return self.seen

    def _read(self) -> None:
        data = os.read(self.fd, 65536)
        self.sent += len(data)
        self.got += data
        now = time.perf_counter()
        self.free = max(self.free, now) + (len(data) / BAUD if self.slow else 0.0)
        seen = self.free + (2 * HALF if self.slow else 0.0)
        for query in _QUERY.finditer(data):
            self.answers.append((seen, _SAYS.get(query[0]) or b"\x1b[?%b;2$y" % query[1]))
        self.seen = seen if self.slow else now

    def _answer(self) -> None:
        while self.answers and self.answers[0][0] <= time.perf_counter():
            os.write(self.fd, self.answers.pop(0)[1])

    def serve(self, seconds: float) -> None:
        """Be its terminal for a moment."""
        self._answer()
        if select.select([self.fd], [], [], seconds)[0]:
            self._read()

    def cpu(self) -> float:
        """Processor time so far, in milliseconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        clock = time.clock_gettime((~self.pid << 3) | 2) if sys.platform == "linux" else 0.0
        return 1000 * (clock or (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))

    def resident(self) -> float:
        """Resident memory in KiB."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024

    def close(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def start(words: list[str]) -> Figures:
    """Start, memory, ten idle seconds, and the keys that matter."""
    line = Line(words)
    found: Figures = {"start": line.settle() - line.begun, "start_bytes": line.sent}
    found["start_cpu"], found["memory"] = line.cpu(), line.resident()
    for name, keys in (("next", "n"), ("tab", "\t"), ("down", "j"), ("dialog", "d"), ("back", "\x1b")):
        sent, cpu = line.sent, line.cpu()
        line.type(keys)
        line.settle(0.6)
        found[name], found[f"{name}_cpu"] = line.sent - sent, line.cpu() - cpu
    sent, cpu = line.sent, line.cpu()
    line.settle(10.0)
    found["idle_bytes"], found["idle_cpu"] = line.sent - sent, line.cpu() - cpu
    line.close()
    return found


def link(words: list[str]) -> Figures:
    """At 9600 baud and 150 ms: time to settle after start, and the lag behind 30 held keys."""
    line = Line(words, slow=True)
    found = {"slow_start": line.settle() - line.begun}
    line.free = 0.0
    for _ in range(30):
        line.type("n")
        end = time.perf_counter() + 1 / 15
        while (left := end - time.perf_counter()) > 0:
            line._answer()
            if select.select([line.fd], [], [], min(left, 0.01))[0]:
                line._read()
    pressed = time.perf_counter()
    found["held_lag"] = max(0.0, line.settle(1.0) - pressed)
    line.close()
    return found


def growth(words: list[str]) -> Figures:
    """Memory over 2,000 keys that change nothing, as a part of what it was."""
    line = Line(words)
    line.settle()
    before = 0.0
    for turn in range(101):
        line.type("jk" * 10)
        line.settle(0.3)
        if turn == 1:
            before = line.resident()
    found = {"growth": line.resident() / before - 1}
    line.close()
    return found


def programs(folder: str) -> dict[str, list[str]]:
    """What is measured: us, our panes through stock output, a bare Textual app, curses."""
    path = fight(folder, 20, 300)
    tocsin = [sys.executable, "-m", "tui", path]
    peers = [sys.executable, "-m", "tests.benchmarks.peers"]
    return {
        "bare": [*peers, "bare"],
        "tocsin": tocsin,
        "stock": [*tocsin, "--stock-output"],
        "curses": [*peers, "curses"],
    }


def runs(measure: Callable[[list[str]], Figures], count: int) -> Iterator[tuple[str, Figures]]:
    """Every program in turn, again and again, each on a fresh save."""
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            for name, words in programs(folder).items():
                yield name, measure(words)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", choices=("start", "link", "growth"), help="one part of the table")
    args = parser.parse_args()
    parts = {"start": (start, args.runs), "link": (link, max(1, args.runs // 2)), "growth": (growth, 1)}
    found: dict[str, dict[str, list[float]]] = {}
    for measure, times in [parts[args.only]] if args.only else parts.values():
        for name, figures in runs(measure, times):
            for key, value in figures.items():
                found.setdefault(key, {}).setdefault(name, []).append(value)
    names = ["bare", "tocsin", "stock", "curses"]
    print(f"{'figure':<14}" + "".join(f"{n:>10}" for n in names) + f"{'tocsin/bare':>13}")
    for key, by in found.items():
        row = [statistics.median(by[n]) for n in names]
        pairs = [ours / bare for ours, bare in zip(by["tocsin"], by["bare"], strict=True) if bare]
        ratio = f"{statistics.median(pairs):>13.2f}" if pairs else f"{'-':>13}"
        print(f"{key:<14}" + "".join(f"{value:>10.4g}" for value in row) + ratio)


if __name__ == "__main__":
    main()
