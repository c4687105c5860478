"""The way in: from arguments to the running screen, or to plain lines where there is no terminal."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterable

from tui.core.fight.errors import RuleError
from tui.core.rules.system import Systems
from tui.store.dice import FairDice, SeededDice
from tui.store.lock import Busy, ReadOnly
from tui.store.opening import DiskListener, Session, create, open_session, place, sample
from tui.store.problems import NotSaved
from tui.store.saves import listed, name_of, saves_folder
from tui.ui.launch import ask
from tui.ui.launch.config import folder, load
from tui.ui.launch.entry import DiskNews, Launch, NextLesson
from tui.ui.terminal.environment import prepare_environment, usable


def start(args: argparse.Namespace, systems: Systems) -> int:
    """Open the screen, or plain lines; the exit code. Raises what the command line turns into complaints."""
    config = load(folder())
    way = Launch(args, systems, config, FairDice() if args.seed is None else SeededDice(args.seed))
    why_not = "" if args.plain else usable()
    if args.tutor is not None and (args.plain or why_not):
        raise RuleError(why_not or "a lesson is played on the screen", "`tocsin --tutor` without --plain")
    if args.plain or why_not:
        return _plain(way, why_not)
    prepare_environment(os.environ)
    return _screen(way)


def _save(way: Launch, console: ask.Console, wish: NextLesson) -> str:
    """The path of the save to open, made if it is wanted; "" for the lesson that is now wished for, or to leave."""
    save = way.args.save or _chosen(way, console, wish)
    if not save:
        return ""
    path = sample(place(save, way.saves), way.saves)
    if not os.path.lexists(path):
        system = ask.system(console, name_of(path), way.systems)
        if not system:
            return ""
        create(path, way.saves, way.systems, system, {})
    return path


def _chosen(way: Launch, console: ask.Console, wish: NextLesson) -> str:
    """From the picker; whoever is here for the first time is offered a lesson."""
    there = saves_folder(way.saves)
    found = listed(there)
    if found or os.path.lexists(os.path.join(folder(), "config.toml")):
        return ask.choose(console, found, there)
    save = ask.first(console)
    if not save:
        wish.lesson = way.systems.ids()[0]
    return "" if save.lower() == "q" else save


def _plain(way: Launch, why: str) -> int:
    from tui.ui.launch.plain import converse

    if not way.args.save:
        raise RuleError(why or "plain mode takes the name of a save", "`tocsin SAVE --plain`")
    path = sample(place(way.args.save, way.saves), way.saves)
    session = open_session(path, way.saves, way.systems, way.dice, how="inline")
    for remark in session.remarks:
        print(remark, file=sys.stderr)  # noqa: T201
    try:
        return converse(session.store, session.writer.wait, sys.stdin, sys.stdout)
    finally:
        session.close()


def _screen(way: Launch) -> int:
    """The save, or a lesson and then the save; until the user has no more wishes, or a signal ends it."""
    from tui.ui.launch.tutor import teach

    console, path, code = ask.terminal(), "", 0
    only = way.args.tutor is not None
    wish = NextLesson((way.args.tutor or way.systems.ids()[0]) if only else "")
    while not code:
        if wish.lesson:
            code = teach(way, wish, DiskNews())
        elif only:
            break
        elif path := path or _save(way, console, wish):
            code = _open(way, console, path, wish)
            if not wish.lesson:
                break
        elif not wish.lesson:
            break
    return code


def _open(way: Launch, console: ask.Console, path: str, wish: NextLesson) -> int:
    gc.disable()  # everything that is made before the first picture stays; the app switches it on again
    hear = DiskNews()
    try:
        session = open_session(
            path, way.saves, way.systems, way.dice, ears=DiskListener(hear.durable, hear.fault)
        )
    except Busy as busy:
        return _taken(way, console, path, busy, wish)
    except (ReadOnly, NotSaved) as error:
        return _look_on(way, path) if ask.shut(console, str(error)) else 3
    return _write(way, session, hear, wish)


def _taken(way: Launch, console: ask.Console, path: str, busy: Busy, wish: NextLesson) -> int:
    from tui.store.lock import request_takeover

    choice = ask.busy(console, busy.message)
    if choice == "take":
        request_takeover(path).release()
        hear = DiskNews()
        session = open_session(
            path, way.saves, way.systems, way.dice, ears=DiskListener(hear.durable, hear.fault)
        )
        return _write(way, session, hear, wish)
    return _look_on(way, path) if choice == "look" else 0


def _look_on(way: Launch, path: str) -> int:
    from tui.ui.textual.slim import slim

    with slim():
        from tui.ui.launch.shell import look_on
    return look_on(way, path)


def _write(way: Launch, session: Session, hear: DiskNews, wish: NextLesson) -> int:
    from tui.ui.textual.slim import slim

    with slim():
        from tui.ui.launch.shell import Running, run
    try:
        return run(way, Running(session, session.store, hear.set, wish))
    finally:
        session.checkpoint()
        session.close()
        gc.unfreeze()


def theme_table() -> Iterable[tuple[str, str]]:
    """The themes that load with their titles, then those that do not with the reason."""
    from tui.ui.launch.shell import themes

    found = themes()
    yield from ((p.name, p.title) for p in found.loaded.values())
    yield from (("(not read)", str(error)) for error in found.failed)
