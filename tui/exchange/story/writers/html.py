"""HTML in one file: no scripts, nothing loaded, plots included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tui.exchange.story.story import (
    COLUMNS,
    GIVEN_NOTE,
    Point,
    Story,
    StoryFormat,
    write_clock,
    write_figure_cells,
    write_passage_heading,
    write_round_heading,
    write_subtitle,
    write_title,
)

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


_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;"
    "padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{padding:.2rem .5rem;text-align:left;"
    "border-bottom:1px solid GrayText}svg{max-width:100%;height:auto}ul{margin:.2rem 0}h3{margin:.8rem 0 0}"
)


_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write(story: Story) -> str:
    """Return the story as an HTML page."""
    title = escape_xml(write_title(story))
    head = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # Should anything ever slip through, no browser runs or fetches it.
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
    ]
    return "\n".join([*head, *_write_body(story), "</body></html>"]) + "\n"


def _write_body(story: Story) -> Iterator[str]:
    yield f"<p>{escape_xml(write_subtitle(story))}</p>"
    if story.figures:
        yield from ("<h2>Figures</h2>", "<table>", _write_row(COLUMNS, "th"))
        yield from (_write_row(write_figure_cells(figure), "td") for figure in story.figures)
        yield from ("</table>", f"<p>{escape_xml(GIVEN_NOTE)}</p>")
    yield from (f"<figure>{plot}</figure>" for plot in (plot_hit_points(story), plot_order(story)) if plot)
    if story.players:
        yield "<h2>Time</h2><ul>"
        yield from (f"<li>{escape_xml(name)}: {write_clock(n)}</li>" for name, n in story.players.items())
        yield "</ul>"
    for one in story.rounds:
        yield f"<h2>{escape_xml(write_round_heading(one))}</h2>"
        for passage in one.passages:
            if title := write_passage_heading(passage):
                yield f"<h3>{escape_xml(title)}</h3>"
            yield f"<ul>{''.join(f'<li>{escape_xml(line)}</li>' for line in passage.lines)}</ul>"


def _write_row(texts: tuple[str, ...], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape_xml(x)}</{tag}>' for x in texts)}</tr>"


HTML = StoryFormat("html", "a page, one file", write)
