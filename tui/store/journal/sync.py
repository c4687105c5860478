"""When a journal is brought to the disk: on request in the calling thread, or by a worker behind the screen.

Both keep the bytes not yet on the disk below WINDOW, so that a power cut loses no more than the reader takes
for a torn tail. After a failed sync that file is never trusted again: the whole journal goes to a new one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

from tui.store.journal.file import JournalFile, refusal
from tui.store.journal.format import TORN_CAP
from tui.store.problems import NotSaved

# Half of what a reader forgives, which leaves room for the record that is being written.
WINDOW = TORN_CAP // 2  # bytes that may wait for the disk
RETRY = 5.0  # seconds between two tries to write the journal anew while nobody asks for it
PATIENCE = 0.3  # seconds an append, which holds the screen, waits for a disk that is mended or late
LEAVING = 2.0  # seconds a move to another file and a farewell wait for it


class Sync(Protocol):
    """Brings what was appended to the disk."""

    @property
    def fault(self) -> NotSaved | None:
        """Why appended records cannot be brought to the disk just now, or None."""

    def hold(self, room: int) -> contextlib.AbstractContextManager[None]:
        """Inside, `room` bytes may be appended. Errors: NotSaved."""

    def still(self) -> contextlib.AbstractContextManager[None]:
        """Inside, nobody else uses the file, which may be exchanged for a sound one. Errors: NotSaved."""

    def wait(self, timeout: float | None = None) -> None:
        """Everything appended is on the disk when this returns. Errors: NotSaved."""

    def close(self) -> None:
        """Nothing more will be appended; what was is brought to the disk if it can be."""


def fits(file: JournalFile, room: int) -> bool:
    """Whether `room` more bytes may wait; a record above the window waits alone."""
    return file.unsynced == 0 or file.unsynced + room <= WINDOW


def reach(file: JournalFile, *, sound: bool = True) -> NotSaved | None:
    """Syncs the file, or writes it anew when that fails or it is no longer `sound`; what went wrong."""
    if sound:
        with contextlib.suppress(OSError):
            file.sync()
            return None
    try:
        file.rewrite()
    except (OSError, NotSaved) as error:
        return refusal(error)
    return None


class InlineSync:
    """Syncs when asked and when the window is full, in the calling thread: for calls that end at once.

    What cannot be brought to the disk is taken back out of the file: refused means nothing changed.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self.fault: NotSaved | None = None

    @contextlib.contextmanager
    def hold(self, room: int) -> Iterator[None]:
        """See Sync."""
        if self.fault or not fits(self._file, room):
            self.wait()
        yield

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """See Sync."""
        yield
        self.fault = None

    def wait(self, timeout: float | None = None) -> None:
        """See Sync; `timeout` has no meaning in one thread."""
        del timeout
        if self.fault is None and not self._file.unsynced:
            return
        self.fault = reach(self._file, sound=self.fault is None)
        if self.fault:
            with contextlib.suppress(OSError):
                self._file.cut(self._file.durable)
            raise self.fault

    def close(self) -> None:
        """See Sync."""
        with contextlib.suppress(NotSaved):
            self.wait()


class WorkerSync:
    """A daemon thread that syncs in order, what queued up behind a slow sync in a single call.

    `on_durable(number)` and `on_fault(why)` are called from that thread, without any lock held.
    """

    def __init__(
        self, file: JournalFile, on_durable: Callable[[int], None], on_fault: Callable[[NotSaved], None]
    ) -> None:
        self._file, self._on_durable, self._on_fault = file, on_durable, on_fault
        self._turn = threading.Condition()
        self._busy = self._exclusive = self._retry = self._closing = False
        self.fault: NotSaved | None = None
        self._thread = threading.Thread(target=self._run, name="journal-sync", daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def hold(self, room: int) -> Iterator[None]:
        """See Sync."""
        with self._turn:
            self._retry = self.fault is not None
            self._turn.notify_all()
            free = self._turn.wait_for(lambda: self._open_for(room), PATIENCE)
            if self.fault:
                raise self.fault
            if not free:
                raise NotSaved("the disk is too slow: earlier steps still wait for it", "send the line again")
            yield
            self._turn.notify_all()

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """See Sync."""
        with self._turn:
            if not self._turn.wait_for(lambda: not self._busy, LEAVING):
                raise NotSaved("the disk does not answer", "try again")
            yield
            self.fault, self._retry = None, False
            self._turn.notify_all()
        self._report(None)

    def wait(self, timeout: float | None = None) -> None:
        """See Sync; waits `timeout` seconds at most."""
        with self._turn:
            self._retry = self.fault is not None
            self._turn.notify_all()
            if not self._turn.wait_for(self._settled, timeout):
                raise NotSaved("the disk does not answer", "try again")
            if self.fault:
                raise self.fault

    def close(self) -> None:
        """See Sync; waits for a slow disk for `LEAVING` seconds at most."""
        with self._turn:
            self._closing = True
            self._turn.notify_all()
        # A daemon thread: a disk that never answers must not keep the program from ending.
        self._thread.join(LEAVING)

    def _open_for(self, room: int) -> bool:
        return not self._exclusive and not self._retry and (self.fault is not None or fits(self._file, room))

    def _settled(self) -> bool:
        return not self._retry and (self.fault is not None or self._file.unsynced == 0)

    def _due(self) -> bool:
        return self._closing or self._retry or (self.fault is None and self._file.unsynced > 0)

    def _run(self) -> None:
        while True:
            with self._turn:
                # After a fault it tries again by itself, for the disk may be mended.
                self._turn.wait_for(self._due, RETRY if self.fault else None)
                if self._closing and (self.fault or not self._file.unsynced):
                    return
                self._busy, self._exclusive = True, self.fault is not None
            # Outside of the lock, or an append would wait for the disk, and the screen with it.
            fault = self._reach()
            with self._turn:
                self._busy = self._exclusive = self._retry = False
                self.fault = fault
                self._turn.notify_all()
            self._report(fault)

    def _reach(self) -> NotSaved | None:
        if not self._exclusive:
            try:
                self._file.sync()
            except OSError:
                with self._turn:
                    self._exclusive = True  # no append from here until the new file stands
            else:
                return None
        # A second fsync of that file may report success over pages that the kernel has dropped.
        return reach(self._file, sound=False)

    def _report(self, fault: NotSaved | None) -> None:
        with contextlib.suppress(RuntimeError):  # the screen's loop may be gone already
            if fault:
                self._on_fault(fault)
            else:
                self._on_durable(self._file.durable.number)
