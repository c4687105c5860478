"""Keep unfinished orders and lines in a file beside the save."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

import tomli_w

from tui.core.base.text import clean
from tui.store.disk import Disk, replace_file
from tui.store.own_files import remove_file
from tui.store.problems import BadFile
from tui.store.safetoml import read_toml

_MOST_DRAFTS = 200  # drafts
_MOST_CHARACTERS = 1_000_000
"""The most characters of all drafts together, enough for thirty full fields; more would slow each key."""


class Drafts:
    """Keeps unfinished orders and lines for after a crash. This base class keeps none."""

    def load(self) -> Mapping[str, str]:
        """Return the drafts by name."""
        return {}

    def save(self, name: str, text: str) -> None:
        """Save a draft under a name; "" deletes it."""


class DraftFile(Drafts):
    """The drafts of one save, in `NAME.toml.drafts`; only in memory if the disk refuses them."""

    def __init__(self, save: str) -> None:
        self._path = save + ".drafts"
        self._disk = Disk()
        self._texts = _read(self._path)

    def load(self) -> Mapping[str, str]:
        """Return the drafts by name."""
        return dict(self._texts)

    def save(self, name: str, text: str) -> None:
        """Save a draft under a name; "" deletes it. Dropped if the drafts would exceed `_MOST_CHARACTERS`."""
        # Unchanged text writes nothing, because this is called with every key.
        if self._texts.get(name, "") == text:
            return
        others = [len(t) for n, t in self._texts.items() if n != name]
        if not text:
            del self._texts[name]
        # Whole or not at all: half of a form could not be read again.
        elif len(others) < _MOST_DRAFTS and sum(others) + len(text) <= _MOST_CHARACTERS:
            self._texts[name] = text
        else:
            return
        self._write()

    def move(self, save: str) -> None:
        """Move the drafts to the new file of the save."""
        remove_file(self._path)
        self._path = save + ".drafts"
        self._write()

    def _write(self) -> None:
        """Write without syncing, because the thread that draws writes a draft with every key."""
        if not self._texts:
            remove_file(self._path)
            return
        with suppress(OSError):
            replace_file(self._disk, self._path, tomli_w.dumps({"drafts": self._texts}).encode())


def _read(path: str) -> dict[str, str]:
    try:
        table = read_toml(path, "drafts").get("drafts", {}) if os.path.lexists(path) else {}
    except BadFile:
        return {}
    if not isinstance(table, dict):
        return {}
    texts = {clean(k): clean(v, _MOST_CHARACTERS) for k, v in table.items() if isinstance(v, str)}
    return dict(list(texts.items())[:_MOST_DRAFTS])
