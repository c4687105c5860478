"""The screen: it shows one surface at a time, a fight or the start screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Protocol, cast

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.core.fight.agenda import Verb
from tui.ui.app.wired import key_name
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Surface
from tui.ui.panes.screen import PARTS, START_PARTS
from tui.ui.state.commands import COMMANDS, START_ALONE, Command
from tui.ui.state.layout import Part
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box, Row

Styles = Callable[[Role], Style]
"""Returns the style of a role in the current theme."""


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


class PaneWidget(Widget, can_focus=False, inherit_bindings=False):
    """Rows of text, drawn line by line. Textual gives it no focus: the view says which pane has it."""

    def __init__(self, part: Part, styles: Styles) -> None:
        super().__init__(id=part)
        self.part = part
        """The part of the layout that the widget draws, also its id."""
        self._style_of = styles
        self._rows: Sequence[Row] = ()
        self.stale = False
        """Whether new rows wait for the compositor to draw them."""

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows from now on; lines that are the same are not drawn again."""
        old, self._rows = self._rows, rows
        width = self.size.width
        changed = [
            Region(0, y, width, 1)
            for y in range(max(len(old), len(rows)))
            if y >= len(old) or y >= len(rows) or old[y] != rows[y]
        ]
        if changed and width:
            self.stale = True
            self.refresh(*changed)
        elif changed:
            # Out of sight: Textual would show the lines again that it drew before the pane was hidden.
            self.refresh()

    def restyle(self) -> None:
        """Draw all rows again, in the styles of another theme."""
        self.stale = bool(self.size.width)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line, filled up to the width of the pane."""
        self.stale = False
        width = self.size.width
        ground = self._style_of("text")
        if y >= len(self._rows):
            return Strip.blank(width, ground)
        pieces = [Segment(text, self._style_of(role)) for text, role in self._rows[y] if text]
        return Strip(pieces).adjust_cell_length(width, ground)


class BoxLayout(Layout):
    """Places each child in the box of its part; a child without a box is not shown."""

    name = "boxes"

    def __init__(self, boxes: Callable[[], Mapping[Part, Box]]) -> None:
        self._boxes = boxes

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Return the placements of the children that have a box."""
        del parent, size, greedy
        boxes = self._boxes()
        return [
            WidgetPlacement(Region(box.x, box.y, box.width, box.height), Offset(), Spacing(), child)
            for child in children
            if isinstance(child, PaneWidget) and (box := boxes.get(child.part)) is not None
        ]


class SurfaceApp(Protocol):
    """The part of the app that its screen uses."""

    @property
    def surface(self) -> Surface:
        """The desk that is drawn and gets the keys."""

    @property
    def size(self) -> Size:
        """Columns and lines of the terminal."""

    def style_of(self, role: Role) -> Style:
        """Return the style of a role in the current theme."""

    def redraw(self) -> None:
        """Draw at the next opportunity."""

    def key_taken(self) -> None:
        """Draw the result of a key."""

    def point(self, x: int, y: int) -> None:
        """Show the terminal's cursor at this column and line."""


class SurfaceScreen(Screen[None], inherit_bindings=False):
    """Panes that show what a surface draws, where the surface places them.

    A key may be bound to a command of a fight and to one of the start screen: only one of them works at a
    time.
    """

    AUTO_FOCUS = ""
    BLANK = False
    """False, because `render_line` draws the background that no pane covers."""
    PARTS: ClassVar[tuple[Part, ...]] = tuple(dict.fromkeys((*PARTS, *START_PARTS)))
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of((*COMMANDS, *START_ALONE))]

    def __init__(self) -> None:
        super().__init__()
        self.boxes: Mapping[Part, Box] = {}
        self._fitted = Size()
        """The size of the terminal when the boxes were computed."""
        self._placed: Mapping[Part, Box] = {}
        self._arranged: Mapping[Part, Box] = {}
        self._layout = BoxLayout(self._to_arrange)

    @property
    def host(self) -> SurfaceApp:
        """The app."""
        return cast("SurfaceApp", self.app)

    @property
    def surface(self) -> Surface:
        """The desk that is drawn and gets the keys."""
        return self.host.surface

    @property
    def layout(self) -> Layout:
        """The layout of the panes."""
        return self._layout

    @property
    def panes(self) -> Iterable[PaneWidget]:
        """The panes, in the order of the layout's parts."""
        return self.query_children(PaneWidget)

    @property
    def settled(self) -> bool:
        """Whether the compositor has drawn every pane with its present rows in its present box."""
        return (
            self._fitted == self.host.size
            and self._arranged == self.boxes
            and not any(pane.stale for pane in self.panes if pane.part in self.boxes)
        )

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        for part in self.PARTS:
            yield PaneWidget(part, self.host.style_of)

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.host.redraw()

    def on_screen_resume(self) -> None:
        """Draw again, because the fight may have changed while another screen was shown."""
        self.host.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Draw in the new size."""
        del event
        self.host.redraw()

    def render_line(self, y: int) -> Strip:
        """Return a line of the background that no pane covers."""
        del y
        return Strip.blank(self.size.width, self.host.style_of("text"))

    def place(self) -> None:
        """Compute the boxes for the present size."""
        self._fitted = self.host.size
        self.boxes = self.surface.boxes(*self._fitted)

    def _to_arrange(self) -> Mapping[Part, Box]:
        self._arranged = self.boxes
        return self.boxes

    def draw(self) -> None:
        """Draw the surface."""
        drawn = self.surface.draw(self.boxes)
        if self.boxes != self._placed:
            self._placed = self.boxes
            self.relayout()
        for pane in self.panes:
            pane.show(drawn.get(pane.part, ()))
        if self.surface.spoken:
            self.host.point(*self.surface.point(self.boxes, drawn))

    def relayout(self) -> None:
        """Place the panes again."""
        # Of each child, because only then Textual forgets the arrangement of the screen.
        for pane in self.panes:
            pane.refresh(layout=True)
            return

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
        for pane in self.panes:
            pane.restyle()
