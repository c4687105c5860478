"""What stands in the folder of saves: fights, the trash, parties; and the samples that come with the program."""

from __future__ import annotations

import os

from msgspec import Struct

from tui.core.rules.system import Systems
from tui.store.library.service import Library
from tui.store.library.shelves import RosterFile
from tui.store.saves import Listed, data_folder, listed

TRASH = "trash"
"""The folder beside the saves that holds the fights which were thrown away."""


class Sample(Struct, frozen=True):
    """A fight that comes with the program."""

    name: str
    path: str


class Contents(Struct, frozen=True):
    """All that stands in a folder, the latest fight first."""

    folder: str
    fights: tuple[Listed, ...] = ()
    trash: tuple[Listed, ...] = ()
    parties: tuple[RosterFile, ...] = ()
    samples: tuple[Sample, ...] = ()


def contents(folder: str, systems: Systems) -> Contents:
    """What stands there now; of each fight only the two ends are read."""
    return Contents(
        folder,
        tuple(listed(folder)),
        tuple(listed(os.path.join(folder, TRASH))),
        tuple(Library(folder, systems).rosters("party")),
        tuple(Sample(s.name, s.path) for s in sorted(listed(data_folder("examples")), key=lambda s: s.name)),
    )
