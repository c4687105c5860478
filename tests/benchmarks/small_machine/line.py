"""A slow line as arithmetic: when bytes that leave now arrive. No bytes and no clock are in here."""

from __future__ import annotations

from msgspec import Struct


class Arrival(Struct, frozen=True):
    """When the first and the last of some bytes are there, in seconds of the clock."""

    first: float
    last: float


class Way:
    """One direction of a line: `rate` bytes a second, each of which takes `delay` seconds."""

    def __init__(self, rate: float, delay: float) -> None:
        self._rate, self._delay, self._free = rate, delay, 0.0

    def send(self, size: int, now: float) -> Arrival:
        """Takes `size` bytes, 1 at the least, at a time that is not before the last one."""
        begins = max(self._free, now)
        self._free = begins + size / self._rate
        return Arrival(begins + 1 / self._rate + self._delay, self._free + self._delay)

    @property
    def free(self) -> float:
        """When the last byte has left."""
        return self._free
