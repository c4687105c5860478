"""The three folders of the library beside the saves: their paths and files, and how files are written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Literal

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.language.values import spell
from tui.core.rules.names import check_name
from tui.store.disk import Disk, create_file, discard, numbered_file, replace_file
from tui.store.own_files import explain_unfit_folder, require_own_folder
from tui.store.problems import BadFile, BadName, NotSaved, as_rule_error, from_os_error
from tui.store.saves import check_save_name, make_folder, save_name

ShelfKind = Literal["party", "creature", "condition"]
SHELVES: dict[ShelfKind, str] = {
    "party": "parties", "creature": "creatures", "condition": "conditions",
}  # fmt: skip
OLD_ENCOUNTERS = "encounters"
"""The folder in which 1.x kept foes as files like those of parties; they are only read."""
ENDING = ".toml"
MOST_FILES = 2_000  # in one folder


class Mistake(Exception):  # noqa: N818 - becomes a BadFile with its line
    """A mistake in a table: its key ("" for the table itself), the error, and what would work."""

    def __init__(self, key: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.key, self.message, self.hint = key, message, hint


@contextmanager
def note_mistake(key: str) -> Iterator[None]:
    """Turn a RuleError of the block into a Mistake at this key."""
    try:
        yield
    except RuleError as error:
        raise Mistake(key, error.message, error.hint) from None


def read_name(entry: Any, example: str) -> str:
    """Return the name in a table. Raises Mistake."""
    if not isinstance(entry, dict) or not isinstance(name := entry.get("name"), str):
        raise Mistake("name", "a name is missing", f'name = "{example}"')
    with note_mistake("name"):
        return check_name(name)


def write_value(key: str, value: Any) -> str:
    """Return the text of a value, or of a list of values, as a line has it. Raises Mistake."""
    if not all(isinstance(v, str | int) for v in (value if isinstance(value, list) else [value])):
        raise Mistake(key, f"{key} is neither text nor a whole number")
    return spell(value)


def take_texts(table: dict[str, Any], key: str, most: int, example: str) -> tuple[str, ...]:
    """Remove and return a list of at most `most` texts. Raises Mistake."""
    value = table.pop(key, [])
    if not isinstance(value, list) or len(value) > most or not all(isinstance(x, str) for x in value):
        raise Mistake(key, f"{key} is a list of texts", f"{key} = {example}")
    return tuple(value)


class RosterFile(Struct, frozen=True):
    """A party of the library, as a list shows it."""

    name: str
    path: str
    names: tuple[str, ...] = ()
    """The names of the creatures: `6 Orc` for six."""
    later: int = 0
    """The number of tables whose creatures arrive in a later round."""
    problem: str = ""
    """The error in the file, with file and line; "" for none."""
    system: str = ""
    """The system of the fight in which the file was saved; "" without one."""
    dying: tuple[str, ...] = ()
    """The names of the creatures that were dying when the file was saved."""

    @property
    def summary(self) -> str:
        """The problem, else the names of the creatures."""
        later = f" ({self.later} later)" if self.later else ""
        dying = f"; dying: {', '.join(self.dying)}" if self.dying else ""
        return self.problem or f"{', '.join(self.names)}{later}{dying}"


def shelf_path(folder: str, kind: ShelfKind) -> str:
    """Return the folder of one kind; `folder` is that of the saves."""
    return os.path.join(folder, SHELVES[kind])


def list_shelf_files(folder: str, kind: ShelfKind) -> Iterator[tuple[str, os.stat_result]]:
    """Yield (path, stat) of the TOML files of one kind; `folder` is that of the saves."""
    return list_files(shelf_path(folder, kind))


def list_files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield (path, stat) of the TOML files of a folder, by name; none if it is missing or unfit.

    Links are not followed: their own stat is yielded, and reading them is refused.
    """
    if explain_unfit_folder(folder, ""):
        return  # `problems` says why
    try:
        with os.scandir(folder) as listing:
            # One call for all entries: a stat for each would take most of the time of a first lookup.
            ours = (e for e in listing if e.name.endswith(ENDING) and not e.name.startswith("."))
            entries = sorted(ours, key=lambda e: e.name)
    except OSError:
        return
    for entry in entries[:MOST_FILES]:
        try:
            yield entry.path, entry.stat(follow_symlinks=False)
        except OSError:  # the file was deleted meanwhile
            continue


def require_own_shelf(path: str) -> None:
    """Raise RuleError for a folder of the library that is a link, not a folder, or another account's."""
    try:
        require_own_folder(path, "this folder of the library")
    except BadFile as error:
        raise as_rule_error(error) from None


def list_shelf_names(folder: str, kind: ShelfKind) -> list[str]:
    """Return the names of the files of one kind, by which they are loaded."""
    return [save_name(path) for path, _ in list_shelf_files(folder, kind)]


def shelf_file(folder: str, kind: ShelfKind, file: str) -> str:
    """Return the path of a file of the library: a path that ends in .toml, else a name. Raises RuleError."""
    if file.endswith(ENDING):
        return os.path.expanduser(file)
    # A bare name stays inside its folder of the library; a path elsewhere is allowed, but has to look like
    # one.
    require_own_shelf(shelf_path(folder, kind))
    try:
        return os.path.join(shelf_path(folder, kind), check_save_name(file) + ENDING)
    except BadName as error:
        raise RuleError(
            error.message.replace("a save's name", f"the name of a file in {SHELVES[kind]}/"), error.hint
        ) from None


def write_shelf_file(path: str, text: str, *, overwrite: bool = False, disk: Disk | None = None) -> None:
    """Write a private file, synced with its name; an existing file is replaced only with `overwrite`.

    Raises FileExistsError, and NotSaved.
    """
    disk = disk or Disk()
    require_own_shelf(os.path.dirname(path))
    try:
        make_folder(os.path.dirname(path))
        if overwrite:
            replace_file(disk, path, text.encode())
        else:
            fd, _ = create_file(disk, path, text.encode())
            disk.close(fd)
    except FileExistsError:
        raise
    except OSError as error:
        problem = from_os_error(error)
        # The usual hints are about saves.
        raise NotSaved(problem.message, "nothing was written", problem.code) from None


def keep_file(path: str, text: str, *, overwrite: bool) -> None:
    """Write a file under its own name. Raises RuleError for a name that exists, and NotSaved."""
    try:
        write_shelf_file(path, text, overwrite=overwrite)
    except FileExistsError:
        raise RuleError(f"there is already a file {short_path(path)}", "`over=yes` writes over it") from None


def short_path(path: str) -> str:
    """Return folder and name of a file: the full path of the saves is long, and the user chose it."""
    return "/".join(path.split("/")[-2:])


def write_shelf_files(folder: str, stem: str, texts: Iterable[str], disk: Disk | None = None) -> list[str]:
    """Write new files `stem`.toml, `stem`-2.toml … under free names, all or none; return their paths.

    Raises NotSaved.
    """
    disk = disk or Disk()
    written: list[str] = []
    numbers = count(1)
    try:
        for text in texts:
            path = _write_numbered(folder, stem, text, numbers, disk)
            written.append(path)
    except BaseException:
        for path in written:
            discard(disk, path)
        raise
    return written


def _write_numbered(folder: str, stem: str, text: str, numbers: Iterable[int], disk: Disk) -> str:
    for number in numbers:
        path = os.path.join(folder, numbered_file(stem, number))
        try:
            write_shelf_file(path, text, disk=disk)
        except FileExistsError:
            continue
        return path
    raise AssertionError("numbers do not end")
