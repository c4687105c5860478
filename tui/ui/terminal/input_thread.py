"""Read the terminal in a thread, and pass on keys and answers in order, to whatever loop runs the program."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Final, assert_never

from tui.ui.terminal.environment import escape_delay
from tui.ui.terminal.input_parser import (
    Answered,
    HungUp,
    InputParser,
    Key,
    Named,
    Pasted,
    Report,
    Synchronizes,
    Token,
)
from tui.ui.terminal.loop import Scheduler

ASK: Final = "\x1b[5n"

LAST_ANSWER: Final = 0.5
"""Seconds to wait, when leaving, for an answer under way: it would be typed into the user's shell."""

EARLY: Final = 2.0
"""Seconds after the start in which a terminal that has not answered yet may still do so."""

CHUNK: Final = 65_536
INSTANT: Final = 0.001

AHEAD: Final = 512
"""Tokens handed on and not dealt with yet, beyond which nothing more is read.

Whatever floods in waits in the system's
own buffers, and then with the sender.
"""


class InputReader:
    """Hands on what a terminal sends until `stop`; `loop` returns False when there is nothing to read from.

    The taker of a token says when it is dealt with (`done`), from one thread.
    """

    def __init__(self, number: int, escape_delay: float, take: Callable[[Token], None]) -> None:
        self._number, self._take = number, take
        self._parser = InputParser(escape_delay)
        # One bad byte must not end the program, and a letter may be cut between two reads.
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._woken, self._wake = os.pipe()
        # Each is written by one thread alone.
        self._taken = self._done = 0
        self._full = self._stopped = False

    def stop(self) -> None:
        """End the loop, from another thread."""
        self._stopped = True
        os.write(self._wake, b"!")

    def close(self) -> None:
        """Close what the loop used, once it has ended."""
        os.close(self._wake)
        os.close(self._woken)

    def done(self) -> None:
        """Count a token as dealt with."""
        self._done += 1
        if self._full and not self._ahead():
            self._full = False
            os.write(self._wake, b".")

    def _ahead(self) -> bool:
        """Return whether so much waits to be dealt with that nothing more is to be read."""
        return self._taken - self._done >= AHEAD

    def loop(self) -> bool:
        """Read; sleep while nothing comes."""
        try:
            while not self._stopped:
                if not self._turn():
                    return False
        finally:
            self._full = False
        return True

    def _turn(self) -> bool:
        """Wait for input or for a time to pass, and hand on what that gives; False at the end of input."""
        deadline = self._parser.deadline()
        self._full = self._ahead()
        if self._full and self._ahead():
            # Nothing is given up meanwhile: the rest of a sequence may be there, and is not read yet.
            if select.select([self._woken], [], [])[0]:
                os.read(self._woken, CHUNK)
            return True
        wait = None if deadline is None else max(0.0, deadline - monotonic())
        ready = select.select([self._number, self._woken], [], [], wait)[0]
        if self._woken in ready:
            os.read(self._woken, CHUNK)
        now = monotonic()
        if self._number not in ready:
            return self._hand_on(self._parser.tick(now))
        if not (data := self._read()):
            return False
        # What is there was there in time, for all we know: a machine that stood still must not tear a key
        # apart.
        if deadline is not None:
            now = min(now, deadline - INSTANT)
        return self._hand_on(self._parser.feed(self._decode(data), now))

    def _hand_on(self, tokens: list[Token]) -> bool:
        for token in tokens:
            self._taken += 1
            self._take(token)
        return True

    def _read(self) -> bytes:
        """Return what came; nothing at the end of input and for a terminal that is gone."""
        with contextlib.suppress(OSError):
            return os.read(self._number, CHUNK)
        return b""


class Answers:
    """Counts questions sent and answers heard."""

    def __init__(self) -> None:
        self._asked = self._heard = 0
        self._since = monotonic()
        self._answer = Event()

    def sent(self, data: str) -> None:
        """Look for questions in what is sent."""
        self._asked += data.count(ASK)

    def heard(self) -> None:
        """Count an answer."""
        self._heard += 1
        self._answer.set()

    def wait(self) -> None:
        """Wait a little for what is still to come, unless this terminal has had time and sent nothing."""
        now = monotonic()
        end = now + LAST_ANSWER
        while self._heard < self._asked and (self._heard or now < self._since + EARLY) and now < end:
            self._answer.wait(end - now)
            self._answer.clear()
            now = monotonic()


News = Key | Report

TURN: Final = 0.02
"""Seconds for which news are dealt with until the loop has its turn.

However much is typed, a signal is heeded.
"""

MOST: Final = 64
"""News of one such turn: a listener may only note a key, and take it afterwards."""


class InputThread:
    """`listener` is called on the loop with all news and the times at which they came.

    News wait for a loop that runs.
    """

    def __init__(self, loop: Scheduler) -> None:
        self.listener: Callable[[News, float], None] = lambda _news, _when: None
        self.answers = Answers()
        self._loop = loop
        self._news: SimpleQueue[tuple[News, float]] = SimpleQueue()
        self._asked = False
        self._reading: tuple[int, InputReader, Thread] | None = None

    def tell(self, news: News) -> None:
        """Add news; from any thread, and from a signal handler."""
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
        """Read until asked to stop; leave as on SIGHUP when the terminal is gone."""
        if reader.loop():
            return
        if callable(signal.getsignal(signal.SIGHUP)):
            os.kill(os.getpid(), signal.SIGHUP)  # a guardian waits for it
        else:
            self.tell(HungUp())

    def stop(self) -> None:
        """Read no more, once answers under way have come in."""
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
