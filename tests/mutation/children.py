"""Run pytest in a copy of the tree, its output in a file; end it with all processes that it started."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.tiers import register

COPIED = ("tui", "tests", "themes", "saves", "pyproject.toml", "README.md", "LICENSE", ".github")
OURS = ("tui", "tests")
OUR_FAULT = 70
ASKED = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
PHASES = (Phase.explicit, Phase.generate)
"""Without shrinking: a mutant is noticed by the first example, however large."""


class FewExamples:
    """A pytest plugin: hypothesis tries the same few examples, remembers none and shrinks none."""

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


def answer_of(copy: Path, tests: Sequence[str], plugins: Sequence[object], *, compiling: bool = False) -> int:
    """pytest's answer to the tests in a copy: for a child process, which is spoilt by it."""
    for name in [n for n in sys.modules if n.split(".")[0] in OURS]:
        del sys.modules[name]
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = not compiling
    os.environ |= {"PYTHONPATH": str(copy)} | ({} if compiling else {"PYTHONDONTWRITEBYTECODE": "1"})
    arguments = [
        *("-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
        *("-o", "addopts=", "--strict-markers", "-m", "not long and not hours", "--hypothesis-profile=long"),
        *tests,
    ]
    register()
    return int(pytest.main(arguments, plugins=list(plugins)))


def forked(work: Callable[[], int], told: Path, *, apart: bool) -> int:
    """Fork a child for this work, its output in a file; with `apart`, in its own process group."""
    child = os.fork()
    if child:
        return child
    try:
        # Only the runner itself is asked to stop; what it has started it ends.
        for number in ASKED:
            signal.signal(number, signal.SIG_DFL)
        if apart:
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


def answer(child: int, deadline: float) -> int | None:
    """Return a child's exit code, negative after a signal; None if it was ended at the deadline."""
    pause, done, status = 0.001, 0, 0
    try:
        while not done and time.monotonic() < deadline:
            done, status = os.waitpid(child, os.WNOHANG)
            if not done:
                time.sleep(pause)
                pause = min(0.05, 2 * pause)
    finally:
        end(child)
    return os.waitstatus_to_exitcode(status) if done else None


def end(child: int) -> None:
    """A child and whatever it started are over."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:  # it has no group of its own: it is asked, and ends what it has started
        stop(child)
    except PermissionError:
        pass
    with suppress(ChildProcessError):
        os.waitpid(child, 0)


def ended_when_asked() -> None:
    """Raise SystemExit at the signals of `timeout`, a closed terminal and ctrl+c, to end children too."""
    for number in ASKED:
        signal.signal(number, _leave)


def _leave(number: int, _frame: object) -> None:
    # A second one must not cut short how the first is answered.
    for other in ASKED:
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)


def stop(job: int) -> None:
    """Asks a job to end its child and itself, and waits until it has."""
    with suppress(ProcessLookupError):
        os.kill(job, signal.SIGTERM)
    with suppress(ChildProcessError):
        os.waitpid(job, 0)
