"""What the process environment says about the terminal, settled before Textual is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import Final

QUIET: Final = {
    "TEXTUAL_ANIMATIONS": "none",
    "TEXTUAL_DISABLE_KITTY_KEY": "1",
    "TEXTUAL_SMOOTH_SCROLL": "0",
}
"""Textual's switches for everything that moves by itself or reports more than keys."""

TRUE_COLOUR: Final = ("kitty", "alacritty", "foot", "wezterm", "ghostty", "contour", "direct")
"""Parts of TERM that promise true colour where COLORTERM was lost on the way, as ssh loses it."""

ESCAPE_FAR, ESCAPE_NEAR = "300", "50"
"""Milliseconds after which a lone escape is the key: an arrow's bytes may arrive apart over a network."""


def remote(environ: Mapping[str, str]) -> bool:
    """Return whether the terminal is at the other end of an SSH line."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


def prepare_environment(environ: MutableMapping[str, str]) -> None:
    """Set what Textual and Rich read while they are imported; what the user has set stays.

    An empty NO_COLOR means colours (no-color.org), but Textual asks only whether it is there.
    """
    # Textual ends with an error where a variable of its own holds what it does not know.
    for name in [name for name in environ if name.startswith("TEXTUAL_") and name not in QUIET]:
        del environ[name]
    for name, value in QUIET.items():
        environ.setdefault(name, value)
    # Over a network longer: an arrow split in two would else become escape, `[` and `A`, three commands.
    environ.setdefault("ESCDELAY", ESCAPE_FAR if remote(environ) else ESCAPE_NEAR)
    if environ.get("NO_COLOR") == "":
        del environ["NO_COLOR"]
    if not environ.get("COLORTERM") and any(part in environ.get("TERM", "") for part in TRUE_COLOUR):
        environ["COLORTERM"] = "truecolor"


def escape_delay(environ: Mapping[str, str]) -> float:
    """Return seconds after which a lone escape is the key."""
    text = environ.get("ESCDELAY", ESCAPE_NEAR)
    return max(1, int(text) if text.isdecimal() else int(ESCAPE_NEAR)) / 1000


def usable() -> str:
    """Return why the screen cannot be opened here, or "". Textual reads stdin and draws on stderr."""
    for stream, number in (("standard input", 0), ("standard error", 2)):
        if not os.isatty(number):
            return f"the screen needs a terminal, and {stream} is not one"
    if os.environ.get("TERM", "dumb") == "dumb":
        return "the screen needs a terminal that can move its cursor, and TERM says it cannot"
    return "" if sys.__stderr__ and sys.__stdin__ else "the screen needs standard input and standard error"
