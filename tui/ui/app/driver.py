"""Connect our terminal to Textual as its driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual import events
from textual.driver import Driver

from tui.ui.app.bindings import key_name
from tui.ui.terminal.input_parser import Key, Pasted, Report, keys
from tui.ui.terminal.input_thread import News
from tui.ui.terminal.terminal import Terminal

if TYPE_CHECKING:
    from textual.app import App


class BoundedPaste(events.Paste, bubble=False):
    """A paste up to the length limit; `dropped` is the number of characters that were cut."""

    def __init__(self, text: str, dropped: int = 0) -> None:
        super().__init__(text)
        self.dropped = dropped


@runtime_checkable
class OnTerminal(Protocol):
    """The part of the app that the driver uses; the app brings its terminal."""

    @property
    def terminal(self) -> Terminal:
        """The terminal that the driver reads and writes."""

    def started(self) -> None:
        """Take calls from now on, because the terminal is taken and the event loop runs."""

    def hear(self, report: Report, when: float) -> None:
        """Handle a report of the terminal about itself, which came at the time `when`."""


class TocsinDriver(Driver):
    """Posts keys and pastes to the app in the order in which they came. The mouse is never asked for."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        del mouse  # the name that Textual uses
        assert isinstance(app, OnTerminal)
        self._host, self.terminal = app, app.terminal
        super().__init__(app, debug=debug, mouse=False, size=size or self.terminal.size())

    def write(self, data: str) -> None:
        """Queue text for the terminal; drop it while the terminal is not taken."""
        self.terminal.write(data)

    def start_application_mode(self) -> None:
        """Take the terminal, unless it was taken for the first frame."""
        if not self.terminal.taken:
            self.terminal.take()
        self.terminal.input_thread.listener = self.hear
        self._host.started()

    def hear(self, news: News, when: float) -> None:
        """Post keys and pastes; pass the rest to the app."""
        match news:
            case Key(sequence):
                for name, char in keys(sequence):
                    self._app.post_message(events.Key(key_name(name), char or None))
            case Pasted(text, dropped):
                self._app.post_message(BoundedPaste(text, dropped))
            case _:
                self._host.hear(news, when)

    def disable_input(self) -> None:
        """Do nothing: reading ends when the terminal is restored."""

    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        self.terminal.give_back()

    def close(self) -> None:
        """Write all queued output."""
        self.terminal.close()
