"""A small four-pane app for tests in a real pty: a fight nobody wins."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from tui.ui.terminal.reports import Pasted
from tui.ui.textual.frugal import FrugalApp

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tui.ui.wire.wire import Wire

NAMES = (
    "Shara",
    "Tam",
    "Borgron",
    "Ana",
    "Mia",
    "Orc 1",
    "Orc 2",
    "龍 Goblin",
    "Élan",
    "Wolf",
    "Troll",
    "e\u0301lf",
)
WORDS = "takes a turn", "misses by a hair", "is wounded", "holds the bridge", "casts a spell of 漢字"


class Lines(Widget):
    """Ready lines, drawn one by one; what changes is refreshed line by line."""

    can_focus = False

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.border_title = name
        self.lines: list[tuple[str, str]] = []

    def show(self, lines: list[tuple[str, str]]) -> None:
        if lines != self.lines:
            self.lines = lines
            self.refresh()

    def render_line(self, y: int) -> Strip:
        text, style = self.lines[y] if y < len(self.lines) else ("", "")
        strip = Strip([Segment(text, self.rich_style + Style.parse(style))])
        return strip.adjust_cell_length(self.size.width, self.rich_style)


class Dialog(ModalScreen[None]):
    """A small box over a screen left as it is."""

    CSS = "Dialog {align: center middle; background: $background 0%;} Dialog Static {width: 30; height: 5; border: round red;}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss")]

    def compose(self) -> ComposeResult:
        yield Static("escape closes", markup=False)


class Sample(FrugalApp[None]):
    """A fight nobody wins."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen {layout: vertical; background: #1e1e2e; color: #cdd6f4;}
    #top {height: 1fr;} Lines {border: round #45475a; width: 1fr; background: #1e1e2e;}
    #log {height: 6; width: 100%; border: none;} #now, #keys {height: 1; color: #f9e2af; text-style: bold;}
    Input {height: 1; border: none; background: #1e1e2e;}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next"), Binding("down", "mark(1)"), Binding("up", "mark(-1)"), Binding("d", "damage"),
        Binding("a", "dialog"), Binding("colon", "line"), Binding("ctrl+l", "repaint"), Binding("x", "crash"),
        Binding("q", "quit"), Binding("ctrl+z", "suspend_process"), Binding("h", "hang"), Binding("e", "outside"), Binding("f", "fault"),
    ]  # fmt: skip

    def __init__(self, *, frugal: bool) -> None:
        super().__init__(frugal=frugal, complain=self.complained)
        self.turn = self.marked = self.keys = 0
        self.health = [20] * len(NAMES)
        self.told: list[str] = []
        self.said = "READY"
        self.breaks = False

    def complained(self, words: str) -> None:
        self.said = "FAULT"
        if path := os.environ.get("SAMPLE_LOG"):
            with open(path, "a", encoding="utf-8") as file:
                file.write(words + "\n")

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Lines("track")
            yield Lines("roster")
            yield Lines("orders")
        yield Lines("log")
        yield Static("", id="now", markup=False)
        yield Static("", id="keys", markup=False)

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        turn = self.turn % len(NAMES)
        self.query_one("#track", Lines).show(
            [
                (
                    f"{'>' if i == self.marked else ' '}{name:<10}{20 - i:>3}",
                    "bold #a6e3a1" if i == turn else "",
                )
                for i, name in enumerate(NAMES)
            ]
        )
        self.query_one("#roster", Lines).show(
            [
                (f" {name:<9}{'█' * (health // 4)}{health:>3}", "#f38ba8 italic" if health < 10 else "")
                for name, health in zip(NAMES, self.health, strict=True)
            ]
        )
        self.query_one("#orders", Lines).show(
            [(f" {name}: shoots, moves", "dim") for name in NAMES[turn : turn + 4]]
        )
        self.query_one("#log", Lines).show([(line, "") for line in self.told[-6:]])
        self.query_one("#now", Static).update(f"Now: {NAMES[turn]} acts; n for the next")
        self.query_one("#keys", Static).update(f"n next, d damage, q quit  {self.said} {self.keys}")

    def action_next(self) -> None:
        self.turn += 1
        self.tell(f"{self.turn:>3} {NAMES[self.turn % len(NAMES)]} {WORDS[self.turn % len(WORDS)]}")

    def tell(self, line: str) -> None:
        self.keys += 1
        self.told.append(line)
        self.draw()

    def action_mark(self, by: int) -> None:
        self.keys += 1
        self.marked = (self.marked + by) % len(NAMES)
        self.draw()

    def action_damage(self) -> None:
        self.health[self.marked] = max(0, self.health[self.marked] - 3)
        self.tell(f"{NAMES[self.marked]} takes 3 damage")

    def action_dialog(self) -> None:
        self.push_screen(Dialog())

    def action_repaint(self) -> None:
        self.repaint()

    def action_crash(self) -> None:
        raise RuntimeError("the sample was told to crash")

    def action_outside(self) -> None:
        with self.suspend():
            os.write(2, b"somebody else writes here\r\n")

    def action_fault(self) -> None:
        self.breaks = True
        self.action_next()

    def _show(self, wire: Wire, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if self.breaks:
            self.breaks = False
            raise ValueError("told to fail")
        super()._show(wire, screen, renderable)

    def action_hang(self) -> None:
        while True:
            pass

    def action_line(self) -> None:
        field = Input()
        field.cursor_blink = False
        self.mount(field)
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.input.remove()
        self.tell(f"line: {event.value}")

    def on_paste(self, event: events.Paste) -> None:
        self.tell(f"paste: {len(event.text)}")

    def pasted(self, paste: Pasted) -> None:
        self.said = (
            f"{'burst' if paste.burst else 'pasted'} {len(paste.text)}+{paste.dropped} {paste.finished}"
        )
