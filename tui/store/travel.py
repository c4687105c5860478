"""Where undo, redo and goto lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.core.base.errors import RuleError
from tui.core.language import actions as a


def target_of(action: a.Travel, here: int, last: int) -> int:
    """The step to stand at. Raises RuleError when it is not there."""
    match action:
        case a.Undo(steps):
            if steps > here:
                raise RuleError(f"there are {here} steps to undo, not {steps}", _most("undo", here))
            return here - steps
        case a.Redo(steps):
            if steps > last - here:
                raise RuleError(
                    f"there are {last - here} steps to redo, not {steps}", _most("redo", last - here)
                )
            return here + steps
        case a.Goto(step):
            if step > last:
                raise RuleError(f"there are {last} steps, no step {step}", f"0 to {last}")
            if step == here:
                raise RuleError(f"this is step {step} already")
            return step


def _most(verb: str, steps: int) -> str:
    return f"`{verb} {steps}` at the most" if steps else ""


MOST_LOOKED_AT = 1_000
"""Steps on the way whose lines are read."""


def between_saves(lines: Iterable[tuple[int, str]], *, back: bool) -> Iterator[str]:
    """What going back or forward over a split or a join means: the other save does not follow.

    `lines` are the numbers and lines of the steps on the way.
    """
    for number, line in lines:
        verb, _, rest = line.strip().partition(" ")
        if verb.lower() not in ("split", "join"):
            continue
        both = (verb.lower() == "split") == back
        where = "in both saves" if both else "in neither save"
        there = "undo" if back else "redo"
        yield f"step {number} was `{verb.lower()} {rest}`: these creatures stand {where} now, until the other has its {there}"
