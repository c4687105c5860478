"""The screen without Textual, as desks use it: rows become cells, and cells become frames.

It exists before the app: the first picture is painted from it while Textual is being loaded. Slow work runs
in a thread; keys are answered meanwhile, and the result is taken over on the loop's thread.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import Protocol

from tui.ui.desk.ports import Services
from tui.ui.desk.surface import Surface
from tui.ui.terminal.guardian import Leaving
from tui.ui.terminal.loop import AppLoop, Scheduler
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.palette import Palette
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.pens import Depth
from tui.ui.wire.wire import Wire

SOON = 0.08
"""How long a key waits for `aside`, in seconds: most work is done by then, and needs one frame instead of
two."""


def aside(loop: Scheduler, work: Callable[[], Callable[[], None]], then: Callable[[], None]) -> None:
    """Run `work` in a thread; on the loop's thread call the function that it returns, then `then`.

    Quick work is taken over before the function returns. An error in `work` is raised on the loop's thread.
    """
    results: list[Callable[[], None]] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  # a thread would print it over the screen
            results.append(partial(_raise, error))
        loop.soon(take)

    def take() -> None:
        # Once: it is asked for by the thread, and here where that was quick.
        if results:
            results.pop()()
            then()

    thread = Thread(target=run, name="aside", daemon=True)
    thread.start()
    thread.join(SOON)
    if not thread.is_alive():
        take()


def _raise(error: BaseException) -> None:
    raise error


class Host(Protocol):
    """The app that draws the surface of a display. Its methods are called on the loop's thread."""

    def turn_to(self, surface: Surface) -> None:
        """Show another surface from now on."""

    def redraw(self) -> None:
        """Draw the surface, because the fight has changed."""

    def repaint(self) -> None:
        """Send the whole screen again, because another program has written to the terminal."""

    def apply_palette(self, palette: Palette) -> None:
        """Show the colours of another palette."""


class Display:
    """A terminal that shows one surface at a time in the colours of a palette."""

    def __init__(
        self,
        palette: Palette,
        loop: AppLoop,
        terminal: Terminal,
        leaving: Leaving,
        *,
        can: Abilities | None = None,
        colours: Depth = "truecolor",
    ) -> None:
        self.palette, self.colours = palette, colours
        self.loop, self.terminal, self.leaving = loop, terminal, leaving
        self.wire = Wire(terminal, can or Abilities())
        self.surface: Surface = Surface()
        self.host: Host | None = None
        """The app; None before it runs. It draws everything when it starts."""

    def turn_to(self, surface: Surface) -> None:
        """Show another surface from now on."""
        self.surface = surface
        if self.host:
            self.host.turn_to(surface)

    def apply_palette(self, palette: Palette) -> None:
        """Show the colours of another palette; both use "#rrggbb", or both the terminal's own colours."""
        self.palette = palette
        if self.host:
            self.host.apply_palette(palette)

    def redraw_soon(self) -> None:
        """Draw soon, because the fight has changed by a key or from outside."""
        if self.host:
            self.host.redraw()

    def refresh_soon(self) -> None:
        """Draw soon, because the disk has confirmed or found something; from any thread."""
        self.loop.soon(self.redraw_soon)

    def repaint(self) -> None:
        """Send the whole screen again, for ctrl+l."""
        if self.host:
            self.host.repaint()

    # --- services that reach the terminal

    def services(self) -> Services:
        """Return the services of a desk that reach the terminal."""
        return Services(
            leave=self.leaving.leave,
            repaint=self.repaint,
            suspend=self.terminal.suspend,
            bell=self.bell,
            clip=self.clip,
            aside=partial(aside, self.loop, then=self.redraw_soon),
        )

    def bell(self) -> None:
        """Ring the terminal's bell."""
        self.terminal.write("\a")

    def clip(self, text: str) -> None:
        """Copy a text to the terminal's clipboard (OSC 52)."""
        coded = b2a_base64(text.encode(errors="replace"), newline=False).decode()
        self.terminal.write(f"\x1b]52;c;{coded}\a")
