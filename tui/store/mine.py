"""Find a player's own lines of a fight that count, so that the player's page knows what the GM took back."""

from __future__ import annotations

from typing import Final

from tui.core.fight.encounter import Encounter, label
from tui.core.fight.events import Ordered
from tui.core.fight.viewer import read_by, viewer_of
from tui.core.table import MineLine, MineView
from tui.store.history import History, Step

MOST_MINE: Final = 500
"""The most lines of a player that are listed."""


def find_mine(history: History, name: str, since: int) -> MineView:
    """Return the lines of a player in force since the fight began, at most `MOST_MINE`, the latest last.

    Lines that came too late after the step `since` are in it.
    """
    if not name:
        return MineView("", ())
    low, found = name.lower(), list[MineLine]()
    late = [x for number in range(since, history.position + 1) for x in history.late_at(number)]
    found += [MineLine(x.id) for x in reversed(late) if x.by.lower() == low]
    fights, oldest = 0, ""
    for number in range(history.position, 0, -1):
        step = history.step(number)
        # By the line, because looking at all events of 5,000 steps would take milliseconds for each viewer.
        fights += step.line.lower().startswith("begin")
        if step.id and not fights and not oldest and step.by.lower() == low:
            found.append(_line_of(step, history.encounter))
            oldest = step.id if len(found) >= MOST_MINE else ""
    return MineView(oldest, tuple(reversed(found)), fights)


def _line_of(step: Step, e: Encounter) -> MineLine:
    """Return a step as its player reads it: of an order, row and text."""
    order = next((x for x in step.events if isinstance(x, Ordered)), None)
    if order is None:
        return MineLine(step.id)
    text = {key: words for key, words in order.text.items() if words}
    return MineLine(step.id, label(read_by(e, viewer_of(step.by)), order.who), text)
