"""What the terminal says: read in a thread of its own, told on the loop, in order."""

from __future__ import annotations

import contextlib
import os
import signal
import termios
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Final, assert_never

from tui.ui.terminal.environment import escape_delay
from tui.ui.terminal.input_parser import Key, Token
from tui.ui.terminal.loop import Scheduler
from tui.ui.terminal.reader import Answers, InputReader
from tui.ui.terminal.reports import Answered, HungUp, Named, Pasted, Report, Synchronizes

News = Key | Report

TURN: Final = 0.02
"""Seconds for which news are dealt with until the loop has its turn: however much is typed, a signal is heeded."""

MOST: Final = 64
"""News of one such turn: a listener may only note a key, and take it afterwards."""


class Hearing:
    """`listener` is called on the loop with all news and the times at which they came; news wait for a loop that runs."""

    def __init__(self, loop: Scheduler) -> None:
        self.listener: Callable[[News, float], None] = lambda _news, _when: None
        self.answers = Answers()
        self._loop = loop
        self._news: SimpleQueue[tuple[News, float]] = SimpleQueue()
        self._asked = False
        self._reading: tuple[int, InputReader, Thread] | None = None

    def tell(self, news: News) -> None:
        """Adds news; from any thread, and from a signal handler."""
        self._news.put((news, monotonic()))
        # After the put: who finds nothing any more has not seen it, or was not asked yet.
        if not self._asked:
            self._asked = True
            self._loop.soon(self._hear)

    def _hear(self) -> None:
        self._asked = False
        end = monotonic() + TURN
        for _ in range(MOST):
            if monotonic() > end:
                break
            try:
                news, when = self._news.get_nowait()
            except Empty:
                return
            if self._reading is not None and isinstance(news, Token):
                self._reading[1].done()
            self.listener(news, when)
        self._asked = True
        self._loop.soon(self._hear)

    def expect(self) -> None:
        """Count questions and answers from now on."""
        self.answers = Answers()

    def start(self, source: int) -> None:
        """Read this descriptor from now on, if it is not read already."""
        if self._reading is not None:
            return
        reader = InputReader(source, escape_delay(os.environ), self._token)
        thread = Thread(target=self._read, args=(reader,), name="terminal-input", daemon=True)
        self._reading = source, reader, thread
        thread.start()

    def _token(self, token: Token) -> None:
        match token:
            case Answered():
                self.answers.heard()
            case Key() | Pasted() | Named() | Synchronizes():
                pass
            case _:
                assert_never(token)
        self.tell(token)

    def _read(self, reader: InputReader) -> None:
        """Reads until told to stop; without a terminal leaves as if SIGHUP had come, which it does not always."""
        if reader.loop():
            return
        if callable(signal.getsignal(signal.SIGHUP)):
            os.kill(os.getpid(), signal.SIGHUP)  # a guardian waits for it
        else:
            self.tell(HungUp())

    def stop(self) -> None:
        """Reads no more, once answers under way have come in."""
        if self._reading is None:
            return
        (source, reader, thread), self._reading = self._reading, None
        if thread.is_alive():
            # An answer that comes after the input is closed is typed into the user's shell.
            self.answers.wait()
        reader.stop()
        thread.join()
        reader.close()
        with contextlib.suppress(termios.error):
            # What was typed while we left was meant for us, not for the shell.
            termios.tcflush(source, termios.TCIFLUSH)
