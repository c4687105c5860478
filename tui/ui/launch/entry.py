"""What every way in is given."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from msgspec import Struct

from tui.core.rules.systems import Systems
from tui.image import Image
from tui.ui.launch.config import Config
from tui.ui.terminal.watchdog import Watchdog

if TYPE_CHECKING:
    from tui.core.fight.dice import Dice


class Launch(Struct, frozen=True):
    """How to go in: the arguments, the systems, the settings, the dice, who ends it when it is stuck."""

    args: argparse.Namespace
    systems: Systems
    config: Config
    dice: Dice
    image: Image
    watchdog: Watchdog | None

    @property
    def saves(self) -> str:
        """The saves folder as given."""
        return str(self.args.saves)
