"""The display: a step and its *saved* mark in one frame, the mark never ahead of the disk, and no more draws than needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tui.ui.keys.surface import Blank
from tui.ui.launch.theming import load_themes, shipped_folder
from tui.ui.screen import display as module
from tui.ui.screen.display import Display
from tui.ui.screen.leaving import Leaving
from tui.ui.state.layout import Box, Part
from tui.ui.state.press import Press
from tui.ui.state.rows import Row
from tui.ui.terminal.loop import MainLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.wire.grid import CellRow

PALETTE = load_themes([shipped_folder()]).loaded["dark"]


class Slip(Blank):
    """A surface whose every key is a step, which a disk confirms when it is told to."""

    def __init__(self) -> None:
        self.steps = self.durable = self.draws = 0

    @property
    def settled(self) -> bool:  # type: ignore[override]
        return self.durable == self.steps

    def press(self, press: Press) -> None:
        if press.key == "n":
            self.steps += 1

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        return {"now": Box(0, 0, width, height)}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        del boxes
        self.draws += 1
        return {"now": [((f"step {self.steps} {'saved' if self.settled else ''}", "text"),)]}


class Shown:
    """A display whose frames are kept as texts."""

    def __init__(self) -> None:
        terminal = Terminal(MainLoop())
        self.loop, self.slip, self.frames = terminal.loop, Slip(), list[str]()
        self.display = Display(PALETTE, self.loop, terminal, Leaving(terminal))
        self.display.surface, self.display.output = self.slip, self.keep
        self.display.size = (20, 1)

    def keep(self, rows: Sequence[CellRow]) -> None:
        text = "".join(cell or "" for cell in rows[0].texts).rstrip()
        if self.frames[-1:] != [text]:
            self.frames.append(text)

    def press(self, key: str) -> None:
        self.display.press(Press(key))
        self.display.changed()  # as a store says when a line has run

    def confirm(self) -> None:
        """The disk has everything."""
        self.slip.durable = self.slip.steps
        self.display.synced()

    def run(self, seconds: float) -> None:
        ended: list[bool] = []
        self.loop.later(seconds, lambda: ended.append(True))
        self.loop.run(lambda: bool(ended))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    monkeypatch.setattr(module, "REST", 60)
    return Shown()


def test_a_step_that_the_disk_confirms_in_time_is_one_frame(shown: Shown) -> None:
    shown.press("n")
    assert shown.frames == []
    shown.loop.later(0.005, shown.confirm)
    shown.run(0.1)
    assert shown.frames == ["step 1 saved"]


def test_a_step_that_the_disk_confirms_late_is_shown_in_time_and_its_mark_follows(shown: Shown) -> None:
    shown.press("n")
    shown.run(0.05)
    assert shown.frames == ["step 1"]
    shown.confirm()
    shown.run(0.01)
    assert shown.frames == ["step 1", "step 1 saved"]


def test_held_keys_are_drawn_however_slow_the_disk_is(shown: Shown) -> None:
    for _ in range(10):
        shown.press("n")
        shown.run(0.01)
    assert 3 <= len(shown.frames) <= 10
    shown.confirm()
    shown.run(0.01)
    assert shown.frames[-1] == "step 10 saved"
    assert not any("saved" in frame for frame in shown.frames[:-1])


def test_a_key_that_is_no_step_is_drawn_at_once_and_once(shown: Shown) -> None:
    shown.press("j")
    assert shown.frames == ["step 0 saved"]
    shown.run(0.01)
    assert shown.slip.draws <= 2


def test_a_fault_is_told_and_drawn_again_and_one_that_comes_back_ends_in_other_hands() -> None:
    told, given_up = list[str](), list[bool]()
    terminal = Terminal(MainLoop())
    display = Display(PALETTE, terminal.loop, terminal, Leaving(terminal), complain=told.append)
    display.gave_up = lambda: given_up.append(True)
    fails = 1

    def output(rows: Sequence[CellRow]) -> None:
        del rows
        if len(told) < fails:
            raise ValueError("told to fail")

    display.output = output
    display.draw()
    display.loop.run(lambda: not display._due)
    assert told == ["the wire failed (ValueError: told to fail); the screen was drawn anew"]
    assert not given_up
    fails = 9
    display.draw()
    display.loop.run(lambda: bool(given_up))
    assert len(told) == module.PATIENCE
    assert display.failed
