"""Append records to a journal, and report which of them are on the disk."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec.structs import replace

from tui.store.disk import Disk, discard, folder_of
from tui.store.journal.file import InlineSync, JournalFile, WorkerSync, as_not_saved, sync_or_rewrite
from tui.store.journal.format import (
    RECORD_CAP,
    SAVE_CAP,
    Header,
    Offset,
    Record,
    find_seals,
    seal_block,
    write_header,
    write_pending,
    write_step,
)
from tui.store.journal.reader import Journal
from tui.store.journal.recovery import write_torn_copy
from tui.store.problems import NotSaved

How = Literal["thread", "inline"]


class Writer:
    """Appends to a save whose lock the caller holds.

    `how`: "thread" syncs in a worker, and calls `changed` from that thread after each sync or fault; "inline"
    syncs only in `wait`. `torn_copy` is the path of the copy of a torn tail, or "".
    """

    def __init__(
        self,
        file: JournalFile,
        header: Header,
        how: How = "thread",
        changed: Callable[[], None] = lambda: None,
        *,
        torn_copy: str = "",
    ) -> None:
        self._file, self._header = file, header
        self._sync = InlineSync(file) if how == "inline" else WorkerSync(file, changed)
        self.torn_copy = torn_copy

    @classmethod
    def create(
        cls,
        path: str,
        header: Header,
        how: How = "thread",
        changed: Callable[[], None] = lambda: None,
        *,
        disk: Disk | None = None,
    ) -> Writer:
        """Create a save, synced with its name. Raises NotSaved, also if the name is taken."""
        head, crc = seal_block(0, write_header(header), 0)
        with _convert_errors():
            file = JournalFile.create(disk or Disk(), path, head, Offset(len(head), 0, crc))
        return cls(file, header, how, changed)

    @classmethod
    def open(
        cls,
        path: str,
        journal: Journal[Any],
        how: How = "thread",
        changed: Callable[[], None] = lambda: None,
        *,
        disk: Disk | None = None,
    ) -> Writer:
        """Open a journal that was just read from `path` under the lock; a torn tail is copied aside and cut.

        Raises the journal's own problem if it has one; NotSaved.
        """
        if journal.problem:
            raise journal.problem
        disk = disk or Disk()
        with _convert_errors():
            file, copy = _reopen(disk, path, journal, later=how == "thread")
        return cls(file, journal.header, how, changed, torn_copy=copy)

    @property
    def path(self) -> str:
        """The present path of the journal."""
        return self._file.path

    @property
    def header(self) -> Header:
        """The journal's header."""
        return self._header

    @property
    def end(self) -> Offset:
        """The offset after the last record."""
        return self._file.end

    @property
    def durable(self) -> int:
        """The number of the last record that is known to be on the disk."""
        return self._file.durable.number

    @property
    def fault(self) -> NotSaved | None:
        """The reason why records already appended cannot be synced, as long as that lasts; else None."""
        return self._sync.fault

    def append(self, step: Record[Any]) -> None:
        """Write one record, numbered `end.number + 1`. Raises NotSaved (then nothing changed), ValueError."""
        if step.number != self.end.number + 1:
            raise ValueError(f"record {step.number} cannot follow {self.end.number}")
        # Outside of the lock: a step that cannot be written is refused before anything waits for the disk.
        block = write_step(step)
        with _convert_errors(), self._sync.hold(len(block)):
            end = self.end
            record, crc = seal_block(step.number, block + write_pending(end.number - self.durable), end.crc)
            # Refused while it is typed: a larger one could be written, but never read again.
            if len(record) > RECORD_CAP:
                raise NotSaved("the step is too large: more than 1 MB", "do it in several lines")
            if end.offset + len(record) > SAVE_CAP:
                raise NotSaved("the save has reached its limit of 64 MB", "go on in a new save")
            self._file.append(record, Offset(end.offset + len(record), step.number, crc))

    def wait(self, timeout: float | None = None) -> None:
        """Wait until everything appended is on the disk. Raises NotSaved.

        Inline, records that the disk refuses are cut off again; `end` is then the end of those that are left.
        """
        self._sync.wait(timeout)

    def save_as(self, path: str) -> None:
        """Write the whole journal to a new file with a header of its name, and continue there.

        Raises NotSaved.
        """
        name = os.path.basename(path).removesuffix(".toml")
        # Every seal is chained on the header's, so under another name all of them are made again.
        header = replace(self._header, save=name)
        with _convert_errors(), self._sync.keep_still():
            content, end = reseal(header, self._file.content())
            self._file.move(path, content, end)
        self._header = header

    def content(self) -> bytes:
        """Return the bytes of the whole journal as they should be on the disk."""
        return self._file.content()

    def close(self) -> None:
        """Try to sync the rest, and close the file; nothing depends on this call."""
        self._sync.close()
        with contextlib.suppress(OSError):
            self._file.close()


def reseal(header: Header, content: bytes) -> tuple[bytes, Offset]:
    """Return the same records under another header, every seal chained again."""
    block, crc = seal_block(0, write_header(header), 0)
    pieces, size = [block], len(block)
    number, start = 0, 0
    for match in find_seals(content):
        if start:
            number += 1
            piece, crc = seal_block(number, content[start : match.start() + 1], crc)
            pieces.append(piece)
            size += len(piece)
        start = match.end() + 1
    return b"".join(pieces), Offset(size, number, crc)


def _reopen(disk: Disk, path: str, journal: Journal[Any], *, later: bool) -> tuple[JournalFile, str]:
    """Return the open file with its torn tail cut, and the path of the tail's copy.

    Everything is synced now, or if `later`, by the worker.
    """
    _delete_temporaries(disk, path)
    good, tail = journal.data[: journal.end.offset], journal.data[journal.end.offset :]
    size = len(journal.data) - journal.missing_bytes
    file = JournalFile.open(disk, path, good, journal.end, inode=journal.inode, size=size)
    copy = ""
    try:
        if journal.missing_bytes:
            file.end_line()
        if tail:
            # The copy is on the disk before the cut: at no moment are the bytes nowhere.
            copy = write_torn_copy(disk, path, tail)
            file.cut(journal.end)
        # The bytes that were read may be only in the kernel's memory, and new records are chained on them.
        # With a screen the worker syncs them, since a slow disk would delay the first picture; new records
        # may be chained on unsynced bytes up to MOST_UNSYNCED.
        if later and not tail:
            file.doubt()
            return file, copy
        fault = sync_or_rewrite(file)
    except BaseException:
        file.close()
        raise
    if fault:
        file.close()
        raise fault
    return file, copy


def _delete_temporaries(disk: Disk, path: str) -> None:
    """Delete the temporary files of processes that died; the lock shows that no other process writes."""
    name = os.path.basename(path)
    prefixes = tuple(f".{name}{side}.tmp-" for side in ("", ".drafts"))
    with contextlib.suppress(OSError):
        for name in disk.listdir(folder_of(path)):
            if name.startswith(prefixes) and name.rpartition("-")[2].isdecimal():
                discard(disk, os.path.join(folder_of(path), name))


@contextlib.contextmanager
def _convert_errors() -> Iterator[None]:
    """Turn every OSError inside the block into the refusal that the screen shows."""
    try:
        yield
    except OSError as error:
        raise as_not_saved(error) from error
