"""Send frames in as few bytes as possible, with at most one frame in flight.

A frame that asks ends with `CSI 5 n`; until the answer (`CSI 0 n`) nothing more is sent, so that a slow line
never holds more than one frame. Small frames within a limited credit do not ask. Times are arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.terminal.input_parser import (
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
from tui.ui.wire import stroke
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import PLAIN, Pen, transition
from tui.ui.wire.stroke import PenState, Stroke, changes, move, size

RESET_MODES: Final = "\x0f\x1b(B\x1b[r\x1b[?7;25l"
"""Sets character set, margins, wrapping and cursor for the wire; sent after an error."""


def _background(rows: Sequence[CellRow], can: Abilities) -> Pen:
    """Return the pen that covers most of the screen and whose spaces clearing can produce."""
    counts = Counter(chain.from_iterable(row.pens for row in rows))
    usual = (pen for pen, _ in counts.most_common() if pen.erases and (can.erases_in_colour or not pen.bg))
    return next(usual, PLAIN)


class Screen:
    """The rows that the terminal shows; `frame` returns the bytes that change them to other rows.

    `point` is the cell (row, column) at which the cursor is shown after a frame; None hides the cursor.
    """

    def __init__(self) -> None:
        self.rows: list[CellRow] | None = None
        self.hand = PenState()
        self.point: tuple[int, int] | None = None
        self._astray = self._pointing = False

    def forget(self, *, astray: bool = False) -> None:
        """Forget the rows, so that the next frame draws everything; `astray` also sets the modes again."""
        self.rows, self.hand = None, PenState()
        self._astray |= astray
        self._pointing = False

    def frame(self, target: Sequence[CellRow], can: Abilities) -> str:
        """Return the bytes after which the terminal shows `target`; they count as sent.

        The rows must not change afterwards.
        """
        prefix = RESET_MODES if self._astray else ""
        stroke = self._redraw(target, can) if self.rows is None else self._update(self.rows, target, can)
        self.rows = [*target]
        self.hand, self._astray = stroke.hand, False
        return prefix + stroke.text() + self._point_cursor(can)

    def _point_cursor(self, can: Abilities) -> str:
        """Return the bytes that put the cursor at `point` and show it if hidden; "" without a point."""
        if self.point is None or self.rows is None:
            return ""
        y, x = (min(self.point[0], len(self.rows) - 1), min(self.point[1], len(self.rows[0].texts) - 1))
        codes = move((self.hand.y, self.hand.x), (y, x), linefeed=can.linefeed)
        self.hand = PenState(y, x, self.hand.pen)
        shown, self._pointing = "" if self._pointing else "\x1b[?25h", True
        return codes + shown

    def _update(self, rows: list[CellRow], target: Sequence[CellRow], can: Abilities) -> Stroke:
        """Return a stroke that draws the changes, pen by pen; if rows have moved, after a scroll.

        More ways were not worth their time: in 1,500 frames of all samples a cleared screen saved no bytes,
        row by row 0.1 % (1 % without colours), moving the end of a row 0.7 %.
        """
        changed = [y for y, row in enumerate(rows) if not row.same(target[y])]
        hand, prefix = self.hand, ""
        # One changed row is never cheaper to scroll than to draw.
        if can.scrolls and len(changed) > 1 and (shift := stroke.find_scroll(rows, target, changed)):
            plain, width = hand.pen is not None and not hand.pen.bg, len(target[0].texts)
            # The colour of uncovered rows depends on the terminal, unless it is the terminal's own.
            rows = shift.apply_to(rows, CellRow.filled_with(width) if plain else CellRow.make_unknown(width))
            hand, prefix = PenState(shift.edge, 0, hand.pen), shift.sequence()
        drawn = Stroke(replace(hand), can, [prefix])
        drawn.layers(target, changes(rows, target))
        return drawn

    def _redraw(self, target: Sequence[CellRow], can: Abilities) -> Stroke:
        """Return a stroke that draws on a screen cleared in its most frequent background."""
        pen = _background(target, can)
        wiped = [CellRow.filled_with(len(row.texts), pen) for row in target]
        stroke = Stroke(PenState(0, 0, pen), can, [f"{transition(self.hand.pen, pen)}\x1b[H\x1b[J"])
        stroke.layers(target, changes(wiped, target))
        return stroke


ASK: Final = "\x1b[5n"

SLOWEST_SPEED: Final = 240.0
"""The speed of an unknown line, in bytes a second: a quarter of 9600 baud."""

FASTEST_SPEED: Final = 4000.0
CREDIT_SECONDS: Final = 0.4
"""How much credit may be saved up, in seconds: on the slowest line 96 bytes."""

MOST_UNASKED: Final = 1536
"""How many bytes may be sent without a question; then a frame asks, because a fast line may have become slow.
"""

FIRST_ANSWER_SECONDS: Final = 0.5
"""How long to wait for a terminal that has never answered, in seconds.

No frame waits that long: meanwhile `MOST_UNASKED` bytes may be sent, then as many as an unknown line bears.
Some terminals never answer, and a key must not wait.
"""

ANSWER_SECONDS: Final = 2.0
LEAST_SPEED: Final = 120.0
"""The speed in bytes a second by which the wait for an answer is computed, in addition to ANSWER_SECONDS."""

NAME_SECONDS: Final = 0.05
"""How long the first frame waits for the terminal's name, in seconds; the name only saves bytes."""

SWIFT_SECONDS: Final = 0.25
"""A delay that users do not notice, in seconds."""

REPAINT_SECONDS: Final = 1.0
"""How long a repaint that the user asks for may wait for an answer, in seconds."""

MOST_MISSES: Final = 2
"""How many answers in a row may be missing before the clock stops asking."""

ASSUMED_SPEED: Final = 9600.0
"""The speed in bytes a second that is assumed for a terminal that does not answer."""


class Clock(Struct):
    """Tracks frames in flight, the speed of the line, and whether the terminal answers."""

    wait_end: float | None = None
    """When waiting for an answer ends, None if none is awaited."""
    asked_at: float | None = None
    """When the frame that awaits an answer was sent, None for none."""
    bytes_in_flight: int = 0
    """The size of the last frame that asked, in bytes."""
    misses: int = 0
    """How many answers in a row were missing."""
    has_answered: bool = False
    """Whether the terminal has ever answered."""
    speed: float = SLOWEST_SPEED
    """The measured speed of the line, in bytes a second."""
    credit: float = SLOWEST_SPEED * CREDIT_SECONDS
    """How many bytes may be sent without asking."""
    credit_at: float = 0.0
    """When `credit` was last updated."""
    bytes_unasked: int = 0
    """How many bytes were sent without asking since the last question."""
    answers_due: int = 0
    """How many answers are still missing."""
    bytes_ahead: int = 0
    """How many bytes were sent since the last question to a terminal that has never answered."""
    sent_at: float = 0.0
    """When the latest of the bytes in `bytes_ahead` will have arrived, assuming the speed `ASSUMED_SPEED`."""

    def free(self, now: float) -> bool:
        """Return whether a frame may be sent."""
        if self.wait_end is None or now >= self.wait_end:
            return True
        return self._never_answered and (self.bytes_ahead < MOST_UNASKED or now >= self.sent_at)

    @property
    def _never_answered(self) -> bool:
        """Whether a terminal that has never answered was asked."""
        return self.asked_at is not None and not self.has_answered

    def wait_time(self, now: float) -> float:
        """Return the seconds until a frame may be sent."""
        if self.wait_end is None or self.free(now):
            return 0.0
        return (min(self.wait_end, self.sent_at) if self._never_answered else self.wait_end) - now

    def send(self, size: int, now: float) -> bool:
        """Count a frame of `size` bytes as sent; return whether it must ask."""
        # A quarter of the measured speed: frames that do not ask are not timed, and must never fill the line.
        grant = self.speed / 4 if self.speed > 4 * SLOWEST_SPEED else SLOWEST_SPEED
        self.credit = min(self.credit + grant * (now - self.credit_at), grant * CREDIT_SECONDS)
        self.credit_at = now
        if self._never_answered:
            self.bytes_ahead += size
            self.sent_at = now + size / ASSUMED_SPEED
            return False
        if self.misses >= MOST_MISSES:
            self.wait_end, self.asked_at = now + size / ASSUMED_SPEED, None
            return False
        if size <= self.credit and self.bytes_unasked + size <= MOST_UNASKED:
            self.credit -= size
            self.bytes_unasked += size
            return False
        self.asked_at, self.bytes_in_flight, self.bytes_unasked = now, size, 0
        self.bytes_ahead, self.sent_at = 0, now + size / ASSUMED_SPEED
        self.wait_end = now + (
            ANSWER_SECONDS + size / LEAST_SPEED if self.has_answered else FIRST_ANSWER_SECONDS
        )
        self.answers_due += 1
        return True

    def answered(self, now: float) -> None:
        """Handle an answer; the last missing one ends the wait, and measures the line's speed."""
        self.has_answered, self.misses, self.answers_due = True, 0, max(0, self.answers_due - 1)
        # An answer to an older frame says nothing about the one in flight.
        if self.answers_due:
            return
        # Tiny frames measure the round trip, not the speed of the line.
        if self.asked_at is not None and self.bytes_in_flight > 2 * len(ASK):
            seen = self.bytes_in_flight / max(now - self.asked_at, 0.001)
            # At most halved: one delay of the network should not make the next minute slow.
            self.speed = min(max(seen, self.speed / 2, SLOWEST_SPEED), 4 * FASTEST_SPEED)
        self.wait_end = self.asked_at = None

    def expire(self, now: float) -> None:
        """Stop waiting for an answer whose time is up, and count it as missing."""
        if self.wait_end is not None and now >= self.wait_end:
            if self.asked_at is not None:
                self.misses, self.answers_due = self.misses + 1, 0
            self.wait_end = self.asked_at = None

    def restart(self) -> None:
        """Stop waiting, and forget missed answers, so that the next frame may ask."""
        self.wait_end = self.asked_at = None
        self.misses = 0

    def nudge(self, now: float) -> None:
        """Stop waiting because the user asks for a repaint, unless the last question was just sent."""
        if self.asked_at is None or now >= self.asked_at + REPAINT_SECONDS:
            self.restart()

    def begin(self, now: float) -> None:
        """Wait up to `NAME_SECONDS` for the answers to the questions at the start; they save bytes."""
        self.restart()
        self.wait_end, self.answers_due = now + NAME_SECONDS, 1

    def is_swift(self, size: int) -> bool:
        """Return whether a frame of `size` bytes arrives within `SWIFT_SECONDS`."""
        return size <= SWIFT_SECONDS * self.speed


SYNC_AT: Final = 1024
"""The size of a frame in bytes from which mode 2026 is used; smaller ones arrive in one piece anyway.

The mode costs 16 bytes. It is never used on a slow line: a screen that builds up is better than one that
stays empty.
"""

SYNC_BEGIN: Final = "\x1b[?2026h"
SYNC_END: Final = "\x1b[?2026l"


RETRY_SECONDS: Final = 0.02
"""How long to wait before a busy line is checked again, in seconds, while something waits."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


class Port(Protocol):
    """What the wire needs from outside: a place for its bytes, the time, and scheduled calls."""

    def write(self, data: str) -> None:
        """Pass bytes to the terminal without waiting."""

    def busy(self) -> bool:
        """Return whether earlier bytes are still on this machine."""

    def now(self) -> float:
        """Return the seconds of a clock that never runs backwards."""

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Call after `delay` seconds."""


class Wire:
    """Keeps the rows wanted and the rows shown, and sends frames until they are the same."""

    def __init__(self, line: Port, can: Abilities) -> None:
        self.can = can
        self._line = line
        self._target: Sequence[CellRow] = ()
        self._screen, self._clock = Screen(), Clock()
        self._timer: Timer | None = None
        self._size: tuple[int, int] | None = None
        self._held = True

    def show(self, rows: Sequence[CellRow]) -> None:
        """Show these rows from now on; the caller must not change them afterwards."""
        if _size(rows) != _size(self._target):
            self._screen.forget()
        self._target = [row.in_ascii() for row in rows] if self.can.ascii_only else rows
        self.flush()

    def show_at_once(self, rows: Sequence[CellRow]) -> None:
        """Send these rows without waiting for the terminal's name, which cannot be read yet."""
        self._clock.restart()
        self.show(rows)

    def point(self, x: int, y: int) -> None:
        """Show the terminal's cursor at this column and line after every frame, for screen readers."""
        self._screen.point = (y, x)

    def flush(self) -> None:
        """Send a frame if the line is free and the rows wanted differ from the rows shown."""
        now = self._line.now()
        # First, because a terminal that has stopped answering would hold the frame for ever.
        self._clock.expire(now)
        if self._held or not self._target or self._awaits_size():
            return
        # The rows wanted change meanwhile: rows that were never sent are never drawn.
        if not self._clock.free(now) or self._line.busy():
            self._wake(now)
        elif frame := self._screen.frame(self._target, self.can):
            self._send(frame, now)

    def _awaits_size(self) -> bool:
        return self._size is not None and self._size != _size(self._target)

    def _send(self, frame: str, now: float) -> None:
        length = size(frame)
        if self.can.synchronizes and length >= SYNC_AT and self._clock.is_swift(length):
            frame = f"{SYNC_BEGIN}{frame}{SYNC_END}"
        if self._clock.send(length, now):
            frame += ASK
        self._line.write(frame)

    def _wake(self, now: float) -> None:
        """Set the timer for a missing answer or a busy line, if anything waits to be drawn.

        An idle program has no timer.
        """
        self._rest()
        self._timer = self._line.later(max(RETRY_SECONDS, self._clock.wait_time(now)), self._fire_timer)

    def _fire_timer(self) -> None:
        self._timer = None
        self.flush()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def hear(self, report: Report, when: float | None = None) -> None:
        """Handle a report of the terminal that came at the time `when`, None for now; pastes are ignored."""
        match report:
            case Answered():
                self.answered(when)
            case Named(program):
                self.learn(program=program)
            case Synchronizes():
                self.learn(synchronizes=True)
            case Started(linefeed):
                self.open(linefeed=linefeed, when=when)
            case Stopped():
                self.hold()
            case Resized(width, height):
                self.resized(width, height)
            case Pasted() | HungUp():
                pass

    def answered(self, when: float | None = None) -> None:
        """Handle the terminal's answer to a frame, which came at the time `when`, None for now."""
        self._rest()
        self._clock.answered(self._line.now() if when is None else when)
        self.flush()

    def learn(self, *, program: str = "", synchronizes: bool = False) -> None:
        """Add the abilities that the terminal has reported."""
        self.can = self.can.with_program(program) if program else self.can
        self.can = replace(self.can, synchronizes=self.can.synchronizes or synchronizes)

    def open(self, *, linefeed: bool, when: float | None = None) -> None:
        """Start, or restart after a suspension: set the modes, and take the screen's contents as unknown.

        `when` is the time at which the terminal was asked for its name, None for now.
        """
        self.can = replace(self.can, linefeed=linefeed)
        self._held = False
        self._clock.begin(self._line.now() if when is None else when)
        self._screen.forget()
        self.flush()

    def hold(self) -> None:
        """Send nothing more until `open`."""
        self._held = True
        self._rest()

    def resized(self, width: int, height: int) -> None:
        """Wait for rows of the new size, and draw all of them; the same size is drawn again at once."""
        self._size = (width, height)
        self._screen.forget()
        self.flush()

    def distrust(self) -> None:
        """Forget the contents of the screen, because an error may have damaged it."""
        self._screen.forget(astray=True)
        self._clock.restart()

    def repaint(self) -> None:
        """Draw everything again, and set the terminal's modes again (ctrl+l)."""
        self._screen.forget(astray=True)
        self._clock.nudge(self._line.now())
        self.flush()


def _size(rows: Sequence[CellRow]) -> tuple[int, int]:
    return (len(rows[0].texts) if rows else 0), len(rows)
