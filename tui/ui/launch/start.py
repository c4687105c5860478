"""The launch in: from arguments to the running screen, or to plain lines where there is no terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from functools import partial

from tui.core.base.errors import RuleError
from tui.core.rules.system import Systems
from tui.store.opening import create, sample
from tui.store.players.broadcast import Broadcast
from tui.store.saves import listed, name_of, place, saves_folder
from tui.store.script import play
from tui.store.seats.inbox_thread import Porter
from tui.store.session import open_session
from tui.store.shelf import brief
from tui.store.sources import FairDice, SeededDice, utc_now
from tui.ui.launch import ask
from tui.ui.launch.config import folder, load
from tui.ui.launch.entry import Launch
from tui.ui.launch.plain import Talk, converse
from tui.ui.launch.shell import run, themes
from tui.ui.launch.stage import Stage
from tui.ui.terminal.environment import prepare_environment, usable


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
    console = ask.terminal()
    if not save:
        there = saves_folder(launch.saves)
        found = listed(there)[: ask.MOST]
        save = ask.choose(console, found, [brief(one.path, launch.systems) for one in found], there)
    if not save:
        return ""
    path = sample(place(save, launch.saves), launch.saves)
    if not os.path.lexists(path) and sys.stdin.isatty():
        if not (system := ask.system(console, name_of(path), launch.systems)):
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
