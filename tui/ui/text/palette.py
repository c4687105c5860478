"""A theme: a colour and a text style for every role."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Role = Literal[
    "background", "text", "muted",
    "acting", "may", "waits", "acted", "barred", "down", "hidden", "alarm", "concentration", "condition",
    "side-1", "side-2", "side-3", "side-4", "side-5", "side-6",
    "hp-good", "hp-mid", "hp-low",
    "ok", "warning", "error",
    "hint", "key", "title", "dice", "focus",
    "current", "current-text", "selected",
]  # fmt: skip
"""The meaning of a colour.

Each is a text colour on `background`; `current` is the background of `current-text`.
"""

ROLES: tuple[Role, ...] = get_args(Role)
SIDES: tuple[Role, ...] = ("side-1", "side-2", "side-3", "side-4", "side-5", "side-6")
ANSI_NAMES = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow",
    "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    "default",
)  # fmt: skip
"""The terminal's 16 colours by the names that themes use; `default` is its own background or text."""

TEXT_STYLES = ("bold", "italic", "underline", "strike", "reverse")
"""Text styles that themes may use; `dim` is missing because its contrast differs between terminals."""


class Palette(Struct, frozen=True):
    """A theme: a colour for each of `ROLES`, and text styles for some."""

    name: str
    title: str
    dark: bool
    ansi: bool
    """Whether `colors` holds `ANSI_NAMES` instead of "#rrggbb"."""
    colors: dict[Role, str]
    styles: dict[Role, str]
    """Words of `TEXT_STYLES` by role."""


def side_role(number: int) -> Role:
    """Return the role of a side by its number from 0; a seventh side has the first one's."""
    return SIDES[number % len(SIDES)]
