"""Waking up when a file changes: by inotify where the kernel has it, else by a timer.

The folder is watched and not the file, which may be replaced; closing the lock file is seen as well, and that
is how the death of a writer is noticed at once. No dependency: three calls of the C library.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
import time
from typing import Final

from tui.store.disk import folder_of
from tui.store.lock import network

TIMER: Final = 0.4
"""Seconds between two looks where nothing wakes us."""

RECHECK: Final = 5.0
"""Seconds after which we look all the same: what happens on the other side of a mount wakes nobody."""

_MODIFY, _ATTRIB, _CLOSE_WRITE, _FROM, _TO, _CREATE, _DELETE = 0x2, 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _ONLYDIR = 0x400, 0x800, 0x01000000
_MASK = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _FROM | _TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF | _ONLYDIR
)
_LOST = 0x2000 | 0x4000 | 0x8000 | _DELETE_SELF | _MOVE_SELF  # unmounted, overflow, ignored, folder gone
_HEAD = struct.Struct("iIII")


class FileWatch:
    """Waits for a change of one save or of its lock. For one thread."""

    def __init__(self, path: str) -> None:
        self._path = path
        name = os.path.basename(path)
        self._names = {os.fsencode(name), os.fsencode(name + ".lock")}
        self._fd = -1
        self._remote = bool(network(path))

    def wait(self) -> None:
        """Until something may have changed."""
        # inotify sees no change that another machine makes, so a network mount is only ever polled.
        if self._fd < 0 and not self._remote:
            self._fd = _folder_watch(folder_of(self._path))
        if self._fd < 0:
            time.sleep(TIMER)
            return
        end = time.monotonic() + RECHECK
        # The folder of saves is shared: changes of other files wake us and must not count as ours.
        while (left := end - time.monotonic()) > 0:
            if not select.select([self._fd], [], [], left)[0] or self._ours():
                return

    def close(self) -> None:
        """Lets go of the kernel's queue."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _ours(self) -> bool:
        """Whether one of the changes that are queued concerns the save; a folder that went is watched anew."""
        try:
            queued = os.read(self._fd, 65_536)
        except BlockingIOError:
            return False
        found, place = False, 0
        while place < len(queued):
            _, mask, _, length = _HEAD.unpack_from(queued, place)
            start = place + _HEAD.size
            found |= queued[start : start + length].rstrip(b"\0") in self._names
            place = start + length
            if mask & _LOST:
                self.close()
                return True
        return found


def _folder_watch(folder: str) -> int:
    """A descriptor that tells of changes in the folder, -1 where there is none to be had."""
    try:
        # Every part may be missing (macOS, musl, a sandbox): then the timer does.
        library = ctypes.CDLL(None, use_errno=True)
        fd = int(library.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        if fd >= 0 and library.inotify_add_watch(fd, os.fsencode(folder), _MASK) < 0:
            os.close(fd)
            return -1
    except (OSError, AttributeError, TypeError):
        return -1
    return fd
