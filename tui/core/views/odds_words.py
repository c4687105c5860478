"""Odds in lines for people: a table of the rows, bars for one of them, and the systems side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from unicodedata import combining, east_asian_width

from msgspec import Struct

from tui.core.fight.encounter import Encounter, active
from tui.core.fight.text import clusters
from tui.core.odds.spread import Spread, mean
from tui.core.odds.standing import error
from tui.core.views.odds import Compared, Odds, RowOdds, row_of

NAME = 20
"""Columns of a name."""


class PlotPens(Struct, frozen=True):
    """What plots are drawn with: `steps` from nothing to a full column, `bar`, and the columns of the terminal."""

    steps: str
    bar: str
    width: int
    dot: str


BLOCKS = PlotPens(" ▁▂▃▄▅▆▇█", "█", 80, "·")
ASCII_ONLY = PlotPens(" .:-=+*#@", "#", 80, "-")
SPOKEN = PlotPens("", "", 80, ",")
"""For a screen reader: figures without plots."""


def odds_lines(title: str, line: str, found: Odds, whose: Sequence[RowOdds], pen: PlotPens) -> list[str]:
    """One answer: what was taken for granted, the table, the bars of `whose`, what else the dice decide."""
    how = "exact" if not found.runs else f"simulated: {found.runs:,} runs, ±{_most(found):.1%} at the most"
    said = [title.replace("·", pen.dot), f"round {found.encounter.round}", how]
    head = [f" {pen.dot} ".join(said)]
    head += [line] if line else []
    others = [x for x in found.lines if x != line]
    head += wrapped(f"as if: {'; '.join(others)}", pen.width) if others else []
    parts = [head, _table(found, pen)]
    parts += [bars(row, pen) for row in whose]
    tail = [f"{x.chance:>7.1%}  {x.text}" for x in found.beside]
    parts += [tail] if tail else []
    parts += [[x for text in found.given for x in wrapped(f"taken for granted: {text}", pen.width)]]
    return [x for part in parts if part for x in (*part, "")][:-1]


def _most(found: Odds) -> float:
    """The greatest standard error of all chances that are shown."""
    return max(
        error(p, found.runs) for row in found.rows for p in (*row.standing.places, row.standing.before)
    )


def _table(found: Odds, pen: PlotPens) -> list[str]:
    """A line for each row: the place to be expected, the chance to act before every foe, and all places as a strip."""
    later = any(row.later for row in found.rows)
    most = max((len(row.standing.places) for row in found.rows), default=0)
    wide = NAME + 11 + 8 + 13 + (13 if later else 0)
    head = f"{'':<{NAME}} {'':<10} {'place':>7} {'before foes':>12}" + (f" {'later':>12}" if later else "")
    strip = bool(pen.steps) and most <= pen.width - wide - 1
    lines = [head + (f"  1 to {most}" if strip else "")]
    foes = len({row.side for row in found.rows}) > 1
    for row in found.rows:
        before = f"{row.standing.before:.1%}" if foes else "-"
        said = f"{fit(row.name, NAME)} {fit(row.side, 10)} {row.standing.mean:>7.1f} {before:>12}"
        said += f" {row.later.before:>12.1%}" if row.later else " " * 13 if later else ""
        lines.append((said + ("  " + _strip(row.standing.places, pen) if strip else "")).rstrip())
    return lines


def _strip(places: Sequence[float], pen: PlotPens) -> str:
    """Every place as a column, the most likely one full; one that is possible is never blank."""
    top, last = max(places, default=0) or 1, len(pen.steps) - 1
    return "".join(pen.steps[max(1, round(p / top * last)) if p > 0 else 0] for p in places)


def bars(row: RowOdds, pen: PlotPens) -> list[str]:
    """The places of one row as bars, and in a line what it throws."""
    lines = [f"{row.name}: the place, {row.standing.mean:.1f} on average"]
    if row.standing.acts < 1 - 1e-6:
        lines[0] += f"; does not act: {1 - row.standing.acts:.1%}"
    lines += _plot(enumerate(row.standing.places, 1), pen)
    if len(row.total) > 1:
        lines += [
            "",
            f"{row.name}: the number, {min(row.total)} to {max(row.total)}, {mean(row.total):.1f} on average",
        ]
        lines += _plot(_filled(row.total), pen)
    return lines


def _filled(total: Spread) -> Iterable[tuple[int, float]]:
    return ((n, total.get(n, 0.0)) for n in range(min(total), max(total) + 1))


def _plot(found: Iterable[tuple[int, float]], pen: PlotPens) -> list[str]:
    pairs = list(found)
    top, room = max((p for _, p in pairs), default=0) or 1, min(60, pen.width - 16)
    return [f"{n:>5} {p:>7.1%}  {pen.bar * round(p / top * room)}".rstrip() for n, p in pairs]


# --- systems side by side


def compared_lines(e: Encounter, found: Sequence[Compared], pen: PlotPens) -> list[str]:
    """Three tables, creatures down, systems across: before every foe, the wait, the swing."""
    told = [(one.system, one.odds) for one in found if one.odds]
    people = active(e)
    tables: list[tuple[str, Callable[[Odds, RowOdds], str]]] = [
        ("chance to act before every foe, first round", lambda _, row: f"{row.standing.before:.0%}"),
        ("turns of others to wait for, first round", lambda _, row: f"{row.standing.wait:.1f}"),
        ("places that two rounds lie apart", _swing),
    ]
    lines: list[str] = []
    for title, cell in tables:
        lines += [title, _across(name for name, _ in told)]
        for c in people:
            rows = [(x, row_of(x, c.id)) for _, x in told]
            lines.append(fit(c.name, NAME) + "".join(f"{cell(x, r) if r else '-':>{WIDE}}" for x, r in rows))
        lines.append("")
    for one in found:
        if one.odds is None:
            lines += wrapped(f"{one.system}: cannot order these: {one.why}", pen.width)
            continue
        how = f"simulated, {one.odds.runs:,} runs, ±{_most(one.odds):.1%}" if one.odds.runs else "exact"
        more = [f"{x.text} {x.chance:.0%}" for x in one.odds.beside]
        lines += wrapped(
            f"{one.system}: {how}; {'; '.join([*one.odds.lines, *one.odds.given, *more])}", pen.width
        )
    return lines


WIDE = 10
"""Columns of a figure of one system."""


def _swing(found: Odds, row: RowOdds) -> str:
    return "?" if found.kept is None else "kept" if found.kept else f"{row.standing.swing:.1f}"


def _across(names: Iterable[str]) -> str:
    """The systems as a heading; a long id says its last word alone."""
    short = [name if len(name) < WIDE else name.rsplit("-", 1)[-1] for name in names]
    return " " * NAME + "".join(f"{name[: WIDE - 1]:>{WIDE}}" for name in short)


# --- columns


def columns(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return sum(0 if combining(x) else 2 if east_asian_width(x) in "WF" else 1 for x in text)


def fit(text: str, width: int) -> str:
    """The text in exactly so many columns, cut at its end."""
    kept = ""
    for one in clusters(text):
        if columns(kept + one) > width:
            break
        kept += one
    return kept + " " * (width - columns(kept))


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most so many columns, broken at blanks; those after the first are put in by two."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if columns(longer) <= width or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines.append("  " + word)
    return lines
