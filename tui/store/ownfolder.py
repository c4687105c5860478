"""Work in a folder of this account by its descriptor, without following links.

A table's folder may come from a stranger. Each folder below the save's folder is opened without following a
link, and only if it belongs to the account that runs. Calls use bare names inside the open folder, so that a
folder exchanged meanwhile has no effect. A sweep deletes names of a given form, one by one.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Self

from tui.store.disk import FOLDER, Disk, discard, folder_of, replace_file
from tui.store.problems import BadFile

_OPEN_FLAGS: Final = FOLDER | os.O_NOFOLLOW | os.O_CLOEXEC
_PEER_FLAGS: Final = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER_MODE: Final = 0o700
MOST_SWEPT: Final = 10_000
"""The most names of a folder that one sweep looks at."""


class OwnFolder(Disk):
    """A folder that is open, and the disk's calls in it, for which every path is a bare name. Use `with`."""

    def __init__(self, fd: int, path: str) -> None:
        self._fd, self.path = fd, path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def inside(self, name: str, *, make: bool = False) -> OwnFolder:
        """Return a folder in this one, made first with `make` if it is missing. Raises OSError."""
        return _enter(self._fd, _check_bare_name(name), os.path.join(self.path, name), make=make)

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        """Return a descriptor of a file in this folder. Raises OSError.

        A file that is opened to write must be a plain file of this account with only one name.
        """
        fd = os.open(_check_bare_name(path), flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=self._fd)
        if flags & (os.O_WRONLY | os.O_RDWR) and not _is_plain_file(os.fstat(fd)):
            os.close(fd)
            raise OSError(errno.EPERM, "this is not a plain file of this account", self._path_of(path))
        return fd

    def lstat(self, path: str) -> os.stat_result:
        """Return the status of a name; links are not followed."""
        return os.stat(_check_bare_name(path), dir_fd=self._fd, follow_symlinks=False)

    def listdir(self, path: str = ".") -> list[str]:
        """Return the names in this folder."""
        del path
        return os.listdir(self._fd)

    def link(self, old: str, new: str) -> None:
        """Give a file in this folder a second name. Raises FileExistsError if `new` exists."""
        os.link(
            _check_bare_name(old),
            _check_bare_name(new),
            src_dir_fd=self._fd,
            dst_dir_fd=self._fd,
            follow_symlinks=False,
        )

    def replace(self, old: str, new: str) -> None:
        """Give `old` the name `new` in one step."""
        os.replace(_check_bare_name(old), _check_bare_name(new), src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def unlink(self, path: str) -> None:
        """Delete the name."""
        os.unlink(_check_bare_name(path), dir_fd=self._fd)

    def shut(self) -> None:
        """Take all rights in this folder from everybody but its owner."""
        if stat.S_IMODE(os.fstat(self._fd).st_mode) != _FOLDER_MODE:
            os.fchmod(self._fd, _FOLDER_MODE)

    def rmdir(self, name: str) -> None:
        """Delete an empty folder."""
        os.rmdir(_check_bare_name(name), dir_fd=self._fd)

    def has(self, name: str) -> bool:
        """Return whether something has that name; a dangling link has it too."""
        with suppress(OSError):
            self.lstat(name)
            return True
        return False

    def pipe(self, name: str) -> int:
        """Return the reading end of a pipe of that name; anything else of that name is deleted first.

        Raises OSError.
        """
        here = {"dir_fd": self._fd} if os.mkfifo in os.supports_dir_fd else {}
        place = _check_bare_name(name) if here else self._path_of(name)
        if self.has(name) and not stat.S_ISFIFO(self.lstat(name).st_mode):
            self.unlink(name)
        with suppress(FileExistsError):
            os.mkfifo(place, 0o600, **here)
        fd = self.open(name, os.O_RDONLY | os.O_NONBLOCK)
        if not stat.S_ISFIFO(os.fstat(fd).st_mode):
            os.close(fd)
            raise OSError(errno.EPERM, "this is not a pipe", self._path_of(name))
        return fd

    def peer(self, name: str) -> int:
        """Return the writing end of a pipe of that name, if a process reads it. Raises OSError."""
        return os.open(_check_bare_name(name), _PEER_FLAGS, dir_fd=self._fd)

    def sweep(self, form: re.Pattern[str]) -> None:
        """Delete the files whose whole names match; folders and other names stay."""
        for name in self.listdir()[:MOST_SWEPT]:
            if form.fullmatch(name):
                discard(self, name)

    def clear(self, name: str, form: re.Pattern[str]) -> bool:
        """Delete the matching files of a folder here, then the folder; return whether it is deleted."""
        with suppress(OSError):
            with self.inside(name) as folder:
                folder.sweep(form)
            self.rmdir(name)
        return not self.has(name)

    def _path_of(self, path: str) -> str:
        return os.path.join(self.path, _check_bare_name(path))


def open_own_folder(path: str, *parts: str, make: bool = False) -> OwnFolder:
    """Return the folder at `path`, or the one that `parts` name below it, opened without following links.

    Links above `path` are the user's choice and followed. With `make`, missing folders are made. Raises
    OSError: ENOTDIR for a link or a file, EPERM for another account's folder.
    """
    try:
        above = os.open(folder_of(path), FOLDER | os.O_CLOEXEC)
    except OSError as error:
        raise _error_at(error, folder_of(path)) from None
    try:
        now = _enter(above, os.path.basename(path), path, make=make)
    finally:
        os.close(above)
    for part in parts:
        with now:
            following = now.inside(part, make=make)
        now = following
    return now


def explain_unfit_folder(path: str, title: str) -> BadFile | None:
    """Return the reason why the folder at `path` cannot be used; None for a fit or a missing one.

    `title` is its name in the message: "the players' folder".
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        return BadFile(path, 0, f"{title} cannot be read: {getattr(error, 'strerror', '') or 'no such name'}")
    if stat.S_ISLNK(status.st_mode):
        return BadFile(path, 0, f"{title} is a link, and links are not followed", "move the link away")
    if not stat.S_ISDIR(status.st_mode):
        return BadFile(path, 0, f"{title} is not a folder", "move that file away")
    if status.st_uid != os.geteuid():
        return BadFile(path, 0, f"{title} belongs to another account", "move it away, or copy the save alone")
    return None


def require_own_folder(path: str, title: str) -> None:
    """Raise BadFile for a folder that is a link, not a folder, or another account's; accept a missing one."""
    if bad := explain_unfit_folder(path, title):
        raise bad


def make_own_folder(path: str) -> None:
    """Make a folder of this account, and the missing folders above it. Raises OSError."""
    os.makedirs(folder_of(path), mode=_FOLDER_MODE, exist_ok=True)
    open_own_folder(path, make=True).__exit__()


def remove_file(path: str) -> None:
    """Delete a file that this program made, if it exists, never a folder; a failure is ignored."""
    with suppress(OSError, ValueError):
        os.unlink(path)


def replace_plain_file(path: str, data: bytes) -> None:
    """Write a file in place of a regular file or of none; anything else is refused. Raises OSError."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise OSError(errno.EINVAL, "this is not a regular file", path)
    replace_file(Disk(), path, [data])


def write_settings(path: str, data: bytes, hint: str) -> None:
    """Write the settings file in place of a regular one, and make its folder if it is missing.

    `hint` is the hint of a refusal. Raises BadFile for a link and for an unfit folder; OSError.
    """
    require_own_folder(folder_of(path), "the folder of the settings")
    if os.path.islink(path):
        raise BadFile(path, 0, "the settings are a link, which is read and never written to", hint)
    make_own_folder(folder_of(path))
    replace_plain_file(path, data)


def _enter(above: int, name: str, path: str, *, make: bool) -> OwnFolder:
    if make:
        with suppress(FileExistsError):
            _name_path(path, lambda: os.mkdir(name, _FOLDER_MODE, dir_fd=above))
    try:
        fd = os.open(name, _OPEN_FLAGS, dir_fd=above)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise NotADirectoryError(errno.ENOTDIR, "this is not a folder", path) from None
        raise _error_at(error, path) from None
    if os.fstat(fd).st_uid != os.geteuid():
        os.close(fd)
        raise PermissionError(errno.EPERM, "this folder belongs to another account", path)
    return OwnFolder(fd, path)


def _name_path(path: str, call: Callable[[], Any]) -> None:
    try:
        call()
    except OSError as error:
        raise _error_at(error, path) from None


def _error_at(error: OSError, path: str) -> OSError:
    """Return the error with the path that it is about."""
    return OSError(error.errno, error.strerror, path)


def _check_bare_name(path: str) -> str:
    """Return a bare file name; raise ValueError for one that would lead out of the folder."""
    name = path.removeprefix("./")
    if "/" in name or name in ("", ".."):
        raise ValueError(f"not a bare name: {name!r}")
    return name


def _is_plain_file(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == os.geteuid()
