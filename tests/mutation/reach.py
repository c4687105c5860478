"""Which tests enter which functions: only those can notice a mistake in one of them."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Generator, Sequence
from cProfile import Profile
from pathlib import Path
from types import CodeType

import msgspec
import pytest
from msgspec import Struct

Function = tuple[str, int]
"""The file, from the root, and the first line of an outermost function or of one inside it."""


SLOW = 0.3
"""Seconds, watched: a test that takes longer is asked when all the quick ones have not noticed."""
STARTS = {subprocess.Popen.__init__.__code__, threading.Thread.start.__code__}
"""What starts something that is not watched."""


class Tested(Struct, frozen=True):
    """What a test took, in seconds, and what it entered.

    `starts`: processes or threads, of which nothing is known. `failed`: as a bound of time does when it is
    watched.
    """

    seconds: float
    entered: frozenset[Function]
    starts: bool
    failed: bool


class Reach(Struct, frozen=True):
    """Functions entered while program and tests are loaded, and the tests by pytest's names."""

    loading: frozenset[Function]
    tests: dict[str, Tested]

    def inside(self, places: Sequence[str]) -> list[str]:
        """Return the tests of some folders and files: quick ones first, nearest first, then by seconds."""
        found = []
        for name, test in self.tests.items():
            rank = next((i for i, place in enumerate(places) if _in(name, place)), None)
            if rank is not None:
                found.append((test.starts or test.seconds > SLOW, rank, test.seconds, name))
        return [name for *_, name in sorted(found)]

    def entering(self, function: Function, places: Sequence[str]) -> list[str]:
        """Those among them that enter a function, or start something that may."""
        asked = ((name, self.tests[name]) for name in self.inside(places))
        return [name for name, x in asked if x.starts or x.failed or function in x.entered]

    def near(self, path: str, places: Sequence[str]) -> list[str]:
        """All of them, those that enter something in a file before the others."""
        return sorted(self.inside(places), key=lambda x: all(f != path for f, _ in self.tests[x].entered))


def _in(name: str, place: str) -> bool:
    return name.startswith((f"{place}/", f"{place}::"))


class Footprints:
    """A pytest plugin that writes a `Reach` to a file; it must be there before the program is loaded."""

    def __init__(self, root: Path, to: Path) -> None:
        self._inside, self._strip, self._to = f"{root}/tui/", len(f"{root}/"), to
        self._loading: frozenset[Function] = frozenset()
        self._tests: dict[str, Tested] = {}
        # Written in C: a trace in Python makes the tests of the core three times as slow.
        self._profile = Profile(subcalls=False, builtins=False)
        self._profile.enable()

    def _taken(self) -> tuple[frozenset[Function], bool]:
        """The functions entered since the last time, and whether a process or a thread was started."""
        self._profile.disable()
        found = {entry.code for entry in self._profile.getstats()}
        self._profile.clear()
        self._profile.enable()
        ours = (x for x in found if isinstance(x, CodeType) and x.co_filename.startswith(self._inside))
        entered = frozenset((code.co_filename[self._strip :], code.co_firstlineno) for code in ours)
        return entered, not found.isdisjoint(STARTS)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Everything is loaded."""
        self._loading, _ = self._taken()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """One test, with what it sets up."""
        began, failed = time.perf_counter(), item.session.testsfailed
        result = yield
        entered, starts = self._taken()
        seconds, failed = time.perf_counter() - began, item.session.testsfailed - failed
        self._tests[item.nodeid] = Tested(seconds, entered, starts, bool(failed))
        return result

    def pytest_sessionfinish(self) -> None:
        """The file is written."""
        self._profile.disable()
        self._to.write_bytes(msgspec.msgpack.encode(Reach(self._loading, self._tests)))
