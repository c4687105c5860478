"""What a theme says: a colour and a text style for every role."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Role = Literal[
    "background", "text", "muted",
    "acting", "may", "waits", "acted", "barred", "down", "hidden", "alarm", "concentration", "condition",
    "side-1", "side-2", "side-3", "side-4", "side-5", "side-6",
    "hp-good", "hp-mid", "hp-low",
    "ok", "warning", "error",
    "hint", "key", "title", "dice", "border", "focus",
    "current", "current-text", "selected",
]  # fmt: skip
"""What a colour stands for. All are text on `background`, but for `current`, the ground of `current-text`."""

ROLES: tuple[Role, ...] = get_args(Role)
SIDES: tuple[Role, ...] = ("side-1", "side-2", "side-3", "side-4", "side-5", "side-6")
ANSI_NAMES = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow",
    "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    "default",
)  # fmt: skip
"""The terminal's own colours, as a theme writes them; `default` is its own ground or its own text."""

TEXT_STYLES = ("bold", "italic", "underline", "strike", "reverse")
"""`dim` is not among them: what it does to a text's contrast is the terminal's secret."""


class Palette(Struct, frozen=True):
    """A theme as it was read: a colour for each of `ROLES`, and text styles for some.

    `colors` hold "#rrggbb", or names of `ANSI_NAMES` when `ansi`; `styles` hold words of `TEXT_STYLES`.
    """

    name: str
    title: str
    dark: bool
    ansi: bool
    colors: dict[Role, str]
    styles: dict[Role, str]


def side_role(number: int) -> Role:
    """Return the role of a side by its number from 0; after six they begin again."""
    return SIDES[number % len(SIDES)]
