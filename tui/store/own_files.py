"""Check, make and write the folders and files of this account, and delete files that the program made."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from tui.store.disk import NOT_REGULAR, Disk, folder_of, replace_file
from tui.store.problems import BadFile


def explain_unfit_folder(path: str, title: str) -> BadFile | None:
    """Return the reason why the folder at `path` cannot be used; None for a fit or a missing one.

    `title` is its name in the message: "the library".
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        return BadFile(path, 0, f"{title} cannot be read: {error}")
    if stat.S_ISLNK(status.st_mode):
        problem = "is a link, and links are not followed"
    elif not stat.S_ISDIR(status.st_mode):
        problem = "is not a folder"
    elif status.st_uid != os.geteuid():
        problem = "belongs to another account"
    else:
        return None
    return BadFile(path, 0, f"{title} {problem}", "move it away")


def require_own_folder(path: str, title: str) -> None:
    """Raise BadFile for a folder that is a link, not a folder, or another account's; accept a missing one."""
    if bad := explain_unfit_folder(path, title):
        raise bad


def remove_file(path: str) -> None:
    """Delete a file that this program made, if it exists, never a folder; a failure is ignored."""
    with suppress(OSError, ValueError):
        os.unlink(path)


def replace_plain_file(path: str, data: bytes) -> None:
    """Write a file in place of a regular file or of none; anything else is refused. Raises OSError."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise OSError(errno.EINVAL, NOT_REGULAR, path)
    replace_file(Disk(), path, data)


def write_settings(path: str, data: bytes, hint: str) -> None:
    """Write the settings file in place of a regular one, and make its folder if it is missing.

    `hint` is the hint of a refusal. Raises BadFile for a link and for an unfit folder; OSError.
    """
    with suppress(FileExistsError):
        os.makedirs(folder_of(path), mode=0o700)
    require_own_folder(folder_of(path), "the folder of the settings")
    if os.path.islink(path):
        raise BadFile(path, 0, "the settings are a link, which is read and never written to", hint)
    replace_plain_file(path, data)
