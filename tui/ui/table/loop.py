"""A player's terminal on the program's one way of drawing: keys and news in, rows out; no Textual behind it.

Nothing happens between two of them: an idle terminal takes no time of the processor.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Thread
from typing import Protocol

from tui.store.follow.inotify import Waker
from tui.ui.screen.display import Display
from tui.ui.screen.leaving import Leaving
from tui.ui.state.layout import Box, Part
from tui.ui.state.palette import Palette, Role
from tui.ui.state.press import Press
from tui.ui.state.rows import Row
from tui.ui.terminal.guardian import guarding
from tui.ui.terminal.loop import MainLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.colours import depth

WHOLE: Part = "over"
"""The one part that such a screen has."""


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


class _Shown:
    """A table's surface as the display wants one: all of it is one part."""

    def __init__(self, surface: TableSurface) -> None:
        self._surface = surface

    @property
    def spoken(self) -> bool:
        return self._surface.point() is not None

    @property
    def settled(self) -> bool:
        return True

    def press(self, press: Press) -> None:
        self._surface.press(press.settled.name)

    def rest(self) -> bool:
        return False

    def paste(self, text: str) -> None:
        self._surface.paste(text)

    def say(self, text: str, role: Role = "warning") -> None:
        """Says nothing: what a paste was cut of is seen where it was pasted."""

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        return {WHOLE: Box(0, 0, width, height)}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        box = boxes[WHOLE]
        return {WHOLE: list(self._surface.rows(box.width, box.height))}

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        del boxes, drawn
        return self._surface.point() or (0, 0)


class Loop:
    """Shows a surface until it is left."""

    def __init__(self, palette: Palette) -> None:
        self._main = MainLoop()
        self._terminal = Terminal(self._main)
        self._leaving = Leaving(self._terminal)
        self._display = Display(
            palette, self._main, self._terminal, self._leaving,
            can=from_environment(os.environ), colours=depth(os.environ),
        )  # fmt: skip
        self._terminal.hearing.listener = self._display.take

    # --- for the surface

    def leave(self, code: int = 0) -> None:
        """Ends the loop with this exit code, if nothing has ended it yet."""
        self._leaving.leave(code)

    def show(self) -> None:
        """Draws the surface anew before the loop waits again."""
        self._display.changed()

    def later(self, delay: float, call: Callable[[], None]) -> None:
        """Calls after so many seconds, on the loop's thread."""
        self._main.later(delay, call)

    def ring(self) -> None:
        """Rings the terminal's bell."""
        self._display.bell()

    def wear(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._display.dress(palette)

    def repaint(self) -> None:
        """Draws everything anew, for a screen that something else has written to."""
        self._display.repaint()

    def suspend(self) -> bool:
        """Give the terminal to the shell, until that brings us back; False where there is none."""
        return self._terminal.suspend()

    # --- the loop

    def run(self, surface: TableSurface, waker: Waker) -> int:
        """Shows the surface, and waits for keys and for news from the waker's places; the exit code."""
        # Before the first picture, which would else be an empty one.
        surface.news(set())
        self._display.turn_to(_Shown(surface))
        with guarding(self._leaving):
            try:
                self._terminal.take()
                Thread(target=partial(self._watch, surface, waker), name="news", daemon=True).start()
                self._main.run(lambda: self._leaving.code is not None)
            finally:
                self._terminal.give_back()
                self._terminal.close()
        return self._leaving.code or 0

    def _watch(self, surface: TableSurface, waker: Waker) -> None:
        """Waits for news in a thread of its own; they are taken on the loop's."""
        while self._leaving.code is None:
            changed, _ = waker.wait()
            self._main.soon(partial(surface.news, changed))
