"""Append to the journal as one open file, and sync it on request or in a worker.

Both ways keep the unsynced bytes below MOST_UNSYNCED, so that a power cut loses no more than the reader
accepts as a torn tail. After a failed sync the file is never trusted again: the whole journal goes to a new
one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator

from tui.store.disk import (
    APPEND,
    Disk,
    create_file,
    discard,
    read_range,
    same_file,
    sync_folder,
    write_all,
    write_temporary,
)
from tui.store.journal.format import TORN_CAP, Offset
from tui.store.problems import SAVE_AS, NotSaved, from_os_error


class JournalFile:
    """An open journal, with all its bytes in memory, to write them again if the disk fails.

    `end` is the offset after the last record, `durable` the offset up to which the file is known to be on the
    disk. Only `sync` may run in another thread, beside `append`.
    """

    def __init__(
        self, disk: Disk, path: str, opened: tuple[int, os.stat_result], content: bytes, end: Offset
    ) -> None:
        self.path = path
        self.end = self.durable = end
        self._disk = disk
        self._fd, self._status = opened
        self._pieces = [content]
        self._overhang = False  # a failed append left bytes behind `end`
        self._stamp = _times_of(self._status)

    @classmethod
    def create(cls, disk: Disk, path: str, content: bytes, end: Offset) -> JournalFile:
        """Make a new file, synced with its name.

        Raises FileExistsError if there is one, and other OSErrors.
        """
        return cls(disk, path, create_file(disk, path, content), content, end)

    @classmethod
    def open(
        cls, disk: Disk, path: str, content: bytes, end: Offset, *, inode: tuple[int, int], size: int
    ) -> JournalFile:
        """Open the file whose bytes were read as `content`; `size` includes a torn tail.

        Raises NotSaved, OSError.
        """
        fd = disk.open(path, APPEND)
        try:
            status = disk.fstat(fd)
        except OSError:
            disk.close(fd)
            raise
        same = stat.S_ISREG(status.st_mode) and inode in {(0, 0), (status.st_dev, status.st_ino)}
        if same and status.st_size == size:
            return cls(disk, path, (fd, status), content, end)
        disk.close(fd)
        raise _refuse_changed()

    @property
    def inode(self) -> tuple[int, int]:
        """The device and the number (inode) of the file."""
        return self._status.st_dev, self._status.st_ino

    @property
    def unsynced(self) -> int:
        """The number of bytes that may not be on the disk yet."""
        return self.end.offset - self.durable.offset

    def doubt(self) -> None:
        """Set `durable` to 0: assume that nothing is on the disk."""
        self.durable = Offset(0, 0, 0)

    def content(self) -> bytes:
        """Return the whole journal."""
        return b"".join(self._pieces)

    def append(self, record: bytes, end: Offset) -> None:
        """Write one record at the end, or change nothing. Raises NotSaved, OSError."""
        # An editor that saves replaces the inode, and an append would then go to a file that nobody sees.
        self._require_unchanged()
        try:
            write_all(self._disk, self._fd, record)
        except BaseException:
            # Set before the cut, because the cut may fail as well: then the next append cuts first.
            self._overhang = True
            with contextlib.suppress(OSError):
                self.cut(self.end)
            raise
        self._pieces.append(record)
        self.end = end
        self._remember_times()

    def end_line(self) -> None:
        """Append the line feed that is missing after the last seal. Raises OSError."""
        write_all(self._disk, self._fd, b"\n")
        self._remember_times()

    def cut(self, end: Offset) -> None:
        """Truncate the file at an earlier offset. Raises OSError."""
        self._disk.ftruncate(self._fd, end.offset)
        self._overhang = False
        self._remember_times()
        size = self.end.offset
        # From the last piece back: nearly always only the last one is cut.
        while size > end.offset:
            size -= len(piece := self._pieces.pop())
            if size < end.offset:
                self._pieces.append(piece[: end.offset - size])
        self.end = end

    def sync(self) -> None:
        """Sync everything that was appended before this call. Raises OSError."""
        # Taken before the call: bytes appended during the sync are not covered by it.
        goal = self.end
        self._disk.fdatasync(self._fd)
        self.durable = goal

    def rewrite(self) -> None:
        """Write the whole journal to a new file of the same name, after a failed sync.

        Raises NotSaved, OSError.
        """
        mode = stat.S_IMODE(self._stat_path().st_mode)
        fd, temporary, status = write_temporary(self._disk, self.path, self.content(), mode)
        try:
            # Checked again just before the file is replaced, because writing the new one may have taken
            # seconds.
            self._stat_path()
            self._disk.replace(temporary, self.path)
        except BaseException:
            self._disk.close(fd)
            discard(self._disk, temporary)
            raise
        # Before the folder is synced: even if that fails, the new file is the one at the path.
        self._switch_to(fd, status)
        sync_folder(self._disk, self.path)
        self.durable = self.end

    def move(self, path: str, content: bytes, end: Offset) -> None:
        """Go on in a new file at `path`; the old file stays as it is. Raises FileExistsError, OSError."""
        opened = create_file(self._disk, path, content)
        self.path, self._pieces = path, [content]
        self._switch_to(*opened)
        self.end = self.durable = end

    def close(self) -> None:
        """Close the descriptor; nothing is lost if this is never called."""
        self._disk.close(self._fd)

    def _switch_to(self, fd: int, status: os.stat_result) -> None:
        old, self._fd, self._status = self._fd, fd, status
        self._overhang = False
        self._stamp = _times_of(status)
        with contextlib.suppress(OSError):
            self._disk.close(old)

    def _stat_path(self) -> os.stat_result:
        """Return the stat of the path, if it is this file. Raises NotSaved, OSError."""
        try:
            now = self._disk.lstat(self.path)
        except FileNotFoundError:
            raise _refuse_changed("it was moved or deleted") from None
        if not same_file(now, self._status):
            raise _refuse_changed()
        return now

    def _require_unchanged(self) -> None:
        """Raise NotSaved if the file at the path is another one or was changed by another program."""
        now = self._stat_path()
        if self._overhang:
            self.cut(self.end)
        elif now.st_size != self.end.offset:
            raise _refuse_changed()
        elif _times_of(now) != self._stamp:
            # touch, chmod and backups change only the times, and are no reason to refuse a step.
            if read_range(self._disk, self._fd, 0, now.st_size) != self.content():
                raise _refuse_changed()
            self._stamp = _times_of(now)

    def _remember_times(self) -> None:
        """Remember the file's times after a write; if they differ, the next append reads the file again."""
        self._stamp = ()
        with contextlib.suppress(OSError):
            self._stamp = _times_of(self._disk.fstat(self._fd))


def _times_of(status: os.stat_result) -> tuple[int, ...]:
    """Return the times of a file, which an edit in place changes even if the size stays."""
    return status.st_mtime_ns, status.st_ctime_ns


def _refuse_changed(problem: str = "another program has written or replaced it") -> NotSaved:
    hint = f"put the file back and send the line again, or {SAVE_AS}"
    return NotSaved(f"the save was changed outside: {problem}", hint, errno.ESTALE)


def as_not_saved(error: NotSaved | OSError) -> NotSaved:
    """Return either error as the refusal that the screen shows."""
    return error if isinstance(error, NotSaved) else from_os_error(error)


# Half of the loss that a reader accepts, which leaves room for the record that is being written.
MOST_UNSYNCED = TORN_CAP // 2  # bytes that may wait for the disk
RETRY_SECONDS = 5.0  # seconds between two tries to write the journal again while no line is run
APPEND_SECONDS = 0.3  # seconds that an append, during which the screen stands still, waits for a slow disk
MOVE_SECONDS = 2.0  # seconds that a move to another file, and closing, wait for the disk


def is_within_window(file: JournalFile, room: int) -> bool:
    """Return whether `room` more bytes fit into the window of unsynced bytes; a larger record waits alone."""
    return file.unsynced == 0 or file.unsynced + room <= MOST_UNSYNCED


def sync_or_rewrite(file: JournalFile, *, sound: bool = True) -> NotSaved | None:
    """Sync the file; rewrite it if that fails or if it is not `sound`. Return the error, or None."""
    if sound:
        with contextlib.suppress(OSError):
            file.sync()
            return None
    try:
        file.rewrite()
    except (OSError, NotSaved) as error:
        return as_not_saved(error)
    return None


class InlineSync:
    """Syncs in the calling thread, on request and when the window is full, for calls that end at once.

    Records that cannot be synced are cut from the file again, so that a refusal means no change.
    """

    def __init__(self, file: JournalFile) -> None:
        self._file = file
        self.fault: NotSaved | None = None
        """The reason why appended records cannot be synced now, or None."""

    @contextlib.contextmanager
    def hold(self, room: int) -> Iterator[None]:
        """Wait until `room` bytes may be appended inside the block. Raises NotSaved."""
        if self.fault or not is_within_window(self._file, room):
            self.wait()
        yield

    @contextlib.contextmanager
    def keep_still(self) -> Iterator[None]:
        """Give the caller the file alone inside the block, which may replace it. Raises NotSaved."""
        yield
        self.fault = None

    def wait(self, timeout: float | None = None) -> None:
        """Wait until everything appended is on the disk; `timeout` means nothing here. Raises NotSaved."""
        del timeout
        if self.fault is None and not self._file.unsynced:
            return
        self.fault = sync_or_rewrite(self._file, sound=self.fault is None)
        if self.fault:
            with contextlib.suppress(OSError):
                self._file.cut(self._file.durable)
            raise self.fault

    def close(self) -> None:
        """Stop, after an attempt to sync what was appended."""
        with contextlib.suppress(NotSaved):
            self.wait()


class WorkerSync:
    """A daemon thread that syncs; one call syncs all records that wait.

    `changed` is called from that thread, without a lock, after each sync and each fault.
    """

    def __init__(self, file: JournalFile, changed: Callable[[], None]) -> None:
        self._file, self._changed = file, changed
        self._turn = threading.Condition()
        self._busy = self._exclusive = self._retry = self._closing = False
        self.fault: NotSaved | None = None
        self._thread = threading.Thread(target=self._run, name="journal-sync", daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def hold(self, room: int) -> Iterator[None]:
        """Wait as `InlineSync.hold` does, at most APPEND_SECONDS."""
        with self._turn:
            self._retry = self.fault is not None
            self._turn.notify_all()
            free = self._turn.wait_for(lambda: self._has_room_for(room), APPEND_SECONDS)
            if self.fault:
                raise self.fault
            if not free:
                raise NotSaved("the disk is too slow: earlier steps still wait for it", "send the line again")
            yield
            self._turn.notify_all()

    @contextlib.contextmanager
    def keep_still(self) -> Iterator[None]:
        """Keep the file as `InlineSync.keep_still` does; wait for it at most MOVE_SECONDS."""
        with self._turn:
            self._wait_for(lambda: not self._busy, MOVE_SECONDS)
            yield
            self.fault, self._retry = None, False
            self._turn.notify_all()
        self._report()

    def wait(self, timeout: float | None = None) -> None:
        """Wait as `InlineSync.wait` does, at most `timeout` seconds."""
        with self._turn:
            self._retry = self.fault is not None
            self._turn.notify_all()
            self._wait_for(self._is_settled, timeout)
            if self.fault:
                raise self.fault

    def close(self) -> None:
        """Stop as `InlineSync.close` does; wait for a slow disk at most MOVE_SECONDS."""
        with self._turn:
            self._closing = True
            self._turn.notify_all()
        # A daemon thread: a disk that never answers must not keep the program from ending.
        self._thread.join(MOVE_SECONDS)

    def _wait_for(self, is_so: Callable[[], bool], timeout: float | None) -> None:
        if not self._turn.wait_for(is_so, timeout):
            raise NotSaved("the disk does not answer", "try again")

    def _has_room_for(self, room: int) -> bool:
        is_free = not self._exclusive and not self._retry
        return is_free and (self.fault is not None or is_within_window(self._file, room))

    def _is_settled(self) -> bool:
        return not self._retry and (self.fault is not None or self._file.unsynced == 0)

    def _is_due(self) -> bool:
        return self._closing or self._retry or (self.fault is None and self._file.unsynced > 0)

    def _run(self) -> None:
        while True:
            with self._turn:
                # After a fault it tries again by itself, because the disk may work again.
                self._turn.wait_for(self._is_due, RETRY_SECONDS if self.fault else None)
                if self._closing and (self.fault or not self._file.unsynced):
                    return
                self._busy, self._exclusive = True, self.fault is not None
            # Outside of the lock; otherwise an append, and with it the screen, would wait for the disk.
            fault = self._sync_or_rewrite()
            with self._turn:
                self._busy = self._exclusive = self._retry = False
                self.fault = fault
                self._turn.notify_all()
            self._report()

    def _sync_or_rewrite(self) -> NotSaved | None:
        if not self._exclusive:
            try:
                self._file.sync()
            except OSError:
                with self._turn:
                    self._exclusive = True  # no append from here until the new file is in place
            else:
                return None
        # A second fsync of that file may report success over pages that the kernel has dropped.
        return sync_or_rewrite(self._file, sound=False)

    def _report(self) -> None:
        with contextlib.suppress(RuntimeError):  # the screen's event loop may have ended already
            self._changed()
