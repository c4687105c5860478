"""`creatures/.index`: where every creature stands, so that one of 20,000 is found without reading the others.

It is only ever a shortcut: what it points at is read and judged like any other file, and what it says of a
file is made anew when the file's size or time is no longer what it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from zlib import crc32

import msgspec
from msgspec import Struct

from tui.core.base.text import clean_name
from tui.core.fight.combatant import StatBlock
from tui.store.disk import Disk, put, read_regular
from tui.store.library.creatures import Slice, slices
from tui.store.library.shelves import files, shelf
from tui.store.problems import BadFile
from tui.store.safetoml import CAP

_MAGIC = b"tocsin-index 1 "
_CAP = 32_000_000  # bytes of an index
_GAP = "\t"

Judge = Callable[[bytes, str, int], StatBlock]
"""Reads one creature from its bytes, its file and its line. Raises BadFile."""


class Found(Struct, frozen=True):
    """Where a creature stands: its name, its file, its bytes there and the line they begin on."""

    name: str
    path: str
    start: int
    end: int
    line: int


class _File(Struct, frozen=True, array_like=True):
    """What is known of a file: its stat, a row for each creature, and its mistakes (line, what, hint).

    A row is the folded name, the name, start, end and line, with tabs; rows are sorted, a line break before
    each.
    """

    size: int
    time: int
    rows: str
    problems: tuple[tuple[int, str, str], ...] = ()


_KNOWN = msgspec.json.Decoder(dict[str, _File])


class Index:
    """The creatures of a library by name.

    Read when it is first asked, and renewed when a file has changed.
    """

    def __init__(self, folder: str, judge: Judge) -> None:
        self._folder = folder
        self._judge = judge
        self._known: dict[str, _File] | None = None

    def find(self, name: str) -> list[Found]:
        """Return the creatures of that name, in any letter case: mostly one or none."""
        wanted = f"\n{_folded(name)}{_GAP}"
        return [_entry(path, row) for path, file in self._files() for row in _rows(file.rows, wanted)]

    def beginning(self, begun: str, most: int) -> list[str]:
        """Up to so many names that begin so, in order."""
        wanted, names = f"\n{_folded(begun)}", set[tuple[str, str]]()
        for _, file in self._files():
            for taken, row in enumerate(_rows(file.rows, wanted)):
                if taken == most:
                    break
                names.add(tuple(row.split(_GAP, 2)[:2]))  # type: ignore[arg-type]
        return [name for _, name in sorted(names)[:most]]

    def all(self) -> list[Found]:
        """Every creature, in order of the names."""
        rows = [(row, path) for path, file in self._files() for row in file.rows.split("\n")[1:]]
        return [_entry(path, row) for row, path in sorted(rows)]

    def faulty(self, path: str) -> bool:
        """Whether there is a mistake in a file that was judged when it last changed."""
        return any(file.problems for known, file in self._files() if known == path)

    def problems(self) -> list[BadFile]:
        """Every mistake in the files, with its line."""
        return [BadFile(path, *told) for path, file in self._files() for told in file.problems]

    def learn(self, paths: Iterable[str]) -> None:
        """Add files that have just been written by us: their creatures need not be judged again."""
        before = dict(self._known or self._read())
        with suppress(OSError, BadFile):
            for path in paths:
                data, found = read_regular(Disk(), path, CAP)
                before[path] = _File(found.st_size, found.st_mtime_ns, _sorted(slices(data, path)))
        self._take(dict(sorted(before.items())))

    # --- keeping it true

    def _files(self) -> list[tuple[str, _File]]:
        """Return what is known of every file now."""
        now = {path: (s.st_size, s.st_mtime_ns) for path, s in files(self._folder, "creature")}
        if self._known is None:
            self._known = self._read() if now else {}
        if now != {path: (f.size, f.time) for path, f in self._known.items()}:
            self._take({path: self._current(path, *stamp) for path, stamp in now.items()})
        return list(self._known.items())

    def _current(self, path: str, size: int, time: int) -> _File:
        """Return what is known of a file if that is still true, else what it holds now."""
        known = (self._known or {}).get(path)
        if known and (known.size, known.time) == (size, time):
            return known
        good, bad = list[Slice](), list[BadFile]()
        try:
            data, _ = read_regular(Disk(), path, CAP)
            for piece in slices(data, path):
                good += self._judged(piece, data, path, bad)
        except BadFile as error:
            bad.append(error)
        return _File(size, time, _sorted(good), tuple((e.line, e.message, e.hint) for e in bad))

    def _judged(self, piece: Slice, data: bytes, path: str, bad: list[BadFile]) -> Iterator[Slice]:
        try:
            self._judge(data[piece.start : piece.end], path, piece.line)
        except BadFile as error:
            bad.append(error)
        # Also one with a mistake: who asks for it by name is told what is wrong with it.
        if piece.name:
            yield piece

    def _read(self) -> dict[str, _File]:
        """Return what was known when the index was last written; nothing when it cannot be trusted."""
        try:
            data, found = read_regular(Disk(), self._path, _CAP)
        except BadFile:
            return {}
        head, _, body = data.partition(b"\n")
        # Its rows are taken as they are, so they must be ours: nobody else may have written them.
        if found.st_uid != os.geteuid() or found.st_mode & 0o077 or head != _first(body):
            return {}
        with suppress(msgspec.MsgspecError, ValueError):
            return {os.path.join(self._shelf, name): file for name, file in _KNOWN.decode(body).items()}
        return {}

    def _take(self, known: Mapping[str, _File]) -> None:
        """Keep what is known, in memory and, where the disk allows it, beside the files."""
        self._known = dict(known)
        with suppress(OSError, ValueError):
            body = msgspec.json.encode({os.path.basename(path): file for path, file in known.items()})
            put(Disk(), self._path, [_first(body), b"\n", body])

    @property
    def _shelf(self) -> str:
        return shelf(self._folder, "creature")

    @property
    def _path(self) -> str:
        return os.path.join(self._shelf, ".index")


def _first(body: bytes) -> bytes:
    return _MAGIC + b"%08x" % crc32(body)


def _folded(name: str) -> str:
    return clean_name(name).casefold()


def _sorted(found: Iterator[Slice] | list[Slice]) -> str:
    """Rows for these creatures."""
    return "".join(sorted("\n" + _GAP.join(_cells(s)) for s in found if s.name))


def _cells(s: Slice) -> tuple[str, ...]:
    return (_folded(s.name), clean_name(s.name), str(s.start), str(s.end), str(s.line))


def _rows(rows: str, wanted: str) -> Iterator[str]:
    """Return the rows that begin so."""
    at = rows.find(wanted)
    while at >= 0:
        end = rows.find("\n", at + 1)
        yield rows[at + 1 : end if end >= 0 else len(rows)]
        at = rows.find(wanted, at + 1)


def _entry(path: str, row: str) -> Found:
    _, name, start, end, line = row.split(_GAP)
    return Found(name, path, int(start), int(end), int(line))
