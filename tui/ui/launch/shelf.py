"""List the folder of saves for the start screen in a thread, and copy, rename, trash and restore saves."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread

from tui.core.rules.system import Systems
from tui.store import shelf
from tui.store.shelf import Brief, Contents, brief, contents
from tui.ui.launch.fights import refusals

Identity = tuple[int, ...]


class FolderShelf:
    """What stands in a folder. `told` is a callback for the thread: something more has been read."""

    def __init__(self, folder: str, systems: Systems, told: Callable[[], None]) -> None:
        self._folder, self._systems, self._told = folder, systems, told
        self._known: dict[str, tuple[Identity, Brief]] = {}
        self._wanted: SimpleQueue[str] = SimpleQueue()
        self._thread: Thread | None = None

    def contents(self) -> Contents:
        """Return what the folder holds now; fights that have changed are read again in a thread."""
        found = contents(self._folder, self._systems)
        for path in (*(s.path for s in (*found.fights, *found.trash)), *(s.path for s in found.samples)):
            if self._known.get(path, ((), None))[0] != _identity(path):
                self._wanted.put(path)
        # A thread, because a long fight without a checkpoint takes longer than a key may.
        if self._thread is None:
            self._thread = Thread(target=self._read, name="shelf", daemon=True)
            self._thread.start()
        return found

    def briefs(self) -> Mapping[str, Brief]:
        """Return how fights stand, by path, as far as they have been read."""
        return {path: told for path, (_, told) in list(self._known.items())}

    def _read(self) -> None:
        while True:
            path = self._wanted.get()
            now = _identity(path)
            if self._known.get(path, ((), None))[0] != now:
                self._known[path] = (now, brief(path, self._systems))
                self._told()


def _identity(path: str) -> Identity:
    """Return what tells that a file has changed; empty for one that is not there."""
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


class Filing:
    """The files of one folder. Whatever cannot be done raises RuleError, and nothing has changed."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def copy(self, path: str, name: str) -> str:
        """Copy a save; return the path of the copy."""
        with refusals():
            return shelf.copy(path, self.folder, name)

    def rename(self, path: str, name: str) -> str:
        """Give a save another name; return its path."""
        with refusals():
            return shelf.rename(path, self.folder, name)

    def throw(self, path: str) -> None:
        """Put a save into the trash."""
        with refusals():
            shelf.throw(path, self.folder)

    def fetch_back(self, path: str) -> str:
        """Fetch a save out of the trash; return its path."""
        with refusals():
            return shelf.fetch_back(path, self.folder)

    def free_name(self, stem: str) -> str:
        """Return the stem, or the first of its kind that no save has."""
        return shelf.free_name(stem, self.folder)
