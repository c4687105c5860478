"""Measure a step on the disk: `python -m tests.benchmarks.bench_disk`.

A step's own `os.write` and `fdatasync`, and all that is done with it, beside the bare calls with the same
bytes, and its size. Times of one run on one machine: compare them with each other.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time

from tests.benchmarks.bench_store import fight
from tui.core.fight.events import Event
from tui.store.disk import Disk
from tui.store.journal.reader import read
from tui.store.journal.writer import Writer


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


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = fight(folder, 20, 300)
        calls, whole, bare = beside_bare(folder, path)
        size = statistics.median(stop - start for start, stop in read(path, Event).spans)
    print(f"write and fdatasync of a step: {calls:.3f} ms, bare {bare:.3f} ms: {calls / bare:.2f} x")
    print(f"all of a step, from its facts to the disk: {whole:.3f} ms: {whole / bare:.2f} x")
    print(f"a step on the disk: {size:.0f} bytes")


if __name__ == "__main__":
    main()
