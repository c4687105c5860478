"""No pane moves because the cursor does: a key that only looks around leaves log and track in place."""

from __future__ import annotations

import pytest

from tests.rendering import desk_of
from tests.samples import NAMES
from tui.ui.text.press import Press

LOOKING = (
    "tab", "down", "down", "right", "left", "up", "tab", "down", "tab", "down", "shift+tab", "pagedown",
    "home",
)  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (100, 30)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("name", NAMES)
def test_looking_around_moves_no_pane(name: str, size: tuple[int, int]) -> None:
    desk = desk_of(name)
    before = desk.boxes(*size)
    for key in LOOKING:
        desk.press(Press(key))
        desk.rest()
        boxes = desk.boxes(*size)
        for part in ("track", "log", "card", "now"):
            if part in before and part in boxes:
                assert (part, boxes[part].x, boxes[part].y) == (part, before[part].x, before[part].y), key
