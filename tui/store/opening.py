"""Open a save: create it, or read its journal, apply its records and check the result."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import EEXIST, ENOENT

from msgspec import Struct
from msgspec.structs import replace

from tui import VERSION
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.language import values
from tui.core.rules.system import Systems
from tui.core.rules.upkeep import COMMON_OPTIONS, rules_of_new_fights
from tui.store.dependencies import StoreEffects
from tui.store.history import History, replay
from tui.store.journal.format import Header, Record
from tui.store.journal.reader import Journal, read_journal
from tui.store.journal.records import pause_gc
from tui.store.journal.writer import Writer
from tui.store.lock import find_writer, lock_path
from tui.store.problems import DamagedSave, JournalError, NotSaved, from_os_error, quote_save
from tui.store.saves import find_save_path, make_folder, save_name
from tui.store.sources import utc_now
from tui.store.store import Store
from tui.store.validation import Witness, explain_types, state_error


class Loaded(Struct, frozen=True):
    """A journal, and the history of its records."""

    journal: Journal[Event]
    history: History


def start_from_header(header: Header) -> Encounter:
    """Return the encounter before any line."""
    return Encounter(system=header.system, options=dict(header.options))


def load_save(path: str, systems: Systems, *, lenient: bool = False) -> Loaded:
    """Return the save at `path`, read and replayed. Raises JournalError.

    It raises DamagedSave for a state that is invalid or that its system cannot read. When `lenient`, a
    damaged record is not raised: the journal ends before it and holds it as its `problem`.
    """
    # Reading makes many objects and few cycles: garbage collection in between would double the time.
    with pause_gc():
        journal = read_journal(path, Event, lenient=lenient)
        history = History(start_from_header(journal.header))
        with blame_records(journal, systems):
            replay(history, journal.steps)
        if reason := state_error(history.encounter, systems):
            raise refuse_impossible(path, -1, reason)
    return Loaded(journal, history)


@contextmanager
def blame_records(journal: Journal[Event], systems: Systems) -> Iterator[None]:
    """Inside the block, raise DamagedSave in place of an error caused by an impossible record.

    Events are nearly always our own, so they are trusted while they are applied. Only after an error each of
    them is checked; if all are possible, the error is a bug and passes on.
    """
    try:
        yield
    except Exception:
        witness = Witness(start_from_header(journal.header), systems)
        for step in journal.steps:
            if reason := witness(step):
                raise refuse_impossible(journal.path, step.number, reason) from None
        raise


def refuse_impossible(path: str, step: int, reason: str) -> DamagedSave:
    """Return the error for a save with an impossible record or state; `step` -1 is the state at the end."""
    return DamagedSave(
        path, 0, step, f"a step cannot have happened: {reason}", f"`tocsin check {quote_save(path)}` finds it"
    )


class _ReadOnly:
    """The ledger and the dice of a save that is open for reading."""

    def append(self, step: Record[Event]) -> None:
        """Raise RuleError: the save is open for reading."""
        self.roll(step.number)

    def roll(self, sides: int) -> int:
        """Raise RuleError: the save is open for reading."""
        del sides
        hint = "`quit`, open the save again and take it over to write"
        raise RuleError("this fight is read-only here", hint)


_READ_ONLY = StoreEffects(_ReadOnly(), _ReadOnly(), utc_now)


def open_for_reading(save: str, saves: str, systems: Systems) -> Store:
    """Return the fight as the file has it now, for reading; a writer may be at work. Raises JournalError."""
    path = find_save_path(save, saves)
    return store_for_reading(path, load_save(path, systems), systems)


def open_as_far_as_readable(save: str, saves: str, systems: Systems) -> tuple[Store, Journal[Event]]:
    """Return the fight as far as it can be read, and the journal with its `problem`.

    Raises JournalError over a header that cannot be used.
    """
    path = find_save_path(save, saves)
    loaded = load_save(path, systems, lenient=True)
    return store_for_reading(path, loaded, systems), replace(
        loaded.journal, problem=_name_last_step(loaded.journal)
    )


def _name_last_step(journal: Journal[Event]) -> JournalError | None:
    """Return the damage that ended a lenient reading, with a hint that names the last readable step."""
    if (problem := journal.problem) is None:
        return None
    last = (
        f"the fight is shown up to step {journal.end.number}"
        if journal.end.number
        else "no step can be shown"
    )
    hint = f"{last}; {problem.hint}" if problem.hint else last
    return type(problem)(problem.path, problem.line, problem.step, problem.message, hint)


def warn_of_torn_end(journal: Journal[Event]) -> str:
    """Return a warning about an unfinished end; "" if there is none, or a writer may be finishing it."""
    if journal.torn is None:
        return ""
    if find_writer(lock_path(journal.path)):
        return ""
    outcome = "the next step is written over it, and a copy is kept beside the save"
    return f"{save_name(journal.path)}, line {journal.torn.line}: {journal.torn.words}; {outcome}"


def store_for_reading(path: str, loaded: Loaded, systems: Systems) -> Store:
    """Return the store of a save that was loaded, for reading; nothing can be written through it."""
    return Store(save_name(path), loaded.history, systems, _READ_ONLY, loaded.journal.end.number)


def make_start_store(systems: Systems) -> Store:
    """Return the store of the start screen, where no fight is open; nothing can be written through it."""
    return Store("tocsin", History(Encounter()), systems, _READ_ONLY)


@contextmanager
def open_for_retelling(
    save: str, saves: str, systems: Systems, *, lenient: bool = False
) -> Iterator[tuple[History, Journal[Event]]]:
    """Yield (history at its start, journal), to replay the journal step by step inside the block.

    Raises JournalError; inside the block, DamagedSave in place of an error caused by an impossible record.
    With `lenient`, the journal ends before the damage and holds it as its `problem`.
    """
    path = find_save_path(save, saves)
    with pause_gc():
        journal = read_journal(path, Event, lenient=lenient)
        journal = replace(journal, problem=_name_last_step(journal))
        history = History(start_from_header(journal.header))
        with blame_records(journal, systems):
            yield history, journal
        if reason := explain_types(history.encounter):
            raise refuse_impossible(path, -1, reason)


MOST_COPIES = 999


class SaveExists(RuleError):  # noqa: N818 - the word of the message
    """A save of that name exists."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is already there", "open it, or choose another name", kind="exists")


def create_save(
    save: str,
    saves: str,
    systems: Systems,
    system: str,
    options: Mapping[str, str],
    house: Mapping[str, str] = {},
) -> str:
    """Make an empty save, never over another one; return its path.

    House rules in `house` that its system has are set; `options` win over them. Raises RuleError, BadName,
    SaveExists, NotSaved.
    """
    path = find_save_path(save, saves)
    known = systems.get(system)
    chosen = {}
    for key, text in options.items():
        field = values.find_field(key, (*known.options, *COMMON_OPTIONS), known.title)
        chosen[key] = values.read_value(field, text)
    own = {f.key: f for f in (*known.options, *COMMON_OPTIONS)}
    for key, text in house.items():
        with suppress(RuleError):  # another system may have a rule of that name with other values
            if key in own:
                chosen.setdefault(key, values.read_value(own[key], text))
    if os.path.lexists(path):
        raise SaveExists(save_name(path))
    create_empty_save(path, known.id, rules_of_new_fights(known) | chosen)
    return path


def create_empty_save(path: str, system: str, options: Mapping[str, Plain]) -> None:
    """Make an empty save at a path where no file is yet. Raises NotSaved."""
    folder = os.path.dirname(path) or "."
    header = Header(save_name(path), system, utc_now(), VERSION, dict(options))
    try:
        make_folder(folder)
        Writer.create(path, header, how="inline").close()
    except OSError as error:
        raise refuse_creation(folder, from_os_error(error)) from error
    except NotSaved as error:
        raise error if error.code == EEXIST else refuse_creation(folder, error) from error


def refuse_creation(folder: str, error: NotSaved) -> NotSaved:
    """Return the refusal of a new save, which names its folder and how to choose another."""
    cause = "a folder on the way is missing or cannot be made" if error.code == ENOENT else error.message
    return NotSaved(
        f"{cause} ({folder})", "--saves DIR names another folder, and so does TOCSIN_SAVES", error.code
    )
