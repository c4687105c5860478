"""The program on a small machine, and beside a bare Textual app.

    python -m tests.benchmarks.small_machine [--runs 5] [--free | --caged] [--size FOLDER]

First in a control group that has 1 ms of a processor in every 10 and 96 MB, then without it: there times are
those of the processor, and ratios are to a bare Textual app that is started in turn. Goals in ms are for the
reference machine, and grow with the bare app's start. Medians of all runs; ends with 1 when a figure is
beyond its goal. `--size` adds the fights of 200 creatures and 5,000 steps, which are made in the folder if
they are not there: that takes minutes.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Self

from msgspec import Struct

from tests.benchmarks.bench_bytes import on, sample
from tests.benchmarks.fight import fight
from tests.benchmarks.line import Line
from tests.samples import EXAMPLES, NAMES
from tui.store.opening import create_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

PERIOD, QUOTA, MEMORY = 10_000, 1_000, 96 * 2**20
"""Microseconds of a period, how many of them the processor works, and bytes."""

BARE = """\
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("READY")
Bare().run()
"""
BARE_PICTURE, BARE_START = 1.65, 0.165
"""Seconds of a bare app on the reference machine: first picture in the group, processor's time without it."""
PATIENCE = 60.0
BYTES = {"enter": "\r", "escape": "\x1b", "space": " ", "tab": "\t"}
MORE = ("j", "k", "tab", "?", "escape", "d", "5", "escape", "u", "escape")
"""Keys that are pressed in every sample after those that go on."""
ON = 16
"""How many keys go on in each sample."""
FULLEST = "gate"
EIGHT = tuple(f"Player{n}" for n in range(8))
SIZE = (200, 5_000)


# --- the small machine


@contextmanager
def cage() -> Iterator[Callable[[], object] | None]:
    """Make a control group; yield what puts the calling process into it, None if none may be made.

    Its share is large, so that only the quota makes it slow, and no other work on this machine.
    """
    name, root = f"tocsin-{os.getpid()}", Path("/sys/fs/cgroup")
    one = {"cpu.shares": 200_000, "cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": QUOTA}
    first = {root / "cpu" / name: one, root / "memory" / name: {"memory.limit_in_bytes": MEMORY}}
    second = {root / name: {"cpu.max": f"{QUOTA} {PERIOD}", "cpu.weight": 10_000, "memory.max": MEMORY}}
    made: list[Path] = []
    try:
        for folder, values in (first if (root / "cpu").is_dir() else second).items():
            folder.mkdir()
            made.append(folder)
            for file, value in values.items():
                (folder / file).write_text(str(value))
        yield lambda: [(x / "cgroup.procs").write_text(str(os.getpid())) for x in made]
    except OSError as error:
        print(f"no control group may be made here ({error}): the small machine is left out")
        yield None
    finally:
        for folder in made:
            for _ in range(50):  # until the last process has left it
                with suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.02)


# --- a program that is watched


class Watched(Line):
    """A program in a terminal; times in seconds."""

    def __init__(self, words: Sequence[str], first: Callable[[], object] = bool) -> None:
        self.begun = time.perf_counter()
        super().__init__([sys.executable, *words], first)

    def until(self, shows: bytes, start: int = 0) -> float:
        """Read until these bytes have come; return when."""
        end = time.perf_counter() + PATIENCE
        while shows not in self.got[start:]:
            assert time.perf_counter() < end, self.got[-400:]
            self.serve(0.05)
        return self.seen

    def rest(self) -> None:
        """Read until the program does nothing."""
        spent = -1.0
        while self.spent() - spent > 0.004:
            spent = self.spent()
            end = time.perf_counter() + 0.3
            while (left := end - time.perf_counter()) > 0:
                self.serve(left)

    def press(self, key: str) -> tuple[float, float]:
        """Press a key at rest; return the time to its frame, and the processor's until all rests again."""
        self.rest()
        spent, sent, began = self.spent(), self.sent, time.perf_counter()
        self.type(BYTES.get(key, key))
        answered = self.seen - began if self.serve(2.0) and self.sent > sent else 0.0
        self.rest()
        return answered, self.spent() - spent

    def resident(self, value: str = "VmRSS") -> float:
        """Return its memory in MB (`VmHWM`: the most so far)."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split(f"{value}:")[1].split()[0]) / 1000


@contextmanager
def watched(words: Sequence[str], first: Callable[[], object] = bool) -> Iterator[Watched]:
    """A program that is ended with the context."""
    line = Watched(words, first)
    try:
        yield line
    finally:
        line.close()


def tocsin(path: str, *more: str) -> list[str]:
    """Return the words that open a copy of a save on the screen."""
    copy = shutil.copy(path, tempfile.mkdtemp(dir=os.environ["TOCSIN_CONFIG"]))
    return ["-m", "tui", copy, *more, "--saves", os.path.dirname(copy), "--seed", "5"]


# --- figures


class Figure(Struct, frozen=True):
    """What was measured; `most` is the goal of its median, or of that of the ratios to the floor."""

    name: str
    ours: Sequence[float]
    most: float
    floor: Sequence[float] = ()
    unit: str = "ms"

    @property
    def value(self) -> float:
        """What is compared with the goal."""
        if self.floor:
            return statistics.median(a / b for a, b in zip(self.ours, self.floor, strict=True))
        return statistics.median(self.ours)

    def row(self) -> str:
        """Return the figure in a line."""
        by = 1000 if self.unit == "ms" else 1
        floor = f"{by * statistics.median(self.floor):>9.1f}{self.value:>7.2f}" if self.floor else " " * 16
        goal = self.most if self.floor else by * self.most
        mark = "" if self.value <= self.most else "  BEYOND"
        ours = f"{by * statistics.median(self.ours):>9.1f}"
        return f"{self.name:<58}{ours} {self.unit}{floor}{goal:>8.2f}{mark}"


Confined = Callable[[], object]


def first_pictures(path: str, runs: int, confine: Confined) -> tuple[list[float], list[float]]:
    """Return how long the first picture of a saved fight takes, and that of a bare app, in turn."""
    ours, bare = list[float](), list[float]()
    for _ in range(runs):
        for words, shows, found in ((tocsin(path), b"help", ours), (["-c", BARE], b"READY", bare)):
            with watched(words, confine) as line:
                found.append(line.until(shows) - line.begun)
    return ours, bare


def caged(runs: int, path: str, confine: Confined) -> Iterator[Figure]:
    """The figures of the small machine."""
    ours, bare = first_pictures(path, runs, confine)
    slow = max(1.0, statistics.median(bare) / BARE_PICTURE)
    print(f"in the group this machine is {slow:.1f} times slower than the reference")
    yield Figure("small: first picture, 20 x 300", ours, 1.0 / BARE_PICTURE, bare)
    for name in NAMES:
        with watched(tocsin(str(EXAMPLES / f"{name}.toml")), confine) as line:
            line.until(b"help")
            times = {}
            for n, key in enumerate((*keys_that_go_on(name), *MORE)):
                answered, _ = line.press(key)
                if key != "escape":  # the terminal may still send the rest of a longer sequence
                    times[f"{n} {key}"] = answered
            worst = max(times, key=lambda key: times[key])
            median = 1000 * statistics.median(times.values())
            title = f"small: worst key of {name} ({worst}; median {median:.0f})"
            yield Figure(title, [times[worst]], 0.1 * slow)
            yield Figure(f"small: most memory of {name}", [line.resident("VmHWM")], MEMORY / 1e6, unit="MB")
    yield from phones(confine, slow)


def keys_that_go_on(name: str) -> Iterator[str]:
    """Yield the keys that play a sample, as the same dice go on in the program."""
    meter = sample(name)
    for _ in range(ON):
        yield (key := on(meter.desk))
        meter.press(key)


def phones(confine: Confined, slow: float) -> Iterator[Figure]:
    """An order from one of two phones; its answer comes when it is on the disk."""
    path = served_fight("chaos", ("Mia", "Jon"))
    words = tocsin(path, "--serve", "127.0.0.1:0")
    with watched(words, confine) as line:
        line.until(b"help")
        taken = list[float]()
        with Phones(words[2]) as table:
            line.rest()
            for n in range(8):
                who = ("Mia", "Jon")[n % 2]
                began = time.perf_counter()
                assert table.send(who, f"order {who}{n // 2} action=run", n) == "taken"
                taken.append(time.perf_counter() - began)
                line.rest()
        yield Figure("small: an order from a phone taken (worst of 8)", [max(taken)], 1.5 * slow)
        yield Figure("small: most memory, two phones", [line.resident("VmHWM")], MEMORY / 1e6, unit="MB")


def served_fight(system: str, players: Sequence[str]) -> str:
    """Make a fight of four creatures for each of these players, and ten orcs."""
    folder = tempfile.mkdtemp(dir=os.environ["TOCSIN_CONFIG"])
    path = create_save("served", folder, Registry(), system, {})
    session = open_session(path, folder, Registry(), SeededDice(1))
    for who in players:
        for n in range(4):
            session.store.run(f"add {who}{n} owner={who} hp=20")
    for text in ("add 10 Orc hp=15", "begin"):
        session.store.run(text)
    session.close()
    return path


class Phones:
    """A browser for each viewer of a fight that is served: it takes events, and sends lines."""

    def __init__(self, path: str) -> None:
        words = [sys.executable, "-m", "tui", "serve", path, "--addresses"]
        end, found = time.monotonic() + PATIENCE, ""
        while "http://" not in found:
            assert time.monotonic() < end
            found = subprocess.run(words, capture_output=True, text=True, check=False).stdout
        self._addresses = dict(row.split() for row in found.splitlines())
        self._streams = [self._stream(url) for who, url in self._addresses.items() if who != "everybody"]

    def _stream(self, url: str) -> socket.socket:
        _, _, where, key = url.split("/")
        host, _, port = where.partition(":")
        one = socket.create_connection((host, int(port)), PATIENCE)
        one.sendall(f"GET /{key}/events HTTP/1.1\r\nHost: {where}\r\n\r\n".encode())
        got = b""
        while b"moment" not in got:
            got += one.recv(65_536)
        Thread(target=self._take, args=(one,), daemon=True).start()
        return one

    def _take(self, one: socket.socket) -> None:
        with suppress(OSError):
            while one.recv(65_536):
                pass

    def send(self, who: str, text: str, n: int) -> str:
        """Send a line; return what became of it."""
        _, _, where, key = self._addresses[who].split("/")
        http = HTTPConnection(where, timeout=PATIENCE)
        body = json.dumps({"id": f"line-{n:08}", "moment": 1, "line": text})
        http.request("POST", f"/{key}/line", body, {"Content-Type": "application/json", "X-Tocsin": "1"})
        return str(json.loads(http.getresponse().read())["became"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._streams:
            one.close()


# --- beside a bare Textual app


def start(words: Sequence[str], shows: bytes, answers: bytes) -> tuple[float, float, float]:
    """Return the processor's time until the first picture and until the first key is answered, and MB."""
    with watched(words) as line:
        line.until(shows)
        first, seen = line.spent(), len(line.got)
        line.type("?")
        line.until(answers, seen) if answers else line.rest()
        keyed = line.spent()
        line.rest()
        return first, keyed, line.resident()


def free(runs: int, path: str, size: str) -> Iterator[Figure]:
    """The figures beside a bare app."""
    pairs = [(start(tocsin(path), b"help", b"Esc"), start(["-c", BARE], b"READY", b"")) for _ in range(runs)]
    titles = (
        ("first picture", 0.60, "ms"),
        ("first key answered", 1.25, "ms"),
        ("resident memory", 1.30, "MB"),
    )
    for n, (name, most, unit) in enumerate(titles):
        yield Figure(f"{name}, 20 x 300", [a[n] for a, _ in pairs], most, [b[n] for _, b in pairs], unit)
    slow = max(1.0, statistics.median(bare for _, (bare, *_) in pairs) / BARE_START)
    print(f"this machine is {slow:.1f} times slower than the reference")
    keys = [key_time(tocsin(str(EXAMPLES / f"{FULLEST}.toml"))) for _ in range(runs)]
    yield Figure(f"a key, {FULLEST}", keys, 0.006 * slow)
    yield from eight_phones(runs)
    yield from sized(size, slow) if size else ()


def key_time(words: Sequence[str]) -> float:
    """Return the median of the processor's time that a key takes, all that follows included."""
    with watched(words) as line:
        line.until(b"help")
        times = [line.press(key)[1] for key in ("n", "j", "k", "escape") * 5]
        return statistics.median(x for n, x in enumerate(times) if n % 4 != 3)


def eight_phones(runs: int) -> Iterator[Figure]:
    """Keys of a fight with eight phones and with none, and the memory of the program."""
    path = served_fight("chaos", EIGHT)
    alone, served, memory = list[float](), list[float](), list[float]()
    for _ in range(runs):
        words = tocsin(path, "--serve", "127.0.0.1:0")
        with watched(words) as line:
            line.until(b"help")
            alone.append(answer_time(line))
            with Phones(words[2]):
                served.append(answer_time(line))
                memory.append(line.resident())
    yield Figure("a key answered with eight phones beside none", served, 1.1, alone)
    yield Figure("resident memory with eight phones", memory, 60.0, unit="MB")


def answer_time(line: Watched) -> float:
    """Return the median time until a key that makes a step is answered."""
    times = list[float]()
    for key in "d3\rd4\rd5\rd6\rd7\r":
        answered, _ = line.press(key)
        times += [answered] if key == "\r" else []
    return statistics.median(times)


def sized(folder: str, slow: float) -> Iterator[Figure]:
    """The figures of the design size."""
    for system in Registry().ids():
        path = Path(folder, f"{system}.toml")
        made = str(path) if path.exists() else make_sized(system, path)
        with watched(tocsin(made)) as line:
            line.until(b"help")
            opened = line.spent()
            yield Figure(f"{system}, 200 x 5,000: first picture", [opened], 0.3 * slow)
        yield Figure(f"{system}, 200 x 5,000: a key", [key_time(tocsin(made))], 0.010 * slow)


def make_sized(system: str, path: Path) -> str:
    """Make a fight of the design size."""
    creatures, steps = SIZE
    session = open_session(
        create_save(path.stem, str(path.parent), Registry(), system, {}),
        str(path.parent),
        Registry(),
        SeededDice(1),
    )
    run = session.store.run
    run(f"add {creatures // 2} Orc hp=50 side=dark")
    run(f"add {creatures // 2} Elf hp=50 side=heroes")
    run("begin")
    with suppress(Exception):
        run("roll")
    while session.store.step < steps:
        run(f"note round {session.store.step}")
    session.writer.wait()
    session.close()
    return str(path)


def main() -> int:
    """Print the table; 1 when a figure is beyond its goal."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--caged", action="store_true")
    parser.add_argument("--size", default="", metavar="FOLDER")
    args = parser.parse_args()
    # As it is installed: with its bytecode, whatever the environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir("tui", quiet=2)
    print(f"{'figure':<58}{'ours':>12}{'bare':>9}{'ratio':>7}{'goal':>8}")
    beyond = False
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOCSIN_CONFIG"] = os.environ["XDG_STATE_HOME"] = folder
        path = fight(folder, 20, 300)

        def figures() -> Iterator[Figure]:
            if not args.free:
                with cage() as confine:
                    yield from caged(args.runs, path, confine) if confine else ()
            if not args.caged:
                yield from free(args.runs, path, args.size)

        for figure in figures():
            print(figure.row(), flush=True)
            beyond |= figure.value > figure.most
    return int(beyond)


if __name__ == "__main__":
    sys.exit(main())
