"""A step of the log, whole, and what going back to it would cost."""

from __future__ import annotations

from tui.ui.panes.titles import heading
from tui.ui.state.rows import Row, clip, filled, wrapped
from tui.ui.state.scene import Scene
from tui.ui.state.view import StepPage


def step_page(scene: Scene, reading: StepPage, width: int, height: int) -> list[Row]:
    """The title, the messages, and the lines that going there would undo or bring back."""
    rows: list[Row] = [((f" {row}", "text"),) for text in reading.texts for row in wrapped(text, width - 2)]
    if reading.after:
        rows += [(), ((f" {price(scene, reading)}:", "warning"),)]
        rows += [((f"  {line}", "muted"),) for line in reading.after]
    room = max(0, height - 1)
    top = max(0, min(reading.top, len(rows) - room))
    shown = rows[top : top + room]
    more = f"{top + 1}{scene.glyphs.range}{top + len(shown)} of {len(rows)}" if len(shown) < len(rows) else ""
    head = heading(scene, reading.title, width, more)
    return filled([head, *(clip(row, width, scene.glyphs.ellipsis) for row in shown)], height)


def price(scene: Scene, reading: StepPage) -> str:
    """`going back here undoes 6 steps`."""
    steps = abs(scene.step - reading.step)
    told = f"{steps} step{'s' * (steps != 1)}"
    return (
        f"going back here undoes {told}"
        if reading.step < scene.step
        else f"going on to here brings back {told}"
    )


def question(scene: Scene, reading: StepPage) -> str:
    """What is asked in the Now line."""
    told = price(scene, reading)
    return f"{told[0].upper()}{told[1:]}: [y] does it, any other key stays"
