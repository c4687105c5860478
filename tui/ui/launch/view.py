"""Open a player's terminal from the words of a call. Without Textual."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from contextlib import suppress
from typing import Final

import platformdirs

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name
from tui.store.inotify import Waker
from tui.store.lock import network
from tui.store.players.broadcast import publisher_process
from tui.store.players.folder import TableFolder, file_name, table_of
from tui.store.players.page_reader import PageReader
from tui.store.players.viewers import MOST_EACH, TooMany, public_box
from tui.store.problems import BadFile, plain
from tui.store.saves import name_of, place
from tui.store.seats.inbox import note
from tui.store.seats.seat import PlayerSeat, kept_seat, page_path, secret_page
from tui.ui.players.loop import Loop
from tui.ui.players.page import Look
from tui.ui.players.plain import tell
from tui.ui.players.viewer import Taste, Viewing
from tui.ui.settings.config import called_with, folder, load
from tui.ui.settings.themes import choose, every_theme
from tui.ui.state.settings import Settings
from tui.ui.terminal.environment import usable
from tui.ui.wire.pens import depth


def another_account(table: TableFolder) -> bool:
    """Return whether the table belongs to another account, so that a key must be brought.

    Raises RuleError where it is shut.
    """
    try:
        return os.stat(table.path).st_uid != os.geteuid()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise RuleError(
            f"the table is shut to this account ({error.strerror})", "ask the game master for an invitation"
        ) from None


def own_file(path: str, name: str) -> str:
    """Return a path in this account for what belongs to this seat.

    Half-written orders are no one else's to read.
    """
    where = os.path.join(platformdirs.user_state_dir("tocsin"), "seats")
    with suppress(OSError):  # what cannot be kept there is kept in memory, or asked for again
        os.makedirs(where, mode=0o700, exist_ok=True)
    mark = hashlib.sha256(os.path.realpath(path).encode(errors="surrogateescape")).hexdigest()[:16]
    return os.path.join(where, f"{file_name(name)}-{mark}")


def key_file(table: TableFolder, name: str) -> str:
    """Return where this account keeps the key that it was given for a seat."""
    return own_file(table.path, name) + ".key"


def brought(table: TableFolder, name: str) -> PlayerSeat | None:
    """Return the seat that the key in this account opens; None without one.

    One that opens nothing is forgotten. Raises BadFile.
    """
    own = key_file(table, name)
    if not os.path.lexists(own):
        return None
    if (seat := kept_seat(table, own, name)).stands:
        return seat
    os.unlink(own)  # of a seat that was closed, or made again
    return None


PATIENCE: Final = 10.0
"""Seconds in which a fight that no one writes is read from its file."""


def view(args: argparse.Namespace) -> int:
    """Show a fight to a viewer until they leave; return the exit code. Raises BadName, RuleError."""
    path = place(args.save, args.saves)
    viewer = clean_name(args.viewer or "")
    why_not = "" if args.plain else usable()
    if why_not:
        raise RuleError(why_not, "`tocsin view SAVE --plain` tells it in lines")
    if not os.path.lexists(path):
        raise RuleError(f"there is no fight {name_of(path)}", "`tocsin` lists those that there are")
    page, box = _page(path, viewer)
    reader = PageReader(path, viewer, page, box)
    try:
        publish_first(reader, path, viewer)
        waker = Waker(*reader.places, polled=bool(network(path)))
        if args.plain:
            return tell(reader, waker, Look(save=name_of(path), viewer=viewer), sys.stdout)
        settings = called_with(load(folder()), args, os.environ)
        taste = taste_of(args, settings, viewer)
        loop = Loop(taste.palettes[0], ascii_only=settings.ascii)
        look = Look(save=name_of(path), viewer=viewer, glyphs=settings.glyphs, large=args.big)
        return loop.run(Viewing(reader, loop, look, taste), waker)
    finally:
        reader.close()


def _page(path: str, viewer: str) -> tuple[str, str]:
    """Return where the viewer's page lies, and where another account announces itself.

    Raises RuleError where it is shut to it.
    """
    table = table_of(path)
    guest = _guest(table)
    if not viewer:
        return table.view(""), public_box(table) if guest else ""
    if not guest:
        with suppress(BadFile):
            return page_path(table, viewer), ""
        return table.view(viewer), ""
    if seat := brought(table, viewer):
        return secret_page(seat), seat.watching
    raise RuleError(
        f"what only {viewer} may see is shut to this account",
        f"`tocsin view {name_of(path)}` shows what all may see; "
        "`tocsin seat` asks for the key of an invitation",
    )


def _guest(table: TableFolder) -> bool:
    """Return whether this account is not the game master's."""
    try:
        return another_account(table)
    except RuleError:
        return False


def publish_first(reader: PageReader, path: str, name: str) -> None:
    """Publish how the save stands where no one writes, by a process of its own: this one must not read it.

    Raises RuleError.
    """
    try:
        unwritten = reader.unwritten()
    except TooMany:
        note(
            table_of(path),
            name,
            f"{MOST_EACH} terminals look as this player already, and another was refused",
        )
        raise RuleError(
            f"{MOST_EACH} terminals of {plain(name, 64)}'s are open already", "leave one of them: q"
        ) from None
    if unwritten and os.access(path, os.R_OK):
        # What does not come in time comes later, and wakes us.
        with suppress(Exception):
            publisher_process(path, once=True).wait(PATIENCE)


def taste_of(args: argparse.Namespace, settings: Settings, viewer: str) -> Taste:
    """Return the colours, the one that is worn first, and the bell. Raises RuleError."""
    themes = every_theme()
    worn, faults = choose(
        themes,
        args.theme,
        settings.theme,
        few=depth(os.environ) == "16",
        colourless=bool(os.environ.get("NO_COLOR")),
    )
    if args.theme and faults:
        raise RuleError("; ".join(faults), "`tocsin themes` lists them")
    others = [p for p in themes.loaded.values() if p.name != worn.name and p.ansi == worn.ansi]
    return Taste(
        (worn, *others),
        own=bool(viewer) and not args.silent,
        every=settings.bell and not args.silent,
    )
