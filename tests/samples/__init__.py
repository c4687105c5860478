"""The saves of `saves/examples`: the sample of each system, and a fight that is prepared.

The same lines, dice and clock give the same bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tui.core.rules.system import Systems
from tui.store.script import Script, play_script, read_sample
from tui.systems import Registry

EXAMPLES = Path(__file__).parent.parent.parent / "saves" / "examples"

PREPARED = Script(
    name="barrow",
    seed=1,
    lines="""
add 4 skeleton
add Shadow
add wight hidden=yes note="in the stone chest"
note the lamp goes out when the chest is opened
""",
    now="Ready",
)
"""A fight that has not begun, with creatures of the box."""
NAMES = tuple(sorted(path.stem for path in EXAMPLES.glob("*.toml") if path.stem != PREPARED.name))
"""The fights that are under way."""

EVENING = 1_767_294_000
"""2026-01-01, 19:00, UTC: the table has eaten."""
PAUSE = 20
"""Seconds between two lines."""


def samples(systems: Systems) -> tuple[str, ...]:
    """The systems that have a sample."""
    return tuple(name for name in systems.ids() if systems.find_bundled(name, "sample"))


def clock() -> Callable[[], str]:
    """A clock that begins in the evening and advances by the same pause at every call."""
    now = EVENING - PAUSE

    def tick() -> str:
        nonlocal now
        now += PAUSE
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))

    return tick


def scripts(systems: Systems) -> dict[str, str]:
    """The systems that have a sample, by the name of its save."""
    return {read_sample(system, systems).name: system for system in samples(systems)}


def told(name: str) -> Script:
    """The script of that name."""
    return PREPARED if name == PREPARED.name else read_sample(scripts(Registry())[name], Registry())


def make(name: str, folder: Path) -> Path:
    """Play the script into a new save in this folder."""
    system = scripts(Registry()).get(name, "classic")
    return Path(play_script(told(name), system, str(folder), Registry(), clock()))
