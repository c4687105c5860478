"""Lines that the disk refused: kept through a crash, and offered again until they are sent or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.store.problems import NotSaved
from tui.ui.state.editor import Editor
from tui.ui.state.view import Prompt

if TYPE_CHECKING:
    from tui.ui.keys.desk import Desk

MOST = 20  # lines that wait
_NAME = "unsaved "  # of their drafts


def keep(desk: Desk, error: NotSaved, line: str) -> None:
    """Say what is wrong until a step is saved; Enter sends the line again."""
    fault = f"NOT SAVED: {error.message}; {error.hint}"
    desk.show(fault=fault, mode=Prompt("line", Editor.of(line), line))
    _wait(desk, (*(x for x in desk.view.unsaved if x != line), line)[-MOST:])


def forget(desk: Desk, line: str) -> None:
    """This line need not be sent again."""
    if desk.view.unsaved:
        _wait(desk, tuple(x for x in desk.view.unsaved if x != line))


def offer(desk: Desk) -> None:
    """Where nothing is wrong any more and nothing else is typed, the latest line that waits stands there."""
    if not desk.view.unsaved or desk.view.fault or desk.view.mode is not None:
        return
    line = desk.view.unsaved[-1]
    desk.show(mode=Prompt("line", Editor.of(line), line))
    if not desk.view.message:
        desk.say("this line was not saved: Enter sends it again, Esc drops it")


def restore(desk: Desk) -> None:
    """Those of the last time, too."""
    kept = (desk.drafts.get(f"{_NAME}{place}", "") for place in range(MOST))
    desk.show(unsaved=tuple(filter(None, kept)))
    offer(desk)


def _wait(desk: Desk, lines: tuple[str, ...]) -> None:
    desk.show(unsaved=lines)
    for place in range(MOST):
        desk.keep(f"{_NAME}{place}", lines[place] if place < len(lines) else "")
