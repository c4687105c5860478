"""Invite players to seats: make a key, and the line for `authorized_keys`."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from typing import Final

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.store.interpreter import python_command
from tui.store.players.folder import require_players_folder
from tui.store.problems import make_printable
from tui.store.seats.seat import PlayerSeat, check_seat, close_seat, find_seat, make_seat
from tui.store.shell_words import quote_for_shells

KEY_SHAPE: Final = re.compile(
    r"(?:ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)"
    r" [A-Za-z0-9+/]{32,4000}={0,3}(?: [!-~][ -~]{0,200})?"
)
"""The pattern of a public key on one line: its kind, the key, a comment."""

KEY_PLACEHOLDER: Final = "THE-PLAYERS-PUBLIC-KEY"
"""The placeholder for the player's own public key."""


class Invitation(Struct, frozen=True):
    """A seat that is ready. `call` is the command that opens it; `line` is its line for `authorized_keys`."""

    seat: PlayerSeat
    call: str
    line: str


def invite(save: str, name: str, public_key: str = "") -> Invitation:
    """Make the seat of a player at the save at this path. Raises BadSeat, BadFile, RuleError, OSError."""
    if not os.path.lexists(save):
        raise RuleError(
            f"there is no fight {make_printable(os.path.basename(save))}",
            "`tocsin new SAVE --system ID` makes one",
        )
    public_key = one_key(public_key) if public_key else ""
    table = require_players_folder(os.path.abspath(save))
    call = seat_call(save, check_seat(name))
    seat = make_seat(table, name)
    return Invitation(
        seat, call, f"{write_key_options(f'{call} --invited {seat.mark}')} {public_key or KEY_PLACEHOLDER}"
    )


def describe_folder_access(save: str) -> str:
    """Return a warning if other users may enter the folder of saves, with what they learn; "" if not."""
    folder = os.path.dirname(os.path.abspath(save))
    if not os.stat(folder).st_mode & (stat.S_IXGRP | stat.S_IXOTH):
        return ""
    shown = make_printable(folder, 100)
    return (
        f"others may enter {shown}: they cannot read a save, but see how large it is and when it was "
        "written, which shows when somebody wrote and how much; "
        f"`chmod 700 {shlex.quote(folder)}` shuts it"
    )


def one_key(text: str) -> str:
    """Return a public key on one line, without a comment that `authorized_keys` may not hold.

    Raises RuleError.
    """
    if "PRIVATE KEY" in text:
        raise RuleError(
            "that is a private key, which its owner shows to nobody", "the file beside it that ends in .pub"
        )
    bare = " ".join(text.split(None, 2)[:2]) if text.isprintable() else ""
    for result in (text, bare):
        if KEY_SHAPE.fullmatch(result):
            return result
    raise RuleError("that is not one public key on one line", "it looks like `ssh-ed25519 AAAA… name`")


def revoke(save: str, name: str) -> PlayerSeat:
    """Close a seat, so that its key and its line open nothing from now on.

    Raises BadSeat, BadFile, RuleError, OSError.
    """
    table = require_players_folder(os.path.abspath(save))
    seat = find_seat(table, name)
    if seat is None:
        raise RuleError(
            f"{make_printable(name, 40)} was not invited to {make_printable(os.path.basename(save))}",
            f"`ls {shlex.quote(table.seats)}` lists who was",
        )
    close_seat(seat)
    return seat


def seat_call(save: str, name: str) -> str:
    """Return the shell command that opens a seat, with absolute paths, because an SSH login has its own PATH.

    Raises RuleError for a path with a character that would end the line or hide in it.
    """
    words = [os.path.abspath(save), name]
    program = os.path.abspath(sys.argv[0])
    if os.path.basename(program) == "tocsin" and os.access(program, os.X_OK):
        return _one_line(quote_for_shells([program, "seat", *words]))
    return _one_line(quote_for_shells(python_command("tui", "seat", *words)))


def _one_line(call: str) -> str:
    # A line feed would begin a new line in `authorized_keys`, with any key that follows it.
    if not call.isprintable():
        raise RuleError(
            f"the path contains a character that cannot be shown: {make_printable(call, 200)}",
            "rename the folder, or move the saves to another one",
        )
    return call


def write_key_options(call: str) -> str:
    """Return the options for a line of `authorized_keys` that let a key run this command and nothing else.

    `restrict` forbids all else, such as forwarding of ports and agents and the user's own rc file; `pty`
    allows the terminal. Inside the quotes sshd removes a backslash before a quote, and no other.
    """
    escaped = call.replace('"', '\\"')
    return f'command="{escaped}",restrict,pty'
