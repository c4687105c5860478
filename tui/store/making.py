"""New saves: an empty encounter, or a copy of a shipped example."""

from __future__ import annotations

import os
from collections.abc import Mapping
from errno import EEXIST, ENOENT

from tui import VERSION
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Plain
from tui.core.language import values
from tui.core.rules.system import Systems
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.store.clock import utc_now
from tui.store.disk import NEW, Disk
from tui.store.journal.format import Header
from tui.store.journal.reader import slurp
from tui.store.journal.writer import Writer
from tui.store.problems import NotSaved, not_saved
from tui.store.saves import data_folder, make_folder, name_of, place, saves_folder

MOST_COPIES = 999


class SaveExists(Exception):  # noqa: N818 - the word of the message
    """The save is already there; `message` says so, `hint` what would work."""

    def __init__(self, name: str) -> None:
        self.message, self.hint = f"{name} is already there", "open it, or choose another name"
        super().__init__(self.message)


def create(save: str, saves: str, systems: Systems, system: str, options: Mapping[str, str]) -> str:
    """An empty encounter; refuses to overwrite. Its path. Raises RuleError, BadName, SaveExists, NotSaved."""
    path = place(save, saves)
    known = systems.get(system)
    chosen = {}
    for key, text in options.items():
        field = values.known(key, (*known.options, *COMMON_OPTIONS), known.title)
        chosen[key] = values.read(field, text)
    if os.path.lexists(path):
        raise SaveExists(name_of(path))
    begin(path, known.id, chosen)
    return path


def begin(path: str, system: str, options: Mapping[str, Plain]) -> None:
    """An empty encounter at a path where nothing is yet. Raises NotSaved."""
    folder = os.path.dirname(path) or "."
    header = Header(name_of(path), system, utc_now(), VERSION, dict(options))
    try:
        make_folder(folder)
        Writer.create(path, header, how="inline").close()
    except OSError as error:
        raise _unmade(folder, not_saved(error)) from error
    except NotSaved as error:
        raise error if error.code == EEXIST else _unmade(folder, error) from error


def _unmade(folder: str, error: NotSaved) -> NotSaved:
    """The refusal of a new save, with the folder in which it cannot be made and how to name another."""
    cause = "a folder on the way is missing or cannot be made" if error.code == ENOENT else error.message
    return NotSaved(
        f"{cause} ({folder})", "--saves DIR names another folder, and so does TOCSIN_SAVES", error.code
    )


def sample(path: str, saves: str) -> str:
    """A copy of a shipped example under a free name in the saves folder; other paths as they are."""
    examples = os.path.realpath(data_folder("examples"))
    if os.path.dirname(os.path.realpath(path)) != examples:
        return path
    folder = saves_folder(saves)
    try:
        make_folder(folder)
    except OSError as error:
        raise _unmade(folder, not_saved(error)) from error
    content, _ = slurp(path)
    stem, disk = name_of(path), Disk()
    for number in range(1, MOST_COPIES + 1):
        target = os.path.join(folder, f"{stem}{'' if number == 1 else f'-{number}'}.toml")
        try:
            # O_EXCL decides who gets the name, where a look beforehand could be overtaken.
            fd = disk.open(target, NEW)
        except FileExistsError:
            continue
        except OSError as error:
            raise _unmade(folder, not_saved(error)) from error
        with os.fdopen(fd, "wb") as copy:
            copy.write(content)
        return target
    raise RuleError(f"there are {MOST_COPIES} copies of {stem} already", "remove some")
