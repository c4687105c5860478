"""A wire with an emulator at its end."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from tests.kit.emulator import Terminal
from tests.ui.wire.painter import Painter, Pens, Picture
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.wire import ASK, Wire

WIDTH, HEIGHT = 40, 6


@dataclass(order=True)
class Alarm:
    when: float
    call: Callable[[], None] = field(compare=False)
    off: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.off = True


class Line:
    """A line of so many bytes a second, each way taking half of `trip` seconds; `deaf`: nobody answers."""

    def __init__(self, speed: float, trip: float, *, deaf: bool = False) -> None:
        self.speed, self.trip, self.deaf = speed, trip, deaf
        self.time, self.idle_at, self.sent = 0.0, 0.0, 0
        self.terminal = Terminal(WIDTH, HEIGHT)
        self.alarms: list[Alarm] = []
        self.waiting: list[tuple[float, int]] = []
        self.answer: Callable[[], None] = lambda: None

    def write(self, data: str) -> None:
        self.sent += len(data.encode())
        self.idle_at = max(self.time, self.idle_at) + len(data.encode()) / self.speed
        arrives = self.idle_at + self.trip / 2
        self.waiting.append((arrives, len(data.encode())))
        self.at(arrives, lambda: self.terminal.feed(data))
        if data.endswith(ASK) and not self.deaf:
            self.at(arrives + self.trip / 2, self.answer)

    def busy(self) -> bool:
        return False

    def now(self) -> float:
        return self.time

    def later(self, delay: float, call: Callable[[], None]) -> Alarm:
        return self.at(self.time + delay, call)

    def at(self, when: float, call: Callable[[], None]) -> Alarm:
        alarm = Alarm(when, call)
        heapq.heappush(self.alarms, alarm)
        return alarm

    def run(self, until: float) -> None:
        while self.alarms and self.alarms[0].when <= until:
            alarm = heapq.heappop(self.alarms)
            self.time = max(self.time, alarm.when)
            if not alarm.off:
                alarm.call()
        self.time = max(self.time, until)

    def underway(self) -> int:
        return sum(size for arrives, size in self.waiting if arrives > self.time)

    def timers(self) -> int:
        return sum(not alarm.off for alarm in self.alarms)


PAINTER = Painter(Pens(ColorSystem.TRUECOLOR))


def opened(line: Line) -> Wire:
    wire = Wire(line, Abilities(erases_in_colour=True, scrolls=True))
    line.answer = wire.answered
    line.write(ASK)  # the driver asks at the start
    wire.open(linefeed=True)
    return wire


def draw(wire: Wire, texts: list[str]) -> None:
    strips = [
        [Strip([Segment(text[:WIDTH].ljust(WIDTH), Style(bold=i % 2 == 0))], WIDTH)]
        for i, text in enumerate(texts)
    ]
    picture = Picture(WIDTH, HEIGHT)
    PAINTER.paint(picture, LayoutUpdate(strips, Region(0, 0, WIDTH, HEIGHT)))  # type: ignore[arg-type]
    wire.show(picture.rows)


def shown(line: Line) -> list[str]:
    return [text.rstrip() for text in line.terminal.lines_of_text()]
