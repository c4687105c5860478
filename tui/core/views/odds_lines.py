"""Write odds as a table and bars, or the order that is known already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

from msgspec import Struct

from tui.core.base.text import clusters, series
from tui.core.views.forecast import Odds, RowOdds

NAME_WIDTH = 20
"""The width of a name, in columns."""


class PlotPens(Struct, frozen=True):
    """The characters of plots: `steps` from an empty to a full column, and `bar`; `width` in columns.

    `joint` comes between the parts of a heading.
    """

    steps: str
    bar: str
    width: int
    joint: str


BLOCKS = PlotPens(" ▁▂▃▄▅▆▇█", "█", 80, " · ")
ASCII_ONLY = PlotPens(" .:-=+*#@", "#", 80, " - ")
NO_PLOTS = PlotPens("", "", 80, ", ")
"""The pen for a screen reader: figures without plots."""


def odds_lines(title: str, line: str, result: Odds, whose: Sequence[RowOdds], pen: PlotPens) -> list[str]:
    """Return the odds as lines: assumptions, the table, the bars of `whose`, further results of the dice."""
    method = (
        f"played {result.runs} times, error {result.error():.0%}" if result.runs else "the order is rolled"
    )
    heading = pen.joint.join([title.replace(" · ", pen.joint), f"round {result.encounter.round}", method])
    head = wrap_text(heading, pen.width)
    head += [line] if line else []
    others = [x for x in result.lines if x != line]
    head += wrap_text(f"assuming: {'; '.join(others)}", pen.width) if others else []
    if not result.runs:
        names = ", ".join(series([row.name for row in result.rows])) or "no creature has a place in it"
        return [*head, "", *wrap_text(names, pen.width)]
    parts = [head, _table(result, pen), *(bars(row, pen) for row in whose)]
    parts += [[f"{chance:>5.0%}  {text}" for text, chance in result.beside]]
    return [x for part in parts if part for x in (*part, "")][:-1]


def _table(result: Odds, pen: PlotPens) -> list[str]:
    """Return a line for each row: expected place, chance to stand before every foe, a strip of all places."""
    most = max((len(row.places) for row in result.rows), default=0)
    strip = bool(pen.steps) and most <= pen.width - NAME_WIDTH - 33
    head = f"{'':<{NAME_WIDTH}} {'':<10} {'place':>7} {'before foes':>12}"
    lines = [head + (f"  1 to {most}" if strip else "")]
    foes = len({row.side for row in result.rows}) > 1
    for row in result.rows:
        before = f"{row.before:.0%}" if foes else "-"
        line = f"{fit(row.name, NAME_WIDTH)} {fit(row.side, 10)} {row.mean:>7.1f} {before:>12}"
        lines.append((line + ("  " + _strip(row.places, pen) if strip else "")).rstrip())
    return lines


def _strip(places: Sequence[float], pen: PlotPens) -> str:
    """Return every place as a column, the most likely one full; a place that occurred is never empty."""
    top, last = max(places, default=0) or 1, len(pen.steps) - 1
    return "".join(pen.steps[max(1, round(p / top * last)) if p > 0 else 0] for p in places)


def bars(row: RowOdds, pen: PlotPens) -> list[str]:
    """Return the places of one row as bars, and the numbers that it had."""
    lines = [f"{row.name}: the place, {row.mean:.1f} on average"]
    if row.acts < 1 - 1e-6:
        lines[0] += f"; has none: {1 - row.acts:.0%}"
    lines += _plot(enumerate(row.places, 1), pen)
    if len(row.numbers) > 1:
        low, high = min(row.numbers), max(row.numbers)
        lines += ["", f"{row.name}: the number"]
        lines += _plot(((n, row.numbers.get(n, 0.0)) for n in range(low, high + 1)), pen)
    return lines


def _plot(chances: Iterable[tuple[int, float]], pen: PlotPens) -> list[str]:
    pairs = list(chances)
    top, room = max((p for _, p in pairs), default=0) or 1, min(60, pen.width - 14)
    return [f"{n:>5} {p:>5.0%}  {pen.bar * round(p / top * room)}".rstrip() for n, p in pairs]


# --- columns


def columns(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    return sum(0 if combining(x) else 2 if east_asian_width(x) in "WF" else 1 for x in text)


def fit(text: str, width: int) -> str:
    """Return the text in exactly `width` columns, cut at its end."""
    kept = ""
    for one in clusters(text):
        if columns(kept + one) > width:
            break
        kept += one
    return kept + " " * (width - columns(kept))


def wrap_text(text: str, width: int) -> list[str]:
    """Return the text in lines of at most `width` columns, broken at spaces; later ones are indented."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if columns(longer) <= width or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines.append("  " + word)
    return lines
