"""The folder of saves for the start screen: listed at once, each fight read by a thread behind the picture."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread

from tui.core.rules.system import Systems
from tui.store.shelf import Brief, Contents, brief, contents

Identity = tuple[int, ...]


class FolderShelf:
    """What stands in a folder. `told` is a callback for the thread: something more has been read."""

    def __init__(self, folder: str, systems: Systems, told: Callable[[], None]) -> None:
        self._folder, self._systems, self._told = folder, systems, told
        self._known: dict[str, tuple[Identity, Brief]] = {}
        self._wanted: SimpleQueue[str] = SimpleQueue()
        self._thread: Thread | None = None

    def contents(self) -> Contents:
        """What stands there now; fights that have changed since are read again, one after the other."""
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
        """How fights stand, by path, as far as they have been read."""
        return {path: told for path, (_, told) in list(self._known.items())}

    def _read(self) -> None:
        while True:
            path = self._wanted.get()
            now = _identity(path)
            if self._known.get(path, ((), None))[0] != now:
                self._known[path] = (now, brief(path, self._systems))
                self._told()


def _identity(path: str) -> Identity:
    """What tells that a file has changed; empty for one that is not there."""
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
