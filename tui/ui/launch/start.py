"""The way in: from arguments to the running screen, or to plain lines where there is no terminal."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tui.core.dice import Dice
from tui.core.errors import RuleError
from tui.core.system import Systems
from tui.store.dice import FairDice, SeededDice
from tui.store.lock import Busy
from tui.store.opening import Ears, Session, create, open_session, place, sample
from tui.store.saves import listed, name_of, saves_folder
from tui.ui.launch import ask
from tui.ui.launch.config import Config, folder, load
from tui.ui.terminal.environment import prepare_environment, usable

if TYPE_CHECKING:
    from tui.ui.app import TocsinApp


class Way(Struct, frozen=True):
    """How to go in: the arguments, the systems, the settings, the dice."""

    args: argparse.Namespace
    systems: Systems
    config: Config
    dice: Dice

    @property
    def saves(self) -> str:
        """The saves folder as given."""
        return str(self.args.saves)


def start(args: argparse.Namespace, systems: Systems) -> int:
    """Open the screen, or plain lines; the exit code. Raises what the command line turns into complaints."""
    config = load(folder())
    way = Way(args, systems, config, FairDice() if args.seed is None else SeededDice(args.seed))
    why_not = "" if args.plain else usable()
    if args.plain or why_not:
        return _plain(way, why_not)
    prepare_environment(os.environ)
    return _screen(way)


def _save(way: Way, console: ask.Console) -> str:
    """The path of the save to open, made if it is wanted; "" to leave."""
    save = way.args.save
    if not save:
        there = saves_folder(way.saves)
        save = ask.choose(console, listed(there), there)
        if not save:
            return ""
    path = sample(place(save, way.saves), way.saves)
    if not os.path.lexists(path):
        system = ask.system(console, name_of(path), way.systems)
        if not system:
            return ""
        create(path, way.saves, way.systems, system, {})
    return path


def _plain(way: Way, why: str) -> int:
    from tui.ui.plain import converse

    if not way.args.save:
        raise RuleError(why or "plain mode takes the name of a save", "`tocsin SAVE --plain`")
    path = sample(place(way.args.save, way.saves), way.saves)
    session = open_session(path, way.saves, way.systems, way.dice, how="inline")
    try:
        return converse(session.store, session.writer.wait, sys.stdin, sys.stdout)
    finally:
        session.close()


def _screen(way: Way) -> int:
    console = ask.terminal()
    path = _save(way, console)
    if not path:
        return 0
    gc.disable()  # everything that is made before the first picture stays; the app switches it on again
    hear = _Hear()
    try:
        session = open_session(path, way.saves, way.systems, way.dice, ears=Ears(hear.durable, hear.fault))
    except Busy as busy:
        return _taken(way, console, path, busy, hear)
    return _write(way, session, hear)


def _taken(way: Way, console: ask.Console, path: str, busy: Busy, hear: _Hear) -> int:
    from tui.store.lock import request_takeover

    choice = ask.busy(console, busy.message)
    if choice == "take":
        request_takeover(path).release()
        session = open_session(path, way.saves, way.systems, way.dice, ears=Ears(hear.durable, hear.fault))
        return _write(way, session, hear)
    if choice == "look":
        from tui.ui.launch.slim import slim

        with slim():
            from tui.ui.launch.shell import look_on
        return look_on(way, path)
    return 0


def _write(way: Way, session: Session, hear: _Hear) -> int:
    from tui.ui.launch.slim import slim

    with slim():
        from tui.ui.launch.shell import Running, run
    try:
        return run(way, Running(session, session.store, hear.set))
    finally:
        session.checkpoint()
        session.close()
        gc.unfreeze()


class _Hear:
    """What the disk tells, from its own thread, to whoever listens by then."""

    def __init__(self) -> None:
        self._listener: Callable[[], None] = lambda: None

    def set(self, app: TocsinApp) -> None:
        """Tell the app from now on."""
        self._listener = app.synced

    def durable(self, number: int) -> None:
        """A record is on the disk."""
        del number
        self._listener()

    def fault(self, error: Exception) -> None:
        """The disk says no."""
        del error
        self._listener()


def theme_table() -> Iterable[tuple[str, str]]:
    """The themes that load with their titles, then those that do not with the reason."""
    from tui.ui.launch.shell import themes

    found = themes()
    yield from ((p.name, p.title) for p in found.loaded.values())
    yield from (("(not read)", str(error)) for error in found.failed)
