"""Read the environment variables about the terminal, before Textual is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import Final

QUIET_VARIABLES: Final = {
    "TEXTUAL_ANIMATIONS": "none",
    "TEXTUAL_DISABLE_KITTY_KEY": "1",
    "TEXTUAL_SMOOTH_SCROLL": "0",
}
"""Textual's switches: no animations, no smooth scrolling, no kitty keyboard."""

TRUE_COLOUR: Final = ("kitty", "alacritty", "foot", "wezterm", "ghostty", "contour", "direct")
"""Parts of TERM that promise true colour even if COLORTERM is missing, as over SSH."""

ESCAPE_FAR, ESCAPE_DELAY = "300", "50"
"""Milliseconds after which a lone escape is a key, over a network and locally.

Over a network the bytes of an arrow key may arrive apart.
"""


def is_remote(environ: Mapping[str, str]) -> bool:
    """Return whether the terminal is connected over SSH."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


def prepare_environment(environ: MutableMapping[str, str]) -> None:
    """Set variables that Textual and Rich read at import; variables that the user has set stay.

    An empty NO_COLOR means colours (no-color.org), but Textual asks only whether it is set.
    """
    # Textual ends with an error if one of its variables has an unknown value.
    for name in [name for name in environ if name.startswith("TEXTUAL_") and name not in QUIET_VARIABLES]:
        del environ[name]
    for name, value in QUIET_VARIABLES.items():
        environ.setdefault(name, value)
    # Longer over a network: an arrow split in two would become escape, `[` and `A`, three commands.
    environ.setdefault("ESCDELAY", ESCAPE_FAR if is_remote(environ) else ESCAPE_DELAY)
    if environ.get("NO_COLOR") == "":
        del environ["NO_COLOR"]
    if not environ.get("COLORTERM") and any(part in environ.get("TERM", "") for part in TRUE_COLOUR):
        environ["COLORTERM"] = "truecolor"


def escape_delay(environ: Mapping[str, str]) -> float:
    """Return the seconds after which a lone escape is the key."""
    text = environ.get("ESCDELAY", ESCAPE_DELAY)
    return max(1, int(text) if text.isdecimal() else int(ESCAPE_DELAY)) / 1000


def explain_unusable() -> str:
    """Return why the screen cannot be opened, "" if it can. Textual reads stdin and draws on stderr."""
    for stream, number in (("standard input", 0), ("standard error", 2)):
        if not os.isatty(number):
            return f"the screen needs a terminal, and {stream} is not one"
    if os.environ.get("TERM", "dumb") == "dumb":
        return "the screen needs a terminal that can move its cursor, and TERM says it cannot"
    return ""
