"""Open a player's terminal from the words of a call. Without Textual."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from contextlib import suppress
from typing import Final

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name
from tui.homes import user_folder
from tui.store.ownfolder import make_own
from tui.store.players.broadcast import publisher_process
from tui.store.players.folder import TableFolder, file_name, table_of
from tui.store.players.page_reader import PageReader
from tui.store.players.viewers import MOST_EACH, TooMany
from tui.store.problems import plain
from tui.store.saves import name_of, place
from tui.store.seats.inbox import note
from tui.ui.players.page import Look
from tui.ui.players.plain_lines import tell
from tui.ui.players.player_loop import Loop
from tui.ui.players.viewer import Taste, Viewing
from tui.ui.settings.config import called_with, folder, load
from tui.ui.settings.themes import choose, every_theme
from tui.ui.state.settings import Settings
from tui.ui.terminal.environment import usable
from tui.ui.wire.pens import depth


def own_file(path: str, name: str) -> str:
    """Return the path of a seat's draft: half-written orders are no one else's to read."""
    where = os.path.join(user_folder("state"), "seats")
    with suppress(OSError):  # what cannot be kept there is kept in memory
        make_own(where)
    mark = hashlib.sha256(os.path.realpath(path).encode(errors="surrogateescape")).hexdigest()[:16]
    return os.path.join(where, f"{file_name(name)}-{mark}")


def fight_to_look_at(args: argparse.Namespace, name: str = "") -> tuple[str, TableFolder]:
    """Return the file and the table of the save that a call names. Raises BadName, RuleError, BadFile."""
    path = place(args.save, args.saves)
    if not os.path.lexists(path):
        raise RuleError(f"there is no fight {name_of(path)}", "`tocsin` lists those that there are")
    return path, table_to_look_at(path, name)


def table_to_look_at(path: str, name: str = "") -> TableFolder:
    """Return the table of a save. Raises RuleError for another account's, BadFile for any that is unfit."""
    table = table_of(path)
    with suppress(FileNotFoundError):
        try:
            ours = os.lstat(table.path).st_uid == os.geteuid()
        except PermissionError:
            ours = False
        if not ours:
            shown = plain(name_of(path), 64)
            raise RuleError(
                f"the table of {shown} belongs to another account",
                f"ask for an SSH key's line: `tocsin invite {shown} {plain(name, 64) or 'NAME'}`",
            )
    if bad := table.problem:
        raise bad
    return table


PATIENCE: Final = 10.0
"""Seconds in which a fight that no one writes is read from its file."""


def view(args: argparse.Namespace) -> int:
    """Show a fight to a viewer until they leave; return the exit code. Raises BadName, RuleError."""
    viewer = clean_name(args.viewer or "")
    why_not = "" if args.plain else usable()
    if why_not:
        raise RuleError(why_not, "`tocsin view SAVE --plain` tells it in lines")
    path, _ = fight_to_look_at(args, viewer)
    reader = PageReader(path, viewer)
    try:
        publish_first(reader, path, viewer)
        if args.plain:
            return tell(reader, Look(save=name_of(path), viewer=viewer), sys.stdout)
        settings = called_with(load(folder()), args, os.environ)
        taste = taste_of(args, settings, viewer)
        loop = Loop(taste.palettes[0], ascii_only=settings.ascii)
        look = Look(save=name_of(path), viewer=viewer, glyphs=settings.glyphs)
        return loop.run(Viewing(reader, loop, look, taste))
    finally:
        reader.close()


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
