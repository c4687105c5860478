"""Run a player's terminal: keys and news in, rows out, in a loop without Textual.

The loop sleeps until one of them comes: an idle terminal uses no processor time.
"""

from __future__ import annotations

import os
import sched
import select
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Protocol

from msgspec import Struct

from tui.store.sources import wait_for_next_look
from tui.ui.state.layout import Part
from tui.ui.terminal.guardian import HANG_UP_ERRORS, Leaving, guard, say_why
from tui.ui.terminal.input_parser import HungUp, Key, Pasted, Resized, keys
from tui.ui.terminal.input_thread import News
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.paint import RolePens, paint
from tui.ui.text.palette import Palette
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.pens import depth
from tui.ui.wire.wire import Timer, Wire


class Alarm(Struct, frozen=True):
    """A scheduled call that can be cancelled."""

    among: sched.scheduler
    event: sched.Event

    def cancel(self) -> None:
        """Cancel the call, if it was not made yet."""
        with suppress(ValueError):
            self.among.cancel(self.event)


class MainLoop:
    """A loop of calls and timers."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._alarms = sched.scheduler(monotonic, lambda _: None)
        self._pipe: tuple[int, int] | None = None

    @staticmethod
    def now() -> float:
        """Return the seconds of the clock that all times of the loop refer to."""
        return monotonic()

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread, and from a signal handler."""
        self._calls.put(call)
        if self._pipe is not None:
            with suppress(BlockingIOError):  # full: the loop will wake up anyway
                os.write(self._pipe[1], b"!")

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Call after `delay` seconds; from the loop's thread."""
        return Alarm(self._alarms, self._alarms.enter(delay, 0, call))

    def run(self, until: Callable[[], bool]) -> None:
        """Call what is due, and sleep in between, until `until` is true after a call.

        Exceptions of calls are raised.
        """
        if self._pipe is None:
            # Never closed, because a thread may be about to write to it at any time.
            self._pipe = os.pipe()
            os.set_blocking(self._pipe[1], False)
        while True:
            self._alarms.run(blocking=False)
            self._take_calls()
            if until():
                return
            if select.select([self._pipe[0]], [], [], self._wait_time())[0]:
                os.read(self._pipe[0], 4096)

    def _wait_time(self) -> float | None:
        if not self._calls.empty():
            return 0.0
        return max(0.0, self._alarms.queue[0].time - monotonic()) if self._alarms.queue else None

    def _take_calls(self) -> None:
        # As many as are there now: one that schedules itself again must not delay the timers.
        for _ in range(self._calls.qsize()):
            self._calls.get()()


WHOLE: Part = "over"
"""The name of the only part on a player's screen."""

AGAIN = 0.2
"""Seconds between an error of the wire and the next drawing, so that a lasting error costs little."""


class TableSurface(Protocol):
    """What a player's loop shows and sends keys to."""

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows of the screen."""

    def point(self) -> tuple[int, int] | None:
        """Return the column and line of the terminal's own cursor, or None."""

    def press(self, key: str) -> None:
        """Handle a key press by its name."""

    def paste(self, text: str) -> None:
        """Handle pasted text."""

    def news(self) -> None:
        """Check for news, and handle them."""


class Loop:
    """Shows a surface until it is left: the terminal's input goes to it, its rows go to the wire."""

    def __init__(self, palette: Palette, *, ascii_only: bool = False) -> None:
        self._main = MainLoop()
        self._terminal = Terminal(self._main)
        self._leaving = Leaving(self._terminal)
        self._wire = Wire(self._terminal, from_environment(os.environ, ascii_only=ascii_only))
        self._colours = depth(os.environ)
        self._pens = RolePens(palette, self._colours)
        self._size = (0, 0)
        self._surface: TableSurface | None = None
        self._due = False
        self._terminal.input_thread.listener = self._take

    # --- for the surface

    def leave(self, code: int = 0) -> None:
        """End the loop with this exit code, if nothing has ended it yet."""
        self._leaving.leave(code)

    def show(self) -> None:
        """Draw the surface once more before the loop sleeps."""
        if not self._due:
            self._due = True
            self._main.soon(self._draw_due)

    def later(self, delay: float, call: Callable[[], None]) -> None:
        """Call after a delay in seconds, on the loop's thread."""
        self._main.later(delay, call)

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self._terminal.write("\a")

    def set_palette(self, palette: Palette) -> None:
        """Use the colours of another palette from now on."""
        self._pens = RolePens(palette, self._colours)
        self.show()

    def repaint(self) -> None:
        """Draw the whole screen again, because another program has written to it."""
        self._safely(self._wire.repaint)

    def suspend(self) -> bool:
        """Give the terminal to the shell until it continues us; return False if there is none."""
        return self._terminal.suspend()

    # --- drawing

    def _draw_due(self) -> None:
        if self._due:
            self._draw()

    def _draw(self) -> None:
        self._due = False
        if self._surface is None or self._size == (0, 0):
            return
        width, height = self._size
        boxes = {WHOLE: Box(0, 0, width, height)}
        rows = paint(width, height, boxes, {WHOLE: self._surface.rows(width, height)}, self._pens)
        if point := self._surface.point():
            self._wire.point(*point)
        self._safely(partial(self._wire.show, rows))

    def _safely(self, call: Callable[[], None]) -> None:
        """Call the wire; after an error draw the whole screen again, `AGAIN` seconds later."""
        try:
            call()
        except Exception:  # noqa: BLE001  # the player goes on playing
            self._wire.distrust()
            self._main.later(AGAIN, self.show)

    # --- input of the terminal

    def _take(self, news: News, when: float) -> None:
        match news:
            case Key(sequence):
                for name, char in keys(sequence):
                    self._press(Press(name, char))
            case Pasted(text):
                if self._surface is not None:
                    self._surface.paste(text)
                self._draw()
            case _:
                self._safely(partial(self._wire.hear, news, when))
        if isinstance(news, Resized) and self._size != (news.width, news.height):
            self._size = (news.width, news.height)
            self._draw()
        elif isinstance(news, HungUp):
            self._leaving.leave(HANG_UP_ERRORS)

    def _press(self, press: Press) -> None:
        if self._surface is not None:
            self._surface.press(press.without_repeat.name)
        self._draw()

    # --- the loop

    def run(self, surface: TableSurface) -> int:
        """Show the surface, handle keys and check for news; return the exit code."""
        # Before the first frame, which would be empty otherwise.
        surface.news()
        self._surface = surface
        with guard(self._leaving):
            try:
                self._terminal.take()
                Thread(target=partial(self._watch, surface), name="news", daemon=True).start()
                self._main.run(lambda: self._leaving.code is not None)
            finally:
                self._terminal.give_back()
                self._terminal.close()
        say_why(self._leaving.code or 0)
        return self._leaving.code or 0

    def _watch(self, surface: TableSurface) -> None:
        """Call the surface's `news` on the loop's thread, again and again until the loop ends."""
        while self._leaving.code is None:
            wait_for_next_look()
            self._main.soon(surface.news)
