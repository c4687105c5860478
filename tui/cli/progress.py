"""A progress line on standard error for what takes a while, where a person sits at it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

QUIET = 0.5
"""Seconds before the line appears: whoever waits less has no use for it."""


@contextmanager
def progress(parts: Iterable[T], total: int, text: str) -> Iterator[Iterator[T]]:
    """Give these parts one by one, with a line that says how many of the `total` are done; none in a pipe.

    The line is gone again, and the cursor back, at the end of the block, however that ends.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield iter(parts)
        return
    line = _Line(total, text)
    try:
        yield line.counted(parts)
    finally:
        line.end()


class _Line:
    """The line on the terminal, from the moment that it is due."""

    def __init__(self, total: int, text: str) -> None:
        self._total, self._text = total, text
        self._due = time.monotonic() + QUIET
        self._shown: Progress | None = None

    def counted(self, parts: Iterable[T]) -> Iterator[T]:
        for done, part in enumerate(parts):
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=done)
            elif time.monotonic() >= self._due:
                self._shown = _begun(self._total, done, self._text)
            yield part

    def end(self) -> None:
        if self._shown is not None:
            self._shown.stop()


def _begun(total: int, done: int, text: str) -> Progress:
    """Return the progress line, drawn."""
    # Not with the command: loading it takes longer than a short export.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    shown.add_task(text, total=total, completed=done)
    shown.start()
    return shown
