"""The driver: Textual's idea of a terminal, given by ours. What the terminal says goes to the display and not through here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual.driver import Driver

if TYPE_CHECKING:
    from textual.app import App

    from tui.ui.terminal.terminal import Terminal


@runtime_checkable
class OnTerminal(Protocol):
    """An app that brings its terminal with it, perhaps taken already."""

    @property
    def terminal(self) -> Terminal:
        """The terminal."""

    def started(self) -> None:
        """The terminal is ours, and the event loop runs."""


class TocsinDriver(Driver):
    """Takes the terminal unless it is ours already. The mouse is never asked for."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        del mouse  # Textual's wish
        assert isinstance(app, OnTerminal)
        self._host, self.terminal = app, app.terminal
        super().__init__(app, debug=debug, mouse=False, size=size or self.terminal.size())

    def write(self, data: str) -> None:
        """Queues bytes for the terminal; nothing while it is not ours."""
        self.terminal.write(data)

    def start_application_mode(self) -> None:
        """Takes the terminal, but not a second time."""
        if not self.terminal.taken:
            self.terminal.take()
        self._host.started()

    def disable_input(self) -> None:
        """Reading ends when the terminal is given back."""

    def stop_application_mode(self) -> None:
        """Gives the terminal back."""
        self.terminal.give_back()

    def close(self) -> None:
        """Writes out what is queued."""
        self.terminal.close()
