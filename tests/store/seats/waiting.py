"""Waiting for a process."""

from __future__ import annotations

import time

from tests.kit.seats import Hall

PATIENCE = 60.0


def until(hall: Hall, name: str, number: int) -> str:
    """Waits for the reply to an answer; what became of it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (reply := hall.reply(name)).number == number:
            return reply.became
        time.sleep(0.002)
    raise AssertionError(f"never answered: {hall.reply(name)}")
