"""A rate limit for each seat, so that none fills the save or keeps the others waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

LINES: Final = 30
"""Lines that a seat may send in a row."""

LINES_A_SECOND: Final = 2.0
"""Lines that come back to it in a second, up to those."""

SIZE: Final = 60_000
"""Bytes of answers that a seat may send in a row: the longest order a few times over."""

SIZE_A_SECOND: Final = 600.0
"""Bytes granted per second: an evening's save has room for eight seats that never rest."""


class _Left(Struct, frozen=True):
    """What a seat may still send, as counted at a time."""

    at: float
    lines: float = LINES
    size: float = SIZE


class Brake:
    """Counts what each seat sends."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left: dict[str, _Left] = {}

    def wait(self, seat: str, size: int) -> float:
        """Count an answer of so many bytes.

        The seconds after which it could be sent, 0 where it may be taken in now.
        """
        now = self._clock()
        before = self._left.get(seat, _Left(now))
        passed = max(0.0, now - before.at)
        lines = min(LINES, before.lines + passed * LINES_A_SECOND)
        room = min(SIZE, before.size + passed * SIZE_A_SECOND)
        if lines < 1 or room < size:
            self._left[seat] = _Left(now, lines, room)
            return max((1 - lines) / LINES_A_SECOND, (size - room) / SIZE_A_SECOND)
        self._left[seat] = _Left(now, lines - 1, room - size)
        return 0.0
