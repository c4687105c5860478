"""The screen in a terminal of its own: start, keys, memory, idleness; paired with peers in one run.

    python -m tests.benchmarks.bench_screen [--runs 5]

Medians. `tocsin/bare` is the ratio to a bare Textual app, run by run.
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
from pathlib import Path

from tests.benchmarks.bench_store import fight

QUIET = 0.25  # seconds without a byte: settled
_QUERY = re.compile(rb"\x1b\[5n|\x1b\[\?(\d+)\$p|\x1b\[c|\x1b\[>0?q")
_NAME = b"\x1bP>|XTerm(388)\x1b\\"
_SAYS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?64;1c", b"\x1b[>q": _NAME, b"\x1b[>0q": _NAME}
Figures = dict[str, float]


class Line:
    """A program in a pty at 80 by 24, with a terminal that answers."""

    def __init__(self, words: list[str]) -> None:
        self.sent, self.got = 0, b""
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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    found: dict[str, dict[str, list[float]]] = {}
    for _ in range(parser.parse_args().runs):
        with tempfile.TemporaryDirectory() as folder:  # each on a fresh save
            for name, words in programs(folder).items():
                for key, value in start(words).items():
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
