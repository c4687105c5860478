"""Read the terminal in a thread, and pass keys and answers in order to the loop that runs the program."""

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
from typing import Final

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
from tui.ui.wire.wire import ASK

LAST_ANSWER: Final = 0.5
"""How long to wait, when leaving, for an answer that would be typed into the user's shell, in seconds."""

EARLY_SECONDS: Final = 2.0
"""How long after the start a terminal may take for its first answer, in seconds."""

CHUNK: Final = 65_536
INSTANT_SECONDS: Final = 0.001

MOST_AHEAD: Final = 512
"""The most tokens that may be passed on without being handled; at this number reading pauses.

Further input waits in the system's buffers, and then with the sender.
"""


class InputReader:
    """Reads a terminal and passes on its tokens until `stop`.

    The receiver of a token calls `done` when it is handled, always from the same thread.
    """

    def __init__(self, number: int, escape_delay: float, take: Callable[[Token], None]) -> None:
        self._number, self._take = number, take
        self._parser = InputParser(escape_delay)
        # One bad byte must not end the program, and a character may be cut between two reads.
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._woken, self._wake = os.pipe()
        # Each is written by only one thread.
        self._taken = self._done = 0
        self._full = self._stopped = False

    def stop(self) -> None:
        """End the loop, from another thread."""
        self._stopped = True
        os.write(self._wake, b"!")

    def close(self) -> None:
        """Close the reader's own descriptors, after `loop` has returned."""
        os.close(self._wake)
        os.close(self._woken)

    def done(self) -> None:
        """Count a token as handled."""
        self._done += 1
        if self._full and not self._is_ahead():
            self._full = False
            os.write(self._wake, b".")

    def _is_ahead(self) -> bool:
        """Return whether `MOST_AHEAD` tokens are not handled yet."""
        return self._taken - self._done >= MOST_AHEAD

    def loop(self) -> bool:
        """Read until `stop`; return False if the input has ended. The thread sleeps while nothing comes."""
        try:
            while not self._stopped:
                if not self._turn():
                    return False
        finally:
            self._full = False
        return True

    def _turn(self) -> bool:
        """Wait for input or a deadline, and pass on the tokens; return False at the end of input."""
        deadline = self._parser.deadline()
        self._full = self._is_ahead()
        if self._full and self._is_ahead():
            # Nothing is dropped meanwhile: the rest of a sequence may be there, and is not read yet.
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
        # Input that is there came in time, as far as we know: a pause of the machine must not tear a key
        # apart.
        if deadline is not None:
            now = min(now, deadline - INSTANT_SECONDS)
        return self._hand_on(self._parser.feed(self._decode(data), now))

    def _hand_on(self, tokens: list[Token]) -> bool:
        for token in tokens:
            self._taken += 1
            self._take(token)
        return True

    def _read(self) -> bytes:
        """Return the input, b"" at its end or if the terminal is closed."""
        with contextlib.suppress(OSError):
            return os.read(self._number, CHUNK)
        return b""


class Answers:
    """Counts the questions sent and the answers received."""

    def __init__(self) -> None:
        self._asked = self._heard = 0
        self._since = monotonic()
        self._answer = Event()

    def sent(self, data: str) -> None:
        """Count the questions in output that is sent."""
        self._asked += data.count(ASK)

    def heard(self) -> None:
        """Count an answer of the terminal as received."""
        self._heard += 1
        self._answer.set()

    def wait(self) -> None:
        """Wait up to `LAST_ANSWER` for missing answers; not for a terminal that never answers."""
        now = monotonic()
        end = now + LAST_ANSWER
        while self._heard < self._asked and (self._heard or now < self._since + EARLY_SECONDS) and now < end:
            self._answer.wait(end - now)
            self._answer.clear()
            now = monotonic()


News = Key | Report

TURN_SECONDS: Final = 0.02
"""How long news are handled before the loop gets its turn, in seconds.

So signals are handled, however much is typed.
"""

MOST_NEWS: Final = 64
"""The most news in one turn of the loop.

The limit is needed because a listener may only note a key, and handle it after the turn.
"""


class InputThread:
    """Passes news to `listener`, on the loop's thread, with the times at which they came.

    News wait until the loop runs.
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
        # After the put: `hear` either sees these news, or is scheduled again here.
        if not self._asked:
            self._asked = True
            self._loop.soon(self.hear)

    @property
    def has_news(self) -> bool:
        """Whether news wait."""
        return not self._news.empty()

    def hear(self) -> None:
        """Pass on the news that wait, some of them if there are many."""
        self._asked = False
        end = monotonic() + TURN_SECONDS
        for _ in range(MOST_NEWS):
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
        self._loop.soon(self.hear)

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
        self.tell(token)

    def _read(self, reader: InputReader) -> None:
        """Run the reader; at the end of the input, end the program as SIGHUP does."""
        if reader.loop():
            return
        if callable(signal.getsignal(signal.SIGHUP)):
            os.kill(os.getpid(), signal.SIGHUP)  # a guardian waits for it
        else:
            self.tell(HungUp())

    def stop(self) -> None:
        """Stop reading, after waiting for missing answers, and drop input that was not read."""
        if self._reading is None:
            return
        (source, reader, thread), self._reading = self._reading, None
        if thread.is_alive():
            # An answer that comes after the input is closed would be typed into the user's shell.
            self.answers.wait()
        reader.stop()
        thread.join()
        reader.close()
        with contextlib.suppress(termios.error):
            # Keys typed while we left were meant for us, not for the shell.
            termios.tcflush(source, termios.TCIFLUSH)
