"""A player's seat at a save: its name, its key, and where its letters lie in the table's folder.

`seats/` holds the keys, for the save's owner alone. `inbox/` and `answers/` hold a folder for each seat, for
what it sends and for what it is answered, under names that only who has its key can know: of a folder that is
shared with a group no one but its owner may list what is in it, or make anything there. The seat can watch
its own, and is woken by the kernel.
"""

from __future__ import annotations

import hmac
import os
import pwd
import shutil
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct

from tui.core.base.text import NAME_LIMIT
from tui.store.disk import NEW, Disk, discard, give_name, read_regular, temporary_of, write_all
from tui.store.players.folder import PAGE, PUBLIC, TableFolder, file_name
from tui.store.problems import BadFile, BadSeat, plain

KEY_BYTES: Final = 32
REPLY: Final = "reply.json"
_CAP = 1_000  # bytes of a key's file
_SWEPT = 1_000  # folders that are looked at in one go
_FAMILY, _SHARED, _READ, _BOX = 0o700, 0o710, 0o750, 0o3730
_SHUT: Final = 0o2710
"""Rights of a folder: for the owner alone.

Of a group entered and not listed, read, or a box to drop letters into.
"""


def checked_seat(name: str) -> str:
    """Return the name itself.

    Raises BadSeat for what would leave a folder, hide, or upset a terminal or a shell.
    """
    if not name or name != name.strip():
        raise BadSeat(name, "it is empty, or begins or ends in a blank")
    if len(name) > NAME_LIMIT:
        raise BadSeat(name, f"it is longer than {NAME_LIMIT} characters")
    if not name.isprintable():
        raise BadSeat(name, "it holds a character that cannot be shown")
    if "/" in name or "\\" in name:
        raise BadSeat(name, "it holds a slash")
    if name[0] in ".-":
        raise BadSeat(name, "it begins with a dot or a dash")
    return name


class PlayerSeat(Struct, frozen=True):
    """A seat and its secret `key`; `file` stands for the name wherever a file is called after it."""

    table: TableFolder
    name: str
    key: bytes

    @property
    def file(self) -> str:
        """The name in a form that is safe in a path."""
        return file_name(self.name)

    @property
    def inbox(self) -> str:
        """Return the folder of what this seat sends; only its key gives the name, so no other can fill it."""
        return os.path.join(inboxes(self.table), self.word("inbox"))

    @property
    def watching(self) -> str:
        """The folder in which a terminal of this seat says that it looks, if another account has it."""
        return os.path.join(self.table.watching, self.word("watching"))

    @property
    def reply(self) -> str:
        """The file in which this seat is answered."""
        return os.path.join(answers(self.table), self.word("answers"), REPLY)

    @property
    def stands(self) -> bool:
        """Whether this seat is there, with this very key: neither closed nor made again."""
        return os.path.isdir(os.path.dirname(self.reply))

    @property
    def mark(self) -> str:
        """What the line of an invitation carries: a seat that was closed and made again has another one."""
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
    """Return where the key of a seat lies."""
    return os.path.join(table.seats, file_name(name) + ".key")


def make_seat(table: TableFolder, name: str, *, shared: bool = False) -> PlayerSeat:
    """Return the seat of that name, with its existing key or a new one. Raises BadSeat, BadFile, OSError.

    `shared`: accounts of the folder's group may send to it.
    """
    checked_seat(name)
    table.make()
    for folder, mode in ((table.seats, _FAMILY), (inboxes(table), _SHARED), (answers(table), _SHARED)):
        _folder(folder, mode if shared else _FAMILY)
    path = key_path(table, name)
    if not os.path.lexists(path):
        _keep(path, _Kept(name, os.urandom(KEY_BYTES).hex()))
    seat = read_seat(table, path)
    furnish(seat, shared=shared)
    return seat


def furnish(seat: PlayerSeat, *, shared: bool = False) -> None:
    """Make the folders of a seat that are missing, and give all their rights. Raises OSError."""
    _folder(seat.inbox, _BOX if shared else _FAMILY)
    _folder(os.path.dirname(seat.reply), _READ if shared else _FAMILY)
    if shared:
        # Every account writes where only its own key leads; of the folders above no one but the owner may
        # list or fill one.
        os.chmod(seat.table.watching, _SHUT)
        _folder(seat.watching, _BOX)
        _folder(os.path.join(seat.table.watching, PUBLIC), _BOX)


def close_seat(seat: PlayerSeat) -> None:
    """Remove a seat: its key, what it has sent, its replies, its secret page. Raises OSError."""
    # The key first: nothing that comes from now on is taken in.
    os.unlink(key_path(seat.table, seat.name))
    for folder in (
        seat.inbox,
        seat.watching,
        os.path.dirname(seat.reply),
        os.path.dirname(secret_page(seat)),
    ):
        shutil.rmtree(folder, ignore_errors=True)


def swept(table: TableFolder, seats: Iterable[PlayerSeat]) -> list[tuple[str, str]]:
    """Delete what belongs to no seat among the folders of seats.

    Return what another account keeps from being deleted, and that account's name.
    """
    left = list[tuple[str, str]]()
    known = {path for seat in seats for path in (seat.inbox, seat.watching, os.path.dirname(seat.reply))}
    known.add(os.path.join(table.watching, PUBLIC))
    for folder in (inboxes(table), answers(table), table.watching):
        with suppress(OSError), os.scandir(folder) as entries:
            # Files in `watching/` itself are announcements, and look after themselves.
            paths = [x.path for x in islice(entries, _SWEPT) if x.is_dir(follow_symlinks=False)]
            for path in paths:
                if path not in known:
                    shutil.rmtree(path, ignore_errors=True)
                    if os.path.lexists(path):
                        left.append((path, _owner_in(path)))
    return left


def _owner_in(path: str) -> str:
    """Return the account that owns the first foreign file in a folder."""
    with suppress(OSError, KeyError):
        for above, folders, files in os.walk(path):
            for name in (*folders, *files):
                if (owner := os.lstat(os.path.join(above, name)).st_uid) != os.geteuid():
                    return pwd.getpwuid(owner).pw_name
    return "somebody else"


def _folder(path: str, mode: int) -> None:
    """Make a folder, or give an existing one at least these rights. Raises OSError."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if os.path.islink(path) or not os.path.isdir(path):
            raise NotADirectoryError(20, "this is not a folder", path) from None
    now = os.stat(path).st_mode & 0o7777
    # Not narrowed: a seat that is opened again at home must not shut the group out.
    if now | mode != now:
        os.chmod(path, now | mode)


def _keep(path: str, kept: _Kept) -> None:
    """Write a new file with a key, for its owner alone; one made meanwhile stays. Raises OSError."""
    disk, hidden = Disk(), f"{temporary_of(path)}-{os.urandom(4).hex()}"
    fd = disk.open(hidden, NEW)
    try:
        write_all(disk, fd, msgspec.json.encode(kept) + b"\n")
        disk.fsync(fd)
    finally:
        disk.close(fd)
    try:
        give_name(disk, hidden, path)
    except FileExistsError:
        discard(disk, hidden)


def find_seat(table: TableFolder, name: str) -> PlayerSeat | None:
    """Return the seat of that name, or None without an invitation. Raises BadSeat, BadFile."""
    path = key_path(table, checked_seat(name))
    return read_seat(table, path) if os.path.lexists(path) else None


def keep_key(path: str, name: str, key: str) -> None:
    """Keep a key that a player has brought, for this account alone. Raises OSError."""
    _keep(path, _Kept(name, key))


def read_seat(table: TableFolder, path: str) -> PlayerSeat:
    """Return the seat whose key is stored at `path` among the table's. Raises BadFile."""
    seat = _read(table, path)
    if key_path(table, seat.name) != path:
        raise BadFile(path, 0, "this is another seat's key", "remove it, and invite again")
    return seat


def kept_seat(table: TableFolder, path: str, name: str) -> PlayerSeat:
    """Return the seat of that name by the key that a player keeps at `path`. Raises BadFile."""
    seat = _read(table, path)
    if seat.name.lower() != name.lower():
        raise BadFile(path, 0, "this is another seat's key", "remove it, and ask for an invitation")
    return seat


def _read(table: TableFolder, path: str) -> PlayerSeat:
    """Read a key. Raises BadFile, also for one that others may read or have written."""
    data, status = read_regular(Disk(), path, _CAP)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise BadFile(
            path, 0, "the seat's key is not yours alone", f"`chmod 600 {plain(path)}`, or invite again"
        )
    try:
        kept = msgspec.json.decode(data, type=_Kept)
        seat = PlayerSeat(table, checked_seat(kept.seat), bytes.fromhex(kept.key))
    except (BadSeat, ValueError, RecursionError):  # msgspec's errors are ValueErrors
        raise BadFile(path, 0, "this is no seat's key", "remove it, and invite again") from None
    if len(seat.key) != KEY_BYTES:
        raise BadFile(path, 0, "this is no seat's key", "remove it, and invite again")
    return seat


def all_seats(table: TableFolder) -> tuple[list[PlayerSeat], list[BadFile]]:
    """Return the seats by name, and the keys that cannot be read."""
    seats: list[PlayerSeat] = []
    bad: list[BadFile] = []
    try:
        names = sorted(name for name in os.listdir(table.seats) if name.endswith(".key") and name[0] != ".")
    except OSError:
        return [], []
    for name in names:
        try:
            seats.append(read_seat(table, os.path.join(table.seats, name)))
        except BadFile as error:
            bad.append(error)
    return seats, bad


def page_path(table: TableFolder, viewer: str) -> str:
    """Return a viewer's page; an invited player's at a shared table has a name that only they know.

    Raises BadFile.
    """
    if (
        viewer
        and os.path.isdir(table.path)
        and table.mode & 0o040
        and os.path.lexists(key_path(table, viewer))
    ):
        return secret_page(read_seat(table, key_path(table, viewer)))
    return table.view(viewer)


def secret_page(seat: PlayerSeat) -> str:
    """Return the folder of an invited player's page at a shared table, which only its owner may list."""
    return os.path.join(seat.table.views, seat.word("view"), PAGE)
