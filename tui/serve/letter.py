"""A line of a player on its way from the server's thread to the loop of the writer, and the answer to it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from math import ceil
from threading import Lock
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

MOST_WAITING: Final = 64
"""The most lines that wait for the writer's loop; more are answered `again`."""

BEGIN_SECONDS: Final = 5.0
"""A line that has not begun after so many seconds is never begun."""

MOST_LINES: Final = 30
"""How many lines a viewer may send in a row."""

LINES_A_SECOND: Final = 2.0
"""How many of these lines a viewer regains per second."""

MOST_BYTES: Final = 60_000
"""How many bytes a viewer may send in a row: a few times the longest order."""

BYTES_A_SECOND: Final = 600.0
"""How many bytes a viewer regains per second; a save has room for eight that send for a whole evening."""


class LineReply(Struct, frozen=True):
    """The answer to a line. `read` answers a line that was only to be read, `words` how it reads."""

    became: Literal["taken", "refused", "again", "read"]
    why: str = ""
    hint: str = ""
    words: dict[str, tuple[str, ...]] | UnsetType = UNSET


SEND_AGAIN: Final = "send it again"
LATE: Final = LineReply("again", "the GM's program is busy", SEND_AGAIN)


class Posted(Struct, frozen=True, forbid_unknown_fields=True):
    """What a browser sends: the line, its id, and the number of the page that the browser showed.

    `read`: the line is not run; the answer says how it reads.
    """

    id: Annotated[str, Meta(pattern=r"\A[a-z0-9-]{8,40}\Z")]
    moment: Annotated[int, Meta(ge=0, le=2**53)]
    line: str
    read: bool = False


class SentLine:
    """A line that waits. Either the writer begins it, or it is given up; never both."""

    def __init__(self, viewer: str, key: str, sent: Posted, answer: Callable[[LineReply], None]) -> None:
        """Hold the line of a viewer, sent to the address with `key`; `answer` is called once."""
        self.viewer, self.key, self.sent = viewer, key, sent
        self._answer, self._lock = answer, Lock()
        self._until = time.monotonic() + BEGIN_SECONDS
        self._state: Literal["waits", "begun", "over"] = "waits"

    @property
    def seconds_left(self) -> float:
        """How long the line may still wait, in seconds."""
        return max(0.0, self._until - time.monotonic())

    def begin(self) -> bool:
        """Return whether the line may be run now; it is then not given up any more."""
        with self._lock:
            if self._state == "waits" and time.monotonic() < self._until:
                self._state = "begun"
                return True
        self.give_up()
        return False

    def give_up(self) -> None:
        """Answer `again`, unless the line has begun."""
        with self._lock:
            if self._state != "waits":
                return
            self._state = "over"
        self._answer(LATE)

    def reply(self, reply: LineReply) -> None:
        """Answer a line that has begun, once."""
        with self._lock:
            if self._state == "over":
                return
            self._state = "over"
        self._answer(reply)


class Mailbox:
    """The lines and wishes that the server's thread hands to the writer's loop, which `wake` wakes."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._letters: deque[SentLine] = deque()
        self._lock = Lock()

    def put(self, letter: SentLine) -> bool:
        """Hand over a line; return False if `MOST_WAITING` wait already."""
        with self._lock:
            if len(self._letters) >= MOST_WAITING:
                return False
            self._letters.append(letter)
        self._wake()
        return True

    def take(self) -> SentLine | None:
        """Return the line that has waited longest, None for none."""
        with self._lock:
            return self._letters.popleft() if self._letters else None

    def drop(self, viewer: str | None = None) -> None:
        """Give up the lines of a viewer, or all lines."""
        with self._lock:
            gone = [x for x in self._letters if viewer is None or x.viewer == viewer]
            self._letters = deque(x for x in self._letters if x not in gone)
        for letter in gone:
            letter.give_up()


class _Left(Struct, frozen=True):
    """The lines and bytes that a viewer may still send, as counted at the time `at`."""

    at: float
    lines: float = MOST_LINES
    size: float = MOST_BYTES


class Pace:
    """Limits the rate at which each viewer sends."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, _Left] = {}

    def wait(self, viewer: str, size: int) -> int:
        """Count a line of `size` bytes; return how many whole seconds it has to wait, 0 for none."""
        now = self._clock()
        before = self._left.get(viewer, _Left(now))
        passed = max(0.0, now - before.at)
        lines = min(MOST_LINES, before.lines + passed * LINES_A_SECOND)
        room = min(MOST_BYTES, before.size + passed * BYTES_A_SECOND)
        if lines < 1 or room < size:
            self._left[viewer] = _Left(now, lines, room)
            return ceil(max((1 - lines) / LINES_A_SECOND, (size - room) / BYTES_A_SECOND))
        self._left[viewer] = _Left(now, lines - 1, room - size)
        return 0
