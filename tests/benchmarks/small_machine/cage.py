"""A control group that a program and its children run in: a part of one core, and so much memory.

Both versions of Linux' control groups are spoken. Where neither may be written there is no cage, and whoever
measures says so. A duty of SIGSTOP and SIGCONT would be no substitute: a program that is continued draws its
screen anew.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

PERIOD = 10_000
"""Microseconds in which the part of a core is given: as short as a part of it allows, so that it is a slow
core more than one that comes and goes."""

ROOT = Path("/sys/fs/cgroup")


class Cage(Struct, frozen=True):
    """The group's folders. `missing` says in words what could not be limited."""

    folders: tuple[Path, ...] = ()
    missing: tuple[str, ...] = ()

    def enter(self) -> None:
        """Puts the calling process, and whatever it starts from now on, inside."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def peak(self) -> int:
        """Return the peak of bytes used inside, with the system's file cache; 0 if unknown."""
        for folder in self.folders:
            for name in ("memory.max_usage_in_bytes", "memory.peak"):
                with suppress(OSError):
                    return int((folder / name).read_text(encoding="ascii"))
        return 0


@contextmanager
def cage(part: float, memory: int) -> Iterator[Cage]:
    """A cage of `part` of a core and `memory` bytes, taken away at the end."""
    name = f"tocsin-{os.getpid()}-{time.monotonic_ns()}"
    made = (
        _version_1(name, part, memory)
        or _version_2(name, part, memory)
        or Cage(missing=("the processor", "the memory"))
    )
    try:
        yield made
    finally:
        for folder in made.folders:
            _remove(folder)


def _version_1(name: str, part: float, memory: int) -> Cage | None:
    cpu, limits = ROOT / "cpu" / name, ROOT / "memory" / name
    wanted: dict[Path, dict[str, int | str]] = {
        cpu: {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": int(PERIOD * part)},
        limits: {"memory.limit_in_bytes": memory},
    }
    return _made(wanted)


def _version_2(name: str, part: float, memory: int) -> Cage | None:
    return _made({ROOT / name: {"cpu.max": f"{int(PERIOD * part)} {PERIOD}", "memory.max": memory}})


def _made(wanted: dict[Path, dict[str, int | str]]) -> Cage | None:
    """The groups with these values in their files; None where that may not be."""
    made: list[Path] = []
    try:
        for folder, values in wanted.items():
            folder.mkdir()
            made.append(folder)
            for file, value in values.items():
                (folder / file).write_text(str(value), encoding="ascii")
    except OSError:
        for folder in made:
            _remove(folder)
        return None
    return Cage(tuple(made))


def _remove(folder: Path) -> None:
    """A group goes once the last process in it has gone."""
    for _ in range(50):
        with suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.02)
