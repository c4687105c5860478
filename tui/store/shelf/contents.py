"""What stands in the folder of saves: fights, the trash, parties; and the samples that come with the program."""

from __future__ import annotations

import os
from typing import Any

from msgspec import Struct

from tui.core.fight.text import clean_name
from tui.store.problems import BadFile, plain
from tui.store.safetoml import safe_toml
from tui.store.saves import Listed, data_folder, listed

TRASH = "trash"
"""The folder beside the saves that holds the fights which were thrown away."""

PARTIES = "parties"
MOST = 200
"""Files of one kind that are listed."""


class Shelved(Struct, frozen=True):
    """A file of the shelf: a party with its members, or a sample. `problem` says why it cannot be read."""

    name: str
    path: str
    members: tuple[str, ...] = ()
    problem: str = ""


class Contents(Struct, frozen=True):
    """All that stands in a folder, the latest fight first."""

    folder: str
    fights: tuple[Listed, ...] = ()
    trash: tuple[Listed, ...] = ()
    parties: tuple[Shelved, ...] = ()
    samples: tuple[Shelved, ...] = ()


def contents(folder: str) -> Contents:
    """What stands there now; of each fight only the two ends are read."""
    return Contents(
        folder,
        tuple(listed(folder)),
        tuple(listed(os.path.join(folder, TRASH))),
        parties(folder),
        tuple(Shelved(s.name, s.path) for s in sorted(listed(data_folder("examples")), key=lambda s: s.name)),
    )


def parties(folder: str) -> tuple[Shelved, ...]:
    """The party files, with the names in them."""
    there = os.path.join(folder, PARTIES)
    return tuple(_party(os.path.join(there, name)) for name in shelf_files(there))


def shelf_files(folder: str) -> list[str]:
    """The names of the TOML files of a folder, in order; none when there is no such folder."""
    try:
        found = os.listdir(folder)
    except OSError:
        return []
    return sorted(name for name in found if name.endswith(".toml") and name[0] not in ".-")[:MOST]


def _party(path: str) -> Shelved:
    name = plain(os.path.basename(path).removesuffix(".toml"), 64)
    try:
        found: Any = safe_toml(path, "party file").get("combatant")
    except BadFile as error:
        return Shelved(name, path, problem=error.message)
    if not isinstance(found, list):
        return Shelved(name, path, problem="it has no [[combatant]] tables")
    names = [clean_name(str(entry.get("name", ""))) for entry in found if isinstance(entry, dict)]
    return Shelved(name, path, tuple(x for x in names if x))
