"""List the folder of saves; copy, rename, trash and restore saves that have no writer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import list_briefly, split_numbered
from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import is_plural, text
from tui.core.language.creature_actions import Party
from tui.core.rules.decide import Rules, draft
from tui.core.rules.difficulty import Difficulty, measure
from tui.core.rules.now import lead_now
from tui.core.rules.system import InitiativeSystem, Systems, running_system
from tui.core.rules.transfer import is_prepared, opposition
from tui.core.views.table_for import say_now
from tui.plugins import find_fault
from tui.store.addresses import end_addresses, move_addresses
from tui.store.disk import Disk, create_file, discard, give_name, sync_folder
from tui.store.journal.reader import read_journal_bytes
from tui.store.library.service import Library
from tui.store.library.shelves import RosterFile
from tui.store.library.supply import Supply
from tui.store.lock import SaveLock, lock_path
from tui.store.opening import MOST_COPIES, SaveExists, load_save, refuse_creation
from tui.store.own_files import require_own_folder
from tui.store.problems import BadFile, from_os_error, make_printable
from tui.store.saves import (
    Listed,
    check_save_name,
    data_folder,
    list_saves,
    make_folder,
    save_name,
    saves_folder,
)
from tui.store.sources import SeededDice

TRASH = "trash"
"""The folder of trashed saves, inside the folder of saves."""


class Contents(Struct, frozen=True):
    """The contents of a folder of saves, the latest fight first."""

    folder: str
    fights: tuple[Listed, ...] = ()
    trash: tuple[Listed, ...] = ()
    parties: tuple[RosterFile, ...] = ()
    samples: tuple[Listed, ...] = ()
    """The fights that come with the program."""


def list_contents(folder: str, systems: Systems) -> Contents:
    """Return the contents of the folder; of each fight only the beginning is read."""
    return Contents(
        folder,
        tuple(list_saves(folder)),
        tuple(list_saves(os.path.join(folder, TRASH))),
        tuple(Library(folder, systems).parties()),
        tuple(sorted(list_saves(data_folder("examples")), key=lambda s: s.name)),
    )


DRAFTS: Final = ".drafts"
"""The ending of the file of drafts beside a save; the file is moved with the save."""


def copy_save(path: str, folder: str, name: str) -> str:
    """Copy a save under another name, synced; return its path.

    Raises BadName, SaveExists, BadFile, OSError.
    """
    target = _path_in(folder, name)
    content, _ = read_journal_bytes(path)
    try:
        fd, _ = create_file(Disk(), target, content)
    except FileExistsError:
        raise SaveExists(save_name(target)) from None
    os.close(fd)
    return target


def copy_sample(path: str, saves: str) -> str:
    """Copy a shipped example to a free name in the saves folder; return the copy's path.

    Any other path is returned unchanged.
    """
    examples = os.path.realpath(data_folder("examples"))
    if os.path.dirname(os.path.realpath(path)) != examples:
        return path
    folder = saves_folder(saves)
    try:
        make_folder(folder)
        while True:
            # Another process may take the name between the two calls.
            with suppress(SaveExists):
                return copy_save(path, folder, find_free_name(save_name(path), folder))
    except OSError as error:
        raise refuse_creation(folder, from_os_error(error)) from error


def rename_save(path: str, folder: str, name: str) -> str:
    """Rename a save; return its path. Raises BadName, SaveExists, Busy, BadFile, OSError."""
    target = _path_in(folder, name)
    _move_locked(Disk(), path, target)
    move_addresses(path, target)
    return target


def trash_save(path: str, folder: str) -> str:
    """Move a save into the trash; return its new path. Raises as `rename_save` does."""
    bin_ = os.path.join(folder, TRASH)
    require_own_folder(bin_, "the trash")
    make_folder(bin_)
    end_addresses(path)
    return _move_to_free_name(Disk(), path, bin_)


def restore_save(path: str, folder: str) -> str:
    """Move a save out of the trash, under another name if its own is taken; return its path.

    Raises as `rename_save` does.
    """
    require_own_folder(os.path.dirname(path), "the trash")
    return _move_to_free_name(Disk(), path, folder)


def find_free_name(stem: str, folder: str) -> str:
    """Return the stem, or the first of `stem-2`, `stem-3` … that no save of the folder has.

    Raises RuleError.
    """
    for number in range(1, MOST_COPIES + 1):
        name = stem if number == 1 else f"{stem}-{number}"
        # lexists: a dangling link takes the name as well.
        if not os.path.lexists(os.path.join(folder, name + ".toml")):
            return name
    raise RuleError(f"there are {MOST_COPIES} copies of {stem} already", "remove some")


def _path_in(folder: str, name: str) -> str:
    # Not `path_of`, for which a name that ends in .toml is a path from where the program was started.
    return os.path.join(folder, check_save_name(name) + ".toml")


def _move_to_free_name(disk: Disk, path: str, folder: str) -> str:
    stem = os.path.basename(path).removesuffix(".toml")
    while True:
        target = os.path.join(folder, find_free_name(stem, folder) + ".toml")
        try:
            _move_locked(disk, path, target)
        except SaveExists:  # the name was taken between the check and the move
            continue
        return target


def _move_locked(disk: Disk, path: str, target: str) -> None:
    lock = SaveLock.acquire(path)
    try:
        try:
            give_name(disk, path, target)
        except FileExistsError:
            raise SaveExists(save_name(target)) from None
        with suppress(OSError):  # then it stays, because it has no steps
            disk.replace(path + DRAFTS, target + DRAFTS)
        # While the lock is still held: a process that waits for this name finds another lock file, or none.
        discard(disk, lock_path(path))
        sync_folder(disk, target)
        sync_folder(disk, path)
    finally:
        lock.release()


MOST_SUMMARY_BYTES: Final = 4_000_000
"""The largest journal, in bytes, that is read for a summary in a list."""


class Brief(Struct, frozen=True):
    """A fight in a few words, for a list."""

    system: str = ""
    """The short title of the system."""
    round: int = 0
    stands: str = ""
    """The acting entry or the beginning of the Now line, short enough for a list."""
    now: str = ""
    """The whole Now line."""
    steps: int = 0
    """The number of lines in force."""
    people: str = ""
    """The creatures that are present, grouped by kind and hit points."""
    present: int = 0
    """The number of creatures that are present."""
    out: int = 0
    """The number of creatures that are out."""
    foes: str = ""
    """The foes of a prepared fight and how hard they are; "" for a fight that has begun."""
    problem: str = ""
    """The reason why the fight cannot be read; "" for none."""


def summarize_save(path: str, systems: Systems) -> Brief:
    """Return a summary of the fight at `path`. Never raises: an unreadable save has a `problem`."""
    try:
        if os.path.getsize(path) > MOST_SUMMARY_BYTES:
            return Brief(stands="too long to preview: open it")
        history = load_save(path, systems).history
        e, system = history.encounter, running_system(systems, history.encounter)
        lines = (history.step(n).line for n in range(1, history.position + 1))
        foes = _describe_foes(path, e, system, systems) if is_prepared(e, lines) else ""
        return replace(_summarize_fight(e, system, history.position), foes=foes)
    except BadFile as error:
        return Brief(problem=error.message)
    except RuleError as error:
        return Brief(problem=make_printable(str(error)))
    except OSError as error:
        return Brief(problem=make_printable(error.strerror or str(error)))
    except Exception as error:
        # If the system of one fight fails, the list of the others must still be shown.
        if not (place := find_fault(error)):
            raise
        return Brief(problem=make_printable(f"{os.path.basename(place)}: {type(error).__name__}"))


def _describe_foes(path: str, e: Encounter, system: InitiativeSystem, systems: Systems) -> str:
    """Return the foes of a fight, and how hard they are for its heroes or else for the kept party."""
    library = Library(os.path.dirname(path), systems)
    if system.is_d20 and not any(map(is_pc, e.combatants.values())):
        for party in parties_for(library, e.system)[:1]:
            with suppress(RuleError):  # a name may be in the fight already
                rules = Rules(systems, SeededDice(0), kept=Supply(library, e, system).kept())
                joined = draft(e, Party(party.name), rules).encounter
                return _foes_and_word(e, measure(joined, system))
    return _foes_and_word(e, measure(e, system))


def _foes_and_word(e: Encounter, hard: Difficulty | None) -> str:
    return ": ".join(x for x in (hard.word if hard else "", _list_people(opposition(e))) if x)


def parties_for(library: Library, system: str) -> list[RosterFile]:
    """Return the kept parties that fit a system, the one that was written last first."""
    fitting = (x for x in library.parties() if x.system in ("", system) and not x.problem)
    return sorted(fitting, key=lambda x: -os.stat(x.path).st_mtime)


def list_prepared(folder: str, systems: Systems, without: str = "") -> list[tuple[str, Brief]]:
    """Return name and summary of each prepared fight of a folder but the one at `without`, by name."""
    found = []
    for save in sorted(list_saves(folder), key=lambda x: x.name):
        if save.problem or os.path.realpath(save.path) == os.path.realpath(without):
            continue
        with suppress(BadFile, OSError):
            data, _ = read_journal_bytes(save.path)
            # A fight that has begun is long, and is read only if its beginning may have been undone.
            if b'\nline = "begin' in data and b'\nline = "undo' not in data:
                continue
            if (brief := summarize_save(save.path, systems)).foes:
                found.append((save.name, brief))
    return found


def _summarize_fight(e: Encounter, system: InitiativeSystem, steps: int) -> Brief:
    in_play = [c for c in e.combatants.values() if not c.out]
    return Brief(
        system.short or system.title,
        e.round if e.running else 0,
        _describe_standing(e, system),
        say_now(e, system),
        steps,
        _list_people(in_play),
        len(in_play),
        len(e.combatants) - len(in_play),
    )


def _list_people(people: Iterable[Combatant]) -> str:
    alike: dict[tuple[str, str], list[str]] = {}
    for c in people:
        kind, _ = split_numbered(c.name) or (c.name, "")
        points = "" if c.hp in (None, c.most_hp) else f" {c.hp}/{c.most_hp}"
        alike.setdefault((kind, points), []).append(c.name)
    return ", ".join(f"{list_briefly(names)}{points}" for (_, points), names in alike.items())


def _describe_standing(e: Encounter, system: InitiativeSystem) -> str:
    """Return `Thane acts`, `no fight runs`, or else the beginning of the Now line."""
    if not e.running:
        return "no fight runs" if e.combatants else "nobody is here yet"
    if e.turn:
        return f"{label(e, e.acting)} {'act' if is_plural(e, e.acting) else 'acts'}"
    # Only the action that must happen next, without the line to type and without what else is open.
    return text(e, lead_now(e, system).what).replace("`", "")
