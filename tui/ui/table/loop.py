"""A terminal without Textual: one loop that waits for keys, news and the terminal's answers, and draws what has changed.

Nothing happens between two of them: an idle terminal takes no time of the processor.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from math import inf
from typing import Final, Protocol, assert_never

from tui.store.follow.inotify import Waker
from tui.ui.screen.canvas import painted
from tui.ui.screen.pens import RolePens
from tui.ui.state.rows import BLANK, Row
from tui.ui.table.keys import key_names
from tui.ui.table.tty import INPUT, Tty, size
from tui.ui.terminal.guardian import guarding
from tui.ui.terminal.reports import Answered, Named, Pasted, Synchronizes
from tui.ui.terminal.sieve import InputParser, Key, Token
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.wire import Wire

HUNG_UP: Final = 129
"""Exit code of a program whose terminal went away: 128 + SIGHUP."""


class TableSurface(Protocol):
    """What is shown, and what keys do."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """What is to be seen, line by line."""

    def point(self) -> tuple[int, int] | None:
        """The column and line at which the terminal's own cursor stands; None: nowhere."""

    def press(self, key: str) -> None:
        """Takes a key press by its name."""

    def paste(self, text: str) -> None:
        """Takes what was pasted."""

    def news(self, changed: set[int]) -> None:
        """Something may have changed in these places of the waker."""


class _Timer:
    """A call at a time, unless it is cancelled."""

    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.at, self.call = at, call

    def cancel(self) -> None:
        """Never calls."""
        self.at = inf


class _Port:
    """The wire's effects; it has one timer at a time."""

    def __init__(self, tty: Tty) -> None:
        self.write, self.busy, self.now = tty.write, tty.busy, time.monotonic
        self.timer: _Timer | None = None

    def later(self, delay: float, call: Callable[[], None]) -> _Timer:
        """Calls after `delay` seconds."""
        self.timer = _Timer(time.monotonic() + delay, call)
        return self.timer


class Loop:
    """Shows a surface until it is left. A guardian guards it."""

    def __init__(self, pens: RolePens, escape_delay: float) -> None:
        self._pens, self._tty = pens, Tty()
        self._port = _Port(self._tty)
        self._wire = Wire(self._port, from_environment(os.environ))
        self._sieve = InputParser(escape_delay)
        # One bad byte must not end the program, and a letter may be cut between two reads.
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._woken, self._wake = os.pipe()
        self._code: int | None = None
        self._dirty = True

    # --- for the surface

    def leave(self, code: int = 0) -> None:
        """Ends the loop with this exit code, if nothing has ended it yet."""
        self._code = code if self._code is None else self._code

    def show(self) -> None:
        """Draws the surface anew before the loop waits again."""
        self._dirty = True

    def ring(self) -> None:
        """Rings the terminal's bell."""
        self._tty.write("\a")

    def wear(self, pens: RolePens) -> None:
        """Other colours from now on."""
        self._pens, self._dirty = pens, True

    def repaint(self) -> None:
        """Draws everything anew, for a screen that something else has written to."""
        self._wire.repaint()

    def suspend(self) -> None:
        """Gives the terminal to the shell, until that brings us back."""
        self._wire.hold()
        self._tty.restore()
        os.kill(os.getpid(), signal.SIGSTOP)

    # --- the loop

    def run(self, surface: TableSurface, waker: Waker) -> int:
        """Shows the surface, and waits for keys and for news from the waker's places; the exit code."""
        for fd in (self._woken, self._wake):
            os.set_blocking(fd, False)
        with guarding(self):
            handlers = {n: signal.signal(n, self._signalled) for n in (signal.SIGWINCH, signal.SIGCONT)}
            try:
                self._take()
                while self._code is None:
                    self._draw(surface)
                    self._turn(surface, waker)
            finally:
                for number, handler in handlers.items():
                    signal.signal(number, handler)
                self._wire.hold()
                self._tty.restore()
        return self._code

    def _turn(self, surface: TableSurface, waker: Waker) -> None:
        """Waits for whatever comes first, and takes it."""
        changed, ready = waker.wait([INPUT, self._woken], self._patience())
        if changed:
            surface.news(changed)
        if self._woken in ready:
            self._roused()
        # Before the new bytes: what waited too long must not be joined to them.
        tokens = self._sieve.tick(time.monotonic())
        if INPUT in ready:
            if not (data := self._tty.read()):
                self.leave(HUNG_UP)
            tokens += self._sieve.feed(self._decode(data), time.monotonic())
        for token in tokens:
            self._heed(surface, token)
        timer = self._port.timer
        if timer and timer.at <= time.monotonic():
            self._port.timer = None
            timer.call()

    def _patience(self) -> float | None:
        """Seconds until something must happen; None: nothing must."""
        deadline, timer = self._sieve.deadline(), self._port.timer
        first = min(inf if deadline is None else deadline, timer.at if timer else inf)
        return None if first == inf else max(0.0, first - time.monotonic())

    def _heed(self, surface: TableSurface, token: Token) -> None:
        match token:
            case Key(sequence):
                for key in key_names(sequence):
                    surface.press(key)
            case Pasted(text):
                surface.paste(text)
            case Answered():
                self._wire.answered()
            case Named(program):
                self._wire.learn(program=program)
            case Synchronizes():
                self._wire.learn(synchronizes=True)
            case _:
                assert_never(token)

    def _draw(self, surface: TableSurface) -> None:
        """Paints the surface, if it may have changed, and sends what differs."""
        if not self._dirty or not self._tty.taken:
            return
        self._dirty = False
        width, height = size()
        rows = surface.rows(width, height)
        lines = [rows[y] if y < len(rows) else BLANK for y in range(height)]
        if point := surface.point():
            self._wire.point(*point)
        self._wire.show([painted(width, ((0, width, line),), self._pens) for line in lines])

    # --- signals

    def _take(self) -> None:
        linefeed = self._tty.take()
        if linefeed is not None:
            self._wire.open(linefeed=linefeed)
            self._dirty = True

    def _signalled(self, number: int, _frame: object) -> None:
        with contextlib.suppress(OSError):  # the pipe is full of the same news
            os.write(self._wake, bytes((number,)))

    def _roused(self) -> None:
        """Takes signals: another size, or the shell has brought us back."""
        numbers = os.read(self._woken, 64)
        if signal.SIGCONT in numbers:
            self._take()
        if signal.SIGWINCH in numbers:
            self._wire.resized(*size())
            self._dirty = True

    # --- what a guardian asks, from a thread of its own

    def leave_with(self, code: int) -> None:
        """Exits with this code as soon as the loop comes to it."""
        self.leave(code)
        self._signalled(0, None)

    def heeds(self, number: int) -> bool:  # noqa: ARG002
        """Whether a signal is meant for us, as every one is."""
        return True

    def silence(self) -> None:
        """Writes nothing more to the terminal."""
        self._tty.silence()
