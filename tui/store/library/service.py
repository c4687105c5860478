"""The library of parties, encounters, creatures and conditions, with an index of the creatures.

Nothing is read until it is needed. The index only says where a creature is; the creature is read from its
file and checked, and a file is indexed again when its size or time changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from zlib import crc32

import msgspec
from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name
from tui.core.fight.combatant import ConditionText, Plain, StatBlock
from tui.core.language.select import list_names
from tui.core.rules.creature_fields import Newcomer, check_readable, find_fields, qualified_key
from tui.core.rules.system import Absent, InitiativeSystem, Systems
from tui.store.disk import Disk, open_regular, read_range, read_regular, replace_file
from tui.store.library import creatures, rosters
from tui.store.library.creatures import Slice, read_conditions, slice_creatures
from tui.store.library.shelves import (
    SHELVES,
    RosterFile,
    ShelfKind,
    list_shelf_files,
    list_shelf_names,
    shelf_file,
    shelf_path,
    write_shelf_file,
    write_shelf_files,
)
from tui.store.ownfolder import explain_unfit_folder
from tui.store.problems import BadFile, as_rule_error
from tui.store.safetoml import CAP

_MAGIC = b"tocsin-index 1 "
_CAP = 32_000_000  # bytes of an index
_GAP = "\t"

Judge = Callable[[bytes, str, int], StatBlock]
"""Reads one creature from its bytes, its file and its line. Raises BadFile."""


class IndexEntry(Struct, frozen=True):
    """A creature's name, file, first and last byte, and first line."""

    name: str
    path: str
    start: int
    end: int
    line: int


class _File(Struct, frozen=True, array_like=True):
    """The index of one file: size, time, a row for each creature, and its mistakes (line, message, hint).

    A row holds the folded name, the name, start, end and line, separated by tabs. Rows are sorted, each after
    a line break.
    """

    size: int
    time: int
    rows: str
    problems: tuple[tuple[int, str, str], ...] = ()


_KNOWN = msgspec.json.Decoder(dict[str, _File])


class Index:
    """The creatures of a library by name.

    It is read when first asked, and renewed when a file has changed.
    """

    def __init__(self, folder: str, judge: Judge) -> None:
        self._folder = folder
        self._judge = judge
        self._known: dict[str, _File] | None = None

    def find(self, name: str) -> list[IndexEntry]:
        """Return the creatures of that name, in any letter case: mostly one or none."""
        wanted = f"\n{_fold_name(name)}{_GAP}"
        return [
            _entry_from_row(path, row)
            for path, file in self._current_files()
            for row in _find_rows(file.rows, wanted)
        ]

    def beginning(self, begun: str, most: int) -> list[str]:
        """Return names that begin so, in order, up to `most`."""
        wanted, names = f"\n{_fold_name(begun)}", set[tuple[str, str]]()
        for _, file in self._current_files():
            for taken, row in enumerate(_find_rows(file.rows, wanted)):
                if taken == most:
                    break
                names.add(tuple(row.split(_GAP, 2)[:2]))  # type: ignore[arg-type]
        return [name for _, name in sorted(names)[:most]]

    def all(self) -> list[IndexEntry]:
        """Return every creature, in order of the names."""
        rows = [(row, path) for path, file in self._current_files() for row in file.rows.split("\n")[1:]]
        return [_entry_from_row(path, row) for row, path in sorted(rows)]

    def faulty(self, path: str) -> bool:
        """Return whether the index lists a mistake in this file."""
        return any(file.problems for known, file in self._current_files() if known == path)

    def problems(self) -> list[BadFile]:
        """Return every mistake in the files, with its line."""
        if bad := explain_unfit_folder(self._shelf, "this folder of the library"):
            return [bad]
        return [BadFile(path, *problem) for path, file in self._current_files() for problem in file.problems]

    def learn(self, paths: Iterable[str]) -> None:
        """Add files that have just been written by us: their creatures need not be judged again."""
        before = dict(self._known or self._read_index())
        with suppress(OSError, BadFile):
            for path in paths:
                data, status = read_regular(Disk(), path, CAP)
                before[path] = _File(
                    status.st_size, status.st_mtime_ns, _write_rows(slice_creatures(data, path))
                )
        self._write_index(dict(sorted(before.items())))

    # --- keeping it true

    def _current_files(self) -> list[tuple[str, _File]]:
        """Return (path, index) of every file, renewed for files that have changed."""
        now = {path: (s.st_size, s.st_mtime_ns) for path, s in list_shelf_files(self._folder, "creature")}
        if self._known is None:
            self._known = self._read_index() if now else {}
        if now != {path: (f.size, f.time) for path, f in self._known.items()}:
            self._write_index({path: self._index_file(path, *stamp) for path, stamp in now.items()})
        return list(self._known.items())

    def _index_file(self, path: str, size: int, time: int) -> _File:
        """Return the cached index of a file if size and time are unchanged, else index the file."""
        known = (self._known or {}).get(path)
        if known and (known.size, known.time) == (size, time):
            return known
        good, bad = list[Slice](), list[BadFile]()
        try:
            data, _ = read_regular(Disk(), path, CAP)
            for piece in slice_creatures(data, path):
                good += self._judge_slice(piece, data, path, bad)
        except BadFile as error:
            bad.append(error)
        return _File(size, time, _write_rows(good), tuple((e.line, e.message, e.hint) for e in bad))

    def _judge_slice(self, piece: Slice, data: bytes, path: str, bad: list[BadFile]) -> Iterator[Slice]:
        try:
            self._judge(data[piece.start : piece.end], path, piece.line)
        except BadFile as error:
            bad.append(error)
        # Also one with a mistake: who asks for it by name is told what is wrong with it.
        if piece.name:
            yield piece

    def _read_index(self) -> dict[str, _File]:
        """Return the index that was last written; {} if others could have written it or it is damaged."""
        try:
            data, status = read_regular(Disk(), self._path, _CAP)
        except BadFile:
            return {}
        head, _, body = data.partition(b"\n")
        # Its rows are taken as they are, so they must be ours: no one else may have written them.
        if status.st_uid != os.geteuid() or status.st_mode & 0o077 or head != _index_head(body):
            return {}
        with suppress(msgspec.MsgspecError, ValueError):
            return {os.path.join(self._shelf, name): file for name, file in _KNOWN.decode(body).items()}
        return {}

    def _write_index(self, known: Mapping[str, _File]) -> None:
        """Set the index, and write it beside the files if the disk allows it."""
        self._known = dict(known)
        if explain_unfit_folder(self._shelf, ""):
            return
        with suppress(OSError, ValueError):
            body = msgspec.json.encode({os.path.basename(path): file for path, file in known.items()})
            replace_file(Disk(), self._path, [_index_head(body), b"\n", body])

    @property
    def _shelf(self) -> str:
        return shelf_path(self._folder, "creature")

    @property
    def _path(self) -> str:
        return os.path.join(self._shelf, ".index")


def _index_head(body: bytes) -> bytes:
    return _MAGIC + b"%08x" % crc32(body)


def _fold_name(name: str) -> str:
    return clean_name(name).casefold()


def _write_rows(blocks: Iterator[Slice] | list[Slice]) -> str:
    """Return rows for these creatures."""
    return "".join(sorted("\n" + _GAP.join(_row_cells(s)) for s in blocks if s.name))


def _row_cells(s: Slice) -> tuple[str, ...]:
    return (_fold_name(s.name), clean_name(s.name), str(s.start), str(s.end), str(s.line))


def _find_rows(rows: str, wanted: str) -> Iterator[str]:
    """Return the rows that begin so."""
    at = rows.find(wanted)
    while at >= 0:
        end = rows.find("\n", at + 1)
        yield rows[at + 1 : end if end >= 0 else len(rows)]
        at = rows.find(wanted, at + 1)


def _entry_from_row(path: str, row: str) -> IndexEntry:
    _, name, start, end, line = row.split(_GAP)
    return IndexEntry(name, path, int(start), int(end), int(line))


_FILE = 1_500_000  # characters of one file of creatures
MOST_OFFERED = 40
"""At most this many names are offered as completions."""


class Stocking(Struct, frozen=True):
    """The result of adding creatures to the library."""

    paths: tuple[str, ...] = ()
    """The new files."""
    left: tuple[tuple[str, str], ...] = ()
    """Name and place of creatures in the library that stay as they were."""
    over: tuple[tuple[str, str], ...] = ()
    """Name and place of creatures in the library that were replaced."""
    bare: tuple[str, ...] = ()
    """The names of creatures that have only a name."""


class Library:
    """Parties, encounters, creatures and conditions beside the saves in `folder`."""

    def __init__(self, folder: str, systems: Systems) -> None:
        self.folder = folder
        self._systems = systems
        self._index = Index(folder, partial(_judge_creature, self._check_key))

    # --- what a line asks for

    def newcomers(self, file: str, kind: ShelfKind, system: InitiativeSystem) -> list[Newcomer]:
        """Return the creatures of a party or an encounter. Raises RuleError with file and line."""
        path = shelf_file(self.folder, kind, file)
        try:
            check = partial(_check_field, system=system, systems=self._systems)
            return rosters.read_roster(path, check, self._storage_key, self._systems.ids())
        except BadFile as error:
            known = [] if os.path.lexists(path) else list_shelf_names(self.folder, kind)
            hint = f"there are: {', '.join(known[:20])}" if known else error.hint
            raise RuleError(str(error), hint) from None

    def creature(self, name: str) -> StatBlock | None:
        """Return the creature of that name, or None if the library has none.

        Raises RuleError with file and line.
        """
        entries = self._index.find(name)
        if not entries:
            return None
        if len(entries) > 1:
            raise RuleError(
                f"the library knows two creatures of the name {entries[0].name}: "
                f"{_describe_place(entries[0])} and {_describe_place(entries[1])}",
                "give one of them another name in its file",
            )
        try:
            return self._read_entry(entries[0])
        except BadFile as error:
            raise as_rule_error(error) from None

    def condition(self, name: str) -> ConditionText | None:
        """Return the condition of that name, or None."""
        return read_conditions(self.folder).get(name.lower())

    def names(self, kind: ShelfKind, begun: str = "") -> list[str]:
        """Return names of one kind that begin so, in order, as many as completion wants."""
        if kind == "creature":
            return self._index.beginning(begun, MOST_OFFERED)
        known = (
            [c.name for c in read_conditions(self.folder).values()]
            if kind == "condition"
            else list_shelf_names(self.folder, kind)
        )
        return [n for n in known if n.lower().startswith(begun.lower())][:MOST_OFFERED]

    # --- what is kept

    def keep(
        self,
        kind: ShelfKind,
        name: str,
        tables: Sequence[dict[str, Plain]],
        *,
        system: str,
        over: bool,
    ) -> str:
        """Write a party or an encounter of a fight of `system`, and return its path.

        Raises RuleError for a name that exists, and NotSaved.
        """
        path = shelf_file(self.folder, kind, name)
        if len(tables) > rosters.MOST:
            raise RuleError(
                f"{len(tables)} kinds of creatures are too many for one file", f"{rosters.MOST} at the most"
            )
        try:
            write_shelf_file(path, rosters.write_roster(tables, system), over=over)
        except FileExistsError:
            raise RuleError(
                f"there is already a file {SHELVES[kind]}/{os.path.basename(path)}",
                "`over=yes` writes over it",
            ) from None
        return path

    def stock_creatures(self, stem: str, blocks: Sequence[StatBlock], *, over: bool = False) -> Stocking:
        """Write creatures into new files `STEM.toml`, `STEM-2.toml` …; return what was kept.

        An identical creature is not written again; a different one of the same name stays, or is replaced
        with `over`. A creature with only a name is not written. Raises RuleError, NotSaved.
        """
        if blocks and all(b.bare for b in blocks):
            names = list_names([b.name for b in blocks])
            raise RuleError(
                f"of {names} there is nothing but the name",
                "a fight takes them from your library: --into SAVE",
            )
        bare = tuple(b.name for b in blocks if b.bare)
        blocks = [b for b in blocks if not b.bare]
        old = [(b, entries) for b in blocks if (entries := self._index.find(b.name))]
        same = {b.name for b, entries in old if len(entries) == 1 and self._is_identical(entries[0], b)}
        other = [entries for b, entries in old if b.name not in same]
        kept = {entries[0].name.lower() for entries in other} if not over else set[str]()
        new = [b for b in blocks if b.name not in same and b.name.lower() not in kept]
        if kept and not new:
            first = other[0][0]
            more = f", and {len(other) - 1} more" if len(other) > 1 else ""
            raise RuleError(
                f"the library has another {first.name} ({_describe_place(first)}){more}",
                "--over puts the new ones in their place",
                kind="exists",
            )
        paths = write_shelf_files(
            shelf_path(self.folder, "creature"), stem, creatures.split_into_files(new, _FILE)
        )
        self._index.learn(paths)
        clashes = tuple((entries[0].name, _describe_place(entries[0])) for entries in other)
        if over:
            # After the new ones are there: should this be cut short, two of a name are told, and none is
            # lost.
            self._delete_entries([entry for entries in other for entry in entries])
        return Stocking(tuple(paths), () if over else clashes, clashes if over else (), bare)

    def _is_identical(self, entry: IndexEntry, block: StatBlock) -> bool:
        try:
            return self._read_entry(entry) == block
        except BadFile:
            return False

    def _delete_entries(self, gone: Iterable[IndexEntry]) -> None:
        """Remove creatures from their files; everything else in them stays as it was written."""
        by_file: dict[str, list[IndexEntry]] = {}
        for item in gone:
            by_file.setdefault(item.path, []).append(item)
        for path, entries in by_file.items():
            data, _ = read_regular(Disk(), path, CAP)
            for entry in sorted(entries, key=lambda e: -e.start):
                data = data[: entry.start] + data[entry.end :]
            write_shelf_file(path, data.decode(), over=True)

    # --- lists

    def rosters(self, kind: ShelfKind) -> list[RosterFile]:
        """Return every party or every encounter, also unreadable ones with their problem."""
        return rosters.list_rosters(
            self.folder, kind, self._check_key, self._storage_key, self._systems.ids()
        )

    def creatures(self) -> tuple[list[IndexEntry], list[BadFile]]:
        """Return every creature that has a name, and every mistake in their files."""
        return self._index.all(), self._index.problems()

    def conditions(self) -> tuple[list[ConditionText], list[BadFile]]:
        """Return every condition, and every mistake in their files."""
        problems: list[BadFile] = []
        return list(read_conditions(self.folder, problems.append).values()), problems

    def _read_entry(self, entry: IndexEntry) -> StatBlock:
        disk = Disk()
        fd, _ = open_regular(disk, entry.path, CAP)
        try:
            piece = read_range(disk, fd, entry.start, entry.end)
        finally:
            disk.close(fd)
        # A sound file was judged when it last changed; judging its keys again would load every system there
        # is.
        check = self._check_key if self._index.faulty(entry.path) else lambda _key, _text: None
        return creatures.read_creature(piece, entry.path, entry.line, check)

    def _storage_key(self, key: str, owner: str) -> str:
        return qualified_key(key, owner, self._systems)

    def _check_key(self, key: str, text: str) -> None:
        _check_field(key, text, Absent(), self._systems)


def _check_field(key: str, text: str, system: InitiativeSystem, systems: Systems) -> None:
    """Raise RuleError unless a field of that key, the running system's if it has one, can read the text."""
    check_readable(find_fields(key, system, systems), text)


def _judge_creature(check: creatures.Check, piece: bytes, path: str, line: int) -> StatBlock:
    return creatures.read_creature(piece, path, line, check)


def _describe_place(entry: IndexEntry) -> str:
    return f"{os.path.basename(entry.path)}, line {entry.line}"
