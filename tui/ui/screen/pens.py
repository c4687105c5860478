"""The pen of every role, from a theme and the colours of the terminal."""

from __future__ import annotations

from tui.ui.state.palette import ROLES, Palette, Role
from tui.ui.wire.colours import Depth, code
from tui.ui.wire.pens import Pen

BITS = {"bold": 1 << 0, "italic": 1 << 2, "underline": 1 << 3, "reverse": 1 << 6, "strike": 1 << 8}
"""The attribute of each of the theme's `TEXT_STYLES`, as pens number them."""


class RolePens:
    """Pens by role. Every pen names its ground, so that a screen drawn with them has one."""

    def __init__(self, palette: Palette, colours: Depth = "truecolor") -> None:
        self.by_role = {role: _pen(palette, role, colours) for role in ROLES}


def _pen(palette: Palette, role: Role, colours: Depth) -> Pen:
    words, front, ground = palette.styles.get(role, ""), palette.colors[role], palette.colors["background"]
    if role in ("current", "current-text"):
        words = f"{words} {palette.styles.get('current', '')}"
        front, ground = palette.colors["current-text"], palette.colors["current"]
    attributes = 0
    for word in words.split():
        attributes |= BITS[word]
    return Pen(code(front, colours, ground=False), code(ground, colours, ground=True), attributes)
