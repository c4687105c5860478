"""A step and its *saved* mark in one frame, the mark never ahead of the disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import pytest
from textual import events
from textual.pilot import Pilot

from tui.ui.app.app import TocsinApp
from tui.ui.desk.ports import Surface
from tui.ui.screen import Display
from tui.ui.settings.themes import load_themes
from tui.ui.state.layout import Part
from tui.ui.terminal.guardian import Leaving
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row
from tui.ui.wire.grid import CellRow

PALETTE = load_themes()["dark"]


class Slip(Surface):
    """A surface whose every `n` is a step, which a disk confirms when it is told to."""

    def __init__(self) -> None:
        self.steps = self.durable = self.draws = 0
        self.changed: Callable[[], None] = lambda: None

    @property
    def settled(self) -> bool:
        return self.durable == self.steps

    def press(self, press: Press) -> None:
        if press.key == "n":
            self.steps += 1
            self.changed()

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        return {"now": Box(0, 0, width, 2), "hints": Box(0, 2, width, 1), "over": Box(0, 3, width, 1)}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        self.draws += 1
        said: Row = ((f"step {self.steps} {'saved' if self.settled else ''}", "text"),)
        return {part: [said] * box.height for part, box in boxes.items()}


class Shown(TocsinApp):
    """An app whose frames are kept as texts instead of being sent."""

    def __init__(self, slip: Slip) -> None:
        loop = AppLoop()
        terminal = Terminal(loop)
        display = Display(PALETTE, loop, terminal, Leaving(terminal))
        display.turn_to(slip)
        slip.changed = display.redraw_soon
        display.wire.show = self.keep  # type: ignore[method-assign]
        self.frames: list[list[str]] = []
        super().__init__(display)

    @property
    def is_headless(self) -> bool:
        """As if there were a terminal."""
        return False

    def on_mount(self) -> None:
        super().on_mount()
        self.started()

    def keep(self, rows: Sequence[CellRow]) -> None:
        frame = ["".join(cell or "" for cell in row.texts).rstrip() for row in rows[:4]]
        if self.frames[-1:] != [frame]:
            self.frames.append(frame)

    @property
    def later(self) -> list[list[str]]:
        """The frames since the first key: at the start there may be one of each size on the way."""
        return [frame for frame in self.frames if frame != all_say("step 0 saved")]


@pytest.fixture
def slip(monkeypatch: pytest.MonkeyPatch) -> Slip:
    monkeypatch.setattr("tui.ui.app.app.REST_SECONDS", 60)
    monkeypatch.setattr("tui.ui.app.app.SYNC_SECONDS", 60)
    return Slip()


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for something that the app does; a busy machine may take its time."""
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        await pilot.pause(0.01)


def all_say(text: str) -> list[str]:
    return [text] * 4


async def test_a_step_that_the_disk_confirms_in_time_is_one_frame(slip: Slip) -> None:
    app = Shown(slip)
    async with app.run_test(size=(20, 4)) as pilot:
        await until(pilot, lambda: bool(app.frames))
        app.post_message(events.Key("n", "n"))
        await until(pilot, lambda: slip.steps == 1)
        assert app.later == []
        slip.durable = 1
        app.shown.refresh_soon()
        await until(pilot, lambda: bool(app.later))
        assert app.later == [all_say("step 1 saved")]


async def test_a_step_that_the_disk_confirms_late_is_shown_in_time_and_its_mark_follows(
    slip: Slip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.ui.app.app.SYNC_SECONDS", 0.02)
    app = Shown(slip)
    async with app.run_test(size=(20, 4)) as pilot:
        await until(pilot, lambda: bool(app.frames))
        app.post_message(events.Key("n", "n"))
        await until(pilot, lambda: bool(app.later))
        assert app.later == [all_say("step 1")]
        slip.durable = 1
        app.shown.refresh_soon()
        await until(pilot, lambda: len(app.later) > 1)
        assert app.later == [all_say("step 1"), all_say("step 1 saved")]


async def test_held_keys_are_drawn_however_slow_the_disk_is_and_no_mark_is_ahead_of_it(
    slip: Slip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.ui.app.app.SYNC_SECONDS", 0.02)
    app = Shown(slip)
    async with app.run_test(size=(20, 4)) as pilot:
        await until(pilot, lambda: bool(app.frames))
        for _ in range(10):
            app.post_message(events.Key("n", "n"))
            await pilot.pause(0.04)
        assert len(app.later) >= 3
        assert not any("saved" in line for frame in app.later for line in frame)


@pytest.mark.parametrize("keys", [1, 9])
async def test_every_frame_is_whole_and_keys_that_come_together_are_one(slip: Slip, keys: int) -> None:
    app = Shown(slip)
    async with app.run_test(size=(20, 4)) as pilot:
        await until(pilot, lambda: app.frames[-1:] == [all_say("step 0 saved")])
        slip.durable = keys
        for _ in range(keys):
            app.post_message(events.Key("n", "n"))
        await until(pilot, lambda: bool(app.later))
        assert app.later == [all_say(f"step {keys} saved")]


class Wandering(Slip):
    """A surface whose every `n` takes one of its parts away, or brings it back.

    Where the others stand depends on the size.
    """

    @property
    def settled(self) -> bool:
        return True

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        top: dict[Part, Box] = {} if self.steps % 2 else {"over": Box(0, 0, width, 1)}
        rest = height - len(top)
        return {**top, "now": Box(0, len(top), width, rest - 1), "hints": Box(0, height - 1, width, 1)}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        shown: Mapping[Part, list[Row]] = super().draw(boxes)
        place = {part: f" {part} {box.width}x{box.height}" for part, box in boxes.items()}
        return {part: [((f"{self.steps}{place[part]}", "text"),)] * len(rows) for part, rows in shown.items()}

    def whole(self, width: int, height: int) -> list[str]:
        boxes = self.boxes(width, height)
        drawn = self.draw(boxes)
        rows = [drawn[part][0][0][0] for part in boxes for _ in range(boxes[part].height)]
        return [row[:width].rstrip() for row in rows[:4]]


@pytest.fixture
def wandering(monkeypatch: pytest.MonkeyPatch) -> Wandering:
    """Parts that come and go, and nothing that sends a frame which is not whole."""
    monkeypatch.setattr("tui.ui.app.wired.INCOMPLETE_SECONDS", 60)
    return Wandering()


async def test_no_frame_waits_for_a_part_that_has_gone(wandering: Wandering) -> None:
    app = Shown(wandering)
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.pause(0.1)
        for _ in range(4):
            app.frames.clear()
            app.post_message(events.Key("n", "n"))
            await pilot.pause(0.2)
            assert app.frames == [wandering.whole(20, 4)]


async def test_every_frame_after_a_resize_is_whole(wandering: Wandering) -> None:
    app = Shown(wandering)
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.pause(0.1)
        for width, height in ((30, 6), (12, 3), (40, 9), (20, 4)):
            app.frames.clear()
            await pilot.resize_terminal(width, height)
            await pilot.pause(0.2)
            assert app.frames == [wandering.whole(width, height)]
