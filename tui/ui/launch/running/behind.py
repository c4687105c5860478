"""What is loaded behind the first picture, while keys are answered already."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.image import Image
    from tui.ui.terminal.loop import MainLoop

LAST = 1.0
"""Seconds that leaving waits for what is being loaded; less than a guardian's patience."""


class Behind:
    """Loads the modules that the first keys need, then Textual, in a thread of its own; the loop is told of the end."""

    def __init__(self, loop: MainLoop, image: Image) -> None:
        self._image = image
        self._loop = loop
        self._thread = Thread(target=self._load, name="loading", daemon=True)
        self._there = Event()
        self._begun = False
        self._error: BaseException | None = None
        self.ready = False

    def start(self) -> None:
        """Begins, unless it has begun."""
        if not self._begun:
            self._begun = True
            self._thread.start()

    def wait(self) -> None:
        """Until all is there. Raises what went wrong."""
        self.start()
        self._there.wait()
        if self._error is not None:
            raise self._error

    def end(self) -> None:
        """Waits a moment for who only leaves: a program that ends inside an import may hang at its end."""
        if self._begun:
            self._thread.join(LAST)

    def _load(self) -> None:
        try:
            import tui.ui.keys.board
            from tui.ui.textual.slim import slim

            with slim():
                import tui.ui.textual.app  # noqa: F401
        except BaseException as error:  # noqa: BLE001
            self._error = error
        self.ready = True
        self._there.set()
        self._loop.soon(lambda: None)
        # After the word that all is there: nobody waits for the image.
        self._image.write()
