"""What several commands ask of their call: dice, and a word on standard error.

What one command of many needs is imported in its function: a call pays for its own command alone.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from tui.cli.complaint import USAGE, Complaint
from tui.core.base.errors import RuleError

if TYPE_CHECKING:
    from tui.core.fight.dice import Dice


def talk(line: str) -> None:
    """Says a line beside the product."""
    with suppress(OSError):
        print(f"tocsin: {line}", file=sys.stderr)


def dice(args: argparse.Namespace) -> Dice:
    """The dice of a call: given, seeded or fair. Raises Complaint."""
    from tui.core.fight.dice import MOST_SIDES, GivenDice
    from tui.core.language.values import whole
    from tui.store.sources import FairDice, SeededDice

    if getattr(args, "dice", None) is not None:
        try:
            return GivenDice(
                tuple(whole(f, "--dice", 1, MOST_SIDES) for f in args.dice.split(",") if f.strip())
            )
        except RuleError as error:
            raise Complaint(USAGE, "usage", error.message, "faces with commas: `--dice 5,3,6`") from None
    return FairDice() if args.seed is None else SeededDice(args.seed)
