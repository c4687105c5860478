"""The seam: a Textual app whose screen goes through the wire.

Textual's compositor → `FrugalApp._display` → `Painter` → the wire's picture → the driver. To use it, derive from
`FrugalApp` instead of `App`, call `prepare_environment` before Textual is imported, and run inside `guarding`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, assert_never

from rich.color import ColorSystem
from textual._compositor import CompositorUpdate, LayoutUpdate
from textual.app import App

from tui.ui.terminal.reports import (
    Answered,
    HungUp,
    Named,
    Pasted,
    Report,
    Resized,
    Started,
    Stopped,
    Synchronizes,
)
from tui.ui.textual.driver import TocsinDriver
from tui.ui.textual.painter import Painter
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.pens import Pens
from tui.ui.wire.wire import Timer, Wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType
    from textual.driver import Driver
    from textual.screen import Screen

Result = TypeVar("Result")

PATIENCE: Final = 3
"""Faults of the wire until stock output takes over for good."""

SIGNALLED: Final = 128
"""Exit codes above this one tell the signal that ended the program."""

HUNG_UP: Final = 129
"""Exit code of a program whose terminal went away: 128 + SIGHUP."""


class _DriverLine:
    """The wire's effects, from an app's driver and event loop."""

    def __init__(self, app: FrugalApp[Any]) -> None:
        self._app = app

    def write(self, data: str) -> None:
        if (driver := self._app._driver) is not None:  # noqa: SLF001
            driver.write(data)

    def busy(self) -> bool:
        driver = self._app._driver  # noqa: SLF001
        return isinstance(driver, TocsinDriver) and driver.busy()

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(delay, self._app.safely, call)


class FrugalApp(App[Result]):
    """An app drawn by the wire; with `frugal=False` by Textual, byte for byte (`--stock-output`).

    `complain` is told, in words, of every fault of the wire; the screen is repaired by itself.
    """

    def __init__(
        self,
        *,
        frugal: bool = True,
        complain: Callable[[str], None] | None = None,
        driver_class: type[Driver] | None = None,
        ansi_color: bool | None = None,
    ) -> None:
        super().__init__(driver_class=driver_class or TocsinDriver, ansi_color=ansi_color)
        depth = self.console._color_system or ColorSystem.TRUECOLOR  # noqa: SLF001  (as Strip.render reads it)
        self.wire = Wire(_DriverLine(self), from_environment(os.environ)) if frugal else None
        self._painter = Painter(Pens(depth))
        self._complain = complain or (lambda _words: None)
        self._faults = 0

    def repaint(self) -> None:
        """Draws the whole screen anew: for ctrl+l, when something else has written to the terminal."""
        if self.wire is not None:
            self.safely(self.wire.repaint)
        else:
            self.screen.refresh(layout=True)

    def pasted(self, paste: Pasted) -> None:
        """Hook for the report of a paste, before its Paste event: cut short, unfinished, or faster than fingers type."""

    def terminal_report(self, report: Report) -> None:
        """Takes what the driver reports; called on the event loop."""
        match report:
            case Started() | Stopped() | Resized():
                self._terminal_changed(report)
            case Answered():
                if self.wire is not None:
                    self.safely(self.wire.answered)
            case Named(program):
                self._learn(program=program)
            case Synchronizes():
                self._learn(synchronizes=True)
            case Pasted():
                self.pasted(report)
            case HungUp():
                self.exit(return_code=HUNG_UP)
            case _:
                assert_never(report)

    def _learn(self, *, program: str = "", synchronizes: bool = False) -> None:
        self._sync_available |= synchronizes
        if self.wire is not None:
            self.wire.learn(program=program, synchronizes=synchronizes)

    def _terminal_changed(self, report: Started | Stopped | Resized) -> None:
        if self.wire is None:
            if isinstance(report, Started) and self._running:
                self.call_later(partial(self.screen.refresh, layout=True))
            return
        match report:
            case Started(linefeed):
                self.safely(partial(self.wire.open, linefeed=linefeed))
            case Stopped():
                self.wire.hold()
            case Resized(width, height):
                self.safely(partial(self.wire.resized, width, height))

    def _handle_exception(self, error: Exception) -> None:
        """Leave, and print nothing: Textual's own account of an error holds the values of all variables.

        What fails while we leave because of a signal does not change the exit code.
        """
        if self._exit and (self.return_code or 0) > SIGNALLED:
            self._complain(f"while leaving: {type(error).__name__}: {error}")
        else:
            self._return_code = 1
            if self._exception is None:
                self._exception = error
                self._exception_event.set()
        self._close_messages_no_wait()

    @property
    def failure(self) -> Exception | None:
        """The error that ended the app, for whoever started it to raise again; None for none."""
        return self._exception

    def on_load(self) -> None:
        """Errors of callbacks end the app as errors of messages do, and are not printed over the screen."""

        def lost(_loop: asyncio.AbstractEventLoop, told: dict[str, Any]) -> None:
            if isinstance(error := told.get("exception"), Exception):
                self._handle_exception(error)

        asyncio.get_running_loop().set_exception_handler(lost)

    # What a guardian asks, from a thread of its own.

    def leave_with(self, code: int) -> None:
        """Exits with this code as soon as the event loop comes to it."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed: we are leaving already
                loop.call_soon_threadsafe(partial(self.exit, return_code=code))

    def heeds(self, number: int) -> bool:
        """Whether a signal is meant for us: ctrl+c in an editor that has the terminal is not."""
        return number != signal.SIGINT or not isinstance(self._driver, TocsinDriver) or self._driver.taken

    def silence(self) -> None:
        """Writes nothing more to the terminal."""
        if isinstance(self._driver, TocsinDriver):
            self._driver.silence()

    def _set_pointer_shape(self, shape: str) -> None:
        """Sends nothing: there is no mouse to give a shape."""

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if self.wire is None or not self._draws(renderable):
            super()._display(screen, renderable)
            return
        self.safely(partial(self._show, self.wire, screen, renderable))
        self.post_display_hook()

    def safely(self, call: Callable[[], None]) -> None:
        """Calls the wire; an exception is reported, and the screen drawn anew."""
        try:
            call()
        except Exception as problem:  # noqa: BLE001
            self._fault(problem)

    def _draws(self, renderable: RenderableType | None) -> bool:
        """Whether an update reaches the terminal at all, by the conditions of Textual's own method."""
        return (
            renderable is not None
            and not self._batch_count
            and self._running
            and not self._closed
            and not self.is_headless
            and not self.is_inline
            and self._driver is not None
        )

    def _show(self, wire: Wire, screen: Screen[Any], renderable: RenderableType | None) -> None:
        compositor = screen._compositor  # noqa: SLF001
        # After a resize a partial update would leave the rest of the picture unpainted.
        if not wire.fits(*compositor.size) and not isinstance(renderable, LayoutUpdate):
            renderable = compositor.render_full_update()
        if not isinstance(renderable, CompositorUpdate):
            raise TypeError(f"cannot draw a {type(renderable).__name__}")
        self._painter.paint(wire.picture, renderable)
        wire.flush()

    def _fault(self, problem: Exception) -> None:
        """Reports what went wrong, forgets what the terminal shows, and lets Textual draw the whole screen."""
        self._faults += 1
        self._complain(f"the wire failed ({type(problem).__name__}: {problem}); the screen was drawn anew")
        if self.wire is not None:
            self.wire.distrust()
        # A fault that comes back is in the program and not in the moment: the GM must go on playing.
        if self._faults >= PATIENCE:
            self.wire = None
        if self._screen_stack:
            update = self.screen._compositor.render_full_update()  # noqa: SLF001
            super()._display(self.screen, update)
