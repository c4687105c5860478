"""The steps of a fight: the encounter at any step, and the moves of undo, redo and goto."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import msgspec

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.language import actions as a
from tui.core.language.tokens import pairs, scan, tokens
from tui.store.journal.format import Record, RunAgain

MOST_LATE: Final = 20
"""How many lines that came too late are kept for the log of the screen."""

KEPT_STATES: Final = 16
"""The encounter after every so many lines is kept; the others are computed from the one before."""


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One accepted line."""

    at: str
    """The time (RFC 3339, UTC)."""
    line: str
    events: tuple[Event, ...]
    by: str = ""
    """The player that sent the line; "" for the game master. Without `id` as a seat of 1.x wrote it: `mia 7`.
    """
    id: str = ""
    """The id of the line; "" for the game master and for seats of 1.x."""
    as_read: str = ""
    """The line with the names that its player read when it was sent; "" if they are those of `line`."""

    @property
    def seat(self) -> str:
        """The player that sent the line, a seat of 1.x by its file name; "" for the game master."""
        return self.by if self.id else self.by.partition(" ")[0]

    @property
    def sent(self) -> str:
        """The sender with the number or id of the line, unique to a line; "" for the game master."""
        return sent_key(self.by, self.id) if self.id else self.by

    @property
    def words(self) -> str:
        """The line as its player sent it: with the aliases of that moment, whatever has become of them."""
        return self.as_read or self.line


class Jump(msgspec.Struct, frozen=True):
    """A record that moves the fight to another position."""

    to: int
    """The number of lines in force after the move."""
    restores: int = 0
    """How many personal undos are taken back before the move."""


class Retake(msgspec.Struct, frozen=True):
    """A personal undo: the first `kept` lines stay, and `again` comes after them."""

    kept: int
    again: tuple[Step, ...]


class LateLine(msgspec.Struct, frozen=True):
    """A line of a player that came too late and changed nothing: it is no step."""

    by: str
    id: str
    line: str


class Rewrite(msgspec.Struct, frozen=True):
    """A step of a seat that replaces its own step before: the first `kept` lines stay, and `step` follows."""

    kept: int
    step: Step


Line = Step | Jump | Retake | Rewrite | LateLine
"""A record in the form in which a history loads it."""


class _Aside(msgspec.Struct, frozen=True):
    """The lines after `kept` that a personal undo put aside, and the position before that undo."""

    kept: int
    lines: tuple[Step, ...]
    position: int

    @property
    def end(self) -> int:
        """The position after `lines` are restored: `kept` and the number of `lines`."""
        return self.kept + len(self.lines)


class History:
    """The lines of a fight: the first `position` are in force, the others can be redone.

    Positions count from 0, the encounter before any line. Dice are never rolled again.
    """

    def __init__(self, start: Encounter) -> None:
        self._lines: list[Step] = []
        self._states = {0: start}
        self._recent = (0, start)
        self._encounter = start
        self._aside: list[_Aside] = []
        self.known: set[str] = set()
        """The sender and id of every line that a player sent, also of lines that were undone or dropped."""
        self._late: list[tuple[int, LateLine]] = []
        self.position = 0

    @property
    def encounter(self) -> Encounter:
        """The encounter at the present position."""
        return self._encounter

    def __len__(self) -> int:
        """Return how many lines there are, with those that can be redone."""
        return len(self._lines)

    def step(self, number: int) -> Step:
        """Return the line of that step, from 1."""
        return self._lines[number - 1]

    @property
    def redoable(self) -> int:
        """The number of steps that can be redone; a personal undo counts as one."""
        return len(self) - self.position + sum(1 + x.end - x.position for x in self._aside)

    def forward(self, steps: int) -> Jump:
        """Return the move that redoes this many steps, at most `redoable`."""
        to, end, restores = self.position, len(self), 0
        while steps:
            by = min(steps, end - to)
            to, steps = to + by, steps - by
            if steps:
                restores += 1
                aside = self._aside[-restores]
                to, end, steps = aside.position, aside.end, steps - 1
        return Jump(to, restores)

    @property
    def last_own_step(self) -> int:
        """The number of the game master's last step in force, 0 for none."""
        return next((n for n in range(self.position, 0, -1) if not self.step(n).by), 0)

    def push(self, done: Step, after: Encounter | None = None) -> int:
        """Append a line and drop the lines that could be redone; return how many were dropped.

        `after` is the encounter after the line; without it the events are applied.
        """
        dropped, done = self.redoable, _with_sent_words(self._encounter, done)
        # The dropped lines stay in the journal, but can no longer be redone.
        self._aside.clear()
        self._cut(self.position)
        if done.id:
            self.known.add(done.sent)
        self._recent = (self.position, self._encounter)
        self._encounter = fold(self._encounter, done.events) if after is None else after
        self._lines.append(done)
        self.position += 1
        self._keep_state(self.position, self._encounter)
        return dropped

    def keep_late(self, late: LateLine) -> None:
        """Keep a line that came too late; it changes neither the steps nor what can be redone."""
        self.known.add(sent_key(late.by, late.id))
        self._late = [*self._late[1 - MOST_LATE :], (self.position, late)]

    def late_at(self, position: int) -> tuple[LateLine, ...]:
        """Return the latest lines that came too late while the fight was at this position."""
        return tuple(late for at, late in self._late if at == position)

    def _keep_state(self, position: int, e: Encounter) -> None:
        if position % KEPT_STATES == 0:
            self._states[position] = e

    def _cut(self, end: int) -> None:
        if end < len(self._lines):
            del self._lines[end:]
            self._states = {p: e for p, e in self._states.items() if p <= end}

    def _replace(self, count: int, steps: Sequence[Step]) -> None:
        """Replace all lines after the first `count` by these steps; keep `position`."""
        self._recent = (count, self.at(count))
        e = self._recent[1]
        self._cut(count)
        for step in steps:
            self._lines.append(_with_sent_words(e, step))
            e = fold(e, step.events)
            self._keep_state(len(self._lines), e)

    def ahead(self, move: Jump) -> tuple[int, tuple[Step, ...]]:
        """Return how many lines this move leaves unchanged, and the lines that then follow them."""
        low, tail = len(self), tuple[Step, ...]()
        for aside in reversed(self._aside[len(self._aside) - move.restores :]):
            before = tail[: aside.kept - low] if aside.kept > low else ()
            low, tail = min(low, aside.kept), (*before, *aside.lines)
        return low, tail

    def after(self, move: Jump) -> Encounter:
        """Return the encounter after a move. Raises IndexError for a missing step."""
        low, tail = self.ahead(move)
        if move.restores > len(self._aside) or not 0 <= move.to <= low + len(tail):
            raise IndexError(move.to)
        steps = tail[: max(0, move.to - low)]
        return fold(self.at(min(low, move.to)), (event for step in steps for event in step.events))

    def go(self, move: Jump) -> None:
        """Move to another position; no line is lost. Raises IndexError for a missing step."""
        encounter, (low, tail) = self.after(move), self.ahead(move)
        self._recent = (self.position, self._encounter)
        if move.restores:
            del self._aside[-move.restores :]
            self._replace(low, tail)
        self._encounter, self.position = encounter, move.to

    def retake(self, count: int, rerun: Sequence[Step]) -> None:
        """Replace the lines after `count` by `rerun`; a redo can restore them.

        Raises IndexError for a missing step.
        """
        if not 0 <= count < self.position:
            raise IndexError(count + 1)
        self._aside.append(_Aside(count, tuple(self._lines[count:]), self.position))
        self._replace(count, rerun)
        self.position = count
        self._encounter = self._recent[1]
        self._encounter, self.position = self.at(len(self)), len(self)

    def rewrite(self, count: int, step: Step, after: Encounter | None = None) -> None:
        """Replace the lines after `count` by a step of the same seat, and drop those that could be redone.

        `after` is as in `push`. Raises IndexError for a missing step.
        """
        self.go(Jump(count))
        self.push(step, after)

    def at(self, position: int) -> Encounter:
        """Return the encounter at any position."""
        even = position - position % KEPT_STATES
        known = (
            (even, self._states[even]),
            *(x for x in (self._recent, (self.position, self._encounter)) if x[0] <= position),
        )
        place, e = max(known, key=lambda x: x[0])
        for number in range(place, position):
            e = fold(e, self._lines[number].events)
        return e


def subject_of_line(line: str) -> str:
    """Return the verb and the first word of a line: `damage Orc`."""
    verb, _, rest = line.partition(" ")
    try:
        first = next(scan(rest), None)
    except RuleError:  # a quote that is never closed: a line that this program did not write
        first = None
    return f"{verb} {quote(first.text)}" if first and not first.key else verb


def _with_sent_words(e: Encounter, step: Step) -> Step:
    """Return a step of a seat with the words in which it was sent in this encounter."""
    if not step.by or step.as_read:
        return step
    try:
        sent = replace_names_with_aliases(e, step.line)
    except RuleError:  # a quote that is never closed: a line that this program did not write
        return step
    return step if sent == step.line else msgspec.structs.replace(step, as_read=sent)


def replace_names_with_aliases(e: Encounter, line: str) -> str:
    """Return a line of the journal with aliases in place of names that players do not read."""
    aliases = {c.name.lower(): c.alias for c in e.combatants.values() if c.alias}
    if not aliases:
        return line
    verb, _, rest = line.partition(" ")
    written = (
        pairs({x.key: x.text})[0] if x.key else quote(aliases.get(x.text.lower(), x.text))
        for x in tokens(rest)
    )
    return " ".join([verb, *written])


def find_move(action: a.Travel, history: History) -> Jump:
    """Return the move of an undo, redo or goto. Raises RuleError for a missing step."""
    position, last = history.position, len(history)
    match action:
        case a.Undo(steps):
            if steps > position:
                raise _refuse_too_many("undo", position, steps)
            return Jump(position - steps)
        case a.Redo(steps):
            if steps > history.redoable:
                raise _refuse_too_many("redo", history.redoable, steps)
            return history.forward(steps)
        case a.Goto(step):
            if step > last:
                raise RuleError(f"there are {last} steps, no step {step}", f"0 to {last}")
            if step == position:
                raise RuleError(f"this is step {step} already")
            return Jump(step)


def find_own_steps(history: History, count: int) -> tuple[int, ...]:
    """Return the game master's last `count` steps that are in force, in rising order. Raises RuleError."""
    mine = (n for n in range(history.position, 0, -1) if not history.step(n).by)
    found = tuple(islice(mine, count))
    if len(found) < count:
        raise _refuse_too_many("undo", len(found), count)
    return found[::-1]


def step_from_run(run: RunAgain[Event]) -> Step:
    """Return a line that was run again after an undo, with its new events, as a step."""
    return Step(run.at, run.line, run.events, run.by, run.id)


def line_from_record(record: Record[Event]) -> Line:
    """Convert a journal record to a line of a history."""
    if record.is_late:
        return LateLine(record.by, record.id, record.line)
    if record.took:
        return Retake(record.took[0] - 1, tuple(map(step_from_run, record.again)))
    step = Step(record.at, record.line, record.events, record.by, record.id)
    if record.to is None:
        return step
    if record.events:
        return Rewrite(record.to, step)
    return Jump(record.to, record.restores)


def sent_key(by: str, id_: str) -> str:
    """Return what tells a player's line from all others: the player, in any letter case, and the id."""
    return f"{by.lower()} {id_}"


def count_kept_steps(history: History, record: Record[Event]) -> int:
    """Return how many steps stay unchanged if this record is applied next."""
    line = line_from_record(record)
    match line:
        case Retake(count) | Rewrite(count):
            return count
        case Jump():
            return history.ahead(line)[0]
        case Step() | LateLine():
            return history.position


def replay(history: History, steps: Iterable[Record[Event]]) -> History:
    """Append these records to a history, moves among them. Raises IndexError for a move to a missing step."""
    for record in steps:
        match line := line_from_record(record):
            case Step():
                history.push(line)
            case Jump():
                history.go(line)
            case Retake(count, again):
                history.retake(count, again)
            case LateLine():
                history.keep_late(line)
            case Rewrite(count, step):
                history.rewrite(count, step)
    return history


def _refuse_too_many(verb: str, available: int, wanted: int) -> RuleError:
    if not available:
        return RuleError(f"there is nothing to {verb}")
    steps = "is 1 step" if available == 1 else f"are {available} steps"
    return RuleError(f"there {steps} to {verb}, not {wanted}", f"`{verb} {available}` at most")
