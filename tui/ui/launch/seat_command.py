"""Open a player's seat by its SSH key, also when run by sshd. Imports neither Textual nor the rules."""

from __future__ import annotations

import argparse
import hmac
import os
import sys
from collections.abc import Mapping
from typing import Final

from tui.core.base.errors import RuleError
from tui.store.players.folder import TableFolder
from tui.store.players.page_reader import PageReader
from tui.store.problems import make_printable
from tui.store.saves import save_name
from tui.store.seats.inbox import Link, note
from tui.store.seats.seat import PlayerSeat, check_seat, find_seat, make_seat
from tui.systems import Registry
from tui.ui.launch.view_command import fight_to_look_at, publish_unwritten, read_taste, seat_draft_path
from tui.ui.players.page import FrameState
from tui.ui.players.plain_lines import talk
from tui.ui.players.player_loop import Loop
from tui.ui.players.seating import Seating
from tui.ui.settings.config import called_with, folder, load
from tui.ui.settings.drafts import DraftFile
from tui.ui.terminal.environment import explain_unusable

REQUEST_VARIABLE: Final = "SSH_ORIGINAL_COMMAND"
"""The variable in which sshd passes the words that the user sent, if the key has a forced command."""

SEAT_WORDS: Final = ("a11y", "ascii", "plain", "silent")
"""The words that may follow `ssh HOST`: how the seat is shown."""


def requested_options(table: TableFolder, name: str, environ: Mapping[str, str]) -> frozenset[str]:
    """Return the words after `ssh HOST`.

    Raises RuleError, and notes the attempt, if there is any word but `SEAT_WORDS`.
    """
    requested = frozenset(environ.get(REQUEST_VARIABLE, "").split())
    if requested <= frozenset(SEAT_WORDS):
        return requested
    # Never a word of it: the sender chooses the words.
    note(table, name, "its SSH key asked for more than the seat; it was refused")
    raise RuleError(
        f"this key opens the seat of {make_printable(name, 64)}, and nothing else",
        f"`ssh -t HOST` without a command, or with only {', '.join(SEAT_WORDS)}",
    )


def standing_seat(table: TableFolder, name: str, mark: str) -> PlayerSeat:
    """Return the seat of the invitation with this mark.

    Raises BadSeat, BadFile, OSError, and RuleError if the invitation is closed.
    """
    seat = find_seat(table, name)
    if seat and hmac.compare_digest(mark, seat.mark):
        return seat
    if seat is None:
        note(table, name, "closed, and yet a line of authorized_keys leads to it")
    elif mark:
        note(table, name, "a revoked invitation was tried; its line in authorized_keys can be deleted")
    else:
        note(table, name, "an invitation of an earlier version was tried: invite again")
    raise RuleError(
        f"this invitation to the seat of {make_printable(name, 64)} is closed",
        "ask the game master for a new one",
    )


def seat(args: argparse.Namespace) -> int:
    """Run a player's seat until the player leaves; return the exit code.

    Raises BadName, BadSeat, BadFile, RuleError.
    """
    name = check_seat(args.name)
    path, table = fight_to_look_at(args, name)
    if args.invited is not None:
        vars(args).update(dict.fromkeys(requested_options(table, name, os.environ), True))
    why_not = "" if args.plain else explain_unusable()
    if why_not:
        raise RuleError(why_not, "`ssh -t`, or `tocsin seat SAVE NAME --plain` for lines")
    player = make_seat(table, name) if args.invited is None else standing_seat(table, name, args.invited)
    link, reader = Link(player, save_name(path)), PageReader(path, player.name)
    try:
        publish_unwritten(reader, path, name)
        look = FrameState(save=save_name(path), viewer=player.name)
        if args.plain:
            return talk(reader, link, look, sys.stdout)
        return _screen(args, reader, link, look, seat_draft_path(path, name))
    finally:
        reader.close()


def _screen(args: argparse.Namespace, reader: PageReader, link: Link, look: FrameState, own: str) -> int:
    args.bell = False  # a seat rings when something waits for its player
    settings = called_with(load(folder()), args, os.environ)
    taste = read_taste(args, settings, look.viewer)
    loop = Loop(taste.palettes[0], ascii_only=settings.ascii)
    shown = FrameState(save=look.save, viewer=look.viewer, glyphs=settings.glyphs)
    return loop.run(Seating(reader, loop, shown, taste, link, DraftFile(own), Registry().reader))
