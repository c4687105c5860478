"""The bench: a copy of the tree for each job, and what became of each mutant."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from tests.mutation.children import FewExamples, answer, answer_of, copy_of, ended_when_asked, forked, stop
from tests.mutation.job import PASSED, Job, Task, Verdict
from tests.mutation.reach import Footprints, Reach

LONGEST = 1200.0
"""Seconds that all tests together may take while they are watched."""


class Bench:
    """A copy of the tree for each job, and what the tests enter of the program without any mistake.

    `examples` of each law, and `most` seconds of work for each mutant: what was not noticed by then has
    survived.
    """

    def __init__(self, root: Path, folder: Path, jobs: int, examples: int, most: float) -> None:
        self._folder, self._jobs, self._examples, self._most = folder, jobs, examples, most
        self._copy = copy_of(root, folder / "copy")
        self._places: Sequence[str] = ()
        self._reach = Reach(frozenset(), {})

    def baseline(self, places: Sequence[str]) -> float:
        """Seconds of the tests without any mistake, watched.

        Raises RuntimeError when they fail by themselves.
        """
        began, to, few = time.monotonic(), self._folder / "reach", FewExamples(self._examples)

        def watched() -> int:
            return answer_of(self._copy, places, [few, Footprints(self._copy, to)], compiling=True)

        words = self._failing(watched)
        if not to.exists():
            raise RuntimeError(f"the tests did not come to their end in {LONGEST:.0f} s:\n{words}")
        self._places, self._reach = places, msgspec.msgpack.decode(to.read_bytes(), type=Reach)
        failed = [name for name, test in self._reach.tests.items() if test.failed]
        if words and failed:
            # A bound of time may fail for being watched alone.
            words = self._failing(lambda: answer_of(self._copy, failed, [few]))
        if words:
            raise RuntimeError(f"the tests fail without a mutant:\n{words}")
        return time.monotonic() - began

    def _failing(self, tests: Callable[[], int]) -> str:
        """What tests say when they do not pass."""
        told = self._folder / "told.txt"
        code = answer(forked(tests, told, apart=True), time.monotonic() + LONGEST)
        return "" if code == PASSED else f"{told.read_text(errors='replace')[-3000:]}\n{code}"

    def verdicts(self, tasks: Sequence[Task]) -> Iterator[Verdict]:
        """What became of each mutant, by its place in the list, as soon as it is known."""
        reading, writing = os.pipe()
        jobs = [self._job(i, tasks, writing) for i in range(self._jobs)]
        os.close(writing)
        missing = set(range(len(tasks)))
        try:
            with os.fdopen(reading, "rb") as lines:
                for line in lines:
                    verdict = msgspec.json.decode(line, type=Verdict)
                    missing.remove(verdict.number)
                    yield verdict
        finally:
            for job in jobs:
                stop(job)
        if missing:
            told = "".join(path.read_text(errors="replace")[-3000:] for path in self._folder.glob("job*.txt"))
            raise RuntimeError(f"{len(missing)} mutants without an answer:\n{told}")

    def _job(self, i: int, tasks: Sequence[Task], to: int) -> int:
        """The process id of a job, which takes every so manieth mutant."""
        share = {n: tasks[n] for n in range(i, len(tasks), self._jobs)}
        # With what was compiled for the baseline: that is half of the time of loading.
        copy = shutil.copytree(self._copy, self._folder / f"copy{i}")
        job = Job(copy, self._reach, self._examples, self._most, to)

        def work() -> int:
            ended_when_asked()
            return job.run(share, self._places)

        return forked(work, self._folder / f"job{i}.txt", apart=True)
