"""A small four-pane screen for tests in a real pty: a fight nobody wins."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tui.ui.desk.ports import Surface
from tui.ui.screen import Display
from tui.ui.settings.themes import load_themes
from tui.ui.state.layout import Part
from tui.ui.terminal.guardian import Leaving
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.palette import Role
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import depth

NAMES = (
    "Shara", "Tam", "Borgron", "Ana", "Mia", "Orc 1", "Orc 2", "龍 Goblin", "Élan", "Wolf", "Troll",
    "e\u0301lf",
)  # fmt: skip
WORDS = "takes a turn", "misses by a hair", "is wounded", "holds the bridge", "casts a spell of 漢字"
LOG = 6


class Sample(Surface):
    """A fight nobody wins, as a surface."""

    spoken = False
    settled = True

    def __init__(self, display: SampleDisplay) -> None:
        self.display = display
        self.turn = self.marked = self.keys = 0
        self.health = [20] * len(NAMES)
        self.told: list[str] = []
        self.said = "READY"
        self.dialog = False
        self.line: str | None = None

    def takes(self, command: str) -> bool:
        del command
        return False

    def perform(self, command: str) -> None:
        del command

    def press(self, press: Press) -> None:
        if self.line is not None:
            self.edit(self.line, press)
            return
        match press.name:
            case "n":
                self.next()
            case "down" | "up":
                self.keys += 1
                self.marked = (self.marked + (1 if press.name == "down" else -1)) % len(NAMES)
            case "d":
                self.health[self.marked] = max(0, self.health[self.marked] - 3)
                self.tell(f"{NAMES[self.marked]} takes 3 damage")
            case "a" | "escape":
                self.dialog = press.name == "a"
            case ":":
                self.line = ""
            case "f":
                self.display.breaks = True
                self.next()
            case _:
                self.outside(press.name)

    def outside(self, name: str) -> None:
        """What concerns the program around it."""
        match name:
            case "ctrl+l":
                self.display.repaint()
            case "q":
                self.display.leaving.leave()
            case "ctrl+z":
                self.said = self.said if self.display.terminal.suspend() else "NO SHELL"
            case "x":
                raise RuntimeError("the sample was told to crash")
            case "h":
                while True:
                    pass

    def edit(self, line: str, press: Press) -> None:
        if press.key == "enter":
            self.tell(f"line: {line}")
        self.line = None if press.key == "enter" else line + press.char

    def next(self) -> None:
        self.turn += 1
        self.tell(f"{self.turn:>3} {NAMES[self.turn % len(NAMES)]} {WORDS[self.turn % len(WORDS)]}")

    def tell(self, line: str) -> None:
        self.keys += 1
        self.told.append(line)

    def rest(self) -> bool:
        return False

    def paste(self, text: str) -> None:
        self.tell(f"paste: {len(text)}")

    def notify(self, text: str, role: Role = "warning") -> None:
        del role
        if text.startswith("the output failed"):
            self.said = "FAULT"
            if path := os.environ.get("SAMPLE_LOG"):
                with open(path, "a", encoding="utf-8") as file:
                    file.write(text + "\n")
        elif "the paste was cut" in text:
            self.said = text

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        found: dict[Part, Box] = {"hints": Box(0, height - 1, width, 1)}
        if height > LOG + 3:
            top, third = height - LOG - 2, width // 3
            found["now"] = Box(0, height - 2, width, 1)
            found["log"] = Box(0, top, width, LOG)
            middle: tuple[Part, ...] = ("over",) if self.dialog else ("roster",)
            for i, part in enumerate(("track", *middle, "orders")):
                found[part] = Box(i * third, 0, third, top)
        return found

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        turn = self.turn % len(NAMES)
        drawn: dict[Part, list[Row]] = {
            "track": [
                row(
                    f"{'>' if i == self.marked else ' '}{name:<10}{20 - i:>3}",
                    "acting" if i == turn else "text",
                )
                for i, name in enumerate(NAMES)
            ],
            "roster": [
                row(f" {name:<9}{'█' * (health // 4)}{health:>3}", "hp-low" if health < 10 else "text")
                for name, health in zip(NAMES, self.health, strict=True)
            ],
            "orders": [row(f" {name}: shoots, moves", "muted") for name in NAMES[turn : turn + 4]],
            "over": [row("escape closes", "current")],
            "log": [row(line, "text") for line in self.told[-LOG:]],
            "now": [row(f"Now: {NAMES[turn]} acts; n for the next", "title")],
            "hints": [row(f"n next, d damage, q quit  {self.said} {self.keys} {self.line or ''}", "hint")],
        }
        return {part: drawn[part][: box.height] for part, box in boxes.items()}

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        del boxes, drawn
        return 0, 0


def row(text: str, role: Role) -> Row:
    return ((text, role),)


class SampleDisplay(Display):
    """A display whose wire can be told to fail."""

    def __init__(self) -> None:
        loop = AppLoop()
        terminal = Terminal(loop)
        super().__init__(
            load_themes()["dark"],
            loop,
            terminal,
            Leaving(terminal),
            can=from_environment(os.environ),
            colours=depth(os.environ),
        )
        self.surface = self.sample = Sample(self)
        self.breaks = False
        self._show, self.wire.show = self.wire.show, self.shows  # type: ignore[method-assign]

    def shows(self, rows: Sequence[CellRow]) -> None:
        if self.breaks:
            self.breaks = False
            raise ValueError("told to fail")
        self._show(rows)
