"""Measure a step on the disk, and a slow disk on the screen: `python -m tests.benchmarks.bench_disk`.

A step's own `os.write` and `fdatasync`, and all that is done with it, beside the bare calls with the same
bytes; its size; how long after a line it is saved; and the time from a key to the screen, with the disk as it
is and with one whose every sync takes two seconds. Times of one run on one machine: compare them with each
other.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time

from tests.benchmarks.bench_screen import Line
from tests.benchmarks.bench_store import fight
from tui.core.fight.events import Event
from tui.store.disk import Disk
from tui.store.journal.reader import read
from tui.store.journal.writer import Writer
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

KEYS = 60
_SLOW = """
import sys, time
from tui.store.disk import Disk
sync = Disk.fdatasync
Disk.fdatasync = lambda self, fd: (time.sleep(2), sync(self, fd))[1]
sys.argv[:] = ["tocsin", sys.argv[1]]
from tui.__main__ import main
sys.exit(main())
"""


class TimedDisk(Disk):
    """Sums up, in seconds, what its writes and syncs take."""

    spent = 0.0

    def write(self, fd: int, data: memoryview) -> int:
        """See Disk."""
        start = time.perf_counter()
        taken = super().write(fd, data)
        self.spent += time.perf_counter() - start
        return taken

    def fdatasync(self, fd: int) -> None:
        """See Disk."""
        start = time.perf_counter()
        super().fdatasync(fd)
        self.spent += time.perf_counter() - start


def beside_bare(folder: str, path: str) -> tuple[float, float, float]:
    """Medians in milliseconds, step by step: the two calls as the store makes them, all of the step from its
    facts to the disk, and the two calls bare, with the same bytes.
    """
    journal, disk = read(path, Event), TimedDisk()
    writer = Writer.create(os.path.join(folder, "again.toml"), journal.header, "inline", disk=disk)
    bare = os.open(os.path.join(folder, "bare"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    calls: list[float] = []
    whole: list[float] = []
    theirs: list[float] = []
    for step in journal.steps:
        begin, disk.spent, start = writer.end.offset, 0.0, time.perf_counter()
        writer.append(step)
        writer.wait()
        whole.append(1000 * (time.perf_counter() - start))
        calls.append(1000 * disk.spent)
        record = writer.content()[begin:]
        start = time.perf_counter()
        os.write(bare, record)
        os.fdatasync(bare)
        theirs.append(1000 * (time.perf_counter() - start))
    os.close(bare)
    writer.close()
    return statistics.median(calls), statistics.median(whole), statistics.median(theirs)


def until_saved(folder: str, path: str) -> float:
    """Milliseconds from the end of a line until the screen's thread may show *saved*, at the median."""
    session = open_session(path, folder, Registry(), SeededDice(1))
    found = []
    for n in range(100):
        session.store.run(f"note {n}")
        start = time.perf_counter()
        session.writer.wait()
        found.append(1000 * (time.perf_counter() - start))
    session.close()
    return statistics.median(found)


def to_the_screen(words: list[str]) -> list[float]:
    """Milliseconds from a key to the last byte of what it shows, key after key."""
    line = Line(words)
    line.settle()
    found = []
    for n in range(KEYS):
        pressed = time.perf_counter()
        line.type("n" if n % 2 else "j")
        found.append(1000 * (line.settle(0.6) - pressed))
    line.close()
    return found


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = fight(folder, 20, 300)
        calls, whole, bare = beside_bare(folder, path)
        size = statistics.median(stop - start for start, stop in read(path, Event).spans)
        saved = until_saved(folder, path)
        normal = to_the_screen([sys.executable, "-m", "tui", path])
        stalled = to_the_screen([sys.executable, "-c", _SLOW, path])
    print(f"write and fdatasync of a step: {calls:.3f} ms, bare {bare:.3f} ms: {calls / bare:.2f} x")
    print(f"all of a step, from its facts to the disk: {whole:.3f} ms: {whole / bare:.2f} x")
    print(f"a step on the disk: {size:.0f} bytes; from the line to saved {saved:.2f} ms (both medians)")
    for name, times in (("as it is", normal), ("two seconds a sync", stalled)):
        p95 = sorted(times)[int(len(times) * 0.95)]
        print(
            f"key to screen, disk {name}: median {statistics.median(times):.1f} ms,"
            f" p95 {p95:.1f}, most {max(times):.1f}"
        )


if __name__ == "__main__":
    main()
