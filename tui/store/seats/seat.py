"""Make and find players' seats at a save: the name, the key, and the folders of its letters.

`seats/` has the keys, readable only by the save's owner. `inbox/` and `answers/` have a folder for each seat,
with its lines and with its replies; only the seat's key gives the folder's name. So a seat can watch its own
folder, and the kernel wakes it.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from tui.core.base.text import NAME_LIMIT, clean_name
from tui.store.disk import NEW, discard, give_name, read_regular, temporary_path, write_all
from tui.store.players.folder import TableFolder, make_private, open_table_part, player_file_name
from tui.store.problems import BadFile, BadSeat, make_printable

KEY_BYTES: Final = 32
REPLY: Final = "reply.json"
_CAP = 1_000  # bytes of a key's file
_MOST_SWEPT = 1_000  # folders that are looked at in one call


def check_seat(name: str) -> str:
    """Return the name in the form of an owner's name (`clean_name`).

    Raises BadSeat for a name that would leave a folder, be hidden, or upset a terminal or a shell.
    """
    if not clean_name(name) or name != name.strip():
        raise BadSeat(name, "it is empty, or begins or ends with a space")
    if len(name) > NAME_LIMIT:
        raise BadSeat(name, f"it is longer than {NAME_LIMIT} characters")
    if not name.isprintable():
        raise BadSeat(name, "it contains a character that cannot be shown")
    if "/" in name or "\\" in name:
        raise BadSeat(name, "it contains a slash")
    if name[0] in ".-":
        raise BadSeat(name, "it begins with a dot or a dash")
    return clean_name(name)


class PlayerSeat(Struct, frozen=True):
    """A seat and its secret `key`; `file` replaces the name wherever a file is named after the seat."""

    table: TableFolder
    name: str
    key: bytes

    @property
    def file(self) -> str:
        """The name in a form that is safe in a path."""
        return player_file_name(self.name)

    @property
    def inbox(self) -> str:
        """The folder of this seat's lines; its name follows from the key, so others cannot find it."""
        return os.path.join(inboxes(self.table), self.word("inbox"))

    @property
    def reply(self) -> str:
        """The path of the file with the replies to this seat."""
        return os.path.join(answers(self.table), self.word("answers"), REPLY)

    @property
    def stands(self) -> bool:
        """Whether this seat exists with this very key: it was neither closed nor made again."""
        with suppress(BadFile):
            return find_seat(self.table, self.name) == self
        return False

    @property
    def mark(self) -> str:
        """The token in the line of an invitation; a seat that was closed and made again has another one."""
        return self.word("invitation")

    def word(self, purpose: str) -> str:
        """Return a 32-letter token derived from the seat's key."""
        return hmac.digest(self.key, purpose.encode(), "sha256").hex()[:32]


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    seat: str
    key: str
    format: int = 1


def inboxes(table: TableFolder) -> str:
    """Return the folder of the seats' inboxes."""
    return os.path.join(table.path, "inbox")


def answers(table: TableFolder) -> str:
    """Return the folder of the replies to seats."""
    return os.path.join(table.path, "answers")


def key_path(table: TableFolder, name: str) -> str:
    """Return the path of the key of a seat."""
    return os.path.join(table.seats, player_file_name(name) + ".key")


def make_seat(table: TableFolder, name: str) -> PlayerSeat:
    """Return the seat of that name, with its existing key or a new one. Raises BadSeat, BadFile, OSError."""
    name = check_seat(name)
    table.make()
    for folder in (table.seats, inboxes(table), answers(table)):
        make_private(folder)
    path = key_path(table, name)
    if not os.path.lexists(path):
        _keep(table, os.path.basename(path), _Kept(name, os.urandom(KEY_BYTES).hex()))
    seat = read_seat(table, path)
    furnish(seat)
    return seat


def furnish(seat: PlayerSeat) -> None:
    """Make the folders of a seat that are missing, for its owner alone. Raises OSError."""
    make_private(seat.inbox)
    make_private(os.path.dirname(seat.reply))


def close_seat(seat: PlayerSeat) -> None:
    """Delete a seat: its key, its unread lines and its replies. Raises OSError."""
    # The key is deleted first: from then on no line of this seat is accepted.
    with open_table_part(seat.table.seats) as keys:
        keys.unlink(os.path.basename(key_path(seat.table, seat.name)))
    for path in (seat.inbox, os.path.dirname(seat.reply)):
        _clear(path)


_WORD = re.compile("[0-9a-f]{32}")
OF_SEAT: Final = re.compile(
    r"(?:\.tmp-)?[1-9][0-9]{0,15}-[0-9a-f]{16}\.json|reply\.json|\.reply\.json\.tmp-[0-9]{1,10}"
)
"""The pattern of file names in the folders of a seat: letters, the reply, and unfinished ones of both."""


def delete_stale(table: TableFolder, seats: Iterable[PlayerSeat]) -> list[str]:
    """Delete the folders of seats that no longer exist, with their letters and replies only.

    Return the folders that hold other files, which stay.
    """
    known = {path for seat in seats for path in (seat.inbox, os.path.dirname(seat.reply))}
    undeleted = list[str]()
    for above in (inboxes(table), answers(table)):
        with suppress(OSError), open_table_part(above) as folder:
            names = [name for name in folder.listdir()[:_MOST_SWEPT] if _WORD.fullmatch(name)]
            paths = [path for name in names if (path := os.path.join(above, name)) not in known]
            undeleted += [path for path in paths if not folder.clear(os.path.basename(path), OF_SEAT)]
    return undeleted


def _clear(path: str) -> None:
    with suppress(OSError), open_table_part(os.path.dirname(path)) as above:
        above.clear(os.path.basename(path), OF_SEAT)


def _keep(table: TableFolder, name: str, record: _Kept) -> None:
    """Write a new private file with a key; a file made meanwhile stays. Raises OSError."""
    with open_table_part(table.seats) as folder:
        hidden = f"{temporary_path(name)}-{os.urandom(4).hex()}"
        fd = folder.open(hidden, NEW)
        try:
            write_all(folder, fd, msgspec.json.encode(record) + b"\n")
            folder.fsync(fd)
        except BaseException:
            discard(folder, hidden)
            raise
        finally:
            folder.close(fd)
        try:
            give_name(folder, hidden, name)
        except FileExistsError:
            discard(folder, hidden)


def find_seat(table: TableFolder, name: str) -> PlayerSeat | None:
    """Return the seat of that name; None if it was never invited. Raises BadSeat, BadFile."""
    path = key_path(table, check_seat(name))
    return read_seat(table, path) if os.path.lexists(path) else None


def read_seat(table: TableFolder, path: str) -> PlayerSeat:
    """Return the seat whose key is stored at `path`. Raises BadFile, also for a key that others may read."""
    try:
        with open_table_part(os.path.dirname(path)) as folder:
            data, status = read_regular(folder, os.path.basename(path), _CAP)
    except OSError as error:
        raise BadFile(path, 0, error.strerror or "it cannot be read") from None
    except BadFile as error:
        raise BadFile(path, 0, error.message, error.hint) from None
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise BadFile(
            path,
            0,
            "the seat's key is not yours alone",
            f"`chmod 600 {make_printable(path)}`, or invite again",
        )
    try:
        record = msgspec.json.decode(data, type=_Kept)
        seat = PlayerSeat(table, check_seat(record.seat), bytes.fromhex(record.key))
    except (BadSeat, ValueError, RecursionError):  # msgspec's errors are ValueErrors
        raise BadFile(path, 0, "this is not a seat's key", "remove it, and invite again") from None
    if len(seat.key) != KEY_BYTES:
        raise BadFile(path, 0, "this is not a seat's key", "remove it, and invite again")
    if key_path(table, seat.name) != path:
        raise BadFile(path, 0, "this is another seat's key", "remove it, and invite again")
    return seat


def list_seats(table: TableFolder) -> tuple[list[PlayerSeat], list[BadFile]]:
    """Return the seats by name, and an error for each key that cannot be read."""
    seats: list[PlayerSeat] = []
    bad: list[BadFile] = []
    try:
        with open_table_part(table.seats) as folder:
            names = sorted(name for name in folder.listdir() if name.endswith(".key") and name[0] != ".")
    except OSError:
        return [], []
    for name in names:
        try:
            seats.append(read_seat(table, os.path.join(table.seats, name)))
        except BadFile as error:
            bad.append(error)
    return seats, bad
