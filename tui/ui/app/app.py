"""The app: passes keys to the surface, its rows to the panes, and drawn lines to the wire."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.screen import Screen
from textual.theme import Theme

from tui.ui.app.screens import SurfaceScreen, key_character, keymap_of, verb_action
from tui.ui.app.styles import style_of, theme_of
from tui.ui.app.wired import Wired, key_name
from tui.ui.desk.base import HELD_SECONDS
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Surface
from tui.ui.screen import Display, RolePens
from tui.ui.state.commands import COMMANDS, START_COMMANDS, Command, start_commands
from tui.ui.terminal.guardian import HANG_UP_ERRORS
from tui.ui.text.palette import ROLES, Palette, Role
from tui.ui.text.press import Press
from tui.ui.wire.grid import CellRow

REST_SECONDS = 0.15
"""How long no key must have come before `Surface.rest` is called, in seconds."""

SYNC_SECONDS = 0.02
"""How long a frame waits for the disk to confirm a step, in seconds, so that it shows *saved* at once."""

SIGNAL_CODE = 128
"""An exit code above this one means a signal: the code minus 128."""


class TocsinApp(Wired, inherit_bindings=False):
    """The game master's screen. Textual's output draws it with `stock_output`, else the wire."""

    # Absolute, because Textual would look for it beside a subclass.
    CSS_PATH = os.path.join(os.path.dirname(__file__), "tocsin.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        display: Display,
        commands: tuple[Command, ...] = COMMANDS,
        *,
        pictured: Sequence[CellRow] = (),
        stock_output: bool = False,
    ) -> None:
        # Textual would change the terminal's own colours, which some themes name.
        super().__init__(
            display.terminal, display.wire, display.loop,
            pictured=pictured, stock_output=stock_output, ansi_color=True,
        )  # fmt: skip
        self.shown = display
        self._styles: dict[Role, Style] = {}
        self._palettes: dict[str, Palette] = {}
        self._bound: set[str] = set()
        self._due = False
        self._waiting: asyncio.TimerHandle | None = None
        self._resting: asyncio.TimerHandle | None = None
        self.set_keymap(keymap_of([*start_commands(commands), *commands], [*START_COMMANDS, *COMMANDS]))
        self.apply_palette(display.palette)
        display.host = self
        display.leaving.left = self._leave

    @property
    def surface(self) -> Surface:
        """The desk that is drawn and gets the keys."""
        return self.shown.surface

    # --- start and end

    def get_default_screen(self) -> Screen[Any]:
        """Return the screen that Textual shows first."""
        return SurfaceScreen()

    def on_load(self) -> None:
        """Let errors of callbacks end the app as errors of messages do.

        They are not printed over the screen.
        """

        def lost(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            if isinstance(error := context.get("exception"), Exception):
                self._handle_exception(error)

        asyncio.get_running_loop().set_exception_handler(lost)

    def on_mount(self) -> None:
        """Handle calls to the display from now on; leave if that was asked meanwhile."""
        self.theme_changed_signal.subscribe(self, self._theme_changed, immediate=True)
        if self.is_headless:
            self.started()
        else:
            # Objects that exist now are never garbage: walking through them again would delay some keys.
            self.call_after_refresh(gc.freeze)
        if self.shown.leaving.code is not None:
            self._leave()

    def _leave(self) -> None:
        self.exit(return_code=self.shown.leaving.code or 0)

    def _handle_exception(self, error: Exception) -> None:
        """Leave, and print nothing: Textual's report of an error shows the values of all variables.

        An error while we leave because of a signal does not change the exit code.
        """
        if not self._exit or (self.return_code or 0) <= SIGNAL_CODE:
            self._return_code = 1
            if self._exception is None:
                self._exception = error
                self._exception_event.set()
        self._close_messages_no_wait()

    @property
    def failure(self) -> Exception | None:
        """The error that ended the app, which the caller raises again; None if there was none."""
        return self._exception

    # --- input

    def hung_up(self) -> None:
        """Leave as after a signal, because the terminal is gone."""
        self.shown.leaving.leave(HANG_UP_ERRORS)

    async def on_event(self, event: events.Event) -> None:
        """Handle keys and pastes one after the other, in this one place.

        Textual would send them through queues, in which a later key can overtake. A priority binding comes
        first, then a verb of the running system, then the surface.
        """
        if isinstance(event, events.Key) and not event.is_forwarded:
            if await self._check_bindings(event.key, priority=True):
                return  # its action has drawn
            if not await self._check_bindings(event.key):
                self.surface.press(_press(event))
                self.key_taken()
        elif isinstance(event, events.Paste) and not event.is_forwarded:
            self.surface.paste(event.text)
            if dropped := getattr(event, "dropped", 0):
                self.surface.say(f"the paste was cut: {dropped} characters are missing")
            self.key_taken()
        else:
            await super().on_event(event)

    # --- drawing

    def key_taken(self) -> None:
        """Draw the result of a key, when the disk has confirmed it or after `SYNC_SECONDS`."""
        if self.surface.settled:
            self._draw_soon()
        elif self._waiting is None:
            self._waiting = asyncio.get_running_loop().call_later(SYNC_SECONDS, self.draw)
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.get_running_loop().call_later(REST_SECONDS, self._rest)

    def _rest(self) -> None:
        """Draw the panes that follow the cursor, because no key has come for `REST_SECONDS` seconds."""
        self._resting = None
        if self.surface.rest():
            self.draw()

    def redraw(self) -> None:
        """Draw soon: the fight has changed, by a key or from outside."""
        self._draw_soon()
        # A step from outside lets the cursor go once it could be read.
        asyncio.get_running_loop().call_later(HELD_SECONDS, self._release)

    def _release(self) -> None:
        if self._resting is None:
            self._rest()

    def _draw_soon(self) -> None:
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._draw_due)

    def _draw_due(self) -> None:
        due, self._due = self._due, False
        if due and (self._waiting is None or self.surface.settled):
            self.draw()

    def draw(self) -> None:
        """Draw the surface; only panes and lines that have changed are drawn."""
        self._due = False
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        screen = self.screen
        if isinstance(screen, SurfaceScreen) and screen.is_mounted:
            self._bind_verbs()
            screen.place()
            screen.draw()

    def turn_to(self, surface: Surface) -> None:
        """Show another surface."""
        # Its keys may come before its first frame, and what they mean depends on its size.
        surface.boxes(*self.size)
        self.redraw()

    def point(self, x: int, y: int) -> None:
        """Show the terminal's cursor at this column and line; screen readers follow it."""
        self.shown.wire.point(x, y)

    def _bind_verbs(self) -> None:
        """Bind the verbs of the running system, once for each system."""
        if not isinstance(self.surface, Desk):
            return
        system = self.surface.store.system
        if system.id not in self._bound:
            self._bound.add(system.id)
            for verb in system.verbs:
                if verb.key:
                    self.bind(
                        key_name(verb.key), verb_action(system.id, verb), description=verb.help, show=False
                    )

    # --- colours

    def style_of(self, role: Role) -> Style:
        """Return the style of a role in the current theme."""
        return self._styles[role]

    def apply_palette(self, palette: Palette) -> None:
        """Show the colours of another theme."""
        self._palettes[palette.name] = palette
        self.register_theme(theme_of(palette))
        self._colour(palette)
        self.theme = palette.name

    def _theme_changed(self, theme: Theme) -> None:
        if palette := self._palettes.get(theme.name):
            self._colour(palette)
            if isinstance(self.screen, SurfaceScreen):
                self.screen.restyle()

    def _colour(self, palette: Palette) -> None:
        pens = RolePens(palette, self.shown.colours)
        self._styles = {role: style_of(pens.by_role[role]) for role in ROLES}

    # --- the wire

    @property
    def is_whole(self) -> bool:
        """Whether all panes that were shown are in the grid."""
        return isinstance(self.screen, SurfaceScreen) and self.screen.settled

    def output_failed(self, error: Exception) -> None:
        """Say that the output has failed."""
        self.surface.say(f"the output failed ({type(error).__name__}); the screen was drawn again")
        self.redraw()


def _press(event: events.Key) -> Press:
    """Return the press of a Textual key event."""
    char = event.character or key_character(event.key)
    if not char or not char.isprintable():
        return Press(event.key)
    return Press(event.key if char == " " or "+" in event.key else char, char)
