"""Measure turn and round by the times in the journal and a clock passed as an argument."""

from __future__ import annotations

from datetime import datetime

from tui.core.fight import events as ev
from tui.store.store import Store

BREAK_SECONDS = 3600.0
"""Seconds without a line that count as a break: the time between two sessions belongs to no turn."""


def say_times(store: Store) -> str:
    """Return how long turn and round have taken, such as `turn 1:05, round 12:30`; "" if no round runs."""
    e = store.encounter
    later, total = store.effects.clock(), 0.0
    turn, acting = "", e.acting
    # Back to the beginning of the round only, so that the cost does not grow with the evening.
    for step in range(store.step if e.running else 0, 0, -1):
        done = store.done(step)
        total, later = total + count_seconds(done.at, later), done.at
        for event in reversed(done.events):
            if isinstance(event, ev.TurnHandedOn) and event.who == acting:
                acting = event.old
            elif isinstance(event, ev.TurnBegan) and event.who == acting:
                turn = turn or f"turn {span(total)}, "
            elif isinstance(event, ev.RoundBegan):
                return f"{turn}round {span(total)}"
    return ""


def count_seconds(at: str, now: str) -> float:
    """Return the seconds between two times; 0 after a break, or if the clock was set back."""
    seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(at)).total_seconds()
    # A clock set back by hand or by daylight saving must not shorten a turn.
    return seconds if 0.0 <= seconds <= BREAK_SECONDS else 0.0


def span(seconds: float) -> str:
    """Return seconds as `0:05`, `12:30` or `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
