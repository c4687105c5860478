"""The terminal: taken, written to, given back, whatever signal comes in between; what it says is news on a loop."""

from __future__ import annotations

import contextlib
import os
import signal
import termios
from collections.abc import Callable, Iterator
from typing import Any, Final

from tui.ui.terminal.giving_back import RESTORE, attributes, give_back
from tui.ui.terminal.hearing import Hearing
from tui.ui.terminal.loop import Scheduler
from tui.ui.terminal.modes import START, continuable, in_foreground, questions, raw, stop
from tui.ui.terminal.output import Output
from tui.ui.terminal.reports import Report, Resized, Started, Stopped
from tui.ui.wire.wire import Timer

LAST_WRITE: Final = 0.6
"""Seconds to wait, when leaving, for a terminal that reads slowly."""

WIDEST: Final = 2_000
HIGHEST: Final = 600
"""Columns and lines that are drawn at the most: whoever comes by SSH names a size, and 65,535 squared is gigabytes."""

GRACE: Final = 0.5
"""Seconds in which a signal that came with SIGCONT may end us, before we stop again in the background."""


class Terminal:
    """Reads one descriptor and writes another. To be taken and given back in the main thread.

    What it says is told by `hearing`. The mouse is never asked for.
    """

    def __init__(self, loop: Scheduler, source: int = 0, target: int = 2) -> None:
        self.source, self.target = source, target
        self.lent = self.leaving = False
        self.loop = loop
        self._before: list[Any] | None = None
        self._output: Output | None = None
        self.hearing = Hearing(loop)
        self._away = self._continued_since = False

    # What is written to it: the wire's port.

    def write(self, data: str) -> None:
        """Queues bytes; nothing while the terminal is not ours."""
        if self._output is not None:
            self.hearing.answers.sent(data)
            self._output.write(data)

    def busy(self) -> bool:
        """Whether the terminal reads more slowly than we write."""
        return self._output is not None and self._output.busy()

    def now(self) -> float:
        """Seconds of the loop's clock."""
        return self.loop.now()

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Calls after `delay` seconds."""
        return self.loop.later(delay, call)

    def silence(self) -> None:
        """Writes nothing more: somebody else is giving the terminal back. May be called from any thread."""
        if (output := self._output) is not None:
            output.abandon()

    # What it is.

    @property
    def taken(self) -> bool:
        """Whether it is ours at the moment."""
        return self._output is not None

    def size(self) -> tuple[int, int]:
        """Columns and lines, as far as there are screens."""
        try:
            width, height = os.get_terminal_size(self.target)
        except OSError:
            return 80, 24
        return min(width or 80, WIDEST), min(height or 24, HIGHEST)

    # Taking it and giving it back.

    def take(self, tell: Callable[[Report], None] | None = None) -> bool:
        """Take it; if it is ours already (continued after a SIGSTOP), set its modes once more.

        `tell` is given what is known at once, which else is news like all that the terminal says. False in the
        background: we are stopped then until the shell brings us to the front.
        """
        tell = tell or self.hearing.tell
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._stopped)
        signal.signal(signal.SIGCONT, self._continued)
        if self._output is None:
            # Setting a terminal's modes from the background stops the process (SIGTTOU).
            if not in_foreground(self.source):
                self._away = True
                self.loop.soon(self._wait_behind)
                return False
            self._before = attributes(self.source)
            self._output = Output(self.target)
            self.hearing.expect()
        self._away = False
        self._enter(tell)
        signal.signal(signal.SIGWINCH, self._resized)
        tell(Resized(*self.size()))
        # Last, so that no answer comes before the question, and no key before the size: what it does may depend on that.
        self.hearing.start(self.source)
        return True

    def _enter(self, tell: Callable[[Report], None]) -> None:
        linefeed = False
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.source, termios.TCSANOW, raw(self._before))
                # What was just set holds for what is drawn only if both are one terminal.
                linefeed = os.fstat(self.source).st_rdev == os.fstat(self.target).st_rdev
        tell(Started(linefeed))
        self.write(START + questions(os.environ))

    def _resized(self, *_: object) -> None:
        self.hearing.tell(Resized(*self.size()))

    def give_back(self) -> None:
        """Gives it back: modes, line discipline, input; what is still to be written follows with `close`."""
        if self._output is None:
            return
        self.hearing.tell(Stopped())
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        self.hearing.stop()
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.source, termios.TCSANOW, self._before)
        self.write(RESTORE)

    def close(self) -> None:
        """Writes out what is queued; a terminal that does not read it is given back by hand."""
        if (output := self._output) is not None:
            done = output.stop(LAST_WRITE)
            self._output = None
            if not done:
                give_back(output.number, self._before, RESTORE)

    # Being stopped and continued.

    def suspend(self) -> bool:
        """Stop the program until the shell continues it; False, and nothing has happened, where no shell would."""
        if not continuable():
            return False
        self._stop(0)
        return True

    @contextlib.contextmanager
    def lend(self) -> Iterator[None]:
        """A context in which another program has the terminal; a signal that stops it does not concern us."""
        self.lent = True
        self.give_back()
        self.close()
        try:
            yield
        finally:
            self.lent = False
            self.take()

    def _stopped(self, *_: object) -> None:
        """Stop because somebody else has asked for it, unless nobody could continue us."""
        if continuable():
            self._stop(os.getpid())

    def _stop(self, whom: int) -> None:
        """Stop a process, or with 0 all of our group; the terminal is given back for as long."""
        if not self.lent and self._output is not None:
            self.give_back()
            self.close()
            self._away = True
        self._continued_since = False
        stop(whom)
        # The shell may have ended since it was asked for: nothing stops then, and nothing continues us.
        if not self._continued_since:
            self._continued()

    def _continued(self, *_: object) -> None:
        self._continued_since = True
        if not self.lent and (self._output is not None or self._away):
            self.take()

    def _wait_behind(self) -> None:
        self.loop.later(GRACE, self._stop_again)

    def _stop_again(self) -> None:
        """Continued by `bg`, not by `fg`: waits on, unless a signal is ending us."""
        if self._output is not None or self.leaving:
            return
        if in_foreground(self.source):
            self.take()
        else:
            self._stop(os.getpid())
