"""HTML, one file: no scripts, nothing fetched, plots inside."""

from __future__ import annotations

from collections.abc import Iterator

from tui.exchange.story.story import (
    COLUMNS,
    GIVEN,
    Fight,
    Story,
    StoryFormat,
    beneath,
    cells,
    clock,
    heading,
    of_passage,
    of_round,
)
from tui.exchange.story.writers.svg import escaped, hit_points, order

_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;"
    "padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{padding:.2rem .5rem;text-align:left;"
    "border-bottom:1px solid GrayText}svg{max-width:100%;height:auto}ul{margin:.2rem 0}h3{margin:.8rem 0 0}"
)


_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write(fight: Fight) -> str:
    """Return the story as a page."""
    title = escaped(heading(fight.story))
    head = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # Should anything ever slip through, no browser runs or fetches it.
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
    ]
    return "\n".join([*head, *_body(fight.story), "</body></html>"]) + "\n"


def _body(story: Story) -> Iterator[str]:
    yield f"<p>{escaped(beneath(story))}</p>"
    if story.figures:
        yield from ("<h2>Figures</h2>", "<table>", _row(COLUMNS, "th"))
        yield from (_row(cells(figure), "td") for figure in story.figures)
        yield from ("</table>", f"<p>{escaped(GIVEN)}</p>")
    yield from (f"<figure>{plot}</figure>" for plot in (hit_points(story), order(story)) if plot)
    if story.players:
        yield "<h2>Time</h2><ul>"
        yield from (f"<li>{escaped(name)}: {clock(n)}</li>" for name, n in story.players.items())
        yield "</ul>"
    for one in story.rounds:
        yield f"<h2>{escaped(of_round(one))}</h2>"
        for passage in one.passages:
            if title := of_passage(passage):
                yield f"<h3>{escaped(title)}</h3>"
            yield f"<ul>{''.join(f'<li>{escaped(line)}</li>' for line in passage.lines)}</ul>"


def _row(texts: tuple[str, ...], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escaped(x)}</{tag}>' for x in texts)}</tr>"


HTML = StoryFormat("html", "a page, one file", write)
