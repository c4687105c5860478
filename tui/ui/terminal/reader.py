"""Reading the terminal: a loop for a thread of its own, and the answers that are still to come."""

from __future__ import annotations

import contextlib
import os
import select
from codecs import getincrementaldecoder
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from tui.ui.terminal.input_parser import InputParser, Token

if TYPE_CHECKING:
    from collections.abc import Callable

ASK: Final = "\x1b[5n"

LAST_ANSWER: Final = 0.5
"""Seconds to wait, when leaving, for an answer under way: it would be typed into the user's shell."""

EARLY: Final = 2.0
"""Seconds after the start in which a terminal that has not answered yet may still do so."""

CHUNK: Final = 65_536


class InputReader:
    """Hands on what a terminal sends until `stop`; `loop` returns False when there is nothing to read from."""

    def __init__(self, number: int, escape_delay: float, take: Callable[[Token], None]) -> None:
        self._number, self._take = number, take
        self._parser = InputParser(escape_delay)
        # One bad byte must not end the program, and a letter may be cut between two reads.
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._woken, self._wake = os.pipe()

    def stop(self) -> None:
        """Ends the loop, from another thread."""
        os.write(self._wake, b"!")

    def close(self) -> None:
        """Lets go of what the loop used, once it has ended."""
        os.close(self._wake)
        os.close(self._woken)

    def loop(self) -> bool:
        """Read; sleeps while nothing comes."""
        while True:
            deadline = self._parser.deadline()
            wait = None if deadline is None else max(0.0, deadline - monotonic())
            ready = select.select([self._number, self._woken], [], [], wait)[0]
            if self._woken in ready:
                return True
            # Before the new bytes: what waited too long must not be joined to them.
            tokens = self._parser.tick(monotonic())
            if self._number in ready:
                if not (data := self._read()):
                    return False
                tokens += self._parser.feed(self._decode(data), monotonic())
            for token in tokens:
                self._take(token)

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
