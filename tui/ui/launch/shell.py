"""The screen, wired up: theme, keys, services, guardian. The first picture stands before Textual is loaded."""

from __future__ import annotations

import os
from collections.abc import Callable

from tui.ui.keys.services import Settings
from tui.ui.launch.colours import choose
from tui.ui.launch.config import folder
from tui.ui.launch.entry import Launch
from tui.ui.launch.running.playing import play
from tui.ui.launch.stage import Stage
from tui.ui.launch.theming import Themes, load_themes, shipped_folder
from tui.ui.launch.wardrobe import Closet
from tui.ui.screen.display import Display
from tui.ui.screen.leaving import Leaving
from tui.ui.state.commands import with_keys
from tui.ui.state.glyphs import ASCII, UNICODE, Glyphs, spoken
from tui.ui.state.palette import Palette
from tui.ui.terminal.guardian import guarding
from tui.ui.terminal.loop import MainLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.colours import depth


def themes() -> Themes:
    """The shipped themes and the user's own, which go first."""
    return load_themes([shipped_folder(), os.path.join(folder(), "themes")])


def run(launch: Launch, first: Callable[[Stage], None], *, welcome: bool = False) -> int:
    """Shows what `first` opens, and whatever the user opens after it; the exit code."""
    found = themes()
    palette, faults = _palette(launch, found)
    bell = bool(launch.args.bell or launch.config.bell)
    settings = Settings(
        with_keys(launch.config.keys), _glyphs(launch), launch.config.masked, bell, launch.config.turn_limit
    )
    loop = MainLoop()
    terminal = Terminal(loop)
    display = Display(
        palette, loop, terminal, Leaving(terminal), can=from_environment(os.environ), colours=depth(os.environ)
    )  # fmt: skip
    terminal.hearing.listener = display.take
    stage = Stage(launch, display, settings, Closet(display, found, palette), welcome=welcome)
    try:
        first(stage)
        if faults:
            display.surface.say("; ".join(faults))
        with guarding(display.leaving, launch.watchdog):
            return play(display, terminal, frugal=not launch.args.stock_output)
    finally:
        # After the screen is gone, when nobody waits for it.
        stage.close()


def _glyphs(launch: Launch) -> Glyphs:
    """The signs that the terminal and the user can read."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    utf8 = "utf" in locale.lower()
    # The Linux console has no glyphs for most of ours, whatever its locale says.
    ascii_only = launch.args.ascii or launch.config.ascii or not utf8 or os.environ.get("TERM") == "linux"
    glyphs = ASCII if ascii_only else UNICODE
    return spoken(glyphs) if launch.args.a11y or launch.config.a11y else glyphs


def _palette(launch: Launch, found: Themes) -> tuple[Palette, list[str]]:
    """The theme to show, and what is to be said about themes and settings."""
    colourless = "NO_COLOR" in os.environ
    palette, faults = choose(
        found, launch.args.theme, launch.config.theme, few=depth(os.environ) == "16", colourless=colourless
    )
    return palette, [*launch.config.faults, *(str(error) for error in found.failed), *faults]
