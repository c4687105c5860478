"""An invitation to a seat: its key, the line for `authorized_keys`, and the rights of a group."""

from __future__ import annotations

import grp
import os
import re
import shlex
import stat
import sys
from typing import Final

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.store.players.folder import table_of
from tui.store.players.viewers import public_box
from tui.store.problems import plain
from tui.store.seats.seat import PlayerSeat, answers, close_seat, find_seat, make_seat

KEY_SHAPE: Final = re.compile(
    r"(?:ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)"
    r" [A-Za-z0-9+/]{32,4000}={0,3}(?: [!-~][ -~]{0,200})?"
)
"""A public key as one line: its kind, the key, a comment."""

_LISTED, _ENTERED, _DROPPED = 0o2750, 0o2710, 0o3730
"""Rights of a shared folder for its group: read, only entered, or a box for letters that no one can list."""

THEIRS: Final = "THE-PLAYERS-PUBLIC-KEY"
"""Stands where the player's own public key belongs."""


class Invitation(Struct, frozen=True):
    """A seat that is ready. `call` opens it on this machine, `line` is what goes into `authorized_keys`."""

    seat: PlayerSeat
    call: str
    line: str


def invite(save: str, name: str, public_key: str = "", *, group: str | None = None) -> Invitation:
    """Make the seat of a player at the save at this path. Raises BadSeat, BadFile, RuleError, OSError.

    `group`: accounts of that group may sit at it; "" for the group that the save's folder has.
    """
    if not os.path.lexists(save):
        raise RuleError(
            f"there is no fight {plain(os.path.basename(save))}", "`tocsin new SAVE --system ID` makes one"
        )
    public_key = one_key(public_key) if public_key else ""
    table = table_of(os.path.abspath(save))
    if group is None:
        seat = make_seat(table, name)
    else:
        table.make()
        _share(table.path, group or _group_of(os.path.dirname(table.path)))
        seat = make_seat(table, name, shared=True)
        for folder in (
            table.views,
            table.watching,
            public_box(table),
            seat.watching,
            os.path.dirname(seat.inbox),
            seat.inbox,
            answers(table),
            os.path.dirname(seat.reply),
        ):
            os.chown(folder, -1, os.stat(table.path).st_gid)
            os.chmod(folder, _shared_mode(folder, seat))
    call = seat_call(save, seat.name)
    if group is not None and not _open_to_all(sys.argv[0], sys.executable):
        # The game master's own installation is shut to them: it is theirs that they call.
        call = shlex.join(["tocsin", "seat", os.path.abspath(save), seat.name])
    return Invitation(seat, call, f"{forced(f'{call} --invited {seat.mark}')} {public_key or THEIRS}")


def entered(save: str) -> str:
    """Return what a folder of saves that others may enter tells them, in words; "" for a private one."""
    folder = os.path.dirname(os.path.abspath(save))
    if not os.stat(folder).st_mode & (stat.S_IXGRP | stat.S_IXOTH):
        return ""
    shown = plain(folder, 100)
    return (
        f"others may enter {shown}: they cannot read a save, but see how large it is and when it was "
        "written, and so that somebody wrote and how much; "
        f"`chmod 700 {shlex.quote(folder)}` shuts it, and any group's table in it"
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
    """Close a seat: no key or line that was given for it opens anything from now on.

    Raises BadSeat, BadFile, RuleError, OSError.
    """
    table = table_of(os.path.abspath(save))
    seat = find_seat(table, name)
    if seat is None:
        raise RuleError(
            f"{plain(name, 40)} was not invited to {plain(os.path.basename(save))}",
            f"`ls {shlex.quote(table.seats)}` lists who was",
        )
    close_seat(seat)
    return seat


def seat_call(save: str, name: str) -> str:
    """Return the shell's words that open a seat, by absolute paths, since an SSH login has its own PATH."""
    words = [os.path.abspath(save), name]
    program = os.path.abspath(sys.argv[0])
    if os.path.basename(program) == "tocsin" and os.access(program, os.X_OK):
        return shlex.join([program, "seat", *words])
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    # From a checkout that is not installed: Python looks in the present folder.
    return f"cd {shlex.quote(top)} && exec {shlex.join([sys.executable, '-m', 'tui', 'seat', *words])}"


def forced(call: str) -> str:
    """Return the options of a line of `authorized_keys` that let a key do this and nothing else.

    `restrict` takes everything away, forwarding of ports and agents and the user's own rc file among it;
    `pty` gives the terminal back. Inside of the quotes only quotes and backslashes are special.
    """
    escaped = call.replace("\\", "\\\\").replace('"', '\\"')
    return f'command="{escaped}",restrict,pty'


# --- accounts of the same machine


def _group_of(folder: str) -> str:
    gid = os.stat(folder).st_gid
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        raise RuleError(
            f"the group {gid} of the folder has no name", "`--group NAME` names another"
        ) from None


def _share(folder: str, group: str) -> None:
    """Give the table's folder to a group that may enter it. Raises RuleError, OSError."""
    try:
        gid = grp.getgrnam(group).gr_gid
    except KeyError:
        raise RuleError(f"there is no group {plain(group, 40)}", "`getent group` lists them") from None
    if gid == 0:
        raise RuleError("the group of root is not for players", "`--group NAME` names another")
    for above in _above(folder):
        mode, status = os.stat(above).st_mode, os.stat(above)
        if not (mode & stat.S_IXOTH or (status.st_gid == gid and mode & stat.S_IXGRP)):
            raise RuleError(
                f"the group {group} may not enter {plain(above, 100)}",
                f"`chmod o+x {shlex.quote(above)}`, or another folder",
            )
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise RuleError(
                f"anybody may exchange what lies in {plain(above, 100)}", f"`chmod o-w {shlex.quote(above)}`"
            )
    try:
        os.chown(folder, -1, gid)
    except PermissionError:
        raise RuleError(f"you are not in the group {group}", "a group that you are in yourself") from None
    os.chmod(folder, _LISTED)


def _open_to_all(*files: str) -> bool:
    """Return whether every account may reach these files."""
    return all(
        os.stat(above).st_mode & stat.S_IXOTH for file in files for above in _above(os.path.realpath(file))
    )


def _above(folder: str) -> list[str]:
    """Return the folders above it, the nearest first."""
    paths, now = [], os.path.dirname(os.path.abspath(folder))
    while now not in paths:
        paths.append(now)
        now = os.path.dirname(now)
    return paths


def _shared_mode(folder: str, seat: PlayerSeat) -> int:
    """Return the rights of a folder of the table for its group.

    The group may enter it, read where only this seat can find it, and write where letters are left.
    """
    if folder == os.path.dirname(seat.reply):
        return _LISTED
    return _DROPPED if folder in (seat.inbox, seat.watching, public_box(seat.table)) else _ENTERED
