"""`tocsin check`: read a journal from end to end and report what is wrong."""

from __future__ import annotations

import argparse

from tui.cli.commands import Front
from tui.cli.output import DONE, FILE, print_json, print_lines
from tui.cli.show import warn_of_absent_system
from tui.core.fight.events import Event
from tui.core.rules.system import Systems
from tui.store.journal import verification as journal
from tui.store.journal.reader import read_journal_bytes
from tui.store.opening import start_from_header
from tui.store.saves import find_save_path, save_name
from tui.store.validation import Witness


def run_check(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print what is wrong with a journal; return the exit code."""
    lines, sound = check_save(args.save, args.saves, systems, repair=args.repair)
    if args.json:
        print_json({"sound": sound, "found": lines})
    else:
        print_lines(lines)
    return DONE if sound else FILE


def check_save(save: str, saves: str, systems: Systems, *, repair: bool = False) -> tuple[list[str], bool]:
    """Return what is wrong, one finding a line, and True if the journal is OK.

    With `repair` a repaired copy is written. Raises JournalError if the file cannot be read at all, NotSaved
    if the copy cannot be written.
    """
    path = find_save_path(save, saves)
    data, _ = read_journal_bytes(path)
    # Read without checking its seal, because a damaged header should not hide the records.
    start = start_from_header(journal.read_damaged_header(data, path))
    warn_of_absent_system(start, systems, "its own rules are not checked")
    witness = Witness(start, systems)
    if repair:
        done = journal.repair_journal(path, Event, witness)
        # Sound in the sense of the exit code: there is a save now that opens.
        return [*_describe_survey(done.survey), f"repaired copy: {done.path}"], True
    survey = journal.check_journal(path, Event, witness)
    bad = witness.describe_bad_step(save_name(path))
    return _describe_survey(survey, bad), survey.sound and not bad


def _describe_survey(survey: journal.Survey, bad: str = "") -> list[str]:
    """Return the findings; `bad` says since which step the fight cannot be shown."""
    count = len(survey.steps)
    end = f"{count} record{'s' * (count != 1)} OK"
    lines = [
        f"line {f.line}{f', step {f.step}' if f.step else ''}: {f.kind}: {f.message}" for f in survey.findings
    ]
    lines += [bad] if bad else []
    if survey.stop_line:
        found = f"{len(lines)} findings are enough: the check stopped before line {survey.stop_line}"
        return [*lines, f"{found}; {end} up to there; `check --repair` reads all of it"]
    return [*lines, end if lines else f"OK: {end}"]
