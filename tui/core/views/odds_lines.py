"""Write odds as a table, or the order that is known already."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from tui.core.base.text import clusters, columns, series
from tui.core.views.forecast import Odds

NAME_WIDTH = 20
"""The width of a name, in columns."""


BLOCKS, ASCII_STEPS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588", " .:-=+*#@"
"""The characters of a strip of places, from an empty to a full column."""


def odds_lines(title: str, line: str, result: Odds, steps: str, width: int = 76) -> list[str]:
    """Return the odds as lines of at most `width` columns: assumptions, the table, other results of the dice.

    `steps` are the characters of the strips; "" leaves them out, for a screen reader.
    """
    method = (
        f"played {result.runs} times, error {result.error():.0%}" if result.runs else "the order is rolled"
    )
    others = [x for x in result.lines if x != line]
    head = wrap(f"{title}, round {result.encounter.round}, {method}", width)
    head += [line] if line else []
    head += wrap(f"assuming: {'; '.join(others)}", width, subsequent_indent="  ") if others else []
    if not result.runs:
        names = ", ".join(series([row.name for row in result.rows])) or "no creature has a place in it"
        return [*head, "", *wrap(names, width)]
    beside = [f"{chance:>5.0%}  {text}" for text, chance in result.beside]
    return [*head, "", *_draw_table(result, steps, width), *(["", *beside] if beside else [])]


def _draw_table(result: Odds, steps: str, width: int) -> list[str]:
    """Return a line for each row: expected place, chance to stand before every foe, a strip of all places."""
    most = max((len(row.places) for row in result.rows), default=0)
    has_strip = bool(steps) and most <= width - NAME_WIDTH - 33
    head = f"{'':<{NAME_WIDTH}} {'':<10} {'place':>7} {'before foes':>12}"
    lines = [head + (f"  1 to {most}" if has_strip else "")]
    foes = len({row.side for row in result.rows}) > 1
    for row in result.rows:
        before = f"{row.before:.0%}" if foes else "-"
        line = f"{fit(row.name, NAME_WIDTH)} {fit(row.side, 10)} {row.mean:>7.1f} {before:>12}"
        lines.append((line + ("  " + _strip(row.places, steps) if has_strip else "")).rstrip())
    return lines


def _strip(places: Sequence[float], steps: str) -> str:
    """Return every place as a column, the most likely one full; a place that occurred is never empty."""
    top, last = max(places, default=0) or 1, len(steps) - 1
    return "".join(steps[max(1, round(p / top * last)) if p > 0 else 0] for p in places)


# --- columns


def fit(text: str, width: int) -> str:
    """Return the text in exactly `width` columns, cut at its end."""
    kept = ""
    for one in clusters(text):
        if columns(kept + one) > width:
            break
        kept += one
    return kept + " " * (width - columns(kept))
