"""Lines that the disk refused: kept as drafts, so that they outlive a crash, until they are sent or dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tui.store.problems import NotSaved
from tui.ui.state.view import Notice

MOST = 20
"""Lines that wait at once; older ones are dropped."""

_NAME = "unsaved "
"""How the names of their drafts begin."""


def reason(error: NotSaved) -> Notice:
    """What is wrong, and what would mend it."""
    return Notice(f"NOT SAVED: {error.message}", "error", error.hint)


def lasting(error: NotSaved | None) -> Notice | None:
    """Why steps that are shown cannot be brought to the disk, as long as that lasts."""
    return reason(error) if error else None


def restored(found: Mapping[str, str]) -> tuple[str, ...]:
    """The lines that waited when the program last ended, the latest last."""
    return tuple(line for place in range(MOST) if (line := found.get(f"{_NAME}{place}", "")))


def added(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    """With one more line that waits."""
    return (*(x for x in lines if x != line), line)[-MOST:]


def drafts(lines: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Name and text of every draft; "" where none is wanted any more."""
    # Every name is told, also the empty ones, so that a draft of a line sent meanwhile is forgotten.
    for place in range(MOST):
        yield f"{_NAME}{place}", lines[place] if place < len(lines) else ""
