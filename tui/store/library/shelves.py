"""Where the library lies: four folders beside the saves, and what is in each of them by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.store.problems import BadFile
from tui.store.saves import BadName, checked_name

Kind = Literal["party", "encounter", "creature", "condition"]
SHELVES: dict[Kind, str] = {
    "party": "parties", "encounter": "encounters", "creature": "creatures", "condition": "conditions",
}  # fmt: skip
ENDING = ".toml"
MOST_FILES = 2_000  # in one folder


class RosterFile(Struct, frozen=True):
    """A file of the library as a list shows it.

    `names` are those of its creatures (`6 Orc` for six), `later` how many of its tables arrive in a later round;
    `problem` says what is wrong with it, with file and line, "" for nothing.
    """

    name: str
    path: str
    names: tuple[str, ...] = ()
    later: int = 0
    problem: str = ""

    @property
    def told(self) -> str:
        """Who is in it, or what is wrong with it."""
        return self.problem or ", ".join(self.names) + (f" ({self.later} later)" if self.later else "")


def shelf(folder: str, kind: Kind) -> str:
    """The folder of one kind; `folder` is that of the saves."""
    return os.path.join(folder, SHELVES[kind])


def files(folder: str, kind: Kind) -> Iterator[tuple[str, os.stat_result]]:
    """The TOML files of one kind, in order of their names, each with its stat; none when there is no such folder.

    Links are followed by nobody: they are passed over here and refused where they are read.
    """
    try:
        with os.scandir(shelf(folder, kind)) as found:
            # One call for all of them: a stat each would be the most of what a first look-up costs.
            entries = sorted((e for e in found if _is_ours(e)), key=lambda e: e.name)
    except OSError:
        return
    for entry in entries[:MOST_FILES]:
        try:
            yield entry.path, entry.stat(follow_symlinks=False)
        except OSError:  # it went while we looked
            continue


def _is_ours(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(ENDING) and not entry.name.startswith(".")


def names(folder: str, kind: Kind) -> list[str]:
    """The names of the files of one kind, by which they are loaded."""
    return [os.path.basename(path).removesuffix(ENDING) for path, _ in files(folder, kind)]


def place(folder: str, kind: Kind, file: str) -> str:
    """The file that is meant: a path that ends in .toml, or a name on its shelf. Raises RuleError."""
    if file.endswith(ENDING):
        return os.path.expanduser(file)
    # A bare name must stay on its shelf; a path elsewhere is possible, but has to look like one.
    try:
        return os.path.join(shelf(folder, kind), checked_name(file) + ENDING)
    except BadName as error:
        raise RuleError(
            error.message.replace("a save's name", f"the name of a file in {SHELVES[kind]}/"), error.hint
        ) from None


def refused(error: BadFile) -> RuleError:
    """A file that cannot be read or trusted, as the refusal of a line."""
    return RuleError(str(error), error.hint)
