"""Real terminals around one fight: the writer, four views, four seats; the same keys alone and with them."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from tests.benchmarks.bench_screen import Line
from tests.benchmarks.bench_store import fight
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

PLAYERS = ("Mia", "Tom", "Lu", "Sam")
VIEWS: tuple[tuple[str, ...], ...] = (("--as", "Mia"), ("--as", "Kim"), ("--big",), ())
KEYS = ("n", "j", "n", "u", "n", "k")
"""What is pressed, again and again: turns, an undo, rows up and down."""
STEPS = "nu"
"""Of them those that are a step."""
PAUSE = 0.25
"""Seconds between two keys: a GM types no faster than that and reads what it did."""

PATIENCE = 2.0
"""Seconds in which every follower should have drawn a step; on a busy machine some need more than a pause."""


class Key(Struct, frozen=True):
    """A key: milliseconds to its first byte, to its last, and until each follower has drawn.

    What is measured has happened: see `must_have_been_taken`.
    """

    first: float
    last: float
    seen: tuple[float, ...] = ()


def saved(folder: Path, creatures: int, steps: int) -> str:
    """Return the name of a fight of that size, made unless it is there, with a creature for each player."""
    path = folder / f"c{creatures}-s{steps}.toml"
    if not path.exists():
        fight(str(folder), creatures, steps)
        session = open_session(str(path), str(folder), Registry(), SeededDice(1))
        for name in PLAYERS:
            session.store.run(f"add {name} owner={name} hp=20 mod=1")
        session.store.run("roll")  # whoever comes in mid-fight owes it, and `next` would wait for it
        session.close()
    return path.stem


def tocsin(folder: Path, *words: str) -> Line:
    """The program in a terminal of its own."""
    os.environ["TOCSIN_CONFIG"] = str(folder / "config")
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    return Line([sys.executable, "-m", "tui", *words, "--saves", str(folder)])


@contextmanager
def writer(folder: Path, name: str) -> Iterator[Line]:
    """The app with a fight, its first picture shown and all of it loaded."""
    with _ended(tocsin(folder, name)) as line:
        _until(line, b"saved")
        line.settle(2.0)
        yield line


@contextmanager
def followers(folder: Path, name: str) -> Iterator[list[Line]]:
    """Four views and four seats of a fight that is written, each with its first page on the screen."""
    with ExitStack() as stack:
        calls = [("view", name, *words) for words in VIEWS] + [("seat", name, player) for player in PLAYERS]
        lines = [stack.enter_context(_ended(tocsin(folder, *words))) for words in calls]
        for line in lines:
            # Not only quiet: to count 50,000 steps for the first pages takes seconds, and is no step's time.
            _until(line, b"round")
            line.settle(20.0)
        yield lines


@contextmanager
def _ended(line: Line) -> Iterator[Line]:
    try:
        yield line
    finally:
        line.close()


def _until(line: Line, shows: bytes) -> None:
    end = time.perf_counter() + 180.0
    while shows not in line.got:
        assert time.perf_counter() < end, line.got[-400:]
        line.serve(0.05)


def pressed(line: Line, key: str, watching: Sequence[Line] = ()) -> Key:
    """Presses a key, and waits for what it shows here and at those who watch."""
    for one in (line, *watching):
        _drained(one)
    begun, sent = time.perf_counter(), line.sent
    line.type(key)
    first = last = 0.0
    seen = dict.fromkeys(range(len(watching)), 0.0)
    lines = {one.fd: (n, one) for n, one in enumerate((line, *watching))}
    while (past := time.perf_counter() - begun) < PATIENCE:
        if past >= PAUSE and (key not in STEPS or all(seen.values())):
            break
        for fd in select.select([*lines], [], [], 0.005)[0]:
            number, one = lines[fd]
            one.serve(0)
            now = 1000 * (time.perf_counter() - begun)
            if number == 0 and line.sent > sent:
                first, last = first or now, now
            elif number:
                seen[number - 1] = seen[number - 1] or now
    return Key(first, last, tuple(seen.values()) if key in STEPS else ())


def must_have_been_taken(path: Path, key: str, before: int) -> int:
    """Return the size of the save after a key; raise AssertionError where the key wrote something else."""
    now = path.stat().st_size
    assert (now > before) == (key in STEPS), (
        f"{key} was refused, or wrote something: {path.name} has {now - before} more bytes"
    )
    return now


def _drained(line: Line) -> None:
    while line.serve(0):
        pass
