"""The launch in: from arguments to the running screen, or to plain lines where there is no terminal."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterable

from msgspec.structs import replace

from tui.core.fight.errors import RuleError
from tui.core.rules.systems import Systems
from tui.store.clock import utc_now
from tui.store.dice import FairDice, SeededDice
from tui.store.lock import Busy, ReadOnly
from tui.store.making import create, sample
from tui.store.problems import NotSaved
from tui.store.saves import listed, name_of, place, saves_folder
from tui.store.script import play
from tui.store.session import Session, open_session
from tui.ui.launch import ask
from tui.ui.launch.config import folder, load
from tui.ui.launch.entry import DiskNews, Launch, NextLesson
from tui.ui.terminal.environment import prepare_environment, usable
from tui.ui.terminal.watchdog import watched


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
    # Forked here: no lock is open yet and no thread runs, so the child inherits neither.
    with watched() as watchdog:
        return _screen(replace(launch, watchdog=watchdog))


def _save(launch: Launch, console: ask.Console, following: NextLesson) -> str:
    """The path of the save to open, made if it is wanted; "" when a lesson comes first, or to leave."""
    save = launch.args.save or _chosen(launch, console, following)
    if not save:
        return ""
    path = sample(place(save, launch.saves), launch.saves)
    if not os.path.lexists(path):
        system = ask.system(console, name_of(path), launch.systems)
        if not system:
            return ""
        create(path, launch.saves, launch.systems, system, {})
    return path


def _chosen(launch: Launch, console: ask.Console, following: NextLesson) -> str:
    """From the picker; whoever is here for the first time is offered a lesson."""
    there = saves_folder(launch.saves)
    found = listed(there)
    if found or os.path.lexists(os.path.join(folder(), "config.toml")):
        return ask.choose(console, found, there)
    save = ask.first(console)
    if not save:
        following.lesson = launch.systems.ids()[0]
    return "" if save.lower() == "q" else save


def _plain(launch: Launch, why: str) -> int:
    from tui.ui.launch.plain import converse

    if not launch.args.save:
        raise RuleError(why or "plain mode takes the name of a save", "`tocsin SAVE --plain`")
    path = sample(place(launch.args.save, launch.saves), launch.saves)
    session = open_session(path, launch.saves, launch.systems, launch.dice, how="inline")
    for remark in session.remarks:
        print(remark, file=sys.stderr)  # noqa: T201
    try:
        return converse(session.store, session.writer.wait, sys.stdin, sys.stdout)
    finally:
        session.close()


def _screen(launch: Launch) -> int:
    """The save, or a lesson and then the save; until the user wants nothing more, or a signal ends it."""
    from tui.ui.launch.tutor import teach

    console, path, code = ask.terminal(), "", 0
    only = launch.args.tutor is not None
    following = NextLesson((launch.args.tutor or launch.systems.ids()[0]) if only else "")
    while not code:
        if following.lesson:
            code = teach(launch, following)
        elif only:
            break
        elif path := path or _save(launch, console, following):
            code = _open(launch, console, path, following)
            if not following.lesson:
                break
        elif not following.lesson:
            break
    return code


def _open(launch: Launch, console: ask.Console, path: str, following: NextLesson) -> int:
    # Until the first picture, when the app switches it on again: what is made stays, and looking through it 111 times
    # took 19 of 343 ms of the processor.
    gc.disable()
    news = DiskNews()
    try:
        session = open_session(path, launch.saves, launch.systems, launch.dice, listener=news.listener)
    except Busy as busy:
        return _taken(launch, console, path, busy, following)
    except (ReadOnly, NotSaved) as error:
        return _look_on(launch, path) if ask.shut(console, str(error)) else 3
    return _write(launch, session, news, following)


def _taken(launch: Launch, console: ask.Console, path: str, busy: Busy, following: NextLesson) -> int:
    from tui.store.lock import request_takeover

    choice = ask.busy(console, busy.message)
    if choice == "take":
        # Given back at once: the session takes the lock itself, in the one way there is.
        request_takeover(path).release()
        news = DiskNews()
        session = open_session(path, launch.saves, launch.systems, launch.dice, listener=news.listener)
        return _write(launch, session, news, following)
    return _look_on(launch, path) if choice == "look" else 0


def _look_on(launch: Launch, path: str) -> int:
    from tui.ui.textual.slim import slim

    with slim():
        from tui.ui.launch.looking import look_on
    return look_on(launch, path)


def _write(launch: Launch, session: Session, news: DiskNews, following: NextLesson) -> int:
    from tui.ui.textual.slim import slim

    with slim():
        from tui.ui.launch.shell import Running, run
    try:
        return run(launch, Running(session, session.store, news.listen, following))
    finally:
        # After the screen is gone, when nobody waits for it.
        session.checkpoint()
        session.close()


def theme_table() -> Iterable[tuple[str, str]]:
    """The themes that load with their titles, then those that do not with the reason."""
    from tui.ui.launch.shell import themes

    found = themes()
    yield from ((p.name, p.title) for p in found.loaded.values())
    yield from (("(not read)", str(error)) for error in found.failed)
