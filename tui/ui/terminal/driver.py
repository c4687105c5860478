"""The driver: Textual's own for Linux and macOS, with hostile and broken input borne and few modes set."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
from codecs import getincrementaldecoder
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol, assert_never, runtime_checkable

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.keys import Keys

from tui.ui.terminal.modes import MOUSE_OFF, MOUSE_ON, RESTORE, START, attributes, give_back, questions, raw
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
from tui.ui.terminal.sieve import Key, Sieve, Token

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.message import Message

ASK: Final = "\x1b[5n"

LAST_ANSWER: Final = 0.5
"""Seconds to wait, when leaving, for an answer under way: it would be typed into the user's shell."""

LAST_WRITE: Final = 0.6
"""Seconds to wait, when leaving, for a terminal that reads slowly."""

EARLY: Final = 2.0
"""Seconds after the start in which a terminal that has not answered yet may still do so."""

CHUNK: Final = 65_536


@runtime_checkable
class Listener(Protocol):
    """An app that wants the driver's reports."""

    def terminal_report(self, report: Report) -> None:
        """Take a report, on the event loop."""


class TocsinDriver(LinuxDriver):
    """Reports go to the app's `terminal_report`. Mouse reporting needs an app that sets `wants_mouse`."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(
            app, debug=debug, mouse=mouse and bool(getattr(app, "wants_mouse", False)), size=size
        )
        self._listener = app if isinstance(app, Listener) else None
        self._output: Output | None = None
        self._wake = -1
        self._asked = self._heard = 0
        self._answer = Event()
        self._since = 0.0
        self._parser = XTermParser(debug)

    # To the app: always through its event loop, because signal handlers and the input thread come here too.

    def _call(self, what: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: there is nobody left to tell
            self._loop.call_soon_threadsafe(what, *arguments)

    def _report(self, report: Report) -> None:
        if self._listener is not None:
            self._call(self._listener.terminal_report, report)

    def send_message(self, message: Message) -> None:
        """Hand a message to the app, without the task that Textual makes for each."""
        self._call(self._app.post_message, message)

    # To the terminal.

    def write(self, data: str) -> None:
        """Queue bytes for the terminal; nothing while it is not ours."""
        if self._output is not None:
            self._asked += data.count(ASK)
            self._output.write(data)

    @property
    def taken(self) -> bool:
        """Whether the terminal is ours at the moment."""
        return self._output is not None

    def busy(self) -> bool:
        """Whether the terminal reads more slowly than we write."""
        return self._output is not None and self._output.busy()

    def _get_terminal_size(self) -> tuple[int, int]:
        try:
            width, height = os.get_terminal_size(self._file.fileno() if self._file else 2)
        except OSError:
            return 80, 24
        return width or 80, height or 24

    def _resized(self, *_: object) -> None:
        width, height = self._get_terminal_size()
        self._report(Resized(width, height))
        self._call(self._app.post_message, events.Resize(Size(width, height), Size(width, height)))

    # Taking the terminal and giving it back.

    def start_application_mode(self) -> None:
        """Take the terminal; if it is ours already (continued after a SIGSTOP), set its modes once more."""
        if self._output is None:
            if not self._foreground():
                return
            self.attrs_before = attributes(self.fileno)
            self._output = Output(self._file.fileno() if self._file else 2)
            self._listen()
        self._enter()
        signal.signal(signal.SIGWINCH, self._resized)
        self._resized()
        if self._must_signal_resume:
            self._must_signal_resume = False
            self._call(self._app.post_message, self.SignalResume())

    def _foreground(self) -> bool:
        """Whether we may set the terminal up; stops the process again if `bg` has continued it."""

        def stop_again(*_: object) -> None:
            os.kill(os.getpid(), signal.SIGSTOP)

        for number in (signal.SIGTTOU, signal.SIGTTIN):
            signal.signal(number, stop_again)
        try:
            termios.tcsetattr(self.fileno, termios.TCSANOW, termios.tcgetattr(self.fileno))
        except termios.error:
            return False
        finally:
            for number in (signal.SIGTTOU, signal.SIGTTIN):
                signal.signal(number, signal.SIG_DFL)
        return True

    def _enter(self) -> None:
        linefeed = False
        if self.attrs_before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, raw(self.attrs_before))
                linefeed = (
                    os.fstat(self.fileno).st_rdev
                    == os.fstat(self._file.fileno() if self._file else 2).st_rdev
                )
        self._since = monotonic()
        self._report(Started(linefeed))
        self.write(START + (MOUSE_ON if self._mouse else "") + questions(os.environ))

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        if self._output is None:
            return
        self._report(Stopped())
        self.disable_input()
        if self.attrs_before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
        self.write((MOUSE_OFF if self._mouse else "") + RESTORE)

    def close(self) -> None:
        """Write out what is queued; a terminal that does not read it is given back by hand."""
        if (output := self._output) is not None:
            done = output.stop(LAST_WRITE)
            self._output = None
            if not done:
                give_back(output.number, self.attrs_before, RESTORE)

    def silence(self) -> None:
        """Write nothing more: somebody else is giving the terminal back. May be called from any thread."""
        if (output := self._output) is not None:
            output.abandon()

    def _sigtstp_application(self, *_: object) -> None:
        if self._auto_restart and self._output is not None:
            self.suspend_application_mode()
            self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        if self._auto_restart and (self._output is not None or self._must_signal_resume):
            self.resume_application_mode()

    # From the terminal.

    def _listen(self) -> None:
        self.exit_event.clear()
        self._asked = self._heard = 0
        read, self._wake = os.pipe()
        self._key_thread = Thread(target=self._run_input_thread, args=(), name="terminal-input", daemon=True)
        self._woken = read
        self._key_thread.start()

    def disable_input(self) -> None:
        """End the input thread, once answers under way have come in."""
        if self._key_thread is None:
            return
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        self._await_answers()
        self.exit_event.set()
        with contextlib.suppress(BrokenPipeError):  # it has ended by itself: the line is gone
            os.write(self._wake, b"!")
        self._key_thread.join()
        self._key_thread = None
        os.close(self._wake)
        with contextlib.suppress(termios.error):
            termios.tcflush(self.fileno, termios.TCIFLUSH)

    def _await_answers(self) -> None:
        end = monotonic() + LAST_ANSWER
        if not self._heard and monotonic() - self._since > EARLY:
            return
        while self._heard < self._asked and monotonic() < end:
            self._answer.wait(max(0.0, end - monotonic()))
            self._answer.clear()

    def run_input_thread(self) -> None:
        """Read until told to stop or until there is nothing left to read from. Sleeps while nothing comes."""
        sieve = Sieve(constants.ESCAPE_DELAY)
        decoder = getincrementaldecoder("utf-8")("replace")
        try:
            while not self.exit_event.is_set():
                deadline = sieve.deadline()
                wait = None if deadline is None else max(0.0, deadline - monotonic())
                if self.fileno not in select.select([self.fileno, self._woken], [], [], wait)[0]:
                    self._take_all(sieve.tick(monotonic()))
                elif data := self._read():
                    self._take_all(sieve.feed(decoder.decode(data), monotonic()))
                else:
                    self._hung_up()
                    return
        finally:
            os.close(self._woken)

    def _hung_up(self) -> None:
        """Leave as if SIGHUP had come, for it does not always; a guardian, if there is one, sees to it."""
        if callable(signal.getsignal(signal.SIGHUP)):
            os.kill(os.getpid(), signal.SIGHUP)
        else:
            self._report(HungUp())

    def _read(self) -> bytes:
        """Return what came; b"" at the end of input and for a terminal that is gone."""
        try:
            return os.read(self.fileno, CHUNK)
        except OSError:
            return b""

    def _take_all(self, tokens: list[Token]) -> None:
        for token in tokens:
            self._take(token)

    def _take(self, token: Token) -> None:
        match token:
            case Key(sequence):
                for message in self._messages(sequence):
                    self.process_message(message)
            case Pasted(text):
                self._report(token)
                self.process_message(events.Paste(text))
            case Answered():
                self._heard += 1
                self._answer.set()
                self._report(token)
            case Named() | Synchronizes():
                self._report(token)
            case _:
                assert_never(token)

    def _messages(self, sequence: str) -> list[Message]:
        """Return the key presses, or the mouse event, that a sequence stands for by Textual's tables."""
        if sequence.startswith("\x1b[<"):
            mouse = self._parser.parse_mouse_code(sequence) if self._mouse else None
            return [] if mouse is None else [mouse]
        alt = len(sequence) == 2 and sequence[0] == "\x1b" and sequence not in ANSI_SEQUENCES_KEYS
        keys = self._parser._sequence_to_key_events(sequence[alt:], alt=alt)  # noqa: SLF001
        return [key for key in keys if key.key != Keys.Ignore]
