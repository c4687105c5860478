"""The small machine in one value, and programs started on it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.benchmarks.small_machine.cage import Cage, cage
from tests.benchmarks.small_machine.rig import Rig, Speed
from tests.benchmarks.small_machine.slow_disk import slow_disk


class Machine(Struct, frozen=True):
    """A part of one core, bytes of memory, milliseconds of a sync, and the line."""

    core: float = 0.25
    memory: int = 128 * 2**20
    sync: int = 200
    line: Speed = Speed()

    @contextmanager
    def running(self, words: Sequence[str], folder: Path) -> Iterator[tuple[Rig, Cage]]:
        """A Python program, with its settings in this folder, and the cage that it runs in."""
        with tempfile.TemporaryDirectory() as built, cage(self.core, self.memory) as inside:
            environ = {"TOCSIN_CONFIG": str(folder / "config"), **slow_disk(Path(built), self.sync)}
            rig = Rig(words, inside, self.line, environ)
            try:
                yield rig, inside
            finally:
                rig.close()

    def missing(self) -> list[str]:
        """What of it cannot be imitated here, in words."""
        with tempfile.TemporaryDirectory() as folder, cage(self.core, self.memory) as inside:
            return [*inside.missing, *([] if slow_disk(Path(folder), self.sync) else ["the slow disk"])]


def tocsin(folder: Path, *words: str) -> list[str]:
    """How the program is called with its saves in this folder."""
    return ["-m", "tui", *words, "--saves", str(folder)]
