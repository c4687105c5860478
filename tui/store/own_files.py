"""Check, make and write the folders and files of this account, and delete files that the program made."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import Final

from tui.store.disk import Disk, folder_of, replace_file
from tui.store.problems import BadFile

_FOLDER_MODE: Final = 0o700


def explain_unfit_folder(path: str, title: str) -> BadFile | None:
    """Return the reason why the folder at `path` cannot be used; None for a fit or a missing one.

    `title` is its name in the message: "the library".
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
    with suppress(FileExistsError):
        os.mkdir(path, _FOLDER_MODE)
    if bad := explain_unfit_folder(path, "this folder"):
        raise PermissionError(errno.EPERM, bad.message, path)


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
