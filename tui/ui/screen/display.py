"""The display: what the terminal says goes to a surface, and what the surface draws goes to the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol, assert_never

from tui.ui.keys.surface import Blank, Surface
from tui.ui.screen.aside import aside
from tui.ui.screen.canvas import Canvas
from tui.ui.screen.leaving import Leaving
from tui.ui.screen.pens import RolePens
from tui.ui.state.palette import Palette
from tui.ui.state.press import Press
from tui.ui.terminal.hearing import News
from tui.ui.terminal.input_parser import Key
from tui.ui.terminal.loop import MainLoop, Waits
from tui.ui.terminal.reports import (
    Answered,
    HungUp,
    Named,
    Pasted,
    Resized,
    Started,
    Stopped,
    Synchronizes,
)
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.colours import Depth
from tui.ui.wire.grid import CellRow
from tui.ui.wire.wire import Port, Wire

REST = 0.15
"""Seconds without a key after which the cursor rests."""

TOGETHER = 0.02
"""Seconds in which the disk may confirm a step, for its *saved* mark to go out with it in one frame."""

PATIENCE = 3
"""Faults of the wire until somebody else draws."""

HUNG_UP = 129
"""Exit code of a program whose terminal went away: 128 + SIGHUP."""


class TerminalLine(Port, Protocol):
    """The terminal, as far as a display needs it."""

    def suspend(self) -> bool:
        """Stop the program until the shell continues it; False where no shell would."""

    def lend(self) -> AbstractContextManager[None]:
        """A context in which another program has the terminal."""


class Display:
    """One surface at a time, in the colours of a palette. It decides nothing, and is drawn on the loop's thread.

    `complain` is told, in words, of every fault of the wire; the screen is repaired by itself.
    """

    def __init__(
        self,
        palette: Palette,
        loop: MainLoop,
        line: TerminalLine,
        leaving: Leaving,
        *,
        can: Abilities | None = None,
        colours: Depth = "truecolor",
        complain: Callable[[str], None] | None = None,
    ) -> None:
        self.loop, self.line, self.leaving = loop, line, leaving
        self.surface: Surface = Blank()
        self.size = (0, 0)
        self.rows: Sequence[CellRow] = ()
        self.wire = Wire(line, can or Abilities())
        self.output: Callable[[Sequence[CellRow]], None] = self.wire.show
        """Where the rows go: to the wire, unless it has failed too often or was not wanted."""
        self.gave_up: Callable[[], None] = lambda: None
        """Called when the wire has failed too often."""
        self._colours, self._complain = colours, complain or (lambda _words: None)
        self._canvas = Canvas(RolePens(palette, colours))
        self._faults = 0
        self._due = False
        self._waiting: Waits | None = None
        self._resting: Waits | None = None

    # --- what is shown

    def turn_to(self, surface: Surface) -> None:
        """Shows something else from now on."""
        self.surface = surface
        self.changed()

    def dress(self, palette: Palette) -> None:
        """Other colours from now on, of the same kind: the terminal's own, or any."""
        self._canvas = Canvas(RolePens(palette, self._colours))
        self.changed()

    def changed(self) -> None:
        """Draws soon: the fight has changed, by a key or from outside."""
        if not self._due:
            self._due = True
            self.loop.soon(self._draw_due)

    def synced(self) -> None:
        """Draws soon: what is on the disk has changed. May be called from any thread."""
        self.loop.soon(self.changed)

    def _draw_due(self) -> None:
        if self._due and (self._waiting is None or self.surface.settled):
            self.draw()

    def _draw_step(self) -> None:
        """Draws what a key has done, as soon as the disk has confirmed it, or has had its time."""
        if self.surface.settled:
            self.draw()
        elif self._waiting is None:
            self._waiting = self.loop.later(TOGETHER, self.draw)

    def draw(self) -> None:
        """Draws what the surface shows now; only lines that changed are painted, and only cells that changed are sent."""
        self._due = False
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        width, height = self.size
        boxes = self.surface.boxes(width, height)
        drawn = self.surface.draw(boxes)
        self.rows = self._canvas.paint(width, height, boxes, drawn)
        if self.surface.spoken:
            self.wire.point(*self.surface.point(boxes, drawn))
        self.safely(partial(self.output, self.rows))

    def repaint(self) -> None:
        """Draws the whole screen anew: for ctrl+l, when something else has written to the terminal."""
        self.safely(self.wire.repaint)

    def safely(self, call: Callable[[], None]) -> None:
        """Calls the wire; a fault is reported, and the screen drawn anew."""
        try:
            call()
        except Exception as problem:  # noqa: BLE001
            self._faults += 1
            words = f"{type(problem).__name__}: {problem}"
            self._complain(f"the wire failed ({words}); the screen was drawn anew")
            # A fault that comes back is in the program and not in the moment: the GM must go on playing.
            if self.failed:
                self.gave_up()
            else:
                self.wire.distrust()
                self.changed()

    @property
    def failed(self) -> bool:
        """Whether the wire has failed too often."""
        return self._faults >= PATIENCE

    # --- what the terminal says

    def take(self, news: News, when: float) -> None:
        """Takes what the terminal said at a time."""
        match news:
            case Key(sequence):
                from tui.ui.terminal.keys import keys

                for name, char in keys(sequence):
                    self.press(Press(name, char))
            case Pasted():
                self.paste(news)
            case Answered():
                self.safely(partial(self.wire.answered, when))
            case Named(program):
                self.wire.learn(program=program)
            case Synchronizes():
                self.wire.learn(synchronizes=True)
            case Started(linefeed):
                self.safely(partial(self.wire.open, linefeed=linefeed, when=when))
            case Stopped():
                self.wire.hold()
            case Resized(width, height):
                self.resized(width, height)
            case HungUp():
                self.leaving.leave(HUNG_UP)
            case _:
                assert_never(news)

    def resized(self, width: int, height: int) -> None:
        """Lays everything out for the new size; the same size is drawn once more, for its contents are in doubt."""
        before, self.size = self.size, (width, height)
        self.safely(partial(self.wire.resized, width, height))
        if self.size != before:
            self.draw()

    def press(self, press: Press) -> None:
        """One key, for what is on the screen."""
        self.surface.press(press)
        self._draw_step()
        self._rest_later()

    def _rest_later(self) -> None:
        """Once no key has come for a moment, what follows the cursor is drawn: of held keys only the last sends it."""
        if self._resting is not None:
            self._resting.cancel()
        self._resting = self.loop.later(REST, self._rest)

    def _rest(self) -> None:
        self._resting = None
        if self.surface.rest():
            self.draw()

    def paste(self, paste: Pasted) -> None:
        """A paste is text, never keys."""
        self.surface.paste(paste.text)
        if paste.dropped:
            self.surface.say(f"the paste was cut: {paste.dropped} characters are missing")
        self._draw_step()

    # --- what a surface may ask of the program around it

    def exits(self) -> dict[str, Callable[..., Any]]:
        """The services that reach the terminal, by name."""
        return {
            "leave": self.leaving.leave, "repaint": self.repaint, "suspend": self.line.suspend, "bell": self.bell,
            "clip": self.clip, "aside": partial(aside, self.loop, then=self.changed), "later": partial(_later, self),
        }  # fmt: skip

    def bell(self) -> None:
        """Rings."""
        self.line.write("\a")

    def clip(self, text: str) -> None:
        """Fills the terminal's clipboard (OSC 52)."""
        from binascii import b2a_base64

        coded = b2a_base64(text.encode(errors="replace"), newline=False).decode()
        self.line.write(f"\x1b]52;c;{coded}\a")


def _later(display: Display, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """Sets a call after which the screen is drawn; what it returns cancels it."""

    def ring() -> None:
        call()
        display.draw()

    return display.loop.later(seconds, ring).cancel
