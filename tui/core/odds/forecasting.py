"""What a system may say of its dice before they fall; one that says nothing is played again and again instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.core.fight.encounter import Encounter

if TYPE_CHECKING:
    from tui.core.odds.race import Race


class Forecasting:
    """A system that knows the way to its dice, and what they can give. Both questions are pure."""

    def toward(self, e: Encounter) -> str:
        """The next line on the way to the dice of the order; "" when they are due, or none are rolled any more.

        Whatever people would choose on this way is chosen as most tables would; the line is shown with the odds.
        """
        return toward_begin(e)

    def race(self, e: Encounter) -> Race | None:  # noqa: ARG002
        """The order that the dice which are due will make, or the one that stands; None where no formula says it."""
        return None


def toward_begin(e: Encounter) -> str:
    """The way to the dice of a system that says nothing of it: the fight begins."""
    return "" if e.running else "begin"
