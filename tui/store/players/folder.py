"""Lay out the folder beside a save that players' terminals use: `mill.table` beside `mill.toml`.

`views/` holds what is published, a folder for each viewer: one is not woken by what others see.
`watching/` says who looks, so that only what is looked at is published; `publishing` is locked by the process
that publishes, `writer` says how the save stands, and `alive` that this still holds. A name that a person has
given is never used as a file's name unchanged.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from typing import Final, Literal

import msgspec
from msgspec import Struct

PUBLIC: Final = "public"
"""The file name for a viewer without a name."""

PAGE: Final = "page.json"
"""What is published for one viewer."""

_SIMPLE = re.compile(r"[a-z0-9]{1,32}")
_SHORT = 16  # letters of a name that may be read in its file's name


class TableFolder(Struct, frozen=True):
    """The folder of one save's table: its `path`, and what lies where in it."""

    path: str

    @property
    def views(self) -> str:
        """The folder of what is published."""
        return os.path.join(self.path, "views")

    @property
    def watching(self) -> str:
        """The folder of who looks."""
        return os.path.join(self.path, "watching")

    @property
    def seats(self) -> str:
        """The folder of the keys of players' seats."""
        return os.path.join(self.path, "seats")

    @property
    def writer(self) -> str:
        """The file in which the publishing process says how the save stands.

        It is closed when that process ends.
        """
        return os.path.join(self.path, "writer")

    @property
    def lock(self) -> str:
        """The file that the publisher keeps locked."""
        return os.path.join(self.path, "publishing")

    @property
    def alive(self) -> str:
        """The pipe that the publisher reads: it can be opened to write only while that process lives."""
        return os.path.join(self.path, "alive")

    def view(self, viewer: str) -> str:
        """Return the file that is published for a viewer, "" for one without a name."""
        return os.path.join(self.views, file_name(viewer), PAGE)

    def make(self) -> None:
        """Make the folder and what is missing of its parts, for its owner alone.

        Raises OSError; PermissionError for a folder that another account has put there.
        """
        for folder in (self.path, self.views, self.watching):
            try:
                os.mkdir(folder, 0o700)
            except FileExistsError:
                status = os.lstat(folder)
                if not stat.S_ISDIR(status.st_mode):  # a link may lead anywhere
                    raise NotADirectoryError(errno.ENOTDIR, "this is not a folder", folder) from None
                if status.st_uid != os.geteuid():
                    raise PermissionError(
                        errno.EPERM, "this folder belongs to another account", folder
                    ) from None
                if status.st_mode & 0o077:  # 1.0 could share a table with a group
                    os.chmod(folder, 0o700)

    @property
    def ours(self) -> bool:
        """Whether this account has made the folder: what another one put there decides nothing here."""
        try:
            return os.lstat(self.path).st_uid == os.geteuid()
        except OSError:
            return False


def table_of(path: str) -> TableFolder:
    """Return the folder for the players of the save at `path`."""
    return TableFolder(path.removesuffix(".toml") + ".table")


def file_name(name: str) -> str:
    """Return the file name for a viewer or a seat: letters and digits, anything else as a fingerprint.

    Two names that differ in more than letter case never share one.
    """
    low = name.lower()
    if not low:
        return PUBLIC
    if _SIMPLE.fullmatch(low) and low != PUBLIC:
        return low
    readable = re.sub("[^a-z0-9]", "", low)[:_SHORT]
    return f"{readable}-{hashlib.sha256(low.encode()).hexdigest()[:24]}"


Standing = Literal["written", "gone", "damaged"]
"""How the save stands: someone writes it; its file is moved or deleted, or damaged."""


class WriterNotice(msgspec.Struct, frozen=True):
    """How the save stands. It holds as long as the file is locked: without a publisher no one writes."""

    standing: Standing = "written"
    format: int = 1
