"""What a player's terminal is given of a fight: one value, made of what the viewer may know and of nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import InitiativeSystem
from tui.core.views.seated import seated

FORMAT = 1

Moment = tuple[int, tuple[str, ...]]
"""What was told at one moment, under the number that the viewer counts it by."""


def page(
    e: Encounter, system: InitiativeSystem, viewer: Viewer, shown: dict[str, Any], told: Sequence[Moment]
) -> dict[str, Any]:
    """`shown` is the state as `show --json --as NAME` prints it, `told` the latest moments as `log --as NAME` tells them.

    With them go the system's words; `seat` is what the viewer could send from a seat of their own.
    """
    log = [{"step": number, "text": list(texts)} for number, texts in told]
    return {
        "format": FORMAT, "viewer": viewer.name, "words": words(system), "state": shown, "log": log,
        "seat": seated(e, system, viewer),
    }  # fmt: skip


def words(system: InitiativeSystem) -> dict[str, Any]:
    """What a system calls itself and the marks of its creatures: the same for every fight and every viewer."""
    marks = (m for m in system.all_marks.values() if m.word)
    return {
        "title": system.title,
        "short": system.short or system.title,
        "marks": {m.key: {"short": m.short, "word": m.word, "alarming": m.alarming} for m in marks},
    }


def numbered(moments: Iterable[tuple[str, ...]], before: int) -> list[Moment]:
    """Moments under the numbers that follow `before`."""
    return [(before + at, texts) for at, texts in enumerate(moments, 1)]
