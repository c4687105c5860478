"""What processes take, as the kernel counts it: shared memory counts for each in part."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def pss(pid: int) -> float:
    """Memory in MiB, what is shared with others divided among them; 0 for a process that has gone."""
    with suppress(OSError):
        told = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").split("\nPss:")[1]
        return float(told.split()[0]) / 1024
    return 0.0


def work(pid: int) -> float:
    """Return the milliseconds of processor time of a process with its threads; 0 for one that has gone."""
    taken = 0
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            taken += int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text(encoding="ascii").split()[0])
    return taken / 1e6


def family(pid: int) -> list[int]:
    """The process, its children and theirs."""
    parents: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            fields = Path(f"/proc/{name}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def called(pids: Iterable[int], word: str) -> int:
    """The one of some processes that was called with a word; 0 for none."""
    for pid in pids:
        with suppress(OSError):
            if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                return pid
    return 0
