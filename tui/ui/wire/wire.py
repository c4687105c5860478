"""Send frames in as few bytes as possible, with at most one frame in flight.

A frame that asks ends with `CSI 5 n`; until the answer (`CSI 0 n`) nothing more is sent, so that a slow line
never holds more than one frame. Small frames within a limited credit do not ask. Times are arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final, Protocol, assert_never

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
from tui.ui.wire.pens import PLAIN, Pen, blank, transition
from tui.ui.wire.stroke import PenState, Stroke, changes, move, size

AFRESH: Final = 0.8
"""A frame that clears the screen flickers, so it is only used if it is shorter by this factor."""

SETTLE: Final = "\x0f\x1b(B\x1b[r\x1b[?7;25l"
"""Sets character set, margins, wrapping and cursor as the wire needs them, after an error."""


def _background(rows: Sequence[CellRow], can: Abilities) -> Pen:
    """Return the blank pen that covers most of the screen and that clearing can produce."""
    counts = Counter(chain.from_iterable(row.pens for row in rows))
    usual = (pen for pen, _ in counts.most_common() if pen.erases and (can.erases_in_colour or not pen.bg))
    return blank(next(usual, PLAIN))


class Screen:
    """The rows that the terminal shows; `frame` returns the bytes to other rows.

    `point` is the cell (row, column) at which the cursor is shown after a frame; None hides it.
    """

    def __init__(self) -> None:
        self.rows: list[CellRow] | None = None
        self.hand = PenState()
        self.point: tuple[int, int] | None = None
        self._astray = self._pointing = False

    def forget(self, *, astray: bool = False) -> None:
        """Forget the rows: the next frame draws all of them. `astray`: also set the modes again."""
        self.rows, self.hand = None, PenState()
        self._astray |= astray
        self._pointing = False

    def frame(self, target: Sequence[CellRow], can: Abilities) -> str:
        """Return the bytes after which the terminal shows `target`; they count as sent.

        The rows must not change afterwards.
        """
        prefix = SETTLE if self._astray else ""
        stroke = self._redraw(target, can) if self.rows is None else self._update(self.rows, target, can)
        self.rows = [*target]
        self.hand, self._astray = stroke.hand, False
        return prefix + stroke.text() + self._point_cursor(can)

    def _point_cursor(self, can: Abilities) -> str:
        """Return the bytes that put the cursor at the point, and show it if it is hidden.

        Returns "" without a point.
        """
        if self.point is None or self.rows is None:
            return ""
        y, x = (min(self.point[0], len(self.rows) - 1), min(self.point[1], len(self.rows[0].texts) - 1))
        codes = move((self.hand.y, self.hand.x), (y, x), linefeed=can.linefeed)
        self.hand = PenState(y, x, self.hand.pen)
        shown, self._pointing = "" if self._pointing else "\x1b[?25h", True
        return codes + shown

    def _update(self, rows: list[CellRow], target: Sequence[CellRow], can: Abilities) -> Stroke:
        """Return the shortest of drawing by row, by pen, after scrolling, and on a cleared screen."""
        changed = [y for y, row in enumerate(rows) if not row.same(target[y])]
        # One changed row is never cheaper to scroll than to draw.
        if can.scrolls and len(changed) > 1 and (shift := stroke.find_scroll(rows, target, changed)):
            choices = self._draw_after_scroll(shift, rows, target, can)
        else:
            choices = self._both_ways(rows, target, self.hand, can)
        best = min(choices, key=_bytes)
        # Clearing is only tried if drawing every character could be shorter.
        if (limit := AFRESH * _bytes(best)) > sum(len(row.texts) - row.texts.count(" ") for row in target):
            fresh = self._redraw(target, can)
            best = fresh if _bytes(fresh) < limit else best
        return best

    def _draw_after_scroll(
        self, shift: stroke.Scroll, rows: list[CellRow], target: Sequence[CellRow], can: Abilities
    ) -> list[Stroke]:
        """Return strokes that draw after the terminal has moved a block.

        What the uncovered rows show depends on the terminal, unless the background is its own.
        """
        plain = self.hand.pen is not None and not self.hand.pen.bg
        width = len(target[0].texts)
        shifted = shift.apply_to(rows, CellRow.filled_with(width) if plain else CellRow.make_unknown(width))
        return self._both_ways(shifted, target, PenState(shift.edge, 0, self.hand.pen), can, shift.sequence())

    @staticmethod
    def _both_ways(
        rows: Sequence[CellRow], target: Sequence[CellRow], hand: PenState, can: Abilities, prefix: str = ""
    ) -> list[Stroke]:
        """Return a stroke that draws row by row, and one that draws pen by pen."""
        changed = changes(rows, target)
        by_row, by_pen = (Stroke(replace(hand), can, [prefix]) for _ in range(2))
        by_row.rows(rows, target, changed)
        by_pen.layers(rows, target, changed)
        return [by_row, by_pen]

    def _redraw(self, target: Sequence[CellRow], can: Abilities) -> Stroke:
        """Return a stroke that draws on a screen cleared in its most frequent background.

        Only pen by pen: in 57 frames of all samples that was always a quarter shorter than row by row.
        """
        pen = _background(target, can)
        wiped = [CellRow.filled_with(len(row.texts), pen) for row in target]
        stroke = Stroke(PenState(0, 0, pen), can, [f"{transition(self.hand.pen, pen)}\x1b[H\x1b[J"])
        stroke.layers(wiped, target, changes(wiped, target))
        return stroke


def _bytes(stroke: Stroke) -> int:
    return size(stroke.text())


ASK: Final = "\x1b[5n"

SLOWEST: Final = 240.0
"""Bytes a second that are sent without asking on an unknown line: a quarter of 9600 baud."""

FASTEST: Final = 4000.0
PURSE: Final = 0.4
"""Seconds of credit that may be saved up: 96 bytes on the slowest line."""

UNASKED: Final = 1536
"""Bytes after which a frame asks in any case, because a fast line may have become slow."""

PATIENCE: Final = 0.5
"""Seconds to wait for an answer from a terminal that has never answered.

No frame waits for it: meanwhile `UNASKED` bytes may be sent, then as many as an unknown line bears. Some
terminals never answer, and a key must not wait.
"""

TRUST: Final = 2.0
TRICKLE: Final = 120.0
"""Bytes a second: a terminal that has answered gets TRUST seconds and the time of the frame at this speed."""

MANNERS: Final = 0.05
"""Seconds that the first frame waits for the terminal to report its name, which only saves bytes."""

SWIFT: Final = 0.25
"""Seconds that a user does not notice."""

NUDGE: Final = 1.0
"""Seconds after which a repaint that the user asks for no longer waits for an answer."""

MISSES: Final = 2
"""Missed answers in a row after which the clock stops asking."""

BLIND: Final = 9600.0
"""Bytes a second that are assumed if the terminal does not answer."""


class Clock(Struct):
    """Tracks frames in flight, the speed of the line, and whether the terminal answers."""

    wait_end: float | None = None
    """When waiting for an answer ends, None if none is awaited."""
    asked_at: float | None = None
    """When the frame that awaits an answer was sent, None for none."""
    bytes_in_flight: int = 0
    """Bytes of the last frame that asked."""
    misses: int = 0
    """Missed answers in a row."""
    has_answered: bool = False
    """Whether the terminal has ever answered."""
    speed: float = SLOWEST
    """Measured speed in bytes a second."""
    credit: float = SLOWEST * PURSE
    """Bytes that may be sent without asking."""
    credit_at: float = 0.0
    """When `credit` was last updated."""
    bytes_unasked: int = 0
    """Bytes sent without asking since the last question."""
    answers_due: int = 0
    """Answers that are still to come."""
    bytes_ahead: int = 0
    """Bytes sent without an answer to a terminal that has never answered."""
    sent_at: float = 0.0
    """When such bytes will have been sent, at `BLIND`."""

    def free(self, now: float) -> bool:
        """Return whether a frame may be sent."""
        if self.wait_end is None or now >= self.wait_end:
            return True
        return self._never_answered and (self.bytes_ahead < UNASKED or now >= self.sent_at)

    @property
    def _never_answered(self) -> bool:
        """Whether a terminal was asked that has never answered, and may never do so."""
        return self.asked_at is not None and not self.has_answered

    def wakes(self, now: float) -> float:
        """Return the seconds until a frame may be sent."""
        if self.wait_end is None or self.free(now):
            return 0.0
        return (min(self.wait_end, self.sent_at) if self._never_answered else self.wait_end) - now

    def send(self, size: int, now: float) -> bool:
        """Count a frame of `size` bytes as sent; return whether it must ask."""
        # A quarter of the measured speed: frames that do not ask are not timed, and must never fill the line.
        grant = self.speed / 4 if self.speed > 4 * SLOWEST else SLOWEST
        self.credit = min(self.credit + grant * (now - self.credit_at), grant * PURSE)
        self.credit_at = now
        if self._never_answered:
            self.bytes_ahead += size
            self.sent_at = now + size / BLIND
            return False
        if self.misses >= MISSES:
            self.wait_end, self.asked_at = now + size / BLIND, None
            return False
        if size <= self.credit and self.bytes_unasked + size <= UNASKED:
            self.credit -= size
            self.bytes_unasked += size
            return False
        self.asked_at, self.bytes_in_flight, self.bytes_unasked = now, size, 0
        self.bytes_ahead, self.sent_at = 0, now + size / BLIND
        self.wait_end = now + (TRUST + size / TRICKLE if self.has_answered else PATIENCE)
        self.answers_due += 1
        return True

    def answered(self, now: float) -> None:
        """Handle an answer; the last one that is owed ends the wait and measures the speed."""
        self.has_answered, self.misses, self.answers_due = True, 0, max(0, self.answers_due - 1)
        # An answer to an older frame says nothing about the one in flight.
        if self.answers_due:
            return
        # Tiny frames measure the round trip, not the speed of the line.
        if self.asked_at is not None and self.bytes_in_flight > 2 * len(ASK):
            seen = self.bytes_in_flight / max(now - self.asked_at, 0.001)
            # At most halved: one delay of the network should not make the next minute slow.
            self.speed = min(max(seen, self.speed / 2, SLOWEST), 4 * FASTEST)
        self.wait_end = self.asked_at = None

    def expire(self, now: float) -> None:
        """Stop waiting if the time has come."""
        if self.wait_end is not None and now >= self.wait_end:
            if self.asked_at is not None:
                self.misses, self.answers_due = self.misses + 1, 0
            self.wait_end = self.asked_at = None

    def restart(self) -> None:
        """Stop waiting, and forget missed answers, so that the next frame may ask."""
        self.wait_end = self.asked_at = None
        self.misses = 0

    def nudge(self, now: float) -> None:
        """Stop waiting for the user's repaint, unless the line may be busy with what was sent just now."""
        if self.asked_at is None or now >= self.asked_at + NUDGE:
            self.restart()

    def begin(self, now: float) -> None:
        """Wait a moment for the answers to the questions asked at the start, which save bytes."""
        self.restart()
        self.wait_end, self.answers_due = now + MANNERS, 1

    def swift(self, size: int) -> bool:
        """Return whether a frame of `size` bytes arrives about as fast as it is drawn."""
        return size <= SWIFT * self.speed


SYNC_AT: Final = 1024
"""Bytes of a frame from which mode 2026 is worth its 16 bytes: less arrives in one piece anyway.

On a slow line it is never used: a screen that builds up is better than one that stays empty.
"""

SYNC_BEGIN: Final = "\x1b[?2026h"
SYNC_END: Final = "\x1b[?2026l"


RETRY: Final = 0.02
"""Seconds until a busy line is checked again, while something waits."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel it."""


class Port(Protocol):
    """What the wire needs from outside: writing bytes, the time, scheduled calls."""

    def write(self, data: str) -> None:
        """Pass bytes to the terminal without waiting."""

    def busy(self) -> bool:
        """Return whether earlier bytes have not left this machine yet."""

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
        """Show these rows from now on; they must not change afterwards."""
        if _size(rows) != _size(self._target):
            self._screen.forget()
        self._target = [row.in_ascii() for row in rows] if self.can.ascii_only else rows
        self.flush()

    def show_at_once(self, rows: Sequence[CellRow]) -> None:
        """Send these rows without waiting for the terminal's name.

        Its answer could not be read yet.
        """
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
        if self.can.synchronizes and length >= SYNC_AT and self._clock.swift(length):
            frame = f"{SYNC_BEGIN}{frame}{SYNC_END}"
        if self._clock.send(length, now):
            frame += ASK
        self._line.write(frame)

    def _wake(self, now: float) -> None:
        """Set the timer for a missing answer or a busy line.

        Only while something waits to be drawn: an idle program has no timer.
        """
        self._rest()
        self._timer = self._line.later(max(RETRY, self._clock.wakes(now)), self._woken)

    def _woken(self) -> None:
        self._timer = None
        self.flush()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def hear(self, report: Report, when: float | None = None) -> None:
        """Handle a report of the terminal at a time, None for now; pastes belong to the program."""
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
            case _:
                assert_never(report)

    def answered(self, when: float | None = None) -> None:
        """Handle the terminal's answer to a frame, which came at a time, None for now."""
        self._rest()
        self._clock.answered(self._line.now() if when is None else when)
        self.flush()

    def learn(self, *, program: str = "", synchronizes: bool = False) -> None:
        """Update the abilities by what the terminal has reported."""
        self.can = self.can.with_program(program) if program else self.can
        self.can = replace(self.can, synchronizes=self.can.synchronizes or synchronizes)

    def open(self, *, linefeed: bool, when: float | None = None) -> None:
        """Start, or restart after a suspension: the modes are set, and what the terminal shows is unknown.

        `when`: the time at which it was asked for its name, None for now.
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
        """Forget what is shown, after an error."""
        self._screen.forget(astray=True)
        self._clock.restart()

    def repaint(self, *, astray: bool = True) -> None:
        """Draw everything again (ctrl+l); `astray`: also set the terminal's modes again."""
        self._screen.forget(astray=astray)
        self._clock.nudge(self._line.now())
        self.flush()


def _size(rows: Sequence[CellRow]) -> tuple[int, int]:
    return (len(rows[0].texts) if rows else 0), len(rows)
