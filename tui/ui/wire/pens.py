"""Pens: how a cell is drawn, and the shortest SGR sequence from one pen to another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

ON: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "21", "51", "52", "53")
"""SGR parameter of each attribute, in the order of Rich's attribute bits."""

OFF: Final = (
    ("22", 0b11),
    ("23", 1 << 2),
    ("24", 1 << 3 | 1 << 9),
    ("25", 0b11 << 4),
    ("27", 1 << 6),
    ("28", 1 << 7),
    ("29", 1 << 8),
    ("54", 0b11 << 10),
    ("55", 1 << 12),
)
"""What each "off" parameter takes away (ECMA-48): bold and dim go together, and so on."""

SEEN: Final = 1 << 3 | 1 << 6 | 0b11111 << 8
"""Attributes that show on a blank cell: underlines, reverse, strike, frames, overline."""


class Pen(NamedTuple):
    """Colours as SGR parameters ("" is the terminal's own) and attributes as Rich's bits."""

    fg: str = ""
    bg: str = ""
    attrs: int = 0

    @property
    def erases(self) -> bool:
        """Whether a blank in this pen is what an erased cell looks like."""
        return not self.attrs & SEEN


PLAIN: Final = Pen()


@lru_cache(maxsize=4096)
def blank(pen: Pen) -> Pen:
    """All pens that draw a space alike have the same blank: the foreground is not seen."""
    return pen if pen.attrs & SEEN else Pen("", pen.bg, 0)


def _switches(old: int, new: int) -> Iterator[str]:
    # Off before on: `22` takes bold and dim together, and what stays must be switched on again after it.
    for code, bits in OFF:
        if old & bits & ~new:
            yield code
            old &= ~bits
    for bit, code in enumerate(ON):
        if new & ~old & 1 << bit:
            yield code


def _sgr(parameters: list[str]) -> str:
    return f"\x1b[{';'.join(parameters)}m"


@lru_cache(maxsize=8192)
def transition(old: Pen | None, new: Pen) -> str:
    """The shortest SGR from `old` (None: unknown) to `new`: changes, or reset and set."""
    if old == new:
        return ""
    fresh = [code for code in (new.fg, new.bg, *_switches(0, new.attrs)) if code]
    reset = _sgr(["", *fresh] if fresh else [])
    if old is None:
        return reset
    steps = list(_switches(old.attrs, new.attrs))
    if old.fg != new.fg:
        steps.append(new.fg or "39")
    if old.bg != new.bg:
        steps.append(new.bg or "49")
    return min(_sgr(steps), reset, key=len)


@lru_cache(maxsize=8192)
def dress(old: Pen | None, want: Pen) -> Pen:
    """The pen, cheapest to reach from `old`, that draws a space as the blank `want` does."""
    if old is None or want.attrs & SEEN:
        return want
    if blank(old) == want:
        return old
    # A blank shows no foreground, so the old one may stay and need not be sent.
    kept = Pen(old.fg, want.bg, old.attrs & ~SEEN)
    return min(kept, want, key=lambda pen: len(transition(old, pen)))
