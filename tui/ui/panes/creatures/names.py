"""Names in few columns: cut so that two still differ, and those who are alike in one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tui.core.base.text import numbered
from tui.ui.state.columns import cells, fit, pad
from tui.ui.state.glyphs import Glyphs

_split = lru_cache(maxsize=4096)(numbered)  # 1,000 creatures: 3,000 matches a key were 2 of 18 ms


def short(name: str, width: int, ellipsis: str) -> str:
    """The name in exactly `width` columns; cut before a number at its end, which tells two of a kind apart."""
    if cells(name) <= width:
        return pad(name, width)
    pair = _split(name)
    if pair and cells(pair[1]) + 3 <= width:
        stem = fit(pair[0], width - cells(pair[1]) - 1, ellipsis)
        # A wide letter may leave no room for any: then the name says more than the number.
        if stem.rstrip() != ellipsis:
            return pad(f"{stem} {pair[1]}", width)
    return pad(name, width, ellipsis=ellipsis)


def alike(names: Sequence[str], glyphs: Glyphs) -> str:
    """`Goblin 1-4`, `Rat 1, 3` for those who differ in their number; else all of them with commas."""
    found = [_split(n) for n in names]
    bases = {m[0] for m in found if m}
    if len(names) < 2 or not all(found) or len(bases) != 1:
        return ", ".join(names)
    numbers = sorted(int(m[1]) for m in found if m)
    return f"{bases.pop()} {', '.join(_runs(numbers, glyphs))}"


def together(names: Sequence[str], glyphs: Glyphs) -> str:
    """Names in the order in which they come, those that differ only in their number as one: `Bandit 2-6, Thane`."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(kind_of(name), []).append(name)
    return ", ".join(alike(some, glyphs) for some in kinds.values())


def kind_of(name: str) -> str:
    """The name without a number at its end."""
    pair = _split(name)
    return pair[0] if pair else name


def _runs(numbers: Iterable[int], glyphs: Glyphs) -> list[str]:
    runs: list[tuple[int, int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return [f"{a}" if a == b else f"{a}{glyphs.range}{b}" for a, b in runs]
