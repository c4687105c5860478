"""Waking up when a save changes, or its lock: closing the lock is seen too, and so is the death of a writer."""

from __future__ import annotations

import os
from typing import Final

from tui.store.disk import folder_of
from tui.store.follow.inotify import Place, Waker
from tui.store.lock import network

RECHECK: Final = 5.0
"""Seconds after which we look all the same: what happens on the other side of a mount wakes nobody."""


def save_place(path: str) -> Place:
    """Where a save and its lock change."""
    name = os.path.basename(path)
    # The folder of saves is shared: changes of other files wake us and must not count as ours.
    return Place(folder_of(path), frozenset({name, name + ".lock"}))


class FileWatch:
    """Waits for a change of one save or of its lock. For one thread."""

    def __init__(self, path: str) -> None:
        # inotify sees no change that another machine makes, so a network mount is only ever polled.
        self._waker = Waker(save_place(path), polled=bool(network(path)))

    def wait(self) -> None:
        """Until something may have changed; the first call returns at once."""
        self._waker.wait(most=RECHECK)

    def close(self) -> None:
        """Lets go of the kernel's queue."""
        self._waker.close()
