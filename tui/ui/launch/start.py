"""Start the screen from the arguments of a call: of the program alone, of `serve`, of `view`."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final

from tui.core.base.errors import RuleError
from tui.core.base.listening import LOOPBACK
from tui.core.base.text import clean_name
from tui.core.fight.viewer import viewer_of
from tui.core.rules.creature_fields import EVERYBODY
from tui.core.rules.system import Systems
from tui.store.addresses import is_served, is_valid, read_kept
from tui.store.problems import quote_for_shells, quote_save
from tui.store.saves import find_save_path, save_name, saves_folder
from tui.store.script import play_sample
from tui.store.shelf import copy_sample
from tui.store.sources import make_dice, utc_now
from tui.ui.launch.fights import Launch
from tui.ui.launch.services import FileThemes
from tui.ui.launch.stage import Navigator
from tui.ui.screen import Display, RolePens, paint
from tui.ui.settings.config import called_with, folder, load
from tui.ui.settings.themes import choose, load_themes
from tui.ui.state.commands import Command
from tui.ui.terminal.environment import explain_unusable, prepare_environment
from tui.ui.terminal.guardian import HANG_UP_ERRORS, Leaving, guard, say_why
from tui.ui.terminal.input_parser import HungUp, Key, Pasted, Resized, keys
from tui.ui.terminal.input_thread import News
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.press import Press
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import depth

LATER: Final = (
    "tui.ui.desk.board", "asyncio", "rich.console", "textual", "textual.widget", "textual.command",
    "textual.app", "tui.ui.app.app",
)  # fmt: skip
"""Modules with which keys and Textual are loaded in pieces of about the same length."""

DRAWN_SECONDS: Final = 0.02
"""How long the terminal may take to draw the first picture, in seconds."""


class FirstPictures:
    """Shows a display and handles keys until the app does, so that neither waits for Textual."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._due = False
        self.rows: Sequence[CellRow] = ()
        """The cells on the screen, with which the app continues."""

    def show(self) -> None:
        """Take the terminal, show the first picture, and load what comes later; between modules handle keys.

        Do nothing if the shell keeps this process in the background: then the app takes the terminal.
        """
        display, terminal = self._display, self._display.terminal
        if not terminal.take(lambda report: self._hear(report, display.loop.now())):
            return
        self._paint(display.wire.show_at_once)
        terminal.input_thread.listener = self._hear
        # On one core Textual would delay the terminal, which draws the picture now.
        time.sleep(DRAWN_SECONDS)
        for module in LATER:
            while terminal.input_thread.has_news:
                terminal.input_thread.hear()
                if display.leaving.code is not None:
                    return
                if self._due:
                    self._paint(display.wire.show)
            import_module(module)

    def _paint(self, show: Callable[[Sequence[CellRow]], None]) -> None:
        self._due = False
        display, surface = self._display, self._display.surface
        size = display.terminal.size()
        boxes = surface.boxes(*size)
        drawn = surface.draw(boxes)
        self.rows = paint(*size, boxes, drawn, RolePens(display.palette, display.colours))
        if surface.spoken:
            display.wire.point(*surface.point(boxes, drawn))
        try:
            show(self.rows)
        except Exception as error:  # noqa: BLE001
            # The app sends the whole screen.
            display.wire.distrust()
            display.output_failed(error)

    def _hear(self, news: News, when: float) -> None:
        """Handle a key, a paste, or a report of the terminal."""
        display = self._display
        match news:
            case Key(sequence):
                for name, char in keys(sequence):
                    # What a key means depends on the boxes, and the last key may have opened a fight.
                    display.surface.boxes(*display.terminal.size())
                    display.surface.press(Press(name, char))
            case Pasted(text, dropped):
                display.surface.take_paste(text, dropped)
            case HungUp():
                display.leaving.leave(HANG_UP_ERRORS)
            case _:
                display.wire.hear(news, when)
        self._due |= isinstance(news, Key | Pasted | Resized)


def run_screen(launch: Launch, first: Callable[[Navigator], None], *, welcome: bool = False) -> int:
    """Show what `first` opens, then what the user opens; return the exit code."""
    palette, faults = choose(
        launch.args.theme,
        launch.settings.theme,
        is_limited=depth(os.environ) == "16",
        colourless="NO_COLOR" in os.environ,
    )
    faults = [*launch.settings.faults, *faults]
    loop = AppLoop()
    terminal = Terminal(loop)
    display = Display(
        palette,
        loop,
        terminal,
        Leaving(terminal),
        can=from_environment(os.environ, ascii_only=launch.settings.ascii),
        colours=depth(os.environ),
    )
    stage = Navigator(launch, display, FileThemes(display, palette), welcome=welcome)
    try:
        first(stage)
        if faults:
            display.surface.notify("; ".join(faults))
        with guard(display.leaving):
            code = _run_app(display, launch.settings.commands, stock_output=launch.args.stock_output)
        say_why(code)
        return code
    finally:
        # After the screen is gone, when no one waits for it.
        stage.close()


def _run_app(display: Display, commands: tuple[Command, ...], *, stock_output: bool) -> int:
    """Run the app on a display until it is left, and return the exit code."""
    try:
        first = FirstPictures(display)
        with _hide_from_textual():
            if not stock_output:
                first.show()
            if display.leaving.code is not None:
                return display.leaving.code
            from tui.ui.app.app import TocsinApp

            app = TocsinApp(display, commands, pictured=first.rows, stock_output=stock_output)
        # What was loaded stays; looking through it took 40 ms.
        gc.freeze()
        gc.enable()
        app.run(mouse=False)
        # Raised only now, with the terminal given back, so that its one line can be read.
        if app.failure:
            raise app.failure
        return app.return_code or 0
    finally:
        display.terminal.give_back()
        display.terminal.close()


@contextmanager
def _hide_from_textual() -> Iterator[None]:
    """Hide NO_COLOR, because our theme applies it already, and ssl, without which asyncio needs 4 MB less."""
    modules: dict[str, Any] = sys.modules
    ssl, no_color = modules.setdefault("ssl", None), os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if ssl is None:
            del modules["ssl"]
        if no_color is not None:
            os.environ["NO_COLOR"] = no_color


def start_screen(args: argparse.Namespace, systems: Systems) -> int:
    """Open the screen; return the exit code. Raises errors that the command line turns into complaints."""
    if why_not := explain_unusable():
        raise RuleError(why_not, "`tocsin do SAVE -` takes lines")
    settings = called_with(load(folder()), args, os.environ)
    launch = Launch(args, systems, settings, make_dice(args.seed))
    if args.sample:
        args.save = play_sample(args.sample, saves_folder(args.saves), systems, utc_now)
    # Before Textual is imported, which reads these variables only once.
    prepare_environment(os.environ)
    configured = os.path.lexists(os.path.join(folder(), "config.toml"))
    return run_screen(launch, partial(_show_first, launch), welcome=not configured)


def _show_first(launch: Launch, stage: Navigator) -> None:
    """Show the lesson or save named in the call, else the start screen."""
    args = launch.args
    if args.tutor is not None:
        stage.lesson(args.tutor or launch.systems.ids()[0])
        return
    if not args.save:
        stage.home()
        return
    path = copy_sample(find_save_path(args.save, launch.saves), launch.saves)
    if not os.path.lexists(path):
        stage.home(args.save)
        return
    stage.open_first(path)


def list_themes() -> Iterable[tuple[str, str]]:
    """Return name and title of each theme."""
    return ((p.name, p.title) for p in load_themes().values())


def serve(args: argparse.Namespace, systems: Systems) -> int:
    """Run the call; return the exit code. Raises BadName, BadFile, RuleError, OSError."""
    path = find_save_path(args.save, args.saves)
    if args.addresses:
        return _print_addresses(path)
    if args.new and is_served(path):
        raise RuleError(
            f"{save_name(path)} is served already", "`:serve new` on its screen ends its addresses"
        )
    if why_not := explain_unusable():
        folder = ("--saves", args.saves) if args.saves else ()
        words = quote_for_shells(["tocsin", "do", args.save, *folder, "-"])
        hint = f"`{words} --serve ADDRESS:PORT` serves without a screen"
        raise RuleError(why_not, hint)
    args.serve = args.listen or (LOOPBACK, None)
    args.viewers = [clean_name(name) for name in args.viewers]
    # What a call without a command would have.
    usual = {"a11y": False, "stock_output": False, "ascii": False, "bell": False}
    for name, value in {**usual, "tutor": None, "sample": None}.items():
        setattr(args, name, value)
    return start_screen(args, systems)


def _print_addresses(path: str) -> int:
    """Print the name and the address of each viewer. Raises RuleError if nobody serves the fight."""
    kept, name = read_kept(path), save_name(path)
    if not is_served(path) or not is_valid(kept, path):
        raise RuleError(f"nobody serves {name}", f"`tocsin serve {quote_save(path)}` does")
    names = {low: kept.names.get(low) or low or EVERYBODY for low in kept.keys}
    width = max(map(len, names.values()))
    for low, key in kept.keys.items():
        sys.stdout.write(f"{names[low]:<{width}}  {kept.url}{key}\n")
    sys.stdout.flush()
    return 0


def run_view(args: argparse.Namespace, systems: Systems) -> int:
    """Show a fight to a viewer until they leave; return the exit code. Raises BadName, RuleError."""
    if why_not := explain_unusable():
        words = quote_for_shells(["show", args.save, *(["--as", args.viewer] if args.viewer else [])])
        raise RuleError(why_not, f"`tocsin {words}` prints it")
    path = find_save_path(args.save, args.saves)
    settings = called_with(load(folder()), args, os.environ)
    prepare_environment(os.environ)
    # What a call without a command would have.
    args.tutor, args.stock_output = None, False
    launch = Launch(args, systems, settings, make_dice(None), viewing=True)
    return run_screen(launch, lambda stage: stage.view(path, viewer_of(args.viewer or "")))
