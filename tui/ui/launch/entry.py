"""What every way in is given, and what it leaves for the next one."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from msgspec import Struct

from tui.core.fight.dice import Dice
from tui.core.rules.systems import Systems
from tui.store.session import DiskListener
from tui.ui.launch.config import Config
from tui.ui.terminal.watchdog import Watchdog


class Launch(Struct, frozen=True):
    """How to go in: the arguments, the systems, the settings, the dice, who ends it when it is stuck."""

    args: argparse.Namespace
    systems: Systems
    config: Config
    dice: Dice
    watchdog: Watchdog | None = None

    @property
    def saves(self) -> str:
        """The saves folder as given."""
        return str(self.args.saves)


class NextLesson:
    """What the user wants when the screen is left: the lesson on a system, or "" to be gone."""

    def __init__(self, system: str = "") -> None:
        self.lesson = system


class DiskNews:
    """A callback for whatever the disk tells, from its own thread; it may be set after the disk is at work."""

    def __init__(self) -> None:
        # The disk is at work before there is an app to tell, so news may come with nobody to listen.
        self._synced: Callable[[], None] = lambda: None

    def listen(self, synced: Callable[[], None]) -> None:
        """Sets the callback; it is called from the disk's own thread."""
        self._synced = synced

    @property
    def listener(self) -> DiskListener:
        """What a session is given."""
        return DiskListener(lambda _number: self._synced(), lambda _fault: self._synced())
