"""The driver: Textual's own for Linux and macOS, made robust against hostile and broken input; few modes are set."""

from __future__ import annotations

import contextlib
import os
import signal
import termios
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Protocol, assert_never, runtime_checkable

from textual import constants, events
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size

from tui.ui.terminal.modes import (
    RESTORE,
    START,
    attributes,
    give_back,
    in_foreground,
    questions,
    raw,
)
from tui.ui.terminal.output import Output
from tui.ui.terminal.reports import (
    Answered,
    HungUp,
    Named,
    Pasted,
    Report,
    Resized,
    Started,
    Stopped,
    Synchronizes,
)
from tui.ui.terminal.sieve import Key, Token
from tui.ui.textual.reader import Answers, InputReader, KeyTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.message import Message

LAST_WRITE: Final = 0.6
"""Seconds to wait, when leaving, for a terminal that reads slowly."""

GRACE: Final = 0.5
"""Seconds in which a signal that came with SIGCONT may end us, before we stop again in the background."""


@runtime_checkable
class Listener(Protocol):
    """An app that wants the driver's reports."""

    def terminal_report(self, report: Report) -> None:
        """Takes a report, on the event loop."""


class TocsinDriver(LinuxDriver):
    """Reports go to the app's `terminal_report`. The mouse is never asked for."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        del mouse  # Textual's wish
        super().__init__(app, debug=debug, mouse=False, size=size)
        self._listener = app if isinstance(app, Listener) else None
        self._number = self._file.fileno() if self._file else 2
        self._output: Output | None = None
        self._reader: InputReader | None = None
        self._answers = Answers()
        self._keys = KeyTable()

    # To the app: always through its event loop, because signal handlers and the input thread come here too.

    def _call(self, what: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: there is nobody left to tell
            self._loop.call_soon_threadsafe(what, *arguments)

    def _report(self, report: Report) -> None:
        if self._listener is not None:
            self._call(self._listener.terminal_report, report)

    def send_message(self, message: Message) -> None:
        """Hands a message to the app, without the task that Textual makes for each."""
        self._call(self._app.post_message, message)

    # To the terminal.

    def write(self, data: str) -> None:
        """Queues bytes for the terminal; nothing while it is not ours."""
        if self._output is not None:
            self._answers.sent(data)
            self._output.write(data)

    @property
    def taken(self) -> bool:
        """Whether the terminal is ours at the moment."""
        return self._output is not None

    def busy(self) -> bool:
        """Whether the terminal reads more slowly than we write."""
        return self._output is not None and self._output.busy()

    def silence(self) -> None:
        """Writes nothing more: somebody else is giving the terminal back. May be called from any thread."""
        if (output := self._output) is not None:
            output.abandon()

    def _get_terminal_size(self) -> tuple[int, int]:
        try:
            width, height = os.get_terminal_size(self._number)
        except OSError:
            return 80, 24
        return width or 80, height or 24

    def _resized(self, *_: object) -> None:
        width, height = self._get_terminal_size()
        self._report(Resized(width, height))
        self._call(self._app.post_message, events.Resize(Size(width, height), Size(width, height)))

    # Taking the terminal and giving it back.

    def start_application_mode(self) -> None:
        """Takes the terminal; if it is ours already (continued after a SIGSTOP), sets its modes once more."""
        if self._output is None:
            # Setting a terminal's modes from the background stops the process (SIGTTOU).
            if not in_foreground(self.fileno):
                self._call(self._loop.call_later, GRACE, self._stop_again)
                return
            self.attrs_before = attributes(self.fileno)
            self._output = Output(self._number)
            self._answers = Answers()
            self._reader = InputReader(self.fileno, constants.ESCAPE_DELAY, self._take)
            self._key_thread = Thread(target=self._run_input_thread, name="terminal-input", daemon=True)
            self._key_thread.start()
        self._enter()
        signal.signal(signal.SIGWINCH, self._resized)
        self._resized()
        if self._must_signal_resume:
            self._must_signal_resume = False
            self._call(self._app.post_message, self.SignalResume())

    def _enter(self) -> None:
        linefeed = False
        if self.attrs_before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, raw(self.attrs_before))
                # What was just set holds for what is drawn only if stdin and stderr are one terminal.
                linefeed = os.fstat(self.fileno).st_rdev == os.fstat(self._number).st_rdev
        self._report(Started(linefeed))
        self.write(START + questions(os.environ))

    def stop_application_mode(self) -> None:
        """Gives the terminal back."""
        if self._output is None:
            return
        self._report(Stopped())
        self.disable_input()
        if self.attrs_before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
        self.write(RESTORE)

    def close(self) -> None:
        """Writes out what is queued; a terminal that does not read it is given back by hand."""
        if (output := self._output) is not None:
            done = output.stop(LAST_WRITE)
            self._output = None
            if not done:
                give_back(output.number, self.attrs_before, RESTORE)

    def _sigtstp_application(self, *_: object) -> None:
        if self._auto_restart and self._output is not None:
            self.suspend_application_mode()
            self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _stop_again(self) -> None:
        """Continued by `bg`, not by `fg`: wait on, unless a signal is ending us."""
        if self._output is not None or self._app._exit:  # noqa: SLF001
            return
        self._must_signal_resume = True
        if in_foreground(self.fileno):
            self.resume_application_mode()
        else:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        if self._auto_restart and (self._output is not None or self._must_signal_resume):
            self.resume_application_mode()

    # From the terminal.

    def disable_input(self) -> None:
        """Ends the input thread, once answers under way have come in."""
        reader, self._reader = self._reader, None
        if reader is None or self._key_thread is None:
            return
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        if self._key_thread.is_alive():
            # An answer that comes after the input is closed is typed into the user's shell.
            self._answers.wait()
        reader.stop()
        self._key_thread.join()
        self._key_thread = None
        reader.close()
        with contextlib.suppress(termios.error):
            # What was typed while we left was meant for us, not for the shell.
            termios.tcflush(self.fileno, termios.TCIFLUSH)

    def run_input_thread(self) -> None:
        """Reads until told to stop; without a terminal leaves as if SIGHUP had come, which it does not always."""
        if self._reader is None or self._reader.loop():
            return
        if callable(signal.getsignal(signal.SIGHUP)):
            os.kill(os.getpid(), signal.SIGHUP)  # a guardian waits for it
        else:
            self._report(HungUp())

    def _take(self, token: Token) -> None:
        match token:
            case Key(sequence):
                for message in self._keys.messages(sequence):
                    self.process_message(message)
            case Pasted(text):
                self._report(token)
                self.process_message(events.Paste(text))
            case Answered():
                self._answers.heard()
                self._report(token)
            case Named() | Synchronizes():
                self._report(token)
            case _:
                assert_never(token)
