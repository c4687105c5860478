"""Fights copied, renamed, thrown into the trash and fetched back. A save that is being written is never moved."""

from __future__ import annotations

import os
from typing import Final

from tui.core.base.errors import RuleError
from tui.store.disk import Disk, discard, give_name, publish, sync_folder
from tui.store.journal.reader import slurp
from tui.store.lock import SaveLock, lock_path
from tui.store.making import MOST_COPIES, SaveExists
from tui.store.saves import checked_name, make_folder, name_of
from tui.store.shelf.contents import TRASH
from tui.store.table.folder import table_of

BESIDE: Final = (".drafts", ".cache")
"""Endings of the files beside a save that go where it goes."""


def copy(path: str, folder: str, name: str, disk: Disk | None = None) -> str:
    """A copy under another name, on the disk; its path. Raises BadName, SaveExists, BadFile, OSError."""
    target = _in(folder, name)
    content, _ = slurp(path)
    disk = disk or Disk()
    try:
        fd, _ = publish(disk, target, [content])
    except FileExistsError:
        raise SaveExists(name_of(target)) from None
    disk.close(fd)
    return target


def rename(path: str, folder: str, name: str, disk: Disk | None = None) -> str:
    """The save under another name; its path. Raises BadName, SaveExists, InUse, BadFile, OSError."""
    target = _in(folder, name)
    _move(disk or Disk(), path, target)
    return target


def throw(path: str, folder: str, disk: Disk | None = None) -> str:
    """The save goes into the trash; its path there. Raises as `rename` does."""
    bin_ = os.path.join(folder, TRASH)
    make_folder(bin_)
    return _free(disk or Disk(), path, bin_)


def fetch_back(path: str, folder: str, disk: Disk | None = None) -> str:
    """A save comes back from the trash, under another name when its own is taken; its path. Raises as `rename` does."""
    return _free(disk or Disk(), path, folder)


def free_name(stem: str, folder: str) -> str:
    """The stem, or the first of `stem-2`, `stem-3` … that no save of the folder has. Raises RuleError."""
    for number in range(1, MOST_COPIES + 1):
        name = stem if number == 1 else f"{stem}-{number}"
        # lexists: a dangling link takes the name as well.
        if not os.path.lexists(os.path.join(folder, name + ".toml")):
            return name
    raise RuleError(f"there are {MOST_COPIES} copies of {stem} already", "remove some")


def _in(folder: str, name: str) -> str:
    # Not `path_of`, for which a name that ends in .toml is a path from where the program was started.
    return os.path.join(folder, checked_name(name) + ".toml")


def _free(disk: Disk, path: str, folder: str) -> str:
    stem = os.path.basename(path).removesuffix(".toml")
    while True:
        target = os.path.join(folder, free_name(stem, folder) + ".toml")
        try:
            _move(disk, path, target)
        except SaveExists:  # taken between the look and the move
            continue
        return target


def _move(disk: Disk, path: str, target: str) -> None:
    lock = SaveLock.acquire(path)
    try:
        try:
            give_name(disk, path, target)
        except FileExistsError:
            raise SaveExists(name_of(target)) from None
        for ending in BESIDE:
            _follow(disk, path + ending, target + ending)
        # Its seats' keys are this fight's: they must not open another one that takes the name.
        _follow(disk, table_of(path).path, table_of(target).path)
        # While it is still ours: whoever waits for this name finds another lock file, or none.
        discard(disk, lock_path(path))
        sync_folder(disk, target)
        sync_folder(disk, path)
    finally:
        lock.release()


def _follow(disk: Disk, path: str, target: str) -> None:
    """A file beside the save; one that cannot come along is a loss of comfort, never of a step."""
    try:
        disk.replace(path, target)
    except OSError:
        return
