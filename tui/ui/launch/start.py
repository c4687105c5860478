"""Start the screen from the arguments of a call, or plain lines where there is no terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from tui.core.base.errors import RuleError
from tui.core.rules.system import Systems
from tui.store.opening import create, sample
from tui.store.players.broadcast import Broadcast
from tui.store.problems import BadFile
from tui.store.saves import listed, name_of, place, saves_folder
from tui.store.script import play
from tui.store.seats.inbox_thread import Porter
from tui.store.session import open_session
from tui.store.shelf import brief
from tui.store.sources import FairDice, SeededDice, utc_now
from tui.ui.desk.ports import Settings
from tui.ui.launch import plain
from tui.ui.launch.fights import Launch
from tui.ui.launch.first_picture import paint_first_picture
from tui.ui.launch.plain import Talk, converse
from tui.ui.launch.stage import Stage
from tui.ui.launch.theme_service import Closet
from tui.ui.screen.display import Display
from tui.ui.settings.config import folder, load
from tui.ui.settings.themes import Themes, choose, load_themes, read_theme, shipped_folder, usual
from tui.ui.state.commands import with_keys
from tui.ui.terminal.environment import prepare_environment, usable
from tui.ui.terminal.guardian import Leaving, guarding
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.glyphs import ASCII, UNICODE, Glyphs, spoken
from tui.ui.text.palette import Palette
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.pens import depth


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


def start(args: argparse.Namespace, systems: Systems) -> int:
    """Opens the screen, or plain lines; the exit code. Raises what the command line turns into complaints."""
    config = load(folder())
    launch = Launch(args, systems, config, FairDice() if args.seed is None else SeededDice(args.seed))
    if args.sample:
        args.save = play(args.sample, saves_folder(args.saves), systems, utc_now)
    why_not = "" if args.plain else usable()
    if args.tutor is not None and (args.plain or why_not):
        raise RuleError(why_not or "a lesson is played on the screen", "`tocsin --tutor` without --plain")
    if args.plain or why_not:
        return _plain(launch, why_not)
    # Before Textual is imported, which reads these variables only once.
    prepare_environment(os.environ)
    return _screen(launch)


def _plain(launch: Launch, why: str) -> int:
    """The fight in lines; which fight is asked in lines as well, where there is somebody to ask."""
    save = launch.args.save
    if sys.stdin is None:
        raise RuleError("plain mode reads lines, and standard input is closed", "`tocsin do SAVE LINE…`")
    if not save and (why or not (sys.stdin.isatty() and sys.stdout.isatty())):
        raise RuleError(why or "plain mode takes the name of a save", "`tocsin SAVE --plain`")
    path = _asked(launch, save)
    if not path:
        return 0
    session = open_session(path, launch.saves, launch.systems, launch.dice, how="inline")
    for remark in session.remarks:
        print(remark, file=sys.stderr)  # noqa: T201
    talk = Talk(session.store, sys.stdout)
    players = Broadcast(path)
    settle = partial(talk.settled, session.writer.wait)
    seats = Porter(session, talk.heard, partial(print, file=sys.stderr), settle)
    try:
        return converse(session.store, session.writer.wait, sys.stdin, talk)
    finally:
        seats.close()
        players.close()
        session.close()


def _asked(launch: Launch, save: str) -> str:
    """The path of the save to open, made if it is wanted; "" to leave. Somebody is asked only at a terminal."""
    console = plain.terminal()
    if not save:
        there = saves_folder(launch.saves)
        found = listed(there)[: plain.MOST]
        save = plain.choose(console, found, [brief(one.path, launch.systems) for one in found], there)
    if not save:
        return ""
    path = sample(place(save, launch.saves), launch.saves)
    if not os.path.lexists(path) and sys.stdin.isatty():
        if not (system := plain.system(console, name_of(path), launch.systems)):
            return ""
        create(path, launch.saves, launch.systems, system, {})
    return path


def _screen(launch: Launch) -> int:
    configured = os.path.lexists(os.path.join(folder(), "config.toml"))
    return run(launch, partial(_first, launch), welcome=not configured)


def _first(launch: Launch, stage: Stage) -> None:
    """What is shown first: the lesson or the save that was asked for, else the start screen."""
    args = launch.args
    if args.tutor is not None:
        stage.lesson(args.tutor or launch.systems.ids()[0])
        return
    if not args.save:
        stage.home()
        return
    path = sample(place(args.save, launch.saves), launch.saves)
    if not os.path.lexists(path):
        stage.home(args.save)
        return
    stage.open_first(path)


def theme_table() -> Iterable[tuple[str, str]]:
    """The themes that load with their titles, then those that do not with the reason."""
    found = themes()
    yield from ((p.name, p.title) for p in found.loaded.values())
    yield from (("(not read)", str(error)) for error in found.failed)
