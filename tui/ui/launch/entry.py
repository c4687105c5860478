"""What every way in hands on: how the program was called, what the disk tells, which lesson comes next."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from tui.core.fight.dice import Dice
from tui.core.rules.system import Systems
from tui.ui.launch.config import Config

if TYPE_CHECKING:
    from tui.ui.textual.app import TocsinApp


class Launch(Struct, frozen=True):
    """How to go in: the arguments, the systems, the settings, the dice."""

    args: argparse.Namespace
    systems: Systems
    config: Config
    dice: Dice

    @property
    def saves(self) -> str:
        """The saves folder as given."""
        return str(self.args.saves)


class NextLesson:
    """What the user wants when the screen is left: the lesson on a system, or "" to be gone."""

    def __init__(self, system: str = "") -> None:
        self.lesson = system


class DiskNews:
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
