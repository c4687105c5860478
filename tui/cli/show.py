"""Report state, log, dice and journal as lines for people and as plain data for programs."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import wrap
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tui.cli.commands import Front
from tui.cli.output import DONE, FILE, print_aside, print_json, print_lines
from tui.core.fight.agenda import Field, LockAsk
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event, Rolled
from tui.core.fight.viewer import Viewer, viewer_of
from tui.core.rules.optional import orders_of
from tui.core.rules.system import InitiativeSystem, Systems, explain_absence, is_gmless, running_system
from tui.core.rules.upkeep import all_owed
from tui.core.table_lines import table_lines
from tui.core.views.log import hide_order, moments, story
from tui.core.views.marker import find_marker
from tui.store.history import (
    History,
    Jump,
    LateLine,
    Retake,
    Rewrite,
    Step,
    line_from_record,
    replay,
    step_from_run,
    subject_of_line,
)
from tui.store.journal.format import Record
from tui.store.journal.reader import Journal, read_journal_bytes
from tui.store.journal.verification import Survey, check_journal, read_damaged_header, repair_journal
from tui.store.opening import open_as_far_as_readable, open_for_retelling, start_from_header, warn_of_torn_end
from tui.store.saves import find_save_path, save_name
from tui.store.sent import player_of_seat
from tui.store.validation import Witness


def run_show(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print the table as one viewer may see it; return the exit code."""
    store, journal = open_as_far_as_readable(args.save, args.saves, systems)
    _warn_of_torn_end(journal, json=args.json)
    warn_of_absent_system(store.encounter, systems, "the order of turns is not shown")
    table = store.table(viewer_of(args.viewer))
    if args.json:
        print_json(table)
    else:
        print_lines(table_lines(table))
    return _exit_code_of(journal)


def _warn_of_torn_end(journal: Journal[Event], *, json: bool) -> None:
    """Warn on standard error if the end of a journal is unfinished.

    For JSON output, damage is raised instead of reported, because an error must be the only output.
    """
    if journal.problem and json:
        raise journal.problem
    if warning := warn_of_torn_end(journal):
        print_aside(warning)


def warn_of_absent_system(e: Encounter, systems: Systems, lacks: str) -> None:
    """Warn that a save's own system cannot be loaded, and that `lacks` is left out for that reason."""
    if why := explain_absence(systems, e):
        print_aside(f"{why}: {lacks}")


def _exit_code_of(journal: Journal[Event]) -> int:
    """Return DONE; raise the journal's `problem` if a damaged record ended the reading."""
    if journal.problem:
        raise journal.problem
    return DONE


def run_log(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print every step, or the counts of the dice; return the exit code."""
    # All of it before the first line is printed: a save with a record that cannot have happened is refused
    # whole.
    with open_for_retelling(args.save, args.saves, systems, lenient=True) as (history, journal):
        if args.dice:
            replay(history, journal.steps)
        else:
            entries = tell_journal(history, journal.steps, viewer_of(args.viewer), systems)
            e = history.encounter
            system = running_system(systems, e)
            is_writing = any(isinstance(x, LockAsk) for x in all_owed(e, system))
            # Without a GM the players share this log until the orders are open.
            is_shared = e.running and is_gmless(system, e) and not any(o.open for o in orders_of(system, e))
    _warn_of_torn_end(journal, json=args.json)
    if args.dice:
        lines, plain = report_dice(journal.steps)
        print_json(plain) if args.json else print_lines(lines)
    else:
        print_json(plain_log(entries)) if args.json else print_lines(
            write_log_lines(entries, seal=is_writing, seal_all=is_shared)
        )
    return _exit_code_of(journal)


class DieCount(Struct, frozen=True):
    """The counts of one die: rolls of each face (index 0 is a 1), the longest streak of one face."""

    sides: int
    faces: tuple[int, ...]
    streak: int

    @property
    def rolls(self) -> int:
        """How often the die was rolled."""
        return sum(self.faces)

    @property
    def mean(self) -> float:
        """The mean of all rolls."""
        return sum((i + 1) * n for i, n in enumerate(self.faces)) / max(1, self.rolls)

    @property
    def chi_square(self) -> float:
        """Pearson's chi-square against equal faces, about `sides - 1` for a fair die; 0 without rolls."""
        expected = self.rolls / self.sides
        return sum((n - expected) ** 2 / expected for n in self.faces) if expected else 0.0


def count_dice(steps: Iterable[Record[Event]]) -> Iterator[DieCount]:
    """Count all dice ever rolled in a journal, undone ones too, by number of sides."""
    fell: dict[int, list[int]] = {}
    for s in steps:
        for event in s.events:
            if isinstance(event, Rolled):
                for sides, face in zip(event.dice, event.faces, strict=False):
                    fell.setdefault(sides, []).append(face)
    for sides, faces in sorted(fell.items()):
        count, streak = Counter(faces), max(len(list(run)) for _, run in groupby(faces))
        yield DieCount(sides, tuple(count[f] for f in range(1, sides + 1)), streak)


class Chapter(Struct, frozen=True):
    """One record of the journal: the step after it, its time, its line, and its messages.

    For other viewers than the game master, time and line are "", and only moments with messages for that
    viewer exist, with numbers of their own. A mark (undo, redo, goto) has no text.
    """

    step: int
    at: str
    """When the line was run (RFC 3339, UTC); "" for other viewers than the game master."""
    line: str
    """The line; "" for other viewers than the game master."""
    text: tuple[str, ...]
    """The messages of the line."""
    undone: bool = False
    """Whether the line is no longer in force."""
    mark: bool = False
    """Whether the record is an undo, a redo or a goto."""
    moments: tuple[tuple[str, ...], ...] = ()
    """The messages of each moment that another viewer was shown."""
    by: str = ""
    """The player who sent the line; "" for the game master."""


def tell_journal(
    history: History,
    steps: Iterable[Record[Event]],
    viewer: Viewer,
    systems: Systems,
) -> list[Chapter]:
    """Return a chapter for every record of a journal, as this viewer may read it.

    The history advances to the end of the journal.
    """
    telling = _ChapterCollector(history, viewer, systems)
    for record in steps:
        telling.tell(record)
    if viewer.gm:
        return telling.told()
    telling.keep_back()
    # Moments that were undone are left out: they may name what the viewer must not know any more.
    texts = (text for c in telling.told() if not c.undone for text in c.moments)
    return [Chapter(number, "", "", text) for number, text in enumerate(texts, 1)]


class _ChapterCollector:
    """Collects a chapter for each record; `_current[n]` is the index of the chapter of step n + 1."""

    def __init__(self, history: History, viewer: Viewer, systems: Systems) -> None:
        self._history, self._viewer, self._systems = history, viewer, systems
        self.chapters: list[Chapter] = []
        self._current: list[int] = []
        self._undone: list[tuple[int, list[int]]] = []

    def tell(self, s: Record[Event]) -> None:
        """Add the chapter of a record, and advance the history by it."""
        history, line = self._history, line_from_record(s)
        asked = s.line if self._viewer.gm else ""
        if isinstance(line, Rewrite):
            history.go(Jump(line.kept))
            line = line.step
        if isinstance(line, Step):
            # A line typed after an undo replaces those undone: their chapters are no longer in force.
            self._undone.clear()
            self._current[history.position :] = [len(self.chapters)]
            before = history.encounter
            history.push(line)
            self.chapters.append(self._make_chapter(line, before, history.encounter, history.position))
            return
        if isinstance(line, LateLine):
            history.keep_late(line)
            told = (f"{line.by}: {line.line}",) if self._viewer.gm else ()
            self.chapters.append(Chapter(history.position, s.at, "", told, mark=True, by=line.by))
            return
        gone: tuple[str, ...] = ()
        if isinstance(line, Retake):
            gone = self._tell_personal_undo(s)
        else:
            for _ in range(line.restores):
                chapters, places = self._undone.pop()
                self._current[chapters:] = places
            history.go(line)
        by = player_of_seat(history.encounter, s.by.partition(" ")[0]) if s.by and self._viewer.gm else ""
        text = gone if self._viewer.gm else ()
        self.chapters.append(Chapter(history.position, s.at, asked, text, mark=True, by=by))

    def _tell_personal_undo(self, s: Record[Event]) -> tuple[str, ...]:
        """Add the chapters of a personal undo; return lines on what it removed and gave back to players."""
        history, position, now = self._history, s.took[0] - 1, self._history.position
        places, self._current[position:] = self._current[position:], []
        sent = {n: step for n in range(s.took[0], now + 1) if (step := history.step(n)).by}
        self._undone.append((position, places))
        e = history.at(position)
        for run in s.again:
            step = step_from_run(run)
            after = fold(e, step.events)
            old, new = places[run.n - s.took[0]], self._make_chapter(step, e, after, len(self._current) + 1)
            # Unchanged chapters are not repeated, because that would reveal a hidden step to a player.
            same = (self.chapters[old].text, self.chapters[old].moments) == (new.text, new.moments)
            self._current.append(old if same else len(self.chapters))
            self.chapters += [] if same else [new]
            e = after
            del sent[run.n]
        history.retake(position, tuple(map(step_from_run, s.again)))
        took = ", ".join(map(str, s.took))
        back = (f"back to {player_of_seat(e, x.seat)}: {subject_of_line(x.line)}" for x in sent.values())
        return (f"took out step{'s' * (len(s.took) > 1)} {took}", *back)

    def _make_chapter(self, step: Step, before: Encounter, after: Encounter, number: int) -> Chapter:
        viewer = self._viewer
        messages = story(before, step.events, viewer, running_system(self._systems, before), after)
        # The GM reads steps, and only others count moments.
        if not viewer.gm:
            return Chapter(number, step.at, "", (), moments=tuple(moments(messages)))
        by = player_of_seat(before, step.seat) if step.by else ""
        return Chapter(number, step.at, step.line, tuple([m.text for m in messages]), by=by)

    def keep_back(self) -> None:
        """Shorten the chapters of the last steps to what the viewer has been shown of them."""
        for number, most in find_marker(self._history, self._viewer, self._systems).told.items():
            step, before = self._history.step(number), self._history.at(number - 1)
            begun = replace(step, events=step.events[:most])
            after = fold(before, begun.events)
            self.chapters[self._current[number - 1]] = self._make_chapter(begun, before, after, number)

    def told(self) -> list[Chapter]:
        """Return all chapters, those no longer in force marked."""
        force = {at: n for n, at in enumerate(self._current[: self._history.position], 1)}
        return [
            c if c.mark else replace(c, step=force.get(i, c.step), undone=i not in force)
            for i, c in enumerate(self.chapters)
        ]


def write_log_lines(entries: Iterable[Chapter], *, seal: bool = False, seal_all: bool = False) -> list[str]:
    """Return every step of a journal in lines, undone ones marked.

    With `seal` the texts of orders that players sent are left out, because orders are still written; with
    `seal_all` those of all orders.
    """
    lines: list[str] = []
    for c in entries:
        undone = " (undone)" if c.undone else ""
        sender = f" (from {c.by})" if c.by else ""
        line = hide_order(c.line) if seal_all or (seal and c.by) else c.line
        lines.append(f"{c.step:>5} {c.at[11:19]} {line}{sender}{undone}".rstrip())
        lines += [f"{'':>15} {text}" for text in c.text]
    return lines


def plain_log(entries: Iterable[Chapter]) -> list[dict[str, Any]]:
    """Return chapters as plain data."""
    return [
        {"step": c.step, "at": c.at, "line": c.line, "by": c.by, "text": list(c.text), "undone": c.undone}
        for c in entries
    ]


def report_dice(steps: Iterable[Record[Event]]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return counts, mean, chi-square and longest streak by die: lines for people, data for programs."""
    lines, plain = [], []
    for d in count_dice(steps):
        faces = " ".join(f"{i}:{n}" for i, n in enumerate(d.faces, 1) if n)
        lines.append(
            f"d{d.sides}: {d.rolls} rolls, mean {d.mean:.2f}, chi-square {d.chi_square:.1f}, "
            f"streak {d.streak}"
        )
        lines.append(f"    {faces}")
        figures = {"sides": d.sides, "rolls": d.rolls, "mean": d.mean, "chi_square": d.chi_square}
        plain.append({**figures, "streak": d.streak, "faces": list(d.faces)})
    return lines or ["no die has been rolled yet"], plain


def run_systems(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Run `tocsin systems`."""
    known = list(systems.known())
    for problem in systems.problems():
        print_aside(problem)
    if args.json:
        print_json([plain_system(s) for s in known])
    else:
        for s in known:
            credit = wrap(s.credit, 100, initial_indent=" " * 21, subsequent_indent=" " * 21)
            print_lines([f"{s.id:<20} {s.title}: {s.summary}", *credit])
    return DONE


def plain_system(s: InitiativeSystem) -> dict[str, Any]:
    """Return a system as plain data: its texts, sides, fields, house rules and verbs."""
    verbs = [{"name": v.name, "usage": v.usage, "help": v.help} for v in s.verbs]
    return {
        "id": s.id,
        "title": s.title,
        "summary": s.summary,
        "credit": s.credit,
        "sides": list(s.sides),
        "fields": [_plain_field(f) for f in s.fields],
        "options": [_plain_field(f) for f in s.options],
        "verbs": verbs,
    }


def _plain_field(f: Field) -> dict[str, Any]:
    table = {"key": f.key, "title": f.title, "kind": f.kind, "choices": list(f.choices)}
    return table | {"default": f.default, "help": f.help}


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
    start = start_from_header(read_damaged_header(data, path))
    warn_of_absent_system(start, systems, "its own rules are not checked")
    witness = Witness(start, systems)
    if repair:
        done = repair_journal(path, Event, witness)
        # Sound in the sense of the exit code: there is a save now that opens.
        return [*_describe_survey(done.survey), f"repaired copy: {done.path}"], True
    survey = check_journal(path, Event, witness)
    bad = witness.describe_bad_step(save_name(path))
    return _describe_survey(survey, bad), survey.sound and not bad


def _describe_survey(survey: Survey, bad: str = "") -> list[str]:
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
