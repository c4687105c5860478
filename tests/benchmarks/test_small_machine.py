"""The program on a small machine: little memory, and a core that others use as well."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.fight import fight
from tests.benchmarks.line import Line
from tests.kit.terminal import PATIENCE

MEMORY = 128 * 2**20
"""Bytes of data that the program may hold."""

OTHERS = 3
"""Busy processes on the same core: about a quarter of it is left."""


@contextlib.contextmanager
def busy(core: int) -> Iterator[None]:
    """A context in which other processes use the core."""
    loop = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(OTHERS)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


@pytest.mark.long
def test_a_fight_is_played_on_a_quarter_of_a_core_with_little_memory(tmp_path: Path) -> None:
    path, core = fight(str(tmp_path), 20, 300), min(os.sched_getaffinity(0))

    def confine() -> None:
        os.sched_setaffinity(0, {core})
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))

    def press(key: str, shown: bytes) -> None:
        end, seen = time.monotonic() + PATIENCE, len(line.got)
        line.type(key)
        while shown not in line.got[seen:]:
            assert time.monotonic() < end, line.got[-400:]
            line.serve(0.1)

    with busy(core):
        line = Line([sys.executable, "-m", "tui", path, "--saves", str(tmp_path)], confine)
        try:
            line.settle(PATIENCE)
            assert b"Orc" in line.got
            press("?", b"Esc")
            line.type("\x1b")
            line.settle(1.0)
            press("n", b"301")
        finally:
            line.close()
