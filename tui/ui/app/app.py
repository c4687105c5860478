"""The app: keys to the surface, its rows to the one screen, drawn lines to the wire."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.theme import Theme

from tui.core.fight.agenda import Verb
from tui.ui.app.styles import style_of, theme_of
from tui.ui.app.wired import Wired, key_name
from tui.ui.desk.base import HELD_SECONDS
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Surface
from tui.ui.screen import Display, RolePens, Span, spans
from tui.ui.state.commands import COMMANDS, START_ALONE, START_COMMANDS, Command, start_commands
from tui.ui.terminal.guardian import HANG_UP_ERRORS
from tui.ui.text.palette import ROLES, Palette, Role
from tui.ui.text.press import Press
from tui.ui.wire.grid import CellRow

_CHARACTERS = {key_name(char): char for char in map(chr, range(32, 127))}
"""The character that a key types, by its Textual name; needed for simulated keys, which come without it."""


def key_character(name: str) -> str:
    """Return the character that a key types, given its name; "" for none."""
    return name if len(name) == 1 else _CHARACTERS.get(name, "")


def key_names(keys: Iterable[str]) -> str:
    """Return keys as a Textual binding writes them, separated by commas."""
    return ",".join(map(key_name, keys))


def bindings_of(commands: Iterable[Command]) -> list[Binding]:
    """Return the binding of every command that has a key; its id is the command's."""
    return [
        Binding(key_names(c.keys), f"screen.command({c.id!r})", c.help, show=False, priority=True, id=c.id)
        for c in commands
        if c.keys
    ]


def keymap_of(commands: Iterable[Command], bound: Iterable[Command]) -> dict[str, str]:
    """Return the keys that differ from those in `bound`, by command id, for `App.set_keymap`.

    Unchanged keys are left out: Textual applies the keymap with every key, and searches all bindings for each
    of its entries (10 ms for the whole table).
    """
    usual = {c.id: c.keys for c in bound}
    return {c.id: key_names(c.keys) for c in commands if c.keys and c.keys != usual.get(c.id)}


def verb_action(system: str, verb: Verb) -> str:
    """Return the name of the Textual action for a verb of a system."""
    return f"screen.verb({system!r}, {verb.name!r})"


class SurfaceScreen(Screen[None], inherit_bindings=False):
    """The lines that a surface draws; the boxes of its panes may change with every key.

    A key may be bound to a command of a fight and to one of the start screen: only one of them works at a
    time.
    """

    # No widget for each pane: placing and drawing widgets took Textual two fifths of a key's time.
    AUTO_FOCUS = ""
    BLANK = False
    """False, because `render_lines` draws every line."""
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of((*COMMANDS, *START_ALONE))]

    def __init__(self) -> None:
        super().__init__()
        self._fitted = Size()
        """The size of the terminal for which the lines were drawn."""
        self._lines: list[list[Span]] = []
        self._strips: list[Strip] = []
        """The lines as Textual draws them."""
        self._stale = False
        """Whether changed lines wait for the compositor to draw them."""

    @property
    def host(self) -> TocsinApp:
        """The app."""
        return cast("TocsinApp", self.app)

    @property
    def surface(self) -> Surface:
        """The desk that is drawn and gets the keys."""
        return self.host.surface

    @property
    def settled(self) -> bool:
        """Whether the compositor has drawn the present lines, in the present size."""
        return not self._stale and self._fitted == self.host.size == self.size

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.host.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Draw in the new size."""
        del event
        self.host.redraw()

    def draw(self) -> None:
        """Draw the surface; lines that are the same are not drawn again."""
        size, old = self.host.size, self._strips
        if self._fitted != size:
            self._fitted, self._lines = size, [[]] * size.height
            old = [Strip.blank(size.width, self.host.style_of("text"))] * size.height
        boxes = self.surface.boxes(*size)
        drawn = self.surface.draw(boxes)
        before, self._lines = self._lines, spans(size.height, boxes, drawn)
        self._strips = [
            strip if line == known else self._draw_line(line, size.width)
            for line, known, strip in zip(self._lines, before, old, strict=True)
        ]
        if changed := [y for y, strip in enumerate(self._strips) if strip is not old[y]]:
            self._stale = True
            self.refresh(*(Region(0, y, size.width, 1) for y in changed))
        if self.surface.spoken:
            self.host.point(*self.surface.point(boxes, drawn))

    def _draw_line(self, line: list[Span], width: int) -> Strip:
        """Return a line; the columns between and after its spans are blank."""
        ground, pieces, end = self.host.style_of("text"), list[Segment](), 0
        for x, columns, row in sorted(line):
            own = Strip([Segment(text, self.host.style_of(role)) for text, role in row if text])
            pieces += [Segment(" " * (x - end), ground), *own.adjust_cell_length(columns, ground)]
            end = x + columns
        pieces.append(Segment(" " * (width - end), ground))
        return Strip([piece for piece in pieces if piece.text], max(end, width))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of a region, without Textual's borders, padding and filters."""
        self._stale = False
        # After a change of size Textual asks for lines before they are drawn anew.
        lines = [*self._strips, *[Strip.blank(crop.width)] * (crop.bottom - len(self._strips))]
        return [line.adjust_cell_length(crop.width) for line in lines[crop.y : crop.bottom]]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a command or verb works now; if not, its key goes to the surface."""
        match action, parameters:
            case "command", (str(name),):
                return self.surface.takes(name)
            case "verb", (str(system), str(verb)):
                return isinstance(self.surface, Desk) and self.surface.takes_verb(system, verb)
            case _:
                return super().check_action(action, parameters)

    def action_command(self, name: str) -> None:
        """Run a command of the table."""
        self.surface.perform(name)
        self.host.key_taken()

    def action_verb(self, system: str, name: str) -> None:
        """Run a verb of the running system."""
        del system  # that it is the right one was checked
        if isinstance(self.surface, Desk):
            self.surface.say_verb(name)
            self.host.key_taken()

    def restyle(self) -> None:
        """Draw everything again, in the colours of another theme."""
        self._fitted = Size()
        self.draw()


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
            self.surface.take_paste(event.text, getattr(event, "dropped", 0))
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
        """Draw the surface; only lines that have changed are drawn."""
        self._due = False
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        screen = self.screen
        if isinstance(screen, SurfaceScreen) and screen.is_mounted:
            self._bind_verbs()
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
        self.grid.pens = {self._styles[role]: pens.by_role[role] for role in ROLES}

    # --- the wire

    @property
    def is_whole(self) -> bool:
        """Whether all that is shown is in the grid."""
        return isinstance(self.screen, SurfaceScreen) and self.screen.settled

    def output_failed(self, error: Exception) -> None:
        """Say that the output has failed."""
        self.shown.output_failed(error)


def _press(event: events.Key) -> Press:
    """Return the press of a Textual key event."""
    char = event.character or key_character(event.key)
    if not char or not char.isprintable():
        return Press(event.key)
    return Press(event.key if char == " " or "+" in event.key else char, char)
