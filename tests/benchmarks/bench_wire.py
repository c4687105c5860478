"""The wire alone: a small four-pane app and a fight of 60 keys, beside stock output and a minimal differ.

    python -m tests.benchmarks.bench_wire

Bytes per key are medians. "need" is what a plain cell differ would send for the same change of the screen:
curses' way, from an unknown cursor and a fresh pen at every key. CPU is the whole process, the app included.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.ui.wire.emulator import SEEN, SWITCHES, Cell
from tests.ui.wire.ptyrun import SAMPLE, Pty
from tests.ui.wire.test_wire import BAUD_9600, Line, held_key

FIGHT = ["n"] * 20 + ["down"] * 5 + ["d"] * 6 + ["up"] * 3 + ["n"] * 15 + ["a", "escape"] * 2 + ["d"] * 7
"""Turns, a mark that moves, damage, a dialog that opens and closes: 60 keys."""

CODES = {name: str(code) for code, name in SWITCHES.items()}


def colour(value: str, base: int) -> str:
    """The SGR parameters of one of the emulator's colours."""
    if not value:
        return str(base + 9)
    if value.startswith("#"):
        number = int(value[1:])
        return str(base + number if number < 8 else base + 52 + number)
    return f"{base + 8};2;{';'.join(str(int(value[i : i + 2], 16)) for i in (0, 2, 4))}"


def pen(old: Cell, new: Cell) -> int:
    """The bytes of the shortest change of pen, by switches or from a reset."""
    on = [CODES[name] for name in new.attrs - old.attrs]
    parts = [colour(new.fg, 30)] * (old.fg != new.fg) + [colour(new.bg, 40)] * (old.bg != new.bg) + on
    fresh = [colour(new.fg, 30)] * bool(new.fg) + [colour(new.bg, 40)] * bool(new.bg)
    fresh += [CODES[name] for name in new.attrs]
    reset = 3 + sum(1 + len(code) for code in fresh)
    steps = (2 + sum(1 + len(code) for code in parts)) if parts else 0
    return reset if old.attrs - new.attrs else min(steps, reset)


def move(at: tuple[int, int] | None, y: int, x: int) -> int:
    """The bytes of the shortest move: absolute, within the line, or to the start of the next."""
    ways = [len(f"\x1b[{y + 1};{x + 1}H") if x else len(f"\x1b[{y + 1}H")]
    if at is not None and at[0] == y:
        ways += [0] if at[1] == x else [len(f"\x1b[{x - at[1]}C")] if x > at[1] else [at[1] - x]
    if at is not None and (y, x) == (at[0] + 1, 0):
        ways.append(2)
    return min(ways)


def need(before: list[list[Cell]], after: list[list[Cell]]) -> int:
    """The bytes a plain cell differ sends: changed cells, small gaps drawn over, blank tails erased."""
    total, held = 0, Cell()
    at: tuple[int, int] | None = None
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        changed = [x for x, (a, b) in enumerate(zip(old, new, strict=True)) if a.seen() != b.seen()]
        tail = len(new)
        while tail and new[tail - 1].data == " " and new[tail - 1].seen() == new[-1].seen():
            tail -= 1
        for i, x in enumerate(changed):
            if x >= tail and len(changed) - i > 3:
                total, at, held = total + move(at, y, x) + pen(held, new[-1]) + 3, (y, x), new[-1]
                break
            if (
                at is not None
                and at[0] == y
                and 0 < x - at[1] < 4
                and all(plain(held, c) for c in new[at[1] : x])
            ):
                total += sum(len(cell.data.encode()) for cell in new[at[1] : x])
            else:
                total += move(at, y, x)
            if not plain(held, new[x]):
                total, held = total + pen(held, new[x]), new[x]
            total, at = total + len(new[x].data.encode()), (y, x + 1)
    return total


FARTHEST = 8
"""Rows that a block may be scrolled by."""
MOST = 2
"""Blocks that are tried."""

Looks = list[tuple[object, ...]]
"""A row of cells as they look."""


def least(before: list[list[Cell]], after: list[list[Cell]]) -> int:
    """Return the bytes of the best plain differ, with or without the best scroll of a block."""
    return min([need(before, after), *_scrolled(before, after)])


def _scrolled(before: list[list[Cell]], after: list[list[Cell]]) -> Iterator[int]:
    blanks = [Cell()] * len(after[0])
    old, new = [_seen(row) for row in before], [_seen(row) for row in after]
    found = [
        (top, bottom, by)
        for by in (*range(-FARTHEST, 0), *range(1, FARTHEST + 1))
        for top, bottom in _blocks(old, new, by)
    ]
    for top, bottom, by in sorted(found, key=lambda block: 2 * abs(block[2]) - block[1] + block[0])[:MOST]:
        block, gap = before[top : bottom + 1], [blanks] * abs(by)
        moved = block[by:] + gap if by > 0 else gap + block[:by]
        sequence = f"\x1b[{top + 1};{bottom + 1}r\x1b[{bottom + 1}H" + "\n" * abs(by) + "\x1b[r"
        yield len(sequence) + need([*before[:top], *moved, *before[bottom + 1 :]], after)


def _blocks(before: list[Looks], after: list[Looks], by: int) -> Iterator[tuple[int, int]]:
    """The blocks of rows that stood so many rows lower before, with what they uncover."""
    hits = [
        y for y in range(len(after)) if 0 <= y + by < len(before) and after[y] == before[y + by] != before[y]
    ]
    start = 0
    for i, y in enumerate(hits):
        if i + 1 == len(hits) or hits[i + 1] != y + 1:
            yield hits[start] + min(by, 0), y + max(by, 0)
            start = i + 1


def _seen(row: list[Cell]) -> Looks:
    return [cell.seen() for cell in row]


def plain(held: Cell, cell: Cell) -> bool:
    """Whether a cell can be drawn with the pen as it is."""
    blank = cell.data == " " and not (cell.attrs | held.attrs) & SEEN
    return held.bg == cell.bg and (blank or (held.fg, held.attrs) == (cell.fg, cell.attrs))


@dataclass
class Played:
    """What one output did with the fight."""

    start: int = 0
    per_key: dict[str, list[int]] = field(default_factory=dict)
    wanted: dict[str, list[int]] = field(default_factory=dict)
    cpu: float = 0.0


def snapshot(one: Pty) -> list[list[Cell]]:
    """Every cell of the screen."""
    screen = one.terminal
    return [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]


def play(command: list[str]) -> Played:
    """Run the fight, key by key, each one settled before the next."""
    played = Played()
    with Pty(command) as one:
        one.sees("READY")
        one.quiet(0.5)
        played.start = len(one.raw)
        begun = time.clock_gettime((~one.process.pid << 3) | 2)
        for key in FIGHT:
            before, sent = snapshot(one), len(one.raw)
            one.press(key)
            one.pump(1.0)
            one.quiet(0.15)
            played.per_key.setdefault(key, []).append(len(one.raw) - sent)
            played.wanted.setdefault(key, []).append(need(before, snapshot(one)))
        played.cpu = (time.clock_gettime((~one.process.pid << 3) | 2) - begun) * 1000 / len(FIGHT)
    return played


def main() -> int:
    """Print the table."""
    frugal, stock = play(SAMPLE), play([*SAMPLE, "--stock"])
    print(f"{'key':10}{'stock':>9}{'need':>9}{'wire':>9}{'wire/need':>11}")
    print(f"{'(start)':10}{stock.start:>9}{'':>9}{frugal.start:>9}")
    for key, sizes in frugal.per_key.items():
        wanted, sent = statistics.median(frugal.wanted[key]), statistics.median(sizes)
        usual = statistics.median(stock.per_key[key])
        print(f"{key:10}{usual:>9.0f}{wanted:>9.0f}{sent:>9.0f}{sent / wanted:>11.2f}")
    wanted, sent, usual = (
        sum(map(sum, part.values())) for part in (frugal.wanted, frugal.per_key, stock.per_key)
    )
    print(f"{'60 keys':10}{usual:>9}{wanted:>9}{sent:>9}{sent / wanted:>11.2f}")
    print(f"CPU per key: stock {stock.cpu:.1f} ms, wire {frugal.cpu:.1f} ms")
    lag = held_key(Line(BAUD_9600, 0.15), 30, 15)
    print(
        "9600 baud, 150 ms there and back, 30 held keys at 15 a second (virtual time):"
        f" settled {lag:.2f} s after"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
