"""Reading the terminal: a loop for a thread of its own, and the answers that are still to come."""

from __future__ import annotations

import contextlib
import os
import select
from codecs import getincrementaldecoder
from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import Final

from tui.ui.terminal.input_parser import InputParser, Token

ASK: Final = "\x1b[5n"

LAST_ANSWER: Final = 0.5
"""Seconds to wait, when leaving, for an answer under way: it would be typed into the user's shell."""

EARLY: Final = 2.0
"""Seconds after the start in which a terminal that has not answered yet may still do so."""

CHUNK: Final = 65_536
INSTANT: Final = 0.001

AHEAD: Final = 512
"""Tokens handed on and not dealt with yet, beyond which nothing more is read: whatever floods in waits in the system's
own buffers, and then with whoever sends it."""


class InputReader:
    """Hands on what a terminal sends until `stop`; `loop` returns False when there is nothing to read from.

    Whoever takes a token says when it is dealt with (`done`), from one thread.
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
        # What is there was there in time, for all we know: a machine that stood still must not tear a key apart.
        if deadline is not None:
            now = min(now, deadline - INSTANT)
        return self._hand_on(self._parser.feed(self._decode(data), now))

    def _hand_on(self, tokens: list[Token]) -> bool:
        for token in tokens:
            self._taken += 1
            self._take(token)
        return True

    def _read(self) -> bytes:
        """What came; nothing at the end of input and for a terminal that is gone."""
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
        """Looks for questions in what is sent."""
        self._asked += data.count(ASK)

    def heard(self) -> None:
        """Counts an answer."""
        self._heard += 1
        self._answer.set()

    def wait(self) -> None:
        """Waits a little for what is still to come, unless this terminal has had time and said nothing."""
        now = monotonic()
        end = now + LAST_ANSWER
        while self._heard < self._asked and (self._heard or now < self._since + EARLY) and now < end:
            self._answer.wait(end - now)
            self._answer.clear()
            now = monotonic()
