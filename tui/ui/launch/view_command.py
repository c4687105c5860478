"""Open a player's terminal from the arguments of a call. Does not import Textual."""

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
from tui.store.ownfolder import make_own_folder
from tui.store.players.broadcast import start_publisher
from tui.store.players.folder import TableFolder, player_file_name, players_folder
from tui.store.players.page_reader import PageReader
from tui.store.players.viewers import MOST_EACH, TooMany
from tui.store.problems import make_printable
from tui.store.saves import find_save_path, save_name
from tui.store.seats.inbox import note
from tui.store.shell_words import quote_for_shells, quote_save
from tui.ui.players.page import FrameState
from tui.ui.players.plain_lines import tell
from tui.ui.players.player_loop import Loop
from tui.ui.players.viewer import Taste, Viewing
from tui.ui.settings.config import called_with, folder, load
from tui.ui.settings.themes import choose, every_theme
from tui.ui.state.settings import Settings
from tui.ui.terminal.environment import explain_unusable
from tui.ui.wire.pens import depth


def seat_draft_path(path: str, name: str) -> str:
    """Return the path of a seat's draft file, and make its private folder if possible."""
    where = os.path.join(user_folder("state"), "seats")
    with suppress(OSError):  # without a folder, drafts are kept in memory
        make_own_folder(where)
    mark = hashlib.sha256(os.path.realpath(path).encode(errors="surrogateescape")).hexdigest()[:16]
    return os.path.join(where, f"{player_file_name(name)}-{mark}")


def fight_to_look_at(args: argparse.Namespace, name: str = "") -> tuple[str, TableFolder]:
    """Return the save's path and the table's folder for a call. Raises BadName, RuleError, BadFile."""
    path = find_save_path(args.save, args.saves)
    if not os.path.lexists(path):
        raise RuleError(f"there is no fight {save_name(path)}", "`tocsin` lists those that there are")
    return path, require_viewable_table(path, name)


def require_viewable_table(path: str, name: str = "") -> TableFolder:
    """Return the table's folder of a save.

    Raises RuleError for another account's, BadFile for an unfit one.
    """
    table = players_folder(path)
    with suppress(FileNotFoundError):
        try:
            ours = os.lstat(table.path).st_uid == os.geteuid()
        except PermissionError:
            ours = False
        if not ours:
            call = f"tocsin invite {quote_save(os.path.abspath(path))} {quote_for_shells([name or 'NAME'])}"
            raise RuleError(
                f"the table of {make_printable(save_name(path), 64)} belongs to another account",
                f"ask for an SSH key's line: `{call}`",
            )
    if bad := table.problem:
        raise bad
    return table


WAIT_SECONDS: Final = 10.0
"""How long to wait until a fight without a writer is published, in seconds."""


def run_view(args: argparse.Namespace) -> int:
    """Show a fight to a viewer until they leave; return the exit code. Raises BadName, RuleError."""
    viewer = clean_name(args.viewer or "")
    why_not = "" if args.plain else explain_unusable()
    if why_not:
        raise RuleError(why_not, "`tocsin view SAVE --plain` prints it in lines")
    path, _ = fight_to_look_at(args, viewer)
    reader = PageReader(path, viewer)
    try:
        publish_unwritten(reader, path, viewer)
        if args.plain:
            return tell(reader, FrameState(save=save_name(path), viewer=viewer), sys.stdout)
        settings = called_with(load(folder()), args, os.environ)
        taste = read_taste(args, settings, viewer)
        loop = Loop(taste.palettes[0], ascii_only=settings.ascii)
        look = FrameState(save=save_name(path), viewer=viewer, glyphs=settings.glyphs)
        return loop.run(Viewing(reader, loop, look, taste))
    finally:
        reader.close()


def publish_unwritten(reader: PageReader, path: str, name: str) -> None:
    """Start a process that publishes a fight without a writer, and wait for it at most `WAIT_SECONDS`.

    It is another process because this one must not read the save. Raises RuleError if too many terminals of
    this player are open.
    """
    try:
        unwritten = reader.has_no_page()
    except TooMany:
        note(
            players_folder(path),
            name,
            f"{MOST_EACH} terminals show this player's page already, and another was refused",
        )
        raise RuleError(
            f"{MOST_EACH} terminals of {make_printable(name, 64)}'s are open already", "leave one of them: q"
        ) from None
    if unwritten and os.access(path, os.R_OK):
        # A page that is later than this wakes us when it comes.
        with suppress(Exception):
            start_publisher(path, once=True).wait(WAIT_SECONDS)


def read_taste(args: argparse.Namespace, settings: Settings, viewer: str) -> Taste:
    """Return the palettes, the chosen one first, and at which turns the bell rings. Raises RuleError."""
    themes = every_theme()
    worn, faults = choose(
        themes,
        args.theme,
        settings.theme,
        is_limited=depth(os.environ) == "16",
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
