"""Which theme is shown: what is asked for, as far as the terminal has the colours for it."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.ui.launch.theming import Themes
from tui.ui.state.palette import Palette

MONO, SIXTEEN, USUAL = "mono", "ansi16", "dark"


def usual(*, few: bool, colourless: bool) -> str:
    """The theme of who has asked for none."""
    return MONO if colourless else SIXTEEN if few else USUAL


def choose(
    found: Themes, asked: str, configured: str, *, few: bool, colourless: bool
) -> tuple[Palette, list[str]]:
    """The theme to show, and what is to be said about it. Raises RuleError when there is none at all.

    `asked` on the command line goes before NO_COLOR (`colourless`), and that before what is `configured`. With
    `few` colours only themes in the terminal's own are shown: in others texts would fade into their ground.
    """
    default = usual(few=few, colourless=colourless)
    wanted, faults = asked or ("" if colourless else configured) or default, []
    if wanted not in found.loaded:
        faults.append(f"there is no theme {wanted}; there are: {', '.join(found.loaded)}")
        wanted = default
    if few and wanted in found.loaded and not found.loaded[wanted].ansi:
        faults.append(f"{wanted} needs 256 colours, and this terminal has 16: {SIXTEEN} is shown")
        wanted = SIXTEEN
    if not found.loaded:
        raise RuleError("no theme can be read", "; ".join(faults))
    return found.loaded.get(wanted) or next(iter(found.loaded.values())), faults
