"""Keep the steps of a fight and give any state on the way; find where undo, redo and goto lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from tui.core.base.errors import RuleError
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.language import actions as a

MOST_STATES: Final = 256
"""States of the way that are kept, evenly spaced; one between them is counted from the one before it."""


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One accepted line: when (RFC 3339, UTC), what was asked, what happened."""

    at: str
    line: str
    events: tuple[Event, ...]


Line = tuple[Step | None, int]
"""A record as it is loaded: its step and 0, or None and the position it moved to."""


class History:
    """The lines that can be reached: `position` of them are in force, the rest can be redone.

    Positions count from 0, the encounter before any line. Nothing here is ever rolled again.
    """

    def __init__(self, start: Encounter) -> None:
        self._lines: list[Step] = []
        self._spacing = 1
        self._states = {0: start}
        self._recent = (0, start)
        self._encounter = start
        self.position = 0

    @property
    def encounter(self) -> Encounter:
        """The encounter now."""
        return self._encounter

    def __len__(self) -> int:
        """Return how many lines there are, with those that can be redone."""
        return len(self._lines)

    def step(self, number: int) -> Step:
        """Return the line of that step, from 1."""
        return self._lines[number - 1]

    def push(self, done: Step, after: Encounter | None = None) -> int:
        """Put one more line in force and drop what could be redone; return how many lines that were.

        `after` is the encounter that the rules have made of it; without it the events are folded.
        """
        dropped = self._drop()
        self._recent = (self.position, self._encounter)
        self._encounter = fold(self._encounter, done.events) if after is None else after
        self._lines.append(done)
        self.position += 1
        if self.position % self._spacing == 0:
            self._states[self.position] = self._encounter
        if len(self._states) > MOST_STATES:
            self._spacing *= 2
            self._states = {p: e for p, e in self._states.items() if p % self._spacing == 0}
        return dropped

    def _drop(self) -> int:
        """Drop what could be redone: a line typed after an undo begins a new future."""
        # The old one stays in the journal, not in reach.
        dropped = len(self._lines) - self.position
        if dropped:
            del self._lines[self.position :]
            self._states = {p: e for p, e in self._states.items() if p <= self.position}
        return dropped

    def load(self, lines: Iterable[Line]) -> None:
        """Add many records at once, with marks that moved back or forth among them.

        Raises IndexError over a place that is none.
        """
        kept, position = len(self), self.position
        new: list[Step] = []
        # Where it ends is worked out first: what was left again is neither folded nor gone to.
        for done, to in lines:
            if done is None:
                if to > kept + len(new):
                    raise IndexError(f"there is no step {to}")
                position = to
                continue
            kept = min(kept, position)
            del new[position - kept :]
            new.append(done)
            position += 1
        if new:
            self.goto(kept)
            for done in new:
                self.push(done)
        self.goto(position)

    def goto(self, position: int) -> None:
        """Stand at another position; nothing is lost."""
        encounter = self.at(position)
        self._recent = (self.position, self._encounter)
        self._encounter, self.position = encounter, position

    def at(self, position: int) -> Encounter:
        """Return the encounter at any position."""
        even = position - position % self._spacing
        known = (
            (even, self._states[even]),
            *(x for x in (self._recent, (self.position, self._encounter)) if x[0] <= position),
        )
        place, e = max(known, key=lambda x: x[0])
        for number in range(place, position):
            e = fold(e, self._lines[number].events)
        return e


def target_of(action: a.Travel, step_now: int, last: int) -> int:
    """Return the step to go to. Raises RuleError when it does not exist."""
    match action:
        case a.Undo(steps):
            if steps > step_now:
                raise _too_many("undo", step_now, steps)
            return step_now - steps
        case a.Redo(steps):
            if steps > last - step_now:
                raise _too_many("redo", last - step_now, steps)
            return step_now + steps
        case a.Goto(step):
            if step > last:
                raise RuleError(f"there are {last} steps, no step {step}", f"0 to {last}")
            if step == step_now:
                raise RuleError(f"this is step {step} already")
            return step


def _too_many(verb: str, available: int, wanted: int) -> RuleError:
    if not available:
        return RuleError(f"there is nothing to {verb}")
    steps = "is 1 step" if available == 1 else f"are {available} steps"
    return RuleError(f"there {steps} to {verb}, not {wanted}", f"`{verb} {available}` at the most")


MOST_LOOKED_AT = 1_000
"""Steps on the way whose lines are read."""


def between_saves(lines: Iterable[tuple[int, str]], *, back: bool) -> Iterator[str]:
    """Say what going back or forward over a split or a join means: the other save does not follow.

    `lines` are the numbers and lines of the steps on the way.
    """
    for number, line in lines:
        verb, _, rest = line.strip().partition(" ")
        if verb.lower() not in ("split", "join"):
            continue
        both = (verb.lower() == "split") == back
        where = "in both saves" if both else "in neither save"
        other = "undo" if back else "redo"
        asked = f"{verb.lower()} {rest}"
        yield (
            f"step {number} was `{asked}`: these creatures stand {where} now, until the other has its {other}"
        )
