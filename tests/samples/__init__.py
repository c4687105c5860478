"""The sample fights of `saves/examples`, told as lines: the same lines, dice and clock give the same bytes."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from tui import VERSION
from tui.store.dice import SeededDice
from tui.store.journal.format import Header
from tui.store.journal.writer import Writer
from tui.store.session import open_session
from tui.systems import Registry

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "saves" / "examples"
NAMES = tuple(sorted(path.stem for path in HERE.glob("*.toml")))
START = 1_767_294_000  # 2026-01-01, 19:00, UTC: the table has eaten
PAUSE = 20  # seconds between two lines


class Script(Struct, frozen=True):
    """A fight as it was played: system, house rules, the seed of the dice, the lines."""

    name: str
    system: str
    seed: int
    options: dict[str, Any]
    lines: tuple[str, ...]


def script(name: str) -> Script:
    """The script of that name."""
    told = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
    lines = tuple(line for line in told["lines"].splitlines() if line)
    return Script(name, told["system"], told["seed"], told.get("options", {}), lines)


def clock() -> Callable[[], str]:
    """A clock that goes on by the same pause at every look."""
    now = START - PAUSE

    def tick() -> str:
        nonlocal now
        now += PAUSE
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))

    return tick


def make(name: str, folder: Path) -> Path:
    """Play the script into a new save in this folder, through the store and the journal's own writer."""
    told, tick, systems = script(name), clock(), Registry()
    path = folder / f"{name}.toml"
    Writer.create(str(path), Header(name, told.system, tick(), VERSION, told.options), how="inline").close()
    session = open_session(str(path), str(folder), systems, SeededDice(told.seed), how="inline")
    try:
        session.store.outlet = session.store.outlet._replace(clock=tick)
        for line in told.lines:
            session.store.run(line)
            session.writer.wait()
    finally:
        session.close()
    return path
