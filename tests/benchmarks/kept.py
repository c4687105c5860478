"""The kept figures in one table, each beside its floor; a ratio beyond its limit ends with exit code 1.

    python -m tests.benchmarks [--runs 5]

Times are those of the processor. They and memory are medians of paired runs: the program and its floor in
turn, so that a busy machine slows both. A limit stands a little above what was measured, and `target` is what
is aimed at.
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from tests.benchmarks.bench_bytes import classic, sample
from tests.benchmarks.fight import fight
from tests.benchmarks.line import Line
from tests.samples import NAMES

PEERS = [sys.executable, "-m", "tests.benchmarks.peers"]
FIRST_SCREEN = 2_030
"""Bytes that the first screen may have."""


class Figure(Struct, frozen=True):
    """A figure and its floor. `target` is the ratio aimed at, `limit` the one that means a defect."""

    name: str
    ours: float
    floor: float
    target: float
    limit: float
    of: str

    @property
    def ratio(self) -> float:
        """How much more than the floor."""
        return self.ours / self.floor if self.floor else float(self.ours > 0)

    @property
    def holds(self) -> bool:
        """Whether it is within its limit."""
        return self.ratio <= self.limit


class Started(Struct, frozen=True):
    """A started program: milliseconds of the processor, KiB, and bytes sent while nobody does anything."""

    first: float
    keyed: float
    a_key: float
    memory: float
    idle_bytes: float


def start(words: Sequence[str], shows: bytes, key: str, answers: bytes, more: str) -> Started:
    """Starts a program in a terminal, presses a key, then twenty more, and lets it rest for two seconds.

    A program that answers keys with nothing (`answers` empty) is keyed when it has settled.
    """
    line = Line([*words])
    try:
        _until(line, shows, 0)
        first, seen = line.spent(), len(line.got)
        line.type(key)
        if answers:
            _until(line, answers, seen)
        else:
            line.settle(0.3)
        keyed = line.spent()
        line.settle(1.0)
        before = line.spent()
        for letter in more * 5:
            line.type(letter)
            line.settle(0.05)
        a_key = (line.spent() - before) / len(more * 5)
        line.settle(0.5)
        memory, sent = _pss(line.pid), line.sent
        line.settle(2.0)
        return Started(1000 * first, 1000 * keyed, 1000 * a_key, memory, line.sent - sent)
    finally:
        line.close()


def _until(line: Line, shows: bytes, start: int) -> None:
    """Read until these bytes have come."""
    end = time.perf_counter() + 20.0
    while shows not in line.got[start:]:
        assert time.perf_counter() < end, line.got[-400:]
        line.serve(0.05)


def _pss(pid: int) -> float:
    """Memory in KiB, what is shared with others divided among them."""
    found = Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1]
    return float(found.split()[0])


def screen(path: str, runs: int, size: tuple[int, int]) -> Iterator[Figure]:
    """The screen of one size of fight, beside a bare Textual app."""
    pairs = []
    for _ in range(runs):
        folder = os.path.dirname(path)
        copy = shutil.copy(path, os.path.join(folder, "m.toml"))
        ours = [sys.executable, "-m", "tui", copy, "--saves", folder]
        bare = start(PEERS, b"READY", "q", b"", "njk")
        pairs.append((start(ours, b"next", "?", b"Esc", "\x1bnjk"), bare))
    of = "a bare Textual app"

    def figure(name: str, value: Callable[[Started], float], target: float, limit: float) -> Figure:
        ratios = [(value(a) / max(value(b), 1e-9), value(a), value(b)) for a, b in pairs]
        _, ours, floor = sorted(ratios)[len(ratios) // 2]
        return Figure(f"{name}, {size[0]} x {size[1]:,}", ours, floor, target, limit, of)

    yield figure("first picture, ms of the processor", lambda s: s.first, 0.6, 0.85)
    yield figure("first key answered, ms of the processor", lambda s: s.keyed, 1.2, 1.9)
    yield figure("a key, ms of the processor", lambda s: s.a_key, 6.0, 20.0)
    yield figure("memory (PSS), KiB", lambda s: s.memory, 1.3, 1.65)
    idle = max(a.idle_bytes for a, _ in pairs)
    yield Figure(f"idle for 2 s, bytes, {size[0]} x {size[1]:,}", idle, 0.0, 0.0, 0.0, "nothing")


def wire() -> Iterator[Figure]:
    """Bytes of pictures and keys, beside the best plain differ; the same on every machine."""
    first = max(meter.first for meter in (classic(), *map(sample, NAMES)))
    yield Figure(
        "first screen, bytes, the fullest sample", first, FIRST_SCREEN, 1.0, 1.0, f"{FIRST_SCREEN:,}"
    )
    ways: dict[str, tuple[str, ...]] = {
        "damage": ("5", "d"),
        "undo": ("n", "u"),
        "closing the help": ("?", "escape"),
        "a row down": ("j",),
    }
    for name, keys in ways.items():
        meter = classic()
        *_, last = [meter.press(key) for key in keys]
        yield Figure(f"{name}, bytes", last.now, last.need, 0.8, 0.8, "the best plain differ")


COMMANDS: dict[str, tuple[str, ...]] = {"show": ("show",), "do": ("do", "note hello")}


def commands(path: str, runs: int, size: tuple[int, int]) -> Iterator[Figure]:
    """Commands as whole processes, beside a process that only imports what they have imported."""
    folder = os.path.dirname(path)
    for name, (command, *rest) in COMMANDS.items():
        words = [sys.executable, "-m", "tui", command, path, "--saves", folder, *rest]
        imports = [sys.executable, "-c", f"import {', '.join(_imported(words))}"]
        title = f"tocsin {name}, ms of the processor, {size[0]} x {size[1]:,}"
        ours, floor = _paired(words, imports, runs)
        yield Figure(title, 1000 * ours, 1000 * floor, 1.25, 1.6, "its imports alone")


def _paired(words: Sequence[str], floor: Sequence[str], runs: int) -> tuple[float, float]:
    """Processor time of both in turn, in seconds: the pair of the median ratio."""
    pairs = sorted(((_time(words), _time(floor)) for _ in range(runs)), key=lambda pair: pair[0] / pair[1])
    return pairs[len(pairs) // 2]


def _imported(words: Sequence[str]) -> list[str]:
    """The modules that a command has loaded at its end."""
    script = (
        "import sys, runpy, atexit; atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
    )
    script += f"sys.argv = ['tocsin', *{[*words[3:]]!r}]\nrunpy.run_module('tui', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    last = done.stderr.strip().splitlines()[-1].split()
    return ["tui.__main__", *(n for n in last if n.startswith("tui.") and n != "tui.__main__")]


def _time(words: Sequence[str]) -> float:
    """Processor time of a whole process, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def table(figures: Iterator[Figure]) -> bool:
    """Prints the figures as they come; whether all are within their limits."""
    print(f"{'figure':<52}{'ours':>10}{'floor':>10}{'ratio':>8}{'target':>8}{'limit':>8}  floor is")
    held = True
    for f in figures:
        mark = "" if f.holds else "   TOO MUCH"
        print(
            f"{f.name:<52}{f.ours:>10.4g}{f.floor:>10.4g}"
            f"{f.ratio:>8.2f}{f.target:>8.2f}{f.limit:>8.2f}  {f.of}{mark}"
        )
        held &= f.holds
    return held


def main() -> int:
    """Print the table; 1 when a figure is beyond its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    # As it is installed: with its bytecode, whatever the environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir("tui", quiet=2)
    size = (20, 300)

    def figures() -> Iterator[Figure]:
        yield from wire()
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TOCSIN_CONFIG"] = folder
            path = fight(folder, *size)
            yield from screen(path, args.runs, size)
            yield from commands(path, args.runs, size)

    return 0 if table(figures()) else 1
