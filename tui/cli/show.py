"""Report state, log, dice and journal as lines for people and as plain data for programs."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tui.cli.command import Front
from tui.cli.output import DONE, put, put_json, talk
from tui.core.fight.agenda import Field
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event, Rolled
from tui.core.fight.viewer import Viewer, players, viewer_of
from tui.core.rules.system import InitiativeSystem, Systems, running
from tui.core.table_lines import table_lines
from tui.core.views.log import moments, story
from tui.store.history import History, Step
from tui.store.journal.format import Record
from tui.store.journal.reader import Journal
from tui.store.opening import readable, retold, torn_end
from tui.store.players.folder import file_name
from tui.store.store import replay


def show(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print the table as one viewer may see it; return the exit code."""
    store, journal = readable(args.save, args.saves, systems)
    _say_end(journal, json=args.json)
    table = store.table(viewer_of(args.viewer))
    if args.json:
        put_json(table)
    else:
        put(table_lines(table))
    return _ended(journal)


def _say_end(journal: Journal[Event], *, json: bool) -> None:
    """Warn that the end of a journal is unfinished.

    As JSON an error is all there is, so its damage is raised.
    """
    if journal.problem and json:
        raise journal.problem
    if warning := torn_end(journal):
        talk(warning)


def _ended(journal: Journal[Event]) -> int:
    """Return the exit code of what was shown up to here. Raises the damage that ended the reading."""
    if journal.problem:
        raise journal.problem
    return DONE


def log(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Print every step, or counts of the dice; return the exit code."""
    # All of it before the first line is printed: a save with a record that cannot have happened is refused
    # whole.
    with retold(args.save, args.saves, systems, lenient=True) as (history, journal):
        if args.dice:
            replay(history, journal.steps)
        else:
            entries = chronicle(history, journal.steps, viewer_of(args.viewer), systems)
    _say_end(journal, json=args.json)
    if args.dice:
        counts = dice(journal.steps)
        put_json(counts.plain) if args.json else put(counts.lines)
    else:
        put_json(plain_chapters(entries)) if args.json else put(chapters(entries))
    return _ended(journal)


class DieCount(Struct, frozen=True):
    """One kind of die: how often each face fell (index 0 is a 1), and the longest streak of one face."""

    sides: int
    faces: tuple[int, ...]
    streak: int

    @property
    def rolls(self) -> int:
        """How many fell."""
        return sum(self.faces)

    @property
    def mean(self) -> float:
        """Their mean."""
        return sum((i + 1) * n for i, n in enumerate(self.faces)) / max(1, self.rolls)

    @property
    def chi_square(self) -> float:
        """Pearson's chi-square against equal faces; `sides - 1` is what chance gives on average."""
        expected = self.rolls / self.sides
        return sum((n - expected) ** 2 / expected for n in self.faces) if expected else 0.0


def dice_counts(steps: Iterable[Record[Event]]) -> Iterator[DieCount]:
    """Count all dice ever rolled in a journal, undone ones too, by number of sides."""
    fell: dict[int, list[int]] = {}
    for s in steps:
        for event in s.events:
            if isinstance(event, Rolled):
                for sides, face in zip(event.dice, event.faces, strict=False):
                    fell.setdefault(sides, []).append(face)
    for sides, faces in sorted(fell.items()):
        count = Counter(faces)
        yield DieCount(sides, tuple(count[f] for f in range(1, sides + 1)), _streak(faces))


def _streak(faces: list[int]) -> int:
    best = run = 0
    last = 0
    for face in faces:
        run = run + 1 if face == last else 1
        last, best = face, max(best, run)
    return best


class Chapter(Struct, frozen=True):
    """One record: the step it led to, when, what was asked, what happened.

    Other viewers than the GM get neither the time nor what was asked, only the moments that tell them
    something, under numbers that count those. `undone`: it is no longer in force. A mark (undo, redo, goto)
    has no text. `by`: the player from whose seat the line came, "" for the GM's own.
    """

    step: int
    at: str
    asked: str
    text: tuple[str, ...]
    undone: bool = False
    mark: bool = False
    moments: tuple[tuple[str, ...], ...] = ()
    by: str = ""


def chronicle(
    history: History,
    steps: Iterable[Record[Event]],
    viewer: Viewer,
    systems: Systems,
) -> list[Chapter]:
    """Return every record of a journal, in the words that this viewer may read; the history goes along."""
    entries = _chapters(history, steps, viewer, systems)
    return entries if viewer.gm else _counted(entries)


def _counted(entries: Iterable[Chapter]) -> list[Chapter]:
    """Return chapters with the moments that say something, under numbers that count those in force."""
    number, counted = 0, list[Chapter]()
    for c in entries:
        for texts in c.moments:
            number += not c.undone
            counted.append(Chapter(number, "", "", texts, undone=c.undone))
    return counted


def _chapters(
    history: History, steps: Iterable[Record[Event]], viewer: Viewer, systems: Systems
) -> list[Chapter]:
    chapters: list[Chapter] = []
    branch: list[int] = []
    for s in steps:
        asked = s.line if viewer.gm else ""
        by = _player(s.by, history.encounter) if s.by and viewer.gm else ""
        if s.to is not None:
            history.goto(s.to)
            chapters.append(Chapter(s.to, s.at, asked, (), mark=True, by=by))
            continue
        # A line typed after an undo replaces those undone: their chapters are no longer in force.
        del branch[history.position :]
        branch.append(len(chapters))
        before = history.encounter
        history.push(Step(s.at, s.line, s.events))
        messages = story(before, s.events, viewer, running(systems, before), history.encounter)
        # The GM reads steps, and only others count moments.
        text, parts = (tuple([m.text for m in messages]), ()) if viewer.gm else ((), tuple(moments(messages)))
        chapters.append(Chapter(history.position, s.at, asked, text, moments=parts, by=by))
    force = set(branch[: history.position])
    return [c if c.mark or i in force else replace(c, undone=True) for i, c in enumerate(chapters)]


def _player(by: str, e: Encounter) -> str:
    """Return the player whose seat `by` names, as their creatures spell it.

    The seat's own name without any.
    """
    seat = by.partition(" ")[0]
    return next((name for name in players(e) if file_name(name) == seat), seat)


class Report(Struct, frozen=True):
    """The same thing twice: `lines` for people, `plain` for programs."""

    lines: list[str]
    plain: Any


def chapters(entries: Iterable[Chapter]) -> list[str]:
    """Return every step of a journal in lines, undone ones marked."""
    lines: list[str] = []
    for c in entries:
        undone = " (undone)" if c.undone else ""
        seat = f" (from {c.by}'s seat)" if c.by else ""
        lines.append(f"{c.step:>5} {c.at[11:19]} {c.asked}{seat}{undone}".rstrip())
        lines += [f"{'':>15} {text}" for text in c.text]
    return lines


def plain_chapters(entries: Iterable[Chapter]) -> list[dict[str, Any]]:
    """Return chapters as plain data."""
    return [
        {"step": c.step, "at": c.at, "line": c.asked, "by": c.by, "text": list(c.text), "undone": c.undone}
        for c in entries
    ]


def dice(steps: Iterable[Record[Event]]) -> Report:
    """Return counts, mean, chi-square and the longest streak, by die."""
    lines, plain = [], []
    for d in dice_counts(steps):
        faces = " ".join(f"{i}:{n}" for i, n in enumerate(d.faces, 1) if n)
        lines.append(
            f"d{d.sides}: {d.rolls} rolls, mean {d.mean:.2f}, chi-square {d.chi_square:.1f}, "
            f"streak {d.streak}"
        )
        lines.append(f"    {faces}")
        figures = {"sides": d.sides, "rolls": d.rolls, "mean": d.mean, "chi_square": d.chi_square}
        plain.append({**figures, "streak": d.streak, "faces": list(d.faces)})
    return Report(lines or ["no die has been rolled yet"], plain)


def system_table(s: InitiativeSystem) -> dict[str, Any]:
    """Return a system, with what it declares, as plain data."""
    verbs = [{"name": v.name, "usage": v.usage, "help": v.help} for v in s.verbs]
    return {
        "id": s.id,
        "title": s.title,
        "summary": s.summary,
        "credit": s.credit,
        "sides": list(s.sides),
        "fields": [_field(f) for f in s.fields],
        "options": [_field(f) for f in s.options],
        "verbs": verbs,
    }


def _field(f: Field) -> dict[str, Any]:
    table = {"key": f.key, "title": f.title, "kind": f.kind, "choices": list(f.choices)}
    return table | {"default": f.default, "help": f.help}
