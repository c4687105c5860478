"""Hold the library: parties, creatures and conditions, with an index of the creatures.

Nothing is read until it is needed. The index has only the place of a creature; the creature is read from its
file and checked. A file is indexed again when its size or time changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Literal

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name
from tui.core.fight.combatant import ConditionText, Plain, StatBlock
from tui.core.fight.encounter import Encounter
from tui.core.language.select import list_names
from tui.core.rules.creature_fields import check_readable, find_fields
from tui.core.rules.newcomers import Newcomer
from tui.core.rules.other_systems import key_in
from tui.core.rules.system import Absent, InitiativeSystem, Systems, running_system
from tui.core.rules.transfer import opposition, write_tables
from tui.store.disk import Disk, read_part, read_regular
from tui.store.library import creatures, rosters
from tui.store.library.creatures import CreatureEntry, read_conditions, slice_creatures
from tui.store.library.rosters import KeyOf
from tui.store.library.shelves import (
    ENDING,
    OLD_ENCOUNTERS,
    RosterFile,
    ShelfKind,
    keep_file,
    list_files,
    list_shelf_files,
    list_shelf_names,
    shelf_file,
    shelf_path,
    write_shelf_file,
    write_shelf_files,
)
from tui.store.own_files import explain_unfit_folder
from tui.store.problems import BadFile, BadName, as_rule_error
from tui.store.safetoml import CAP
from tui.store.saves import check_save_name, is_save, list_saves, save_name


class Index:
    """The creatures of a library by name.

    Files are read when first asked, and again when one of them has changed.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._stamps: list[tuple[str, int, int]] = []
        self._known: dict[str, list[CreatureEntry]] = {}

    @property
    def by_name(self) -> Mapping[str, Sequence[CreatureEntry]]:
        """The creatures of each name, with its letter case folded."""
        now = [(path, s.st_size, s.st_mtime_ns) for path, s in list_shelf_files(self._folder, "creature")]
        if now != self._stamps:
            self._stamps, self._known = now, {}
            for path, *_ in now:
                # A mistake before the first creature is reported with the other problems.
                with suppress(BadFile):
                    for entry in slice_creatures(read_regular(Disk(), path, CAP)[0], path):
                        self._known.setdefault(entry.name.casefold(), []).append(entry)
            # Creatures without a name are reported with the other problems too.
            self._known.pop("", None)
        return self._known

    def find(self, name: str) -> Sequence[CreatureEntry]:
        """Return the creatures of that name in any letter case; usually one or none."""
        return self.by_name.get(clean_name(name).casefold(), ())

    def find_names(self, begun: str, most: int) -> list[str]:
        """Return the names that begin with `begun`, in order, at most `most`."""
        wanted = clean_name(begun).casefold()
        entries = (x for key, same in sorted(self.by_name.items()) if key.startswith(wanted) for x in same)
        return list(islice(dict.fromkeys(x.name for x in entries), most))


_FILE = 1_500_000  # characters of one file of creatures
MOST_OFFERED = 40
"""At most this many names are offered as completions."""


class Stocking(Struct, frozen=True):
    """The result of adding creatures to the library."""

    paths: tuple[str, ...] = ()
    """The paths of the new files."""
    skipped: tuple[tuple[str, str], ...] = ()
    """The name and place of each creature in the library that was left unchanged."""
    over: tuple[tuple[str, str], ...] = ()
    """The name and place of each creature in the library that was replaced."""
    bare: tuple[str, ...] = ()
    """The names of the creatures that have only a name and were not written."""


class Library:
    """Parties, creatures and conditions beside the saves in `folder`.

    `read_fight` returns the fight of a save's path; it raises BadFile.
    """

    def __init__(
        self, folder: str, systems: Systems, read_fight: Callable[[str], Encounter] | None = None
    ) -> None:
        self.folder, self._read_fight = folder, read_fight
        self._systems = systems
        self._index = Index(folder)

    # --- what a line asks for

    def newcomers(
        self, file: str, kind: Literal["party", "fight"], system: InitiativeSystem
    ) -> list[Newcomer]:
        """Return the creatures of a party, or the foes of a fight. Raises RuleError with file and line."""
        path = shelf_file(self.folder, "party", file) if kind == "party" else self._fight_file(file)
        check = partial(_check_field, system=system, systems=self._systems)
        try:
            if kind == "fight" and self._read_fight and is_save(path):
                data = self._write_foes(self._read_fight(path), file)
            else:
                data, _ = read_regular(Disk(), path, CAP)
            return rosters.read_roster(data, path, check, self._key_reader(system), self._systems.ids())
        except BadFile as error:
            known = [] if os.path.lexists(path) else self.names(kind)
            hint = f"there are: {', '.join(known[:20])}" if known else error.hint
            raise RuleError(str(error), hint) from None

    def _fight_file(self, file: str) -> str:
        """Return the path of a fight, or of an encounter of 1.x if no fight has the name."""
        if file.endswith(ENDING):
            return os.path.expanduser(file)
        try:
            name = check_save_name(file) + ENDING
        except BadName as error:
            raise RuleError(error.message, error.hint) from None
        old = os.path.join(self.folder, OLD_ENCOUNTERS, name)
        path = os.path.join(self.folder, name)
        return old if os.path.lexists(old) and not os.path.lexists(path) else path

    def _write_foes(self, e: Encounter, file: str) -> bytes:
        """Return the foes of a fight as the text of a roster. Raises RuleError if there are none."""
        foes = opposition(e)
        if not foes:
            raise RuleError(f"{file} has no foes: players' sides have all of its creatures")
        tables = write_tables(foes, e, running_system(self._systems, e), self._systems)
        return rosters.write_roster(tables, e.system).encode()

    def creature(self, name: str) -> StatBlock | None:
        """Return the creature of that name, or None if the library has none.

        Raises RuleError with file and line.
        """
        entries = self._index.find(name)
        if not entries:
            return None
        if len(entries) > 1:
            raise RuleError(
                f"the library has two creatures called {entries[0].name}: "
                f"{_describe_place(entries[0])} and {_describe_place(entries[1])}",
                "give one of them another name in its file",
            )
        try:
            return self._read_entry(entries[0])
        except BadFile as error:
            raise as_rule_error(error) from None

    def has(self, name: str) -> bool:
        """Return whether there is a creature of that name, in any letter case."""
        return bool(self._index.find(name))

    def creature_names(self) -> list[str]:
        """Return the names of all creatures, in order."""
        return self._index.find_names("", len(self._index.by_name))

    def condition(self, name: str) -> ConditionText | None:
        """Return the condition of that name, or None if the library has none."""
        return read_conditions(self.folder).get(name.lower())

    def names(self, kind: ShelfKind | Literal["fight"], begun: str = "") -> list[str]:
        """Return the names of one kind that begin with `begun`, in order, at most MOST_OFFERED."""
        if kind == "creature":
            return self._index.find_names(begun, MOST_OFFERED)
        if kind == "fight":
            old = list_files(os.path.join(self.folder, OLD_ENCOUNTERS))
            names = {*(x.name for x in list_saves(self.folder)), *(save_name(path) for path, _ in old)}
            return sorted(n for n in names if n.lower().startswith(begun.lower()))[:MOST_OFFERED]
        known = (
            [c.name for c in read_conditions(self.folder).values()]
            if kind == "condition"
            else list_shelf_names(self.folder, kind)
        )
        return [n for n in known if n.lower().startswith(begun.lower())][:MOST_OFFERED]

    # --- what is kept

    def keep_party(
        self, name: str, tables: Sequence[dict[str, Plain]], *, system: str, overwrite: bool
    ) -> str:
        """Write a party of a fight of `system`, and return its path.

        Raises RuleError for a name that exists, and NotSaved.
        """
        path = shelf_file(self.folder, "party", name)
        if len(tables) > rosters.MOST_COMBATANTS:
            raise RuleError(
                f"{len(tables)} kinds of creatures are too many for one file",
                f"{rosters.MOST_COMBATANTS} at most",
            )
        keep_file(path, rosters.write_roster(tables, system), overwrite=overwrite)
        return path

    def stock_creatures(self, stem: str, blocks: Sequence[StatBlock], *, overwrite: bool = False) -> Stocking:
        """Write creatures into new files `STEM.toml`, `STEM-2.toml` …; return what was done with each.

        An identical creature is not written again; a different one of the same name stays, or is replaced
        with `overwrite`. A creature with only a name is not written. Raises RuleError, NotSaved.
        """
        if blocks and all(b.bare for b in blocks):
            names = list_names([b.name for b in blocks])
            raise RuleError(
                f"of {names} only the name is known",
                "a fight takes them from your library: --into SAVE",
            )
        bare = tuple(b.name for b in blocks if b.bare)
        blocks = [b for b in blocks if not b.bare]
        old = [(b, entries) for b in blocks if (entries := self._index.find(b.name))]
        same = {b.name for b, entries in old if len(entries) == 1 and self._is_identical(entries[0], b)}
        other = [entries for b, entries in old if b.name not in same]
        taken = {entries[0].name.lower() for entries in other} if not overwrite else set[str]()
        new = [b for b in blocks if b.name not in same and b.name.lower() not in taken]
        if taken and not new:
            first = other[0][0]
            more = f", and {len(other) - 1} more" if len(other) > 1 else ""
            raise RuleError(
                f"the library has another {first.name} ({_describe_place(first)}){more}",
                "--over replaces them",
                kind="exists",
            )
        paths = write_shelf_files(
            shelf_path(self.folder, "creature"), stem, creatures.split_into_files(new, _FILE)
        )
        clashes = tuple((entries[0].name, _describe_place(entries[0])) for entries in other)
        if overwrite:
            # After the new ones are written: if this is interrupted, two of one name are reported, and none
            # is lost.
            self._delete_entries([entry for entries in other for entry in entries])
        return Stocking(tuple(paths), () if overwrite else clashes, clashes if overwrite else (), bare)

    def _is_identical(self, entry: CreatureEntry, block: StatBlock) -> bool:
        try:
            return self._read_entry(entry) == block
        except BadFile:
            return False

    def _delete_entries(self, gone: Iterable[CreatureEntry]) -> None:
        """Remove creatures from their files; all other text in them stays as it was written."""
        by_file: dict[str, list[CreatureEntry]] = {}
        for item in gone:
            by_file.setdefault(item.path, []).append(item)
        for path, entries in by_file.items():
            data, _ = read_regular(Disk(), path, CAP)
            for entry in sorted(entries, key=lambda e: -e.start):
                data = data[: entry.start] + data[entry.end :]
            write_shelf_file(path, data.decode(), overwrite=True)

    # --- lists

    def parties(self) -> list[RosterFile]:
        """Return every party, also unreadable ones with their problem."""
        keys, ids = self._key_reader(Absent()), self._systems.ids()
        files = list_shelf_files(self.folder, "party")
        return [rosters.summarize_roster(path, self.check_key, keys, ids) for path, _ in files]

    def creatures(self) -> tuple[list[CreatureEntry], list[BadFile]]:
        """Return every creature that has a name, and every mistake in their files."""
        entries = (x for _, same in sorted(self._index.by_name.items()) for x in same)
        return list(entries), list(self._find_problems())

    def conditions(self) -> tuple[list[ConditionText], list[BadFile]]:
        """Return every condition, and every mistake in their files."""
        problems: list[BadFile] = []
        return list(read_conditions(self.folder, problems.append).values()), problems

    def _read_entry(self, entry: CreatureEntry) -> StatBlock:
        piece, _ = read_part(Disk(), entry.path, CAP, entry.start, entry.end)
        return creatures.read_creature(piece, entry.path, entry.line, self.check_key)

    def _find_problems(self) -> Iterator[BadFile]:
        """Yield every mistake in the files of creatures, with its line."""
        if bad := explain_unfit_folder(shelf_path(self.folder, "creature"), "this folder of the library"):
            yield bad
        for path, _ in list_shelf_files(self.folder, "creature"):
            try:
                data, _ = read_regular(Disk(), path, CAP)
                for x in slice_creatures(data, path):
                    try:
                        creatures.read_creature(data[x.start : x.end], path, x.line, self.check_key)
                    except BadFile as error:
                        yield error
            except BadFile as error:
                yield error

    def _key_reader(self, system: InitiativeSystem) -> KeyOf:
        return lambda key, saved_in: key_in(system, key, saved_in, self._systems)

    def check_key(self, key: str, text: str) -> None:
        """Raise RuleError for a key that no system has, or a value that none reads."""
        _check_field(key, text, Absent(), self._systems)


def _check_field(key: str, text: str, system: InitiativeSystem, systems: Systems) -> None:
    """Raise RuleError unless a field of that key, the running system's first, can read the text."""
    check_readable(find_fields(key, system, systems), text)


def _describe_place(entry: CreatureEntry) -> str:
    return f"{os.path.basename(entry.path)}, line {entry.line}"
