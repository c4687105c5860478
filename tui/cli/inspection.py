"""`tocsin check`: the whole journal from end to end, also whether each step can have happened."""

from __future__ import annotations

from typing import Any

from msgspec import convert, to_builtins

from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Changed, Event
from tui.store.history import History, Step
from tui.store.journal import check as journal
from tui.store.journal.format import Record
from tui.store.journal.reader import slurp
from tui.store.opening import place, start_of
from tui.store.problems import IMPOSSIBLE


class Witness:
    """Goes through the records in order and says why one cannot have happened, or ""."""

    def __init__(self, start: Encounter) -> None:
        self._history = History(start)

    def __call__(self, step: Record[Any]) -> str:
        """Why this record is impossible after those before it; "" when it is not."""
        history = self._history
        if step.to is not None:
            if not 0 <= step.to <= len(history):
                return f"goes to step {step.to}, and there are {len(history)}"
            history.goto(step.to)
            return ""
        try:
            after = fold(history.here, step.events)
            if any(
                isinstance(event, Changed) for event in step.events
            ):  # the one fact whose value has no type
                convert(to_builtins(after), Encounter)
        except IMPOSSIBLE as error:
            return f"cannot have happened: {type(error).__name__}"
        history.push(Step(step.at, step.line, step.events), after)
        return ""


def check(save: str, saves: str, *, repair: bool = False) -> tuple[list[str], bool]:
    """What was found, line by line, and whether the journal is sound. With `repair` a mended copy is written.

    Raises JournalError when the file cannot be read at all, NotSaved when the copy cannot be written.
    """
    path = place(save, saves)
    data, _ = slurp(path)
    witness = Witness(start_of(journal.header_of(data, path)))
    if repair:
        done = journal.repair(path, Event, witness)
        return [*_words(done.survey), f"mended copy: {done.path}"], True
    survey = journal.check(path, Event, witness)
    return _words(survey), survey.sound


def _words(survey: journal.Survey) -> list[str]:
    count = len(survey.steps)
    end = f"{count} record{'s' * (count != 1)} read well"
    found = [
        f"line {f.line}{f', step {f.step}' if f.step else ''}: {f.kind}: {f.message}" for f in survey.findings
    ]
    return [*found, end if found else f"sound: {end}"]
