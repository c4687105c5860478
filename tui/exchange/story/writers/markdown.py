"""Markdown, for a campaign's notes."""

from __future__ import annotations

import re
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

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#!|~&$^=]|:(?=//)")
_LEADING = re.compile(r"^(?:[+-](?=\s|$|[+-])|\d+(?=[.)]))")


def escaped(text: str) -> str:
    """Return people's own text, so that no Markdown reads anything into it."""
    # What begins a list at the head of a line is held as well: `1.`, `-`.
    words = _SPECIAL.sub(lambda m: "\\" + m[0], " ".join(text.split()))
    return _LEADING.sub(_held, words)


def _held(m: re.Match[str]) -> str:
    return f"\\{m[0]}" if m[0] in "+-" else f"{m[0]}\\"


def write(fight: Fight) -> str:
    """Return the story: figures first, then round by round."""
    return "\n".join(_lines(fight.story)).rstrip() + "\n"


def _lines(story: Story) -> Iterator[str]:
    yield from (f"# {escaped(heading(story))}", "", escaped(beneath(story)), "")
    if story.figures:
        yield from ("## Figures", "", _row(COLUMNS), _row(("---",) * len(COLUMNS)))
        yield from (_row(tuple(map(escaped, cells(f)))) for f in story.figures)
        yield from ("", GIVEN, "")
    if story.players:
        yield from ("## Time", "")
        yield from (f"- {escaped(name)}: {clock(n)}" for name, n in story.players.items())
        yield ""
    for one in story.rounds:
        yield from (f"## {of_round(one)}", "")
        for passage in one.passages:
            if title := of_passage(passage):
                yield from (f"### {escaped(title)}", "")
            yield from (f"- {escaped(line)}" for line in passage.lines)
            yield ""


def _row(texts: tuple[str, ...]) -> str:
    return f"| {' | '.join(texts)} |"


MARKDOWN = StoryFormat("md", "Markdown", write)
