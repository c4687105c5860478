"""The bytes that a plain differ of cells would send for a change of the screen: the floor of the wire.

Curses' way, from an unknown cursor and a fresh pen at every key.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.kit.emulator import SEEN, SWITCHES, Cell

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
