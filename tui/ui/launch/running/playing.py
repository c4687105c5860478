"""A display, from its first picture to its last: it answers keys at once, and Textual is loaded behind it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tui.image import Image
from tui.ui.launch.running.behind import Behind
from tui.ui.screen.display import Display
from tui.ui.terminal.terminal import Terminal

SOON = 0.01
"""Seconds after which loading begins although the first picture is not out: the terminal has not answered yet."""


def play(display: Display, terminal: Terminal, image: Image, *, frugal: bool) -> int:
    """Shows what is on the display until it is left; the exit code."""
    behind = Behind(display.loop, image)
    try:
        if frugal and terminal.take():
            display.size = terminal.size()
            display.draw()
            image.whole()
            display.loop.later(SOON, behind.start)
            display.loop.run(lambda: behind.ready or display.leaving.code is not None)
        return (
            display.leaving.code
            if display.leaving.code is not None
            else _with_textual(behind, display, terminal, frugal=frugal)
        )
    finally:
        terminal.give_back()
        terminal.close()
        behind.end()


def _with_textual(behind: Behind, display: Display, terminal: Terminal, *, frugal: bool) -> int:
    """Goes on with Textual."""
    behind.wait()
    from tui.ui.textual.app import TocsinApp

    with _settled():
        app = TocsinApp(display, terminal, frugal=frugal)
    app.run(mouse=False)
    # Raised only now, with the terminal given back, so that its one line can be read.
    if app.failure:
        raise app.failure
    return app.return_code or 0


@contextmanager
def _settled() -> Iterator[None]:
    """Without NO_COLOR, which is settled by the theme: Textual and Rich would take colours from it again."""
    asked = os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if asked is not None:
            os.environ["NO_COLOR"] = asked
