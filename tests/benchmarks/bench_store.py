"""How the store grows: opening, one line, memory and disk at 20 to 1,000 creatures and 300 to 50,000 steps.

    python -m tests.benchmarks.bench_store [--full]

Times are medians of this machine in this run; compare rows, not machines.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from tui.store.opening import create, look
from tui.store.session import Session, open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

LINES = (
    "damage 'Orc {n}' 2",
    "next",
    "heal 'Orc {n}' 1",
    "condition 'Orc {n}' Prone rounds=2",
    "note round {n}",
)


def fight(folder: str, creatures: int, steps: int) -> str:
    """A save with so many creatures and at least so many steps; its path."""
    systems = Registry()
    path = create(f"c{creatures}-s{steps}", folder, systems, "classic", {})
    session = open_session(path, folder, systems, SeededDice(1))
    session.store.run(f"add {creatures} Orc hp=50 mod=2")
    session.store.run("begin")
    session.store.run("roll")
    for n in range(session.store.step, steps):
        line = LINES[n % len(LINES)].replace("'", '"').format(n=n % creatures + 1)
        session.store.run(line if "Prone" not in line or n % 3 else "next")
    session.writer.wait()
    session.checkpoint()  # as the screen leaves it
    session.close()
    return path


def seconds(run: object, times: int = 5) -> float:
    """The median time of a call, in milliseconds."""
    assert callable(run)
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append((time.perf_counter() - start) * 1000)
    return statistics.median(found)


def one_line(session: Session) -> float:
    """The median time of `next` and its undo, in milliseconds, without waiting for the disk."""
    store = session.store
    return statistics.median([seconds(lambda: store.run("next"), 1) for _ in range(20)])


def row(folder: str, creatures: int, steps: int) -> str:
    """One line of the table."""
    path = fight(folder, creatures, steps)
    systems = Registry()
    size = os.path.getsize(path)
    opening = seconds(lambda: look(path, folder, systems), 3)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    store = look(path, folder, systems)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    count = max(1, store.steps)
    session = open_session(path, folder, systems, SeededDice(1))
    line, back = one_line(session), seconds(lambda: session.store.run("undo"), 9)
    session.close()
    del store
    times = f"{opening:>9.1f} {line:>8.2f} {back:>8.2f}"
    return f"{creatures:>9} {steps:>7} {times} {size / count:>8.0f} {grown / count:>9.0f}"


def main() -> None:
    """Print the table."""
    full = "--full" in sys.argv
    print("creatures   steps  open ms  next ms  undo ms  B/step  mem B/step")
    with tempfile.TemporaryDirectory() as folder:
        for creatures in (20, 200, 1000) if full else (20, 200):
            for steps in (300, 5_000, 50_000) if full else (300, 5_000):
                print(row(str(Path(folder)), creatures, steps), flush=True)


if __name__ == "__main__":
    main()
