"""Take the terminal, write to it, and restore it, whatever signals come in between."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import time
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from tui.ui.terminal.input_parser import Report, Resized, Started, Stopped
from tui.ui.terminal.input_thread import InputThread
from tui.ui.terminal.loop import Scheduler
from tui.ui.wire.wire import Timer

Attributes = list[Any]
"""The line discipline, as termios.tcgetattr returns it."""

RESTORE: Final = "\x1b[?2026l\x1b[m\x1b[r\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h"
"""Resets synchronized output, pen, margins, paste mode, wrapping, screen and cursor for the shell."""

CANCEL: Final = "\x18"
"""Ends a sequence that was cut off in the middle."""

TRIES, PAUSE = 20, 0.01
"""How often restoring is tried, and the pause between tries in seconds."""


def own_descriptor(number: int) -> int:
    """Return a new descriptor of a terminal on which writes do not wait, or `number` if that fails.

    O_NONBLOCK belongs to the open file, which we share with the shell, so it must not be set there. A write
    that waits would hold the terminal's lock against the thread that wants to restore the terminal.
    """
    try:
        return os.open(os.ttyname(number), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return number


def attributes(number: int) -> Attributes | None:
    """Return a terminal's line discipline, None if there is no terminal."""
    try:
        return termios.tcgetattr(number)
    except termios.error:
        return None


def give_back(output: int, before: Attributes | None, data: str) -> None:
    """Restore a terminal without waiting, even if no one reads its output.

    Output that waits to be shown is dropped, so that these bytes fit. No other thread may be writing.
    """
    # The output may have stopped inside a sequence, which would swallow the first of ours.
    rest = (CANCEL + data).encode()
    with contextlib.suppress(OSError, termios.error):
        own = own_descriptor(output)
        for _ in range(TRIES):
            # Flushed before each try: a terminal that no one reads has no room for the bytes that restore it.
            termios.tcflush(own, termios.TCOFLUSH)
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(own, rest) :]
            if not rest:
                break
            time.sleep(PAUSE)
    if before is not None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(output, termios.TCSANOW, before)


START: Final = "\x1b[?1049h\x1b[?2004h\x1b[?7;25l"
"""Sets the alternate screen and bracketed paste, and switches wrapping and cursor off; no mouse, no focus
events."""


def questions(environ: Mapping[str, str]) -> str:
    """Return the questions at the start: synchronized output, the terminal's name, and one that ends them.

    Apple's Terminal prints the first one, and the Linux console reads the second one as a command for its
    lamps; they are left out there.
    """
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return "\x1b[5n"
    return "\x1b[5n" if environ.get("TERM") == "linux" else "\x1b[?2026$p\x1b[>q\x1b[5n"


def make_raw(before: Attributes) -> Attributes:
    """Return a line discipline that passes every byte unchanged, both ways; ctrl+c and ctrl+z are keys."""
    after = [*before[:6], [*before[6]]]
    after[0] &= ~(
        termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP
    )
    after[1] &= ~termios.OPOST
    # Without ISIG ctrl+c and ctrl+z reach us as keys, so that one in an unfinished line ends nothing.
    after[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    after[6][termios.VMIN], after[6][termios.VTIME] = 1, 0
    return after


def in_foreground(number: int) -> bool:
    """Return whether the process is in the foreground of the terminal.

    Return True if the terminal is not the controlling one.
    """
    try:
        return os.tcgetpgrp(number) == os.getpgrp()
    except OSError:
        return True


def continuable() -> bool:
    """Return whether a shell would continue the program if it were stopped.

    In a process group without a shell with job control (`ssh -tt host tocsin`, `sh -c`, a window of tmux) the
    system ignores SIGTSTP, because a process stopped there would stay stopped. A child process tries whether
    it is ignored here.
    """
    if signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN:
        return False
    try:
        child = os.posix_spawn(
            "/bin/sh", ["sh", "-c", "kill -s TSTP $$"], os.environ, setsigdef=[signal.SIGTSTP]
        )
    except OSError:
        return False
    stopped = os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1])
    if stopped:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return stopped


def stop(whom: int) -> None:
    """Stop a process, or with 0 our whole group, as ctrl+z does, until SIGCONT.

    The whole group is stopped because a shell script that waits for us must stop too: otherwise the shell
    above would not notice.
    """
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        os.kill(whom, signal.SIGTSTP)
    finally:
        signal.signal(signal.SIGTSTP, before)


class Output:
    """A queue of bytes for the terminal, and the thread that writes them.

    `write` never waits, and may be called from a signal handler.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._own = own_descriptor(number)
        self._stop, self._stopper = os.pipe()
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._writing = False
        self._gone = self._lost = False
        self._thread = Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Queue text to be written in order."""
        self._queue.put(text.encode("utf-8", "replace"))

    def busy(self) -> bool:
        """Return whether one write is running and another one waits."""
        return self._writing and not self._queue.empty()

    def stop(self, patience: float) -> bool:
        """Write what is queued for at most `patience` seconds, then stop; return whether all was written."""
        self._queue.put(None)
        self._thread.join(patience)
        done = not self._thread.is_alive() and not self._lost
        self.abandon()
        for number in (self._stopper, self._stop, *([self._own] if self._own != self.number else [])):
            with contextlib.suppress(OSError):
                os.close(number)
        return done

    def abandon(self) -> None:
        """Drop what is queued; only a write that the system is executing may still happen."""
        self._gone = True
        with contextlib.suppress(OSError):
            os.write(self._stopper, b"!")
        # Bounded: the thread may be inside a write that the kernel does not end.
        self._thread.join(0.1)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            self._writing = True
            while data and not self._gone:
                data = self._write(data)
            self._lost |= bool(data)
            self._writing = False

    def _write(self, data: bytes) -> bytes:
        """Write as much as the terminal takes now, or wait until it takes more; return the rest."""
        try:
            return data[os.write(self._own, data) :]
        except BlockingIOError:
            with contextlib.suppress(OSError, ValueError):
                # Waits for either: room in the terminal, or the order to stop.
                select.select([self._stop], [self._own], [])
        except OSError:
            self._gone = True
        return data


LAST_WRITE: Final = 0.6
"""How long to wait, when leaving, for a terminal that reads slowly, in seconds."""

MOST_COLUMNS: Final = 2_000
MOST_LINES: Final = 600
"""The most columns and lines that are drawn: `MOST_COLUMNS` and `MOST_LINES`.

A client over SSH may name any size, and 65,535 squared would need gigabytes.
"""

GRACE_SECONDS: Final = 0.5
"""How long after SIGCONT another signal may end us before we stop again in the background, in seconds."""


class Terminal:
    """Reads one descriptor and writes another. Must be taken and restored in the main thread.

    Its reports come from `input_thread`. The mouse is never asked for.
    """

    def __init__(self, loop: Scheduler, source: int = 0, target: int = 2) -> None:
        self.source, self.target = source, target
        self.leaving = False
        self.loop = loop
        self._before: list[Any] | None = None
        self._output: Output | None = None
        self.input_thread = InputThread(loop)
        self._away = self._continued_since = False

    # --- writing: the wire's port

    def write(self, data: str) -> None:
        """Queue bytes; drop them while the terminal is not ours."""
        if self._output is not None:
            self.input_thread.answers.sent(data)
            self._output.write(data)

    def busy(self) -> bool:
        """Return whether the terminal reads more slowly than we write."""
        return self._output is not None and self._output.busy()

    def now(self) -> float:
        """Return seconds of the loop's clock."""
        return self.loop.now()

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Call after `delay` seconds."""
        return self.loop.later(delay, call)

    def silence(self) -> None:
        """Write nothing more, because another thread restores the terminal; from any thread."""
        if (output := self._output) is not None:
            output.abandon()

    # --- its state

    @property
    def taken(self) -> bool:
        """Whether the terminal is ours now."""
        return self._output is not None

    def size(self) -> tuple[int, int]:
        """Return columns and lines, at most those of `MOST_COLUMNS` and `MOST_LINES`."""
        try:
            width, height = os.get_terminal_size(self.target)
        except OSError:
            return 80, 24
        return min(width or 80, MOST_COLUMNS), min(height or 24, MOST_LINES)

    # --- taking and restoring it

    def take(self, tell: Callable[[Report], None] | None = None) -> bool:
        """Take the terminal; if it is ours already, as after SIGSTOP, only set its modes again.

        `tell` gets the reports that are known at once; by default they become news. Returns False in the
        background: the program then waits until the shell brings it to the front.
        """
        tell = tell or self.input_thread.tell
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._suspend)
        signal.signal(signal.SIGCONT, self._continue)
        if self._output is None:
            # Setting a terminal's modes from the background stops the process (SIGTTOU).
            if not in_foreground(self.source):
                self._away = True
                self.loop.soon(self._wait_behind)
                return False
            self._before = attributes(self.source)
            self._output = Output(self.target)
            self.input_thread.expect()
        self._away = False
        self._enter(tell)
        signal.signal(signal.SIGWINCH, self._tell_size)
        tell(Resized(*self.size()))
        # Last, so that no answer comes before its question, and no key before the size, on which it may
        # depend.
        self.input_thread.start(self.source)
        return True

    def _enter(self, tell: Callable[[Report], None]) -> None:
        linefeed = False
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.source, termios.TCSANOW, make_raw(self._before))
                # The line discipline concerns the output only if input and output are the same terminal.
                linefeed = os.fstat(self.source).st_rdev == os.fstat(self.target).st_rdev
        tell(Started(linefeed))
        self.write(START + questions(os.environ))

    def _tell_size(self, *_: object) -> None:
        self.input_thread.tell(Resized(*self.size()))

    def give_back(self) -> None:
        """Restore the terminal: modes, line discipline, input. Queued output is written by `close`."""
        if self._output is None:
            return
        self.input_thread.tell(Stopped())
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        self.input_thread.stop()
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.source, termios.TCSANOW, self._before)
        self.write(RESTORE)

    def close(self) -> None:
        """Write what is queued; restore without waiting a terminal that does not read."""
        if (output := self._output) is not None:
            done = output.stop(LAST_WRITE)
            self._output = None
            if not done:
                give_back(output.number, self._before, RESTORE)

    # --- stopping and continuing

    def suspend(self) -> bool:
        """Stop the program until the shell continues it.

        Returns False and does nothing if there is no shell that would continue it.
        """
        if not continuable():
            return False
        self._stop(0)
        return True

    def _suspend(self, *_: object) -> None:
        """Handle SIGTSTP from another process: stop, if a shell would continue us."""
        if continuable():
            self._stop(os.getpid())

    def _stop(self, whom: int) -> None:
        """Restore the terminal, and stop a process, or with 0 our whole group, until SIGCONT."""
        if self._output is not None:
            self.give_back()
            self.close()
            self._away = True
        self._continued_since = False
        stop(whom)
        # The shell may have ended since it was checked: nothing stops then, and nothing continues us.
        if not self._continued_since:
            self._continue()

    def _continue(self, *_: object) -> None:
        self._continued_since = True
        if self._output is not None or self._away:
            self.take()

    def _wait_behind(self) -> None:
        self.loop.later(GRACE_SECONDS, self._stop_again)

    def _stop_again(self) -> None:
        """Stop again if `bg` has continued us; take the terminal if `fg` has.

        Do nothing if a signal is ending the program.
        """
        if self._output is not None or self.leaving:
            return
        if in_foreground(self.source):
            self.take()
        else:
            self._stop(os.getpid())
