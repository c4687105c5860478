"""Players' terminals: from a step to what they show, and what eight of them cost the writer.

    python -m tests.benchmarks.bench_players [STEPS [SEATS]]

The writer is the app in a terminal, views and seats are real processes in theirs, SEATS of the eight are
seats. Alone and with the eight the same keys are pressed in turns, so that a machine that slows down slows
both.
"""

from __future__ import annotations

import os
import select
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.reliability.players import viewing
from tests.reliability.scripted_play import drain, fight, memory, stop
from tests.terminal import Terminal, tocsin

PLAYERS = ("Mia", "Tom", "Lu", "Sam", "Kim", "Ida", "Max", "Pia")
VIEWS = (
    ("--as", "Mia"),
    ("--as", "Tom"),
    ("--as", "Lu"),
    ("--as", "Sam"),
    (),
    (),
    ("--big",),
    ("--as", "Kim"),
)
PAUSE = 0.25
"""Seconds between two keys: a GM types no faster than that and reads what it did."""


def main(steps: int, seats: int) -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as alone_, tempfile.TemporaryDirectory() as table_:
        alone, table = Path(alone_), Path(table_)
        more = [f"add 8 Goblin hp=7 mod={n}" for n in range(2)]
        more += [*(f"add {name}s owner={name} hp=9" for name in PLAYERS[2:]), "roll"]
        for folder in (alone, table):
            fight(folder, "mill", *more)
        writers = [tocsin(folder, "mill") for folder in (alone, table)]
        for writer in writers:
            writer.wait("saved")
        state = str(table / "state")
        views = [tocsin(table, "seat", "mill", name, XDG_STATE_HOME=state) for name in PLAYERS[:seats]]
        views += [viewing(table, *words) for words in VIEWS[seats:]]
        for view in views:
            view.wait("acts", silent=("nobody",))
        print(f"{seats} seats, {len(VIEWS) - seats} views, load {os.getloadavg()[0]:.1f}")
        print("memory of each, kB:", sorted(memory(view.pid) for view in views))
        print(
            "of the app, kB:",
            [memory(writer.pid) for writer in writers],
            "of the publisher, kB:",
            _publisher(table),
        )
        _measure(writers, views, table, steps)
        for one in (*views, *writers):
            stop(one)


def _measure(writers: list[Terminal], views: list[Terminal], table: Path, steps: int) -> None:
    for one in (*writers, *views):
        drain(one, 0.3)
    before = [work(writer.pid) for writer in writers]
    beside = [work(_publisher_pid(table)), *(work(view.pid) for view in views)]
    lags: list[float] = []
    firsts: list[float] = []
    for at in range(steps):
        key = "u" if at % 3 == 2 else "n"
        for writer in writers:
            start = time.monotonic()
            os.write(writer._fd, key.encode())
            if writer is writers[1]:
                found = _shown(views, start)
                lags += found
                firsts.append(max(found))
            writer._read(0)
            drain(writer, 0.02)
            time.sleep(max(0.0, PAUSE - (time.monotonic() - start)))
    spent = [work(writer.pid) - was for writer, was in zip(writers, before, strict=True)]
    rest = [work(_publisher_pid(table)) - beside[0], sum(work(v.pid) for v in views) - sum(beside[1:])]
    print(f"key to view, ms: median {1e3 * statistics.median(lags):.0f}, worst {1e3 * max(lags):.0f}")
    print(f"last of eight, ms: median {1e3 * statistics.median(firsts):.0f}")
    print(
        f"writer alone {1e3 * spent[0] / steps:.2f} ms a key, "
        f"with views {1e3 * spent[1] / steps:.2f}: ÷ {spent[1] / spent[0]:.2f}"
    )
    print(f"publisher {1e3 * rest[0] / steps:.2f} ms a key, a view {1e3 * rest[1] / steps / len(views):.2f}")


def _shown(views: list[Terminal], start: float) -> list[float]:
    """Seconds until each view has drawn something."""
    waiting = {view._fd: view for view in views}
    found = []
    while waiting and time.monotonic() < start + 2:
        for fd in select.select(list(waiting), [], [], 0.5)[0]:
            waiting.pop(fd)._read(0)
            found.append(time.monotonic() - start)
    for view in views:
        drain(view, 0)
    return found


def work(pid: int) -> float:
    """Seconds of the processor that a process has taken, to the nanosecond where the kernel tells."""
    try:
        return (
            sum(
                int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0])
                for task in os.listdir(f"/proc/{pid}/task")
            )
            / 1e9
        )
    except OSError:
        return 0.0


def _publisher_pid(folder: Path) -> int:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"publish" in words and os.fsencode(folder) in words:
            return int(pid)
    return 0


def _publisher(folder: Path) -> int:
    pid = _publisher_pid(folder)
    return memory(pid) if pid else 0


if __name__ == "__main__":
    steps, seats = (*map(int, sys.argv[1:3]), *(60, 0)[len(sys.argv[1:3]) :])
    main(steps, seats)
