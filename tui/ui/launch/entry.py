"""What every way in is given."""

from __future__ import annotations

import argparse

from msgspec import Struct

from tui.core.fight.dice import Dice
from tui.core.rules.system import Systems
from tui.ui.launch.config import Config


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
