"""Waking up when something changes in folders: by inotify where the kernel has it, else by a timer.

Folders are watched and not files, which may be replaced; closing a file that was open for writing is seen as
well, and that is how the death of a process is noticed at once. No dependency: three calls of the C library.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
import time
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

TIMER: Final = 0.4
"""Seconds between two looks where nothing wakes us."""

_MODIFY, _ATTRIB, _CLOSE_WRITE, _FROM, _TO, _CREATE, _DELETE = 0x2, 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _ONLYDIR, _ADDED = 0x400, 0x800, 0x01000000, 0x20000000
_MASK = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _FROM | _TO | _CREATE | _DELETE
    | _DELETE_SELF | _MOVE_SELF | _ONLYDIR | _ADDED
)  # fmt: skip
_NAMES = _FROM | _TO | _CREATE | _DELETE_SELF | _MOVE_SELF | _ONLYDIR | _ADDED
"""What tells of a name that comes: not of every write into a folder that is busy."""
_LOST = 0x2000 | 0x4000 | 0x8000 | _DELETE_SELF | _MOVE_SELF  # unmounted, overflow, ignored, folder gone
_HEAD = struct.Struct("iIII")
_TRIES: Final = 8
"""How often a folder that comes while it is looked for is looked for again.

One that may not be watched never is.
"""


class Change(Struct, frozen=True):
    """A change in a watched folder: the number of the watch, the name in the folder.

    `lost`: the watch is worth nothing now.
    """

    watch: int
    name: bytes
    lost: bool


class Inotify:
    """The kernel's queue of changes. For one thread."""

    def __init__(self) -> None:
        """Open the queue. Raises OSError if there is none to be had."""
        try:
            # Every part may be missing (macOS, musl, a sandbox).
            self._library = ctypes.CDLL(None, use_errno=True)
            self.fd = int(self._library.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        except (AttributeError, TypeError) as error:
            raise OSError(str(error)) from None
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def add(self, folder: str, mask: int = _MASK) -> int:
        """Watch a folder; return the number of the watch, -1 where that cannot be."""
        return int(self._library.inotify_add_watch(self.fd, os.fsencode(folder), mask))

    def read(self) -> list[Change]:
        """Return the queued changes, of which there must be one."""
        queued = os.read(self.fd, 65_536)
        changes, place = [], 0
        while place < len(queued):
            watch, mask, _, length = _HEAD.unpack_from(queued, place)
            start = place + _HEAD.size
            changes.append(Change(watch, queued[start : start + length].rstrip(b"\0"), bool(mask & _LOST)))
            place = start + length
        return changes

    def close(self) -> None:
        """Close the queue."""
        os.close(self.fd)


class Place(Struct, frozen=True):
    """A folder, which may not be there yet, and the names in it that matter; without names all of them."""

    folder: str
    names: frozenset[str] = frozenset()


class _Entry(Struct, frozen=True):
    """What a watch is for: the number of a place, and the names that matter to it.

    `above`: the place is not there yet, and what is watched is the nearest folder above it that is.
    """

    number: int
    names: frozenset[bytes]
    above: bool = False


class Waker:
    """Waits for changes in some places, and for descriptors that can be read. For one thread.

    `polled`: the places lie where inotify tells nothing, such as on another machine; they are then looked at
    by a timer.
    """

    def __init__(self, *places: Place, polled: bool = False) -> None:
        self._places = places
        self._queue: Inotify | None = None
        self._entries: dict[int, list[_Entry]] = {}
        self._polled = polled

    def wait(self, others: Sequence[int] = (), most: float | None = None) -> tuple[set[int], list[int]]:
        """Wait until something may have changed, another descriptor can be read, or `most` seconds are over.

        The numbers of the places where something changed, and the descriptors. The first call, and one after
        a folder has come or gone, names all places at once; where nothing wakes us, every call does, after a
        short while.
        """
        every = set(range(len(self._places)))
        if self._queue is None:
            at_once = not self._polled and self._armed()
            return every, self._ready(others, 0.0 if at_once else _least(most, TIMER))[1]
        end = None if most is None else time.monotonic() + most
        while True:
            queued, ready = self._ready(others, None if end is None else max(0.0, end - time.monotonic()))
            changed = self._changed() if queued else set[int]()
            if changed or ready or (end is not None and time.monotonic() >= end):
                return changed, ready

    def close(self) -> None:
        """Close the kernel's queue."""
        if self._queue:
            self._queue.close()
        self._queue, self._entries = None, {}

    def _ready(self, others: Sequence[int], most: float | None) -> tuple[bool, list[int]]:
        own = [self._queue.fd] if self._queue else []
        ready = select.select([*own, *others], [], [], most)[0]
        return any(fd in own for fd in ready), [fd for fd in ready if fd not in own]

    def _armed(self) -> bool:
        """Make the queue; return True if it watches every place."""
        try:
            self._queue = Inotify()
        except OSError:
            return False
        if all(self._watch(self._queue, number, place) for number, place in enumerate(self._places)):
            return True
        self.close()
        return False

    def _watch(self, queue: Inotify, number: int, place: Place) -> bool:
        """Watch a place, or the nearest folder above it that is there, for the name that must come."""
        wanted = os.path.abspath(place.folder)
        for _ in range(_TRIES):
            folder, missing = wanted, ""
            while (watch := queue.add(folder, _NAMES if missing else _MASK)) < 0:
                above, missing = os.path.split(folder)
                if above == folder:
                    return False
                folder = above
            if not missing:
                self._enter(watch, _Entry(number, frozenset(map(os.fsencode, place.names))))
                return True
            # What has come between the two calls wakes no one: it is looked for once more.
            if not os.path.isdir(os.path.join(folder, missing)):
                self._enter(watch, _Entry(number, frozenset({os.fsencode(missing)}), above=True))
                return True
        return False

    def _enter(self, watch: int, entry: _Entry) -> None:
        self._entries.setdefault(watch, []).append(entry)

    def _changed(self) -> set[int]:
        """Return the places that queued changes concern; all, watched again, after a folder came or went."""
        assert self._queue
        result, rebuild = set[int](), False
        for change in self._queue.read():
            for entry in self._entries.get(change.watch, []):
                if change.lost or not entry.names or change.name in entry.names:
                    result.add(entry.number)
                    rebuild |= change.lost or entry.above
        if rebuild:
            self.close()
            return set(range(len(self._places)))
        return result


def _least(most: float | None, other: float) -> float:
    return other if most is None else min(most, other)
