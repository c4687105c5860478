"""A job: one copy of the tree, and one mutant after the other in it, each in a process of its own.

A process loads the program and the tests once and forks for each mutant of a function. What is wrong with a
table, a default or a function that is called while loading needs everything loaded anew: there the process
that forks has only pytest. Neither may have threads, so the runner is a command of its own.
"""

from __future__ import annotations

import gc
import math
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from tests.mutation.children import OUR_FAULT, FewExamples, answer, answer_of, ended_when_asked, forked
from tests.mutation.living import Change, Living, change_of
from tests.mutation.mutants import Mutant
from tests.mutation.reach import Reach, Tested

SURVIVED, KILLED, TIMED_OUT = "survived", "killed", "timed out"
PASSED, FAILED, UNLOADED = 0, 1, {1, 2, 3}
"""pytest's exit codes: a test failed, or the files did not even load, or a hook of a test fell over."""
LOADING = 60.0
"""Seconds for loading everything, far more than it takes."""
ROOM_TO_GROW = 4 << 30
"""Bytes: a mistake that makes a list grow for ever must not take the machine with it."""


class Task(Struct, frozen=True):
    """A mutant, and the places of the tests that answer for it, nearest first."""

    mutant: Mutant
    places: Sequence[str]


class Verdict(Struct, frozen=True):
    """The verdict on the mutant of this number, its seconds, and the last test that ran."""

    number: int
    fate: str
    seconds: float
    by: str


class Chosen:
    """A pytest plugin: run tests in order until one fails or the time is up; a file names the current one."""

    def __init__(self, names: Sequence[str], reach: Reach, at: Path, most: float) -> None:
        self._names, self._reach, self._at, self._most = names, reach, at, most

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of pytest's own loop."""
        by_name = {item.nodeid: item for item in session.items}
        items = [by_name[name] for name in self._names if name in by_name]
        resource.setrlimit(resource.RLIMIT_AS, (ROOM_TO_GROW, ROOM_TO_GROW))
        began = time.process_time()
        for item, following in zip_longest(items, items[1:]):
            if session.testsfailed or time.process_time() - began > self._most:
                break
            self._at.write_text(item.nodeid, encoding="utf-8")
            # What never ends is ended by the signal itself: no handler of a test can swallow it.
            signal.setitimer(signal.ITIMER_REAL, _longest(self._reach.tests[item.nodeid]))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            signal.setitimer(signal.ITIMER_REAL, 0)
        return True


def _longest(test: Tested) -> float:
    """Return the seconds that a test may take on a busy machine; tests that start processes get more."""
    return (60 if test.starts else 5) + 10 * test.seconds


class Loaded:
    """A pytest plugin: some work where everything is loaded and collected, instead of running it."""

    def __init__(self, work: Callable[[pytest.Session], None]) -> None:
        self._work = work

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of pytest's own loop."""
        self._work(session)
        return True


class Job(Struct, frozen=True):
    """A copy of the tree, what its tests enter, the bounds for each mutant, and the pipe for verdicts."""

    copy: Path
    reach: Reach
    examples: int
    most: float
    to: int

    def run(self, tasks: dict[int, Task], places: Sequence[str]) -> int:
        """All tasks, by number; the places are those of all of them. An exit code."""
        swift = {n: change for n, task in tasks.items() if (change := self._change(task.mutant))}

        def work(session: pytest.Session) -> None:
            ended_when_asked()
            living = Living()
            gc.collect()
            gc.freeze()
            for n, change in swift.items():
                function = (tasks[n].mutant.path, change[0].co_firstlineno)
                names = self.reach.entering(function, tasks[n].places)
                self._tell(n, tasks[n], names, lambda chosen, c=change: _changed(session, living, c, chosen))  # type: ignore[misc]

        told = self.copy / "loaded.txt"
        loaded = forked(lambda: self._pytest(places, Loaded(work)), told, apart=False)
        if swift and answer(loaded, math.inf) != PASSED:
            raise RuntimeError(told.read_text(errors="replace")[-3000:])
        for n in tasks.keys() - swift.keys():
            task = tasks[n]
            names = self.reach.near(task.mutant.path, task.places)
            self._tell(n, task, names, lambda chosen, p=task.places: self._pytest(p, chosen))  # type: ignore[misc]
        return PASSED

    def _change(self, mutant: Mutant) -> Change | None:
        """How a mutant comes into a process that has loaded everything; None when it cannot."""
        change = change_of(*mutant.codes(str(self.copy / mutant.path)))
        late = change and (mutant.path, change[0].co_firstlineno) in self.reach.loading
        return None if late else change

    def _pytest(self, places: Sequence[str], plugin: object) -> int:
        return answer_of(self.copy, places, [FewExamples(self.examples), plugin])

    def _tell(self, number: int, task: Task, names: Sequence[str], work: Callable[[Chosen], int]) -> None:
        """Return the verdict of tests on a mutant; its file is mutated for tests that start the program."""
        began, place, kept, at = (
            time.monotonic(),
            self.copy / task.mutant.path,
            self.copy / "kept",
            self.copy / "at",
        )
        at.write_text("")
        shutil.copy2(place, kept)
        place.write_text(task.mutant.source, encoding="utf-8")
        try:
            told = self.copy / "told.txt"
            child = forked(lambda: work(Chosen(names, self.reach, at, self.most)), told, apart=True)
            seconds = sum(_longest(self.reach.tests[name]) for name in names)
            code = answer(child, began + LOADING + seconds)
        finally:
            kept.replace(place)
        if code == OUR_FAULT:
            raise RuntimeError(told.read_text(errors="replace")[-3000:])
        verdict = Verdict(number, _fate(code), time.monotonic() - began, at.read_text())
        os.write(self.to, msgspec.json.encode(verdict) + b"\n")


def _changed(session: pytest.Session, living: Living, change: Change, chosen: Chosen) -> int:
    """The exit code of the chosen tests where a function has been changed."""
    living.exchange(change)
    chosen.pytest_runtestloop(session)
    return FAILED if session.testsfailed else PASSED


def _fate(code: int | None) -> str:
    """What an exit code says: negative after a signal, None after the deadline."""
    if code is None or code == -signal.SIGALRM:
        return TIMED_OUT
    if code > 0 and code not in UNLOADED:
        raise RuntimeError(f"pytest ended with {code}")
    return SURVIVED if code == PASSED else KILLED
