"""A seat that sshd opens for a player's key: what was asked for beside it is refused, and noted for the GM."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

from tui.core.base.errors import RuleError
from tui.store.players.folder import TableFolder
from tui.store.problems import plain
from tui.store.seats.rejections import note
from tui.store.seats.seat import PlayerSeat, find_seat

ASKED: Final = "SSH_ORIGINAL_COMMAND"
"""Where sshd puts the command of the call, when the key's line has one of its own."""

WAYS: Final = ("a11y", "ascii", "big", "plain", "silent")
"""What may be asked for: how the seat is shown."""


def ways(table: TableFolder, name: str, environ: Mapping[str, str]) -> frozenset[str]:
    """How the seat shall be shown, by the words of the call. Raises RuleError when they ask for anything else."""
    asked = frozenset(environ.get(ASKED, "").split())
    if asked <= frozenset(WAYS):
        return asked
    # Never a word of it: whoever sends it chooses the words.
    note(table, name, "its SSH key asked for something else than the seat, and got nothing")
    raise RuleError(
        f"this key opens the seat of {plain(name, 64)}, and nothing else",
        f"`ssh -t HOST` without a command; of words only {', '.join(WAYS)}",
    )


def standing_seat(table: TableFolder, name: str, mark: str) -> PlayerSeat:
    """The seat that the invitation with this mark is for. Raises BadSeat, BadFile, OSError; RuleError when it was closed."""
    seat = find_seat(table, name)
    if seat and hmac.compare_digest(mark, seat.mark):
        return seat
    if seat is None:
        note(table, name, "its seat is closed, and a line of authorized_keys still leads to it")
    elif mark:
        note(table, name, "an invitation that was revoked was tried; its line may go from authorized_keys")
    else:
        note(table, name, "an invitation of an earlier version was tried: `tocsin invite` prints a new line")
    raise RuleError(
        f"this invitation to the seat of {plain(name, 64)} is closed", "ask the game master for a new one"
    )
