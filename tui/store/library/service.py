"""The library as a service: what the store and the program's commands ask of it.

Nothing is read before it is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import ConditionText, Plain, StatBlock
from tui.core.language.select import several
from tui.core.rules.fields import Newcomer, declared, readable
from tui.core.rules.own_values import named_apart
from tui.core.rules.system import Absent, InitiativeSystem, Systems
from tui.store.disk import Disk, open_regular, read_open, read_regular
from tui.store.library import creatures, rosters
from tui.store.library.creatures import conditions
from tui.store.library.index import Found, Index
from tui.store.library.shelves import (
    SHELVES,
    RosterFile,
    ShelfKind,
    names,
    place,
    refused,
    shelf,
    write,
    write_all,
)
from tui.store.problems import BadFile
from tui.store.safetoml import CAP

_FILE = 1_500_000  # characters of one file of creatures
MOST_OFFERED = 40
"""Names that completion is given at once."""


class Stocking(Struct, frozen=True):
    """The result of keeping creatures: the new files, and the names that the library had already.

    Of these, name and place of those that stayed as they were (`left`) and that were exchanged (`over`).
    `bare` are the names of those who have nothing else.
    """

    paths: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    over: tuple[tuple[str, str], ...] = ()
    bare: tuple[str, ...] = ()


class Library:
    """Parties, encounters, creatures and conditions beside the saves in `folder`."""

    def __init__(self, folder: str, systems: Systems) -> None:
        self.folder = folder
        self._systems = systems
        self._index = Index(folder, partial(_judged, self._check))

    # --- what a line asks for

    def newcomers(self, file: str, kind: ShelfKind, system: InitiativeSystem) -> list[Newcomer]:
        """Return the creatures of a party or an encounter. Raises RuleError with file and line."""
        path = place(self.folder, kind, file)
        try:
            check = partial(_check, system=system, systems=self._systems)
            return rosters.read(path, check, self._named_apart)
        except BadFile as error:
            known = [] if os.path.lexists(path) else names(self.folder, kind)
            hint = f"there are: {', '.join(known[:20])}" if known else error.hint
            raise RuleError(str(error), hint) from None

    def creature(self, name: str) -> StatBlock | None:
        """Return the creature of that name, or None if the library has none.

        Raises RuleError with file and line.
        """
        found = self._index.find(name)
        if not found:
            return None
        if len(found) > 1:
            raise RuleError(
                f"the library knows two creatures of the name {found[0].name}: "
                f"{_where(found[0])} and {_where(found[1])}",
                "give one of them another name in its file",
            )
        try:
            return self._read(found[0])
        except BadFile as error:
            raise refused(error) from None

    def condition(self, name: str) -> ConditionText | None:
        """Return what is known of a condition."""
        return conditions(self.folder).get(name.lower())

    def names(self, kind: ShelfKind, begun: str = "") -> list[str]:
        """Names of one kind that begin so, in order, as many as completion wants."""
        if kind == "creature":
            return self._index.beginning(begun, MOST_OFFERED)
        known = (
            [c.name for c in conditions(self.folder).values()]
            if kind == "condition"
            else names(self.folder, kind)
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
        path = place(self.folder, kind, name)
        if len(tables) > rosters.MOST:
            raise RuleError(
                f"{len(tables)} kinds of creatures are too many for one file", f"{rosters.MOST} at the most"
            )
        try:
            write(path, rosters.text_of(tables, system), over=over)
        except FileExistsError:
            raise RuleError(
                f"there is already a file {SHELVES[kind]}/{os.path.basename(path)}",
                "`over=yes` writes over it",
            ) from None
        return path

    def stock_creatures(self, stem: str, blocks: Sequence[StatBlock], *, over: bool = False) -> Stocking:
        """Write creatures into new files, `stem`.toml and on; what came in and what did not.

        Raises RuleError, NotSaved.

        Whoever is there already just so is not written again; who is there otherwise stays as it is, or is
        exchanged with `over`. Who has a name and no more is not written at all: it would stand before one
        that has numbers.
        """
        if blocks and all(b.bare for b in blocks):
            names = several([b.name for b in blocks])
            raise RuleError(
                f"of {names} there is nothing but the name",
                "a fight takes them from your library: --into SAVE",
            )
        bare = tuple(b.name for b in blocks if b.bare)
        blocks = [b for b in blocks if not b.bare]
        old = [(b, found) for b in blocks if (found := self._index.find(b.name))]
        same = {b.name for b, found in old if len(found) == 1 and self._is(found[0], b)}
        other = [found for b, found in old if b.name not in same]
        kept = {found[0].name.lower() for found in other} if not over else set[str]()
        new = [b for b in blocks if b.name not in same and b.name.lower() not in kept]
        if kept and not new:
            first = other[0][0]
            more = f", and {len(other) - 1} more" if len(other) > 1 else ""
            raise RuleError(
                f"the library has another {first.name} ({_where(first)}){more}",
                "--over puts the new ones in their place",
                kind="exists",
            )
        paths = write_all(shelf(self.folder, "creature"), stem, creatures.pieces(new, _FILE))
        self._index.learn(paths)
        told = tuple((found[0].name, _where(found[0])) for found in other)
        if over:
            # After the new ones are there: should this be cut short, two of a name are told, and none is
            # lost.
            self._drop([entry for found in other for entry in found])
        return Stocking(tuple(paths), () if over else told, told if over else (), bare)

    def _is(self, found: Found, block: StatBlock) -> bool:
        try:
            return self._read(found) == block
        except BadFile:
            return False

    def _drop(self, gone: Iterable[Found]) -> None:
        """Remove creatures from their files; everything else in them stays as it was written."""
        by_file: dict[str, list[Found]] = {}
        for found in gone:
            by_file.setdefault(found.path, []).append(found)
        for path, entries in by_file.items():
            data, _ = read_regular(Disk(), path, CAP)
            for entry in sorted(entries, key=lambda e: -e.start):
                data = data[: entry.start] + data[entry.end :]
            write(path, data.decode(), over=True)

    # --- lists

    def rosters(self, kind: ShelfKind) -> list[RosterFile]:
        """Every party, or every encounter, also those that cannot be read, with what is wrong with them."""
        return rosters.listed(self.folder, kind, self._check, self._named_apart)

    def creatures(self) -> tuple[list[Found], list[BadFile]]:
        """Every creature that has a name, and every mistake in their files."""
        return self._index.all(), self._index.problems()

    def conditions(self) -> tuple[list[ConditionText], list[BadFile]]:
        """Every condition, and every mistake in their files."""
        problems: list[BadFile] = []
        return list(conditions(self.folder, problems.append).values()), problems

    def _read(self, found: Found) -> StatBlock:
        disk = Disk()
        fd, _ = open_regular(disk, found.path, CAP)
        try:
            piece = read_open(disk, fd, found.start, found.end)
        finally:
            disk.close(fd)
        # A sound file was judged when it last changed; judging its keys again would load every system there
        # is.
        check = self._check if self._index.faulty(found.path) else _sound
        return creatures.read(piece, found.path, found.line, check)

    def _named_apart(self, key: str, owner: str) -> str:
        return named_apart(key, owner, self._systems)

    def _check(self, key: str, text: str) -> None:
        _check(key, text, Absent(), self._systems)


def _check(key: str, text: str, system: InitiativeSystem, systems: Systems) -> None:
    """Raise RuleError unless a field of that key, the running system's if it has one, can read the text."""
    readable(declared(key, system, systems), text)


def _sound(_key: str, _text: str) -> None:
    return


def _judged(check: creatures.Check, piece: bytes, path: str, line: int) -> StatBlock:
    return creatures.read(piece, path, line, check)


def _where(found: Found) -> str:
    return f"{os.path.basename(found.path)}, line {found.line}"
