"""HTML in one file: no scripts, nothing loaded."""

from __future__ import annotations

from collections.abc import Iterator

from tui.exchange.story.story import (
    COLUMNS,
    GIVEN_NOTE,
    Story,
    StoryFormat,
    write_clock,
    write_figure_cells,
    write_passage_heading,
    write_round_heading,
    write_subtitle,
    write_title,
)

_UNPRINTABLE = dict.fromkeys([*range(32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])


def escape_xml(text: str) -> str:
    """Return a text for XML or HTML: markup characters as entities, forbidden characters removed."""
    plain = text.translate(_UNPRINTABLE)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        plain = plain.replace(char, entity)
    return plain


_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;"
    "padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{padding:.2rem .5rem;text-align:left;"
    "border-bottom:1px solid GrayText}ul{margin:.2rem 0}h3{margin:.8rem 0 0}"
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
