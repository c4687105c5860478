"""Keys with a thousand creatures beside the same keys with twenty, in process: from key to frame."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.benchmarks.bench_bytes import ABLE, SIZE
from tests.rendering import palette_of
from tests.table import Table
from tests.ui.keyboard import press_of
from tui.store.sources import SeededDice
from tui.ui.desk.desk import Desk
from tui.ui.text.paint import Canvas, RolePens
from tui.ui.wire.wire import Screen

KEYS = ("n", "n", "j", "j", "k") * 6


def timed(creatures: int) -> dict[str, float]:
    """Milliseconds of the processor for each of some keys, medians, in a classic fight of so many."""
    table = Table("classic", dice=SeededDice(1))
    table.do(f"add {creatures} Orc hp=50 mod=2", "begin", "roll")
    desk = Desk(table.store)
    canvas, screen = Canvas(RolePens(palette_of("dark", "truecolor"), "truecolor")), Screen()
    found: dict[str, list[float]] = {key: [] for key in KEYS}
    with _as_it_runs():
        for key in KEYS:
            begun = time.process_time()
            desk.press(press_of(key))
            boxes = desk.boxes(*SIZE)
            screen.frame(canvas.paint(*SIZE, boxes, desk.draw(boxes)), ABLE)
            found[key].append(1000 * (time.process_time() - begun))
    return {key: statistics.median(times) for key, times in found.items()}


@contextmanager
def _as_it_runs() -> Iterator[None]:
    """What stands at the start is left out of garbage collection, as the app does it."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
