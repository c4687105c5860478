"""Draw the plots of a page: hit points over the fight, and the order of turns over the rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from tui.exchange.story.story import Point, Story

WIDTH, HEIGHT, LEFT_MARGIN, TOP = 640, 240, 36, 28
LEGEND = 160
MOST_LINES = 12
"""The most lines in a plot; the first ones are drawn."""

MOST_DOTS = 60
"""The most points of a line that are drawn as dots; more would run into each other."""

PALETTE = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
    "#8c564b", "#5f5fd7", "#6b8e23", "#b22222", "#708090", "#008080",
)  # fmt: skip
"""Colours that colour-blind readers can distinguish; lines also differ in their dashes."""

_UNPRINTABLE = dict.fromkeys([*range(32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])


def escape_xml(text: str) -> str:
    """Return a text for XML or HTML: markup characters as entities, forbidden characters removed."""
    plain = text.translate(_UNPRINTABLE)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        plain = plain.replace(char, entity)
    return plain


def plot_hit_points(story: Story) -> str:
    """Return a plot of hit points, a stepped line for each creature; "" if none may be shown."""
    series: dict[str, list[Point]] = {}
    for point in story.points:
        series.setdefault(point.who, []).append(point)
    lines = {who: series[who] for who in _list_hurt(story)}
    end = max((p.at for p in story.points), default=0)
    top = max((max(p.hp, p.most or 0) for points in lines.values() for p in points), default=0)
    paths = []
    for points in list(lines.values())[:MOST_LINES]:
        steps = [(points[0].at, points[0].hp)]
        for before, point in pairwise(points):
            # A step: the points stay until they change.
            steps += [(point.at, before.hp), (point.at, point.hp)]
        paths.append([*steps, (end, points[-1].hp)])
    return _draw_plot("Hit points", list(lines), paths, end, top, _assign_pens(story), low_first=False)


def plot_order(story: Story) -> str:
    """Return a plot of each creature's place in the order of turns by round; "" before the first turn."""
    rounds = [r for r in story.rounds if r.order]
    names = _list_by_first_turn(story)
    paths = [[(r.number, r.order.index(name) + 1) for r in rounds if name in r.order] for name in names]
    top = max((len(r.order) for r in rounds), default=0)
    last = max((r.number for r in rounds), default=0)
    return _draw_plot(
        "Order of turns", names, paths[:MOST_LINES], last, top, _assign_pens(story), low_first=True
    )


def _list_hurt(story: Story) -> list[str]:
    """Return the names of creatures whose hit points changed, in order."""
    count = Counter(point.who for point in story.points)
    return [who for who, points in count.items() if points > 1]


def _list_by_first_turn(story: Story) -> list[str]:
    """Return the names of the entries that had a turn, in the order of their first turns."""
    return list(dict.fromkeys(name for r in story.rounds for name in r.order))


def _assign_pens(story: Story) -> dict[str, int]:
    """Return a pen (index of PALETTE) for each drawn name, the same in both plots."""
    hurt, ordered = _list_hurt(story)[:MOST_LINES], _list_by_first_turn(story)[:MOST_LINES]
    pens = {name: pen for pen, name in enumerate(hurt)}
    used_pens = {pens[name] for name in ordered if name in pens}
    # A pen that no plot has comes first, then one of the other plot.
    free = (pen for pen in (*range(len(hurt), MOST_LINES), *range(len(hurt))) if pen not in used_pens)
    return pens | dict(zip((name for name in ordered if name not in pens), free, strict=False))


def _draw_plot(
    title: str,
    names: Sequence[str],
    paths: Sequence[Sequence[tuple[int, int]]],
    across: int,
    up: int,
    pens: dict[str, int],
    *,
    low_first: bool,
) -> str:
    """Return a plot of lines with a legend, "" without lines; with `low_first`, 1 is at the top."""
    if not paths:
        return ""
    start = 1 if low_first else 0

    def spot(x: int, y: int) -> str:
        right = (x - start) / max(1, across - start) * (WIDTH - LEFT_MARGIN - LEGEND - 12)
        down = (y - start) / max(1, up - start)
        return (
            f"{LEFT_MARGIN + right:.1f},{TOP + (down if low_first else 1 - down) * (HEIGHT - TOP - 24):.1f}"
        )

    body = [f'<text x="{LEFT_MARGIN}" y="16" font-weight="bold">{escape_xml(title)}</text>']
    marks = sorted({start, up})
    body += [f'<text x="4" y="{spot(start, mark).partition(",")[2]}">{mark}</text>' for mark in marks]
    for at, (name, path) in enumerate(zip(names, paths, strict=False)):
        number = pens[name]
        ink = PALETTE[number % len(PALETTE)]
        dash = f' stroke-dasharray="{2 + number // 4 * 3},{number // 4 * 2}"' if number >= 4 else ""
        points = " ".join(spot(x, y) for x, y in path)
        pen = f'fill="none" stroke="{ink}" stroke-width="2"{dash}'
        body.append(f'<polyline points="{points}" {pen}><title>{escape_xml(name)}</title></polyline>')
        if len(path) <= MOST_DOTS:
            body += [_draw_dot(spot(x, y), ink) for x, y in path]
        high = TOP + at * 16
        body.append(f'<rect x="{WIDTH - LEGEND}" y="{high - 4}" width="12" height="4" fill="{ink}"/>')
        body.append(
            f'<text x="{WIDTH - LEGEND + 18}" y="{high + 2}">{escape_xml(_shorten_legend(name))}</text>'
        )
    if len(names) > MOST_LINES:
        place = f'x="{WIDTH - LEGEND}" y="{TOP + MOST_LINES * 16}"'
        body.append(f"<text {place}>and {len(names) - MOST_LINES} more</text>")
    return "\n".join([_open_svg(HEIGHT, escape_xml(title)), *body, "</svg>"])


def _draw_dot(at: str, colour: str) -> str:
    x, _, y = at.partition(",")
    return f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>'


def _open_svg(height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}"'
        f' role="img" aria-label="{title}" font-family="sans-serif" font-size="11" fill="currentColor">'
    )


def _shorten_legend(name: str) -> str:
    return name if len(name) <= 22 else name[:21] + "…"
