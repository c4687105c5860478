"""Markdown, for a campaign's notes."""

from __future__ import annotations

import re
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

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#!|~&$^=]|:(?=//)")
_LEADING_SIGN = re.compile(r"^(?:[+-](?=\s|$|[+-])|\d+(?=[.)]))")


def escape_markdown(text: str) -> str:
    """Return a text in which Markdown finds no markup."""
    # The beginning of a list is escaped, too: `1.`, `-`.
    words = _SPECIAL.sub(lambda m: "\\" + m[0], " ".join(text.split()))
    return _LEADING_SIGN.sub(lambda m: f"\\{m[0]}" if m[0] in "+-" else f"{m[0]}\\", words)


def write(story: Story) -> str:
    """Return the story as Markdown: figures first, then round by round."""
    return "\n".join(_write_story(story)).rstrip() + "\n"


def _write_story(story: Story) -> Iterator[str]:
    yield from (f"# {escape_markdown(write_title(story))}", "", escape_markdown(write_subtitle(story)), "")
    if story.figures:
        yield from ("## Figures", "", _write_row(COLUMNS), _write_row(("---",) * len(COLUMNS)))
        yield from (_write_row(tuple(map(escape_markdown, write_figure_cells(f)))) for f in story.figures)
        yield from ("", GIVEN_NOTE, "")
    if story.players:
        yield from ("## Time", "")
        yield from (f"- {escape_markdown(name)}: {write_clock(n)}" for name, n in story.players.items())
        yield ""
    for one in story.rounds:
        yield from (f"## {write_round_heading(one)}", "")
        for passage in one.passages:
            if title := write_passage_heading(passage):
                yield from (f"### {escape_markdown(title)}", "")
            yield from (f"- {escape_markdown(line)}" for line in passage.lines)
            yield ""


def _write_row(texts: tuple[str, ...]) -> str:
    return f"| {' | '.join(texts)} |"


MARKDOWN = StoryFormat("md", "Markdown", write)
