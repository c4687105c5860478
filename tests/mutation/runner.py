"""Runs the tests of a room against one mutant after the other, each in a process of its own.

The mutated file stands in a copy of the tree, one copy for each of the jobs. A child is forked from a process that has
pytest loaded and nothing of the program, which saves more than a second for each mutant. That process must have no
threads: it is a command of its own, never a test's process.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from msgspec import Struct

from tests.mutation.mutants import Mutant

COPIED = ("tui", "tests", "themes", "saves", "pyproject.toml", "README.md", "LICENSE", ".github")
OURS = ("tui", "tests")
SURVIVED, KILLED, TIMED_OUT = "survived", "killed", "timed out"
PASSED, FAILED = 0, {1, 2, 3}
"""pytest's exit codes: a test failed, the files did not even load, or a hook of a test fell over."""
OUR_FAULT = 70
LONGEST = 600.0
"""Seconds that the tests of a room may take without any mistake."""
PHASES = (Phase.explicit, Phase.generate)
"""Without shrinking: a mutant is noticed by the first example, however large."""


class Verdict(Struct, frozen=True):
    """What became of a mutant, and after how many seconds."""

    mutant: Mutant
    fate: str
    seconds: float


class Running(Struct):
    """A child that tests a mutant in a copy of the tree, until a deadline (monotonic seconds)."""

    mutant: Mutant
    copy: Path
    started: float
    deadline: float


class FewExamples:
    """A pytest plugin: hypothesis tries few examples, always the same, remembers nothing and looks for no smaller one."""

    def __init__(self, most: int) -> None:
        self.most = most

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Every law that has been found is asked about few examples."""
        test: Any = getattr(item, "obj", None)
        given = getattr(test, "_hypothesis_internal_use_settings", None)
        if isinstance(given, settings):
            few = min(given.max_examples, self.most)
            test._hypothesis_internal_use_settings = settings(
                given, max_examples=few, derandomize=True, database=None, deadline=None, phases=PHASES
            )


def copy_of(root: Path, to: Path) -> Path:
    """A copy of what the tests need, without compiled files."""
    to.mkdir(parents=True)
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (root / name).exists():
            shutil.copy2(root / name, to / name)
    return to


def answer_of(copy: Path, tests: Sequence[str], examples: int, *, compiling: bool) -> int:
    """pytest's answer to the tests in a copy: for a child process, which is spoilt by it."""
    for name in [n for n in sys.modules if n.split(".")[0] in OURS]:
        del sys.modules[name]
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = not compiling
    os.environ |= {"PYTHONPATH": str(copy)} | ({} if compiling else {"PYTHONDONTWRITEBYTECODE": "1"})
    arguments = [
        *("-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
        *("-o", "addopts=", "--strict-markers", "-m", "not long", *tests),
    ]
    return int(pytest.main(arguments, plugins=[FewExamples(examples)]))


def forked(work: Callable[[], int], told: Path) -> int:
    """The process id of a child that does this work, with all its output in a file, in a group of its own."""
    child = os.fork()
    if child:
        with suppress(OSError):
            os.setpgid(child, child)
        return child
    try:
        os.setpgid(0, 0)
        out = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(out, stream)
        code = work()
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 a fork that goes on as its parent would run everything twice
        traceback.print_exc()
        code = OUR_FAULT
    os._exit(code)


def ended(child: int) -> int | None:
    """A child's exit code, negative after a signal; None while it runs."""
    done, status = os.waitpid(child, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def end(child: int) -> None:
    """A child and whatever it started are over."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)


class Bench:
    """The copies of the tree; `limit` is how many seconds a mutant may take."""

    def __init__(self, root: Path, folder: Path, jobs: int, examples: int) -> None:
        self.examples, self.limit = examples, LONGEST
        self.root = root
        self.copies = [copy_of(root, folder / f"copy{i}") for i in range(jobs)]

    def baseline(self, tests: Sequence[str]) -> float:
        """Seconds of the tests without any mistake. Raises RuntimeError when they fail by themselves."""
        seconds = 0.0
        for copy in self.copies:
            began = time.monotonic()
            told = copy / "baseline.txt"
            child = forked(lambda at=copy: answer_of(at, tests, self.examples, compiling=True), told)  # type: ignore[misc]
            while (code := ended(child)) is None and time.monotonic() < began + LONGEST:
                time.sleep(0.05)
            end(child)
            if code != PASSED:
                raise RuntimeError(
                    f"the tests fail without a mutant:\n{told.read_text(errors='replace')[-3000:]}"
                )
            seconds = max(seconds, time.monotonic() - began)
        self.limit = 20 + 4 * seconds
        return seconds

    def verdicts(self, mutants: Sequence[Mutant], tests: Sequence[str]) -> Iterator[Verdict]:
        """What became of each mutant, as soon as it is known."""
        waiting, idle = list(reversed(mutants)), list(self.copies)
        running: dict[int, Running] = {}
        try:
            while waiting or running:
                while waiting and idle:
                    started = self._start(waiting.pop(), idle.pop(), tests)
                    running |= started
                for child, one in list(running.items()):
                    if verdict := self._verdict(child, one):
                        del running[child]
                        idle.append(one.copy)
                        yield verdict
                time.sleep(0.02)
        finally:
            for child in running:
                end(child)

    def _start(self, mutant: Mutant, copy: Path, tests: Sequence[str]) -> dict[int, Running]:
        place = copy / mutant.path
        place.write_text(mutant.source, encoding="utf-8")
        for compiled in (place.parent / "__pycache__").glob(f"{place.stem}.*"):
            compiled.unlink()
        child = forked(lambda: answer_of(copy, tests, self.examples, compiling=False), copy / "told.txt")
        now = time.monotonic()
        return {child: Running(mutant, copy, now, now + self.limit)}

    def _verdict(self, child: int, one: Running) -> Verdict | None:
        code, now = ended(child), time.monotonic()
        if code is None and now < one.deadline:
            return None
        end(child)
        shutil.copy2(self.root / one.mutant.path, one.copy / one.mutant.path)
        seconds = now - one.started
        if code is None:
            return Verdict(one.mutant, TIMED_OUT, seconds)
        if code != PASSED and code not in FAILED and code > 0:
            raise RuntimeError(f"pytest ended with {code} for {one.mutant.told()}")
        return Verdict(one.mutant, SURVIVED if code == PASSED else KILLED, seconds)
