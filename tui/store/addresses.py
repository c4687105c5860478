"""Keep the secret addresses of a fight's pages in the state folder, and say whether somebody serves them.

Everybody with an address sees what its viewer may know, and sends that viewer's lines. So each address has
128 random bits, the file is private, and it lies not beside the save: a save that somebody copies or sends
brings none. The addresses count as long as path, inode and time of making of the save are the same.
"""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from tui.homes import user_folder
from tui.store.disk import PRIVATE, Disk, read_part, read_regular, replace_file
from tui.store.journal.format import SAVE_CAP
from tui.store.journal.reader import read_header
from tui.store.problems import BadFile
from tui.store.saves import HEAD_BYTES, make_folder

_CAP: Final = 64_000  # bytes
_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC

AddressKey = Annotated[str, Meta(pattern=r"\A[a-z2-7]{26}\Z")]
"""The secret part of an address: 128 bits in letters and digits that can be typed on a phone."""


class KeptAddresses(Struct, frozen=True):
    """The file of a save's addresses: what the save was when they were made, and each viewer's key.

    The viewers' names are in lower case, "" for the public. `url` is the beginning of the addresses.
    """

    path: str = ""
    inode: int = 0
    created: str = ""
    url: str = ""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    names: dict[str, str] = {}
    keys: dict[str, AddressKey] = {}


class Addresses:
    """The addresses of one save, for the process that serves it."""

    def __init__(self, save: str, *, new: bool = False) -> None:
        """Read the addresses of a save; without valid ones, or if `new`, make others."""
        self._lock: int | None = None
        kept = read_kept(save)
        valid = is_valid(kept, save) and not new
        self.save = save
        self.changed = bool(kept.keys) and not valid
        """Whether the save had other addresses, which have ended."""
        self.unkept = ""
        """Why the addresses could not be written, "" if they are kept."""
        self.url, self.port = "", kept.port
        self.names = dict(kept.names) if valid else {}
        self.keys: dict[str, str] = dict(kept.keys) if valid else {}

    def admit(self, names: tuple[str, ...]) -> bool:
        """Make addresses for viewers without one; return whether any was made."""
        missing = [name for name in names if name.lower() not in self.keys]
        for name in missing:
            self.names[name.lower()] = name
            self.keys[name.lower()] = _make_key()
        return bool(missing)

    def renew(self, name: str | None) -> bool:
        """End the address of a viewer, or all, and make new ones; return whether there was one."""
        ended = [key for key in self.keys if name is None or key == name.lower()]
        self.keys.update({key: _make_key() for key in ended})
        return bool(ended)

    def keep(self) -> None:
        """Write the addresses, readable by their owner alone."""
        path, inode, created = identify(self.save)
        kept = KeptAddresses(path, inode, created, self.url, self.port, self.names, self.keys)
        try:
            _write(self.save, kept)
            self.unkept = ""
        except OSError as error:
            self.unkept = error.strerror or str(error)

    def announce(self, url: str, port: int) -> None:
        """Say, until `withdraw`, that this process serves at `url`."""
        self.url, self.port = url, port
        self.keep()
        self.withdraw()
        with suppress(OSError):
            self._lock = os.open(_path(self.save, "lock"), _FLAGS, PRIVATE)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def withdraw(self) -> None:
        """Say no more that this process serves."""
        if self._lock is not None:
            os.close(self._lock)
        self._lock = None

    def move(self, save: str) -> None:
        """Take the addresses along to a new file of the fight; the old one has none any more."""
        end_addresses(self.save)
        self.save = save
        self.announce(self.url, self.port)


def read_kept(save: str) -> KeptAddresses:
    """Return what is kept for a save; nothing if others could have read or written it."""
    with suppress(OSError, BadFile, msgspec.MsgspecError, RecursionError):
        data, status = read_regular(Disk(), _path(save, "json"), _CAP)
        if not stat.S_IMODE(status.st_mode) & 0o077 and status.st_uid == os.geteuid():
            return msgspec.json.decode(data, type=KeptAddresses)
    return KeptAddresses()


def is_valid(kept: KeptAddresses, save: str) -> bool:
    """Return whether kept addresses still belong to the save: the same path, inode and time of making."""
    return bool(kept.keys) and (kept.path, kept.inode, kept.created) == identify(save)


def is_served(save: str) -> bool:
    """Return whether a process serves the save now."""
    with suppress(OSError):
        lock = os.open(_path(save, "lock"), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
    return False


def end_addresses(save: str) -> None:
    """End the addresses of a save that is trashed or goes on in another file."""
    if read_kept(save).keys:
        with suppress(OSError):
            _write(save, KeptAddresses())


def move_addresses(old: str, new: str) -> None:
    """Take the addresses along when a save is renamed."""
    kept = read_kept(old)
    path, inode, created = identify(new)
    if kept.keys and (kept.inode, kept.created) == (inode, created):
        with suppress(OSError):
            _write(new, msgspec.structs.replace(kept, path=path))
    end_addresses(old)


def identify(save: str) -> tuple[str, int, str]:
    """Return the real path of a save, its inode and its time of making."""
    path = os.path.realpath(save)
    with suppress(BadFile):
        head, status = read_part(Disk(), path, SAVE_CAP, 0, HEAD_BYTES)
        return path, status.st_ino, read_header(head, path)[0].created
    return path, 0, ""


def _make_key() -> str:
    from base64 import b32encode

    return b32encode(os.urandom(16)).decode().rstrip("=").lower()


def _path(save: str, ending: str) -> str:
    """Return the path of a save's file in the folder of addresses."""
    from hashlib import sha256  # this loads OpenSSL: only fights that are served need it

    name = sha256(os.fsencode(os.path.realpath(save))).hexdigest()[:32]
    return os.path.join(user_folder("state"), "serve", f"{name}.{ending}")


def _write(save: str, kept: KeptAddresses) -> None:
    path = _path(save, "json")
    make_folder(os.path.dirname(path))
    replace_file(Disk(), path, msgspec.json.encode(kept), PRIVATE, durable=True)
