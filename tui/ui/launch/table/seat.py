"""The way to a player's seat: whose key opens it, then the screen, or plain lines. Without Textual, without the rules."""

from __future__ import annotations

import argparse
import os
import sys
from getpass import getpass

from tui.core.base.errors import RuleError
from tui.store.inotify import Waker
from tui.store.lock import network
from tui.store.players.folder import TableFolder, table_of
from tui.store.players.page_reader import Eye
from tui.store.problems import plain
from tui.store.saves import name_of, place
from tui.store.seats.inbox import Link
from tui.store.seats.seat import (
    KEY_BYTES,
    PlayerSeat,
    checked_seat,
    keep_key,
    make_seat,
    page_path,
    secret_page,
)
from tui.ui.launch.config import folder, load
from tui.ui.launch.drafts import DraftFile
from tui.ui.launch.table.account import another_account, brought, key_file, own_file
from tui.ui.launch.table.invited import standing_seat, ways
from tui.ui.launch.table.view import glyphs_of, publish_first, taste_of
from tui.ui.table.look import Look
from tui.ui.table.loop import Loop
from tui.ui.table.seat.plain import talk
from tui.ui.table.seat.seating import Seating
from tui.ui.terminal.environment import usable


def seat(args: argparse.Namespace) -> int:
    """Sits a player down at a fight, until they leave; the exit code. Raises BadName, BadSeat, BadFile, RuleError."""
    path, name = place(args.save, args.saves), checked_seat(args.name)
    if not os.path.lexists(path):
        raise RuleError(f"there is no fight {name_of(path)}", "`tocsin` lists those that there are")
    table = table_of(path)
    if args.invited is not None:
        vars(args).update(dict.fromkeys(ways(table, name, os.environ), True))
    why_not = "" if args.plain else usable()
    if why_not:
        raise RuleError(why_not, "`ssh -t`, or `tocsin seat SAVE NAME --plain` for lines")
    guest = another_account(table)
    player = _player(table, name, guest=guest, mark=args.invited)
    page = secret_page(player) if guest else page_path(table, name)
    box = player.watching if guest else ""
    link, eye = Link(player, name_of(path), shared=guest), Eye(path, player.name, page, box)
    try:
        publish_first(eye, path, name)
        waker = Waker(*eye.places, link.place, polled=bool(network(path)))
        look = Look(save=name_of(path), viewer=player.name)
        if args.plain:
            return talk(eye, link, waker, look, sys.stdout)
        return _screen(args, eye, link, waker, look, own_file(path, name))
    finally:
        eye.close()


def _player(table: TableFolder, name: str, *, guest: bool, mark: str | None) -> PlayerSeat:
    """The seat with its key: brought by another account, found for whoever was invited, else made."""
    if guest:
        return _guest(table, name)
    return make_seat(table, name) if mark is None else standing_seat(table, name, mark)


def _screen(args: argparse.Namespace, eye: Eye, link: Link, waker: Waker, look: Look, own: str) -> int:
    config = load(folder())
    args.bell = False
    taste = taste_of(args, config, look.viewer)
    loop = Loop(taste.palettes[0])
    shown = Look(save=look.save, viewer=look.viewer, glyphs=glyphs_of(args, config), large=args.big)
    return loop.run(Seating(eye, loop, shown, taste, link, DraftFile(own)), waker)


def _guest(table: TableFolder, name: str) -> PlayerSeat:
    """The seat of a player with an account of their own: by the key that is kept there, else by one that is asked for."""
    if seat := brought(table, name):
        return seat
    if not sys.stdin.isatty():
        raise RuleError(
            f"there is no key of {plain(name, 64)} in this account",
            "call it once at a terminal, and paste the key",
        )

    said = getpass(f"the key of {plain(name, 64)}'s seat, from its invitation: ").strip()
    if len(said) != 2 * KEY_BYTES or not set(said) <= set("0123456789abcdef"):
        raise RuleError(
            "that is no key of a seat",
            f"it has {2 * KEY_BYTES} letters and digits: `tocsin invite --group` prints it",
        )
    keep_key(key_file(table, name), name, said)
    if not (seat := brought(table, name)):
        raise RuleError(
            f"that key opens no seat of {plain(name, 64)}'s here", "ask whoever writes for an invitation"
        )
    return seat
