"""Whose account this is at a table: the one that runs the fight, or another one, which brings a key."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress

import platformdirs

from tui.core.base.errors import RuleError
from tui.store.players.folder import TableFolder, file_name
from tui.store.seats.seat import PlayerSeat, kept_seat


def another_account(table: TableFolder) -> bool:
    """Whether the table belongs to another account, so that a key must be brought. Raises RuleError where it is shut."""
    try:
        return os.stat(table.path).st_uid != os.geteuid()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise RuleError(
            f"the table is shut to this account ({error.strerror})", "ask whoever writes for an invitation"
        ) from None


def own_file(path: str, name: str) -> str:
    """A path in this account for what belongs to this seat; half-written orders are nobody else's to read."""
    where = os.path.join(platformdirs.user_state_dir("tocsin"), "seats")
    with suppress(OSError):  # what cannot be kept there is kept in memory, or asked for again
        os.makedirs(where, mode=0o700, exist_ok=True)
    mark = hashlib.sha256(os.path.realpath(path).encode(errors="surrogateescape")).hexdigest()[:16]
    return os.path.join(where, f"{file_name(name)}-{mark}")


def key_file(table: TableFolder, name: str) -> str:
    """Where this account keeps the key that it was given for a seat."""
    return own_file(table.path, name) + ".key"


def brought(table: TableFolder, name: str) -> PlayerSeat | None:
    """The seat that the key in this account opens; None without one. One that opens nothing is forgotten. Raises BadFile."""
    own = key_file(table, name)
    if not os.path.lexists(own):
        return None
    if (seat := kept_seat(table, own, name)).stands:
        return seat
    os.unlink(own)  # of a seat that was closed, or made anew
    return None
