"""Play the sessions of `keystrokes` on the small machine, key by key or command by command."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.benchmarks.keystrokes import PLANS, Hand, desk_of, play, set_up
from tests.benchmarks.small_machine.machine import Machine, tocsin
from tests.benchmarks.small_machine.rig import Answer, Rig
from tui.core.fight.encounter import Encounter
from tui.store.opening import look
from tui.systems import Registry

SEED = 5
"""The dice of `keystrokes`."""
KEYS = {
    "enter": b"\r", "tab": b"\t", "escape": b"\x1b", "space": b" ", "backspace": b"\x7f",
    "up": b"\x1b[A", "down": b"\x1b[B", "right": b"\x1b[C", "left": b"\x1b[D",
}  # fmt: skip
FINGERS = 0.125
"""Seconds between two keys of one command, from fingers that know it."""


class Asked(Struct, frozen=True):
    """A key, or a command's keys of which the last is measured, and what came of it; None: nothing."""

    keys: tuple[str, ...]
    answer: Answer | None


class Played(Struct, frozen=True):
    """A fight that was played, and the most memory, in MiB: of the program alone, and of all that ran with
    it, with the files that the system keeps in memory for them.
    """

    asked: tuple[Asked, ...]
    peak: float
    all_peak: float

    @property
    def answered(self) -> list[Asked]:
        """Those that changed the screen."""
        return [one for one in self.asked if one.answer]


def session(system: str, folder: Path) -> tuple[list[list[str]], Encounter]:
    """Return a session's commands as keys, and the fight at its end; leave its first save in `folder`."""
    plan = PLANS[system]
    with desk_of(system, plan, folder):
        pass
    with tempfile.TemporaryDirectory() as other, desk_of(system, plan, Path(other)) as desk:
        hand = Hand(desk)
        set_up(hand, plan, kept=False)
        play(hand, plan)
        return hand.pressed, desk.store.encounter


def bytes_of(key: str) -> bytes:
    """What a terminal sends for a key by name."""
    return KEYS.get(key) or key.encode()


def played(system: str, machine: Machine, *, fluent: bool = False) -> Played:
    """Play a session: each key once all is quiet, or, `fluent`, the keys of a command at typing speed."""
    with tempfile.TemporaryDirectory() as folder_:
        folder = Path(folder_)
        commands, end = session(system, folder)
        with machine.running(tocsin(folder, "fight", "--seed", str(SEED)), folder) as (rig, cage):
            rig.until(lambda: b"saved" in rig.text)
            rig.settle(30.0)
            asked = tuple(_commands(rig, commands) if fluent else _keys(rig, commands))
            found = Played(asked, rig.peak(), cage.peak() / 2**20)
        now = look(str(folder / "fight.toml"), str(folder), Registry()).encounter
        assert now == end, f"the keys led elsewhere: {now}, {end}"
        return found


def _keys(rig: Rig, commands: list[list[str]]) -> Iterator[Asked]:
    """Each key by itself."""
    for key in (key for command in commands for key in command):
        yield Asked((key,), rig.ask(bytes_of(key)))


def _commands(rig: Rig, commands: list[list[str]]) -> Iterator[Asked]:
    """Each command at once, its last key measured."""
    for *first, last in filter(None, commands):
        for key in first:
            rig.press(bytes_of(key))
            rig.pause(FINGERS)
        yield Asked((*first, last), rig.ask(bytes_of(last)))
