"""The layout of the folder beside a save for players' terminals: `mill.table` beside `mill.toml`.

`views/` holds a folder with the page of each viewer. `watching/` holds a file for each terminal that watches,
so that only watched pages are published. `publishing` is locked by the publisher's process, `writer` holds
the state of the save, and the pipe `alive` shows that this state is current. A name that a person has given
is never used as a file's name unchanged.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from itertools import islice
from typing import Final, Literal

import msgspec
from msgspec import Struct

from tui.store.ownfolder import OwnFolder, explain_unfit_folder, open_own_folder
from tui.store.problems import BadFile

PUBLIC: Final = "public"
"""The file name for a viewer without a name."""

PAGE: Final = "page.json"
"""The file name of a viewer's page."""

ADDRESSES: Final = "addresses"
"""The name of the file with the secret addresses of the pages for browsers."""

_ENDING = ".table"
_SIMPLE_NAME = r"[a-z0-9]{1,32}"
_READABLE_LETTERS = 16  # letters of a name that may be read in its file's name


class TableFolder(Struct, frozen=True):
    """The folder of one save's table, and the paths in it."""

    path: str

    @property
    def views(self) -> str:
        """The folder of the published pages."""
        return os.path.join(self.path, "views")

    @property
    def watching(self) -> str:
        """The folder of the announcements of viewers."""
        return os.path.join(self.path, "watching")

    @property
    def seats(self) -> str:
        """The folder of the keys of players' seats."""
        return os.path.join(self.path, "seats")

    @property
    def writer(self) -> str:
        """The file with the publisher's WriterNotice."""
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
        """Return the path of a viewer's page; "" is the viewer without a name."""
        return os.path.join(self.views, player_file_name(viewer), PAGE)

    def make(self) -> None:
        """Make the folder and its parts, private.

        Raises OSError, also for a link, a file, and another account's folder.
        """
        for folder in (self.path, self.views, self.watching):
            make_private(folder)

    @property
    def problem(self) -> BadFile | None:
        """The reason why nothing may be written in this folder; None for a fit or a missing folder."""
        if bad := explain_unfit_folder(self.path, "the players' folder"):
            return bad
        for name in (*PARTS, *FILES):
            part = os.path.join(self.path, name)
            bad = (
                explain_unfit_folder(part, f"`{name}` in the players' folder")
                if name in PARTS
                else _explain_unfit_file(part)
            )
            if bad:
                return bad
        for name in PARTS[:3]:
            for part in _list_viewer_folders(os.path.join(self.path, name)):
                if bad := explain_unfit_folder(part, f"a folder in `{name}` of the players' folder"):
                    return bad
        return None


PARTS: Final = ("views", "inbox", "answers", "watching", "seats")
"""The folders of a table; the first three hold a folder for each viewer or seat."""

FILES: Final = ("writer", "publishing", "alive", "refused.log", ADDRESSES)
VIEWER: Final = r"[a-z0-9]{1,32}|[a-z0-9]{0,16}-[0-9a-f]{24}"
"""The names of folders of viewers and seats."""

_MOST_FOLDERS = 1_000


def _list_viewer_folders(path: str) -> list[str]:
    """Return the paths of the viewers' and seats' folders in a folder, at most _MOST_FOLDERS."""
    with suppress(OSError), open_table_part(path) as folder:
        found = (name for name in folder.listdir() if re.fullmatch(VIEWER, name))
        return [os.path.join(path, name) for name in islice(found, _MOST_FOLDERS)]
    return []


def _explain_unfit_file(path: str) -> BadFile | None:
    """Return the reason why a file of the table cannot be used; None for a fit or a missing file."""
    with suppress(OSError):
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode) or stat.S_ISDIR(mode):
            return BadFile(path, 0, "this is not a file of the players' folder", "move it away")
    return None


def open_table_part(path: str, *, make: bool = False) -> OwnFolder:
    """Return a folder of a table, entered from the table's own folder without following links.

    Raises OSError.
    """
    top, below = path, list[str]()
    while top and not top.endswith(_ENDING):
        top, name = os.path.split(top)
        if not name:
            return open_own_folder(path, make=make)  # the path is not inside the folder of a table
        below.insert(0, name)
    return open_own_folder(top or path, *(below if top else ()), make=make)


def make_private(path: str) -> None:
    """Make a folder of a table, or take all rights in an existing one from others. Raises OSError."""
    with open_table_part(path, make=True) as folder:
        folder.shut()


def players_folder(path: str) -> TableFolder:
    """Return the folder for the players of the save at `path`."""
    return TableFolder(path.removesuffix(".toml") + _ENDING)


def require_players_folder(path: str) -> TableFolder:
    """Return the players' folder of the save at `path`. Raises BadFile if it may not be written."""
    table = players_folder(path)
    if bad := table.problem:
        raise bad
    return table


def player_file_name(name: str) -> str:
    """Return the file name for a viewer or a seat: letters and digits, anything else as a fingerprint.

    Two names that differ in more than letter case never share one.
    """
    low = name.lower()
    if not low:
        return PUBLIC
    if re.fullmatch(_SIMPLE_NAME, low) and low != PUBLIC:
        return low
    import hashlib  # this loads OpenSSL: only unusual names need it

    readable = re.sub("[^a-z0-9]", "", low)[:_READABLE_LETTERS]
    return f"{readable}-{hashlib.sha256(low.encode()).hexdigest()[:24]}"


Standing = Literal["written", "gone", "damaged"]
"""The state of a save: it has a writer, its file is gone, or damaged."""


class WriterNotice(msgspec.Struct, frozen=True):
    """The state of the save, as the publisher writes it; it is current while the publisher runs."""

    standing: Standing = "written"
    format: int = 1
