"""What the terminal should show: a rectangle of cells that somebody else paints."""

from __future__ import annotations

from tui.ui.wire.grid import CellRow


class Picture:
    """A target of width x height cells. `whole` is False until all of it has been painted once."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [CellRow.filled(width) for _ in range(height)]
        self.whole = False
