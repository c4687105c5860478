"""The self-clock: when a frame may leave, and whether it asks the terminal to say that it arrived.

A frame that asks ends with `CSI 5 n`; until the answer (`CSI 0 n`) nothing more is sent, so that a slow line
never holds more than one frame. Small frames within a bounded credit do not ask. Pure: times are arguments.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

ASK: Final = "\x1b[5n"

SLOWEST: Final = 240.0
"""Bytes a second granted unasked on a line of which nothing is known: a quarter of 9600 baud."""

FASTEST: Final = 4000.0
PURSE: Final = 0.4
"""Seconds of credit that may be saved up: 96 bytes on the slowest line."""

UNASKED: Final = 1536
"""Bytes after which a frame asks in any case: a fast line may have become a slow one."""

PATIENCE: Final = 0.5
"""Seconds for an answer from a terminal that never gave one. No frame waits for it: meanwhile as many bytes may leave as
unasked, then as many as a line bears of which nothing is known. Some terminals never answer, and a key must not wait."""

TRUST: Final = 2.0
TRICKLE: Final = 120.0
"""A terminal that has answered gets TRUST seconds and the time the frame takes at TRICKLE bytes a second."""

MANNERS: Final = 0.05
"""Seconds that the first frame waits for the terminal to introduce itself, which saves bytes and no more."""

SWIFT: Final = 0.25
"""Seconds that a user does not notice."""

NUDGE: Final = 1.0
"""Seconds after which a user who asks for a repaint need not wait for an answer any more."""

MISSES: Final = 2
"""Answers missed in a row until the clock stops asking."""

BLIND: Final = 9600.0
"""Bytes a second assumed when nobody answers."""


class Clock(Struct):
    """What is in flight, what the line can bear, and whether this terminal answers at all."""

    until: float | None = None
    asked: float | None = None
    flying: int = 0
    misses: int = 0
    known: bool = False
    speed: float = SLOWEST
    credit: float = SLOWEST * PURSE
    counted: float = 0.0
    unasked: int = 0
    owed: int = 0
    ahead: int = 0
    paced: float = 0.0

    def free(self, now: float) -> bool:
        """Whether a frame may be sent."""
        if self.until is None or now >= self.until:
            return True
        return self._unknown and (self.ahead < UNASKED or now >= self.paced)

    @property
    def _unknown(self) -> bool:
        """Whether a terminal was asked that has never answered yet, and may never do so."""
        return self.asked is not None and not self.known

    def wakes(self, now: float) -> float:
        """Return the seconds until a frame may be sent."""
        if self.until is None or self.free(now):
            return 0.0
        return (min(self.until, self.paced) if self._unknown else self.until) - now

    def send(self, size: int, now: float) -> bool:
        """Counts a frame of `size` bytes as sent; whether it must ask."""
        # A quarter of what was measured: unasked frames must never fill the line they are not timed on.
        grant = self.speed / 4 if self.speed > 4 * SLOWEST else SLOWEST
        self.credit = min(self.credit + grant * (now - self.counted), grant * PURSE)
        self.counted = now
        if self._unknown:
            self.ahead += size
            self.paced = now + size / BLIND
            return False
        if self.misses >= MISSES:
            self.until, self.asked = now + size / BLIND, None
            return False
        if size <= self.credit and self.unasked + size <= UNASKED:
            self.credit -= size
            self.unasked += size
            return False
        self.asked, self.flying, self.unasked = now, size, 0
        self.ahead, self.paced = 0, now + size / BLIND
        self.until = now + (TRUST + size / TRICKLE if self.known else PATIENCE)
        self.owed += 1
        return True

    def answered(self, now: float) -> None:
        """Takes an answer; it is the last one owed that frees the line and tells how fast it is."""
        self.known, self.misses, self.owed = True, 0, max(0, self.owed - 1)
        # An answer to an older frame says nothing about the one in flight.
        if self.owed:
            return
        # Tiny frames measure the round trip and not the speed of the line.
        if self.asked is not None and self.flying > 2 * len(ASK):
            seen = self.flying / max(now - self.asked, 0.001)
            # Halved at the most: one hiccup of the network should not make the next minute slow.
            self.speed = min(max(seen, self.speed / 2, SLOWEST), 4 * FASTEST)
        self.until = self.asked = None

    def expire(self, now: float) -> None:
        """Gives up waiting if the time has come."""
        if self.until is not None and now >= self.until:
            if self.asked is not None:
                self.misses, self.owed = self.misses + 1, 0
            self.until = self.asked = None

    def restart(self) -> None:
        """Waits for nothing, and trusts the terminal to answer again."""
        self.until = self.asked = None
        self.misses = 0

    def nudge(self, now: float) -> None:
        """Lets the user's own wish go first, unless the line may well be busy with what was sent just now."""
        if self.asked is None or now >= self.asked + NUDGE:
            self.restart()

    def begin(self, now: float) -> None:
        """Waits a moment for the answer to the questions asked at the start: what they tell saves bytes."""
        self.restart()
        self.until, self.owed = now + MANNERS, 1

    def swift(self, size: int) -> bool:
        """Whether a frame of `size` bytes arrives about as fast as it is drawn."""
        return size <= SWIFT * self.speed
