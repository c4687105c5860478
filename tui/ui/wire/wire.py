"""The wire: a picture goes in, as few bytes as possible come out, one frame in flight at most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from tui.ui.wire.abilities import Abilities
from tui.ui.wire.clock import ASK, Clock
from tui.ui.wire.grid import CellRow
from tui.ui.wire.screen import Screen
from tui.ui.wire.stroke import size

SYNC_AT: Final = 1024
"""Bytes of a frame from which on mode 2026 is worth its 16 bytes: less arrives in one piece anyway.

On a slow line it is never used: there a screen that builds up is better than one that stays empty.
"""

SYNC_BEGIN: Final = "\x1b[?2026h"
SYNC_END: Final = "\x1b[?2026l"


RETRY: Final = 0.02
"""Seconds until a busy line is looked at again, while something waits."""


class Timer(Protocol):
    """Something set to happen later."""

    def cancel(self) -> None:
        """Cancels it."""


class Port(Protocol):
    """The effects the wire needs: bytes out, the time, a call later."""

    def write(self, data: str) -> None:
        """Hands bytes to the terminal without waiting."""

    def busy(self) -> bool:
        """Whether earlier bytes have not left this machine yet."""

    def now(self) -> float:
        """Seconds of a clock that never runs backwards."""

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Calls after `delay` seconds."""


class Wire:
    """Keeps what should be shown and what is shown, and closes the gap frame by frame."""

    def __init__(self, line: Port, can: Abilities) -> None:
        self.can = can
        self._line = line
        self._target: Sequence[CellRow] = ()
        self._screen, self._clock = Screen(), Clock()
        self._timer: Timer | None = None
        self._size: tuple[int, int] | None = None
        self._held = True

    def show(self, rows: Sequence[CellRow]) -> None:
        """These rows are what should be shown from now on; they must not change afterwards."""
        if _size(rows) != _size(self._target):
            self._screen.forget()
        self._target = rows
        self.flush()

    def show_at_once(self, rows: Sequence[CellRow]) -> None:
        """Send these rows without waiting for the terminal to say who it is: nobody could take its answer yet."""
        self._clock.restart()
        self.show(rows)

    def point(self, x: int, y: int) -> None:
        """Shows the terminal's own cursor at this column and line after every frame, for screen readers."""
        self._screen.point = (y, x)

    def flush(self) -> None:
        """Sends a frame if the line is free and what should be shown differs from what the terminal shows."""
        now = self._line.now()
        # First, or a terminal that has stopped answering would hold the frame for ever.
        self._clock.expire(now)
        if self._held or not self._target or self._awaits_size():
            return
        # What should be shown goes on changing meanwhile: what was never sent is never drawn.
        if not self._clock.free(now) or self._line.busy():
            self._wake(now)
        elif frame := self._screen.frame(self._target, self.can):
            self._send(frame, now)

    def _awaits_size(self) -> bool:
        return self._size is not None and self._size != _size(self._target)

    def _send(self, frame: str, now: float) -> None:
        length = size(frame)
        if self.can.synchronizes and length >= SYNC_AT and self._clock.swift(length):
            frame = f"{SYNC_BEGIN}{frame}{SYNC_END}"
        if self._clock.send(length, now):
            frame += ASK
        self._line.write(frame)

    def _wake(self, now: float) -> None:
        """Sets the one timer, for an answer that does not come or a line that stays busy.

        Only while something waits to be drawn: an idle program has no timer.
        """
        self._rest()
        self._timer = self._line.later(max(RETRY, self._clock.wakes(now)), self._woken)

    def _woken(self) -> None:
        self._timer = None
        self.flush()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def answered(self, when: float | None = None) -> None:
        """Takes the terminal's answer to a frame, which came at a time, or now."""
        self._rest()
        self._clock.answered(self._line.now() if when is None else when)
        self.flush()

    def learn(self, *, program: str = "", synchronizes: bool = False) -> None:
        """Takes what the terminal has told about itself."""
        self.can = self.can.named(program) if program else self.can
        self.can = replace(self.can, synchronizes=self.can.synchronizes or synchronizes)

    def open(self, *, linefeed: bool, when: float | None = None) -> None:
        """Begin, or begin again after a suspension: the terminal is in our modes and shows nobody knows what.

        `when`: the time at which it was asked who it is, if that is not now.
        """
        self.can = replace(self.can, linefeed=linefeed)
        self._held = False
        self._clock.begin(self._line.now() if when is None else when)
        self._screen.forget()
        self.flush()

    def hold(self) -> None:
        """Sends nothing more until `open`."""
        self._held = True
        self._rest()

    def resized(self, width: int, height: int) -> None:
        """Waits for rows of the new size, and draws all of them; the same size is drawn again at once."""
        self._size = (width, height)
        self._screen.forget()
        self.flush()

    def distrust(self) -> None:
        """Takes nothing for shown: something went wrong."""
        self._screen.forget(astray=True)
        self._clock.restart()

    def repaint(self, *, astray: bool = True) -> None:
        """Draws everything anew (ctrl+l); `astray`: sets the terminal's modes again as well."""
        self._screen.forget(astray=astray)
        self._clock.nudge(self._line.now())
        self.flush()


def _size(rows: Sequence[CellRow]) -> tuple[int, int]:
    return (len(rows[0].texts) if rows else 0), len(rows)
