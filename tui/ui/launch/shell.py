"""The screen, wired up: theme, keys, services, guardian. The first picture stands before Textual is loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tui.store.problems import BadFile
from tui.ui.keys.services import Settings
from tui.ui.launch.colours import choose, usual
from tui.ui.launch.config import folder
from tui.ui.launch.entry import Launch
from tui.ui.launch.first_picture import paint_first_picture
from tui.ui.launch.stage import Stage
from tui.ui.launch.theming import Themes, load_themes, read_theme, shipped_folder
from tui.ui.launch.wardrobe import Closet
from tui.ui.screen.display import Display
from tui.ui.screen.leaving import Leaving
from tui.ui.state.commands import with_keys
from tui.ui.state.glyphs import ASCII, UNICODE, Glyphs, spoken
from tui.ui.state.palette import Palette
from tui.ui.terminal.guardian import guarding
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.colours import depth


def themes() -> Themes:
    """The shipped themes and the user's own, which go first."""
    return load_themes([shipped_folder(), os.path.join(folder(), "themes")])


def run(launch: Launch, first: Callable[[Stage], None], *, welcome: bool = False) -> int:
    """Shows what `first` opens, and whatever the user opens after it; the exit code."""
    palette, faults = _palette(launch)
    bell = bool(launch.args.bell or launch.config.bell)
    settings = Settings(
        with_keys(launch.config.keys), _glyphs(launch), launch.config.masked, bell, launch.config.turn_limit
    )
    loop = AppLoop()
    terminal = Terminal(loop)
    display = Display(
        palette,
        loop,
        terminal,
        Leaving(terminal),
        can=from_environment(os.environ),
        colours=depth(os.environ),
    )
    stage = Stage(launch, display, settings, Closet(display, themes, palette), welcome=welcome)
    try:
        first(stage)
        if faults:
            display.surface.say("; ".join(faults))
        with guarding(display.leaving):
            return _play(display, settings, stock_output=launch.args.stock_output)
    finally:
        # After the screen is gone, when nobody waits for it.
        stage.close()


def _play(display: Display, settings: Settings, *, stock_output: bool) -> int:
    """Run the app on a display until it is left, and return the exit code."""
    try:
        pictured = () if stock_output else paint_first_picture(display)
        with _colours_settled():
            # Not before: the first picture does not wait for Textual.
            from tui.ui.app.app import TocsinApp

            app = TocsinApp(display, settings.commands, pictured=pictured, stock_output=stock_output)
        app.run(mouse=False)
        # Raised only now, with the terminal given back, so that its one line can be read.
        if app.failure:
            raise app.failure
        return app.return_code or 0
    finally:
        display.terminal.give_back()
        display.terminal.close()


@contextmanager
def _colours_settled() -> Iterator[None]:
    """Hide NO_COLOR, which is settled by the theme: Textual and Rich would take colours from it again."""
    asked = os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if asked is not None:
            os.environ["NO_COLOR"] = asked


def _glyphs(launch: Launch) -> Glyphs:
    """The signs that the terminal and the user can read."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    utf8 = "utf" in locale.lower()
    # The Linux console has no glyphs for most of ours, whatever its locale says.
    ascii_only = launch.args.ascii or launch.config.ascii or not utf8 or os.environ.get("TERM") == "linux"
    glyphs = ASCII if ascii_only else UNICODE
    return spoken(glyphs) if launch.args.a11y or launch.config.a11y else glyphs


def _palette(launch: Launch) -> tuple[Palette, list[str]]:
    """The theme to show, and what is to be said about themes and settings."""
    colourless, few = "NO_COLOR" in os.environ, depth(os.environ) == "16"
    asked, configured = launch.args.theme, launch.config.theme
    wanted = asked or ("" if colourless else configured) or usual(few=few, colourless=colourless)
    own = os.path.isdir(os.path.join(folder(), "themes"))
    # Ours are without fault and need not all be read; whoever has themes of their own is told of theirs.
    if not own and (found := _shipped(wanted)) is not None and (found.ansi or not few):
        return found, [*launch.config.faults]
    every = themes()
    palette, faults = choose(every, asked, configured, few=few, colourless=colourless)
    return palette, [*launch.config.faults, *(str(error) for error in every.failed), *faults]


def _shipped(name: str) -> Palette | None:
    """A theme of ours, None where there is none that can be read."""
    try:
        return (
            read_theme(os.path.join(shipped_folder(), f"{name}.toml"))
            if name.replace("-", "_").isidentifier()
            else None
        )
    except BadFile:
        return None
