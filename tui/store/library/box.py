"""Read the creatures of the System Reference Documents, which come with the program.

Each edition is a file of `[[creature]]` tables like those of the user's library. A name is found without
parsing the file, and only the creature that is meant is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from tui.core.fight.combatant import StatBlock
from tui.store.disk import Disk, read_regular
from tui.store.library.creatures import read_creature
from tui.store.safetoml import CAP

EDITIONS = ("5.2.1", "5.1")
CREDITS: Mapping[str, str] = {
    "5.2.1": 'This work includes material from the System Reference Document 5.2.1 ("SRD 5.2.1") by Wizards '
    "of the Coast LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2.1 is licensed under the "
    "Creative Commons Attribution 4.0 International License, available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode.",
    "5.1": 'This work includes material taken from the System Reference Document 5.1 ("SRD 5.1") by Wizards '
    "of the Coast LLC and available at https://dnd.wizards.com/resources/systems-reference-document. The SRD "
    "5.1 is licensed under the Creative Commons Attribution 4.0 International License available at "
    "https://creativecommons.org/licenses/by/4.0/legalcode.",
}
"""The attribution that the licence of each document asks for, word for word."""
CHANGED = "The creatures were reduced to figures; they came by way of Open5e."
"""The change that was made, as the licence asks, and the way that the figures came."""

_FOLDER = os.path.dirname(__file__)
_HEAD = b'[[creature]]\nname = "'


class Edition:
    """The creatures of one document."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        self.path = os.path.join(_FOLDER, f"srd-{edition}.toml")
        data, _ = read_regular(Disk(), self.path, CAP)
        # A search for each line's beginning would take twenty times as long as this.
        _, *pieces = data.split(_HEAD)
        self._pieces = {piece.partition(b'"')[0].decode(): piece for piece in pieces}

    @property
    def title(self) -> str:
        """The name of the document."""
        return f"SRD {self.edition}"

    @property
    def credit(self) -> str:
        """The attribution that the licence asks for."""
        return CREDITS[self.edition]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all creatures, in order."""
        return tuple(self._pieces)

    def read(self, name: str) -> StatBlock:
        """Return the creature with exactly this name."""
        # The fields are those of d20 systems; a test reads each entry as strictly as a user's.
        return read_creature(_HEAD + self._pieces[name], self.path, 1, lambda _key, _text: None)


def editions(chosen: str) -> tuple[Edition, ...]:
    """Return the documents in the order in which they are searched; none for `none`."""
    order = sorted(EDITIONS, key=lambda edition: edition != chosen) if chosen in EDITIONS else ()
    return tuple(map(Edition, order))
