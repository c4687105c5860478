"""The manual: a Markdown file for each chapter, for `tocsin help`, the app's help and the README's links."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Sequence

from msgspec import Struct

FOLDER = os.path.dirname(os.path.abspath(__file__))
CONTENTS = "contents"
"""The chapter that lists the others, in their order."""

LEAST_LAST_COLUMN = 30
"""Columns that the last column of a table needs, to be read beside the others."""

_LINK = r"\[([^\]]+)\]\(([^)]+)\)"
_ITEM = r"( *)(- |\d+\. )(.*)"
_REMARK = r"(?s)<!--.*?-->\n?"


class ManualChapter(Struct, frozen=True):
    """A chapter: the name by which it is asked for, its title, and its Markdown without the title."""

    name: str
    title: str
    text: str

    def is_called(self, asked: str) -> bool:
        """Return whether this is its name or its title, in any case, with or without dashes."""
        return _plain_words(asked) in (_plain_words(self.name), _plain_words(self.title))

    @property
    def summary(self) -> str:
        """Return the first paragraph on one line, without links."""
        paragraph = re.sub(_REMARK, "", self.text).strip().partition("\n\n")[0]
        return re.sub(_LINK, r"\1", " ".join(paragraph.split()))


def _plain_words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def read_chapter(name: str) -> ManualChapter:
    """Read one chapter. Raises OSError if its file is missing."""
    with open(os.path.join(FOLDER, f"{name}.md"), encoding="utf-8") as file:
        title, _, text = file.read().partition("\n")
    return ManualChapter(name, title.removeprefix("# "), text.strip("\n"))


def read_chapters() -> tuple[ManualChapter, ...]:
    """Read every chapter, in the order of the contents."""
    linked = re.findall(_LINK, read_chapter(CONTENTS).text)
    return tuple(read_chapter(file.removesuffix(".md")) for _, file in linked if "/" not in file)


def write_plain_chapter(text: str, width: int) -> Iterator[str]:
    """Yield the Markdown as plain lines of at most `width` columns; only code and long words are longer."""
    lines = re.sub(_REMARK, "", text).splitlines()
    at = 0
    while at < len(lines):
        end = _block_end(lines, at)
        yield from _write_block(lines[at:end], width)
        at = end


def _block_end(lines: Sequence[str], start: int) -> int:
    """Return the line after a block: code to its fence, a table, a paragraph, or one line of another kind."""
    first = lines[start]
    if first.startswith("```"):
        return next((n + 1 for n in range(start + 1, len(lines)) if lines[n].startswith("```")), len(lines))
    if not first or first.startswith("#"):
        return start + 1
    table = first.startswith("|")
    for n in range(start + 1, len(lines)):
        line = lines[n]
        begins = not line or line.startswith(("#", "```")) or re.match(_ITEM, line)
        if begins or line.startswith("|") != table:
            return n
    return len(lines)


def _write_block(lines: Sequence[str], width: int) -> Iterator[str]:
    first = lines[0]
    if first.startswith("```"):
        yield from (f"    {line}".rstrip() for line in lines[1:-1])
    elif first.startswith("#"):
        yield from _wrap(first.lstrip("# ").upper(), width)
    elif first.startswith("|"):
        yield from _write_columns([_split_cells(line) for line in lines], width)
    elif item := re.match(_ITEM, first):
        text = " ".join((item[3], *(line.strip() for line in lines[1:])))
        yield from _wrap(text, width, item[1] + item[2])
    else:
        yield from _wrap(" ".join(lines), width)


def _split_cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [_strip_links(cell.strip().replace("\\|", "|")) for cell in cells]


def _write_columns(rows: list[list[str]], width: int) -> Iterator[str]:
    """Yield columns side by side, or each row as a paragraph under its first cell where they are too wide."""
    rows = [rows[0], *rows[2:]]  # the second is the rule of dashes
    wide = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    indent = sum(wide[:-1]) + 2 * (len(wide) - 1)
    if indent + min(wide[-1], LEAST_LAST_COLUMN) <= width:
        for *cells, last in rows:
            begin = "".join(cell.ljust(n + 2) for cell, n in zip(cells, wide, strict=False))
            yield from _wrap(last, width, begin)
        return
    for head, *cells in rows[1:]:
        yield from _wrap(head, width)
        yield from _wrap("; ".join(filter(None, cells)), width, "    ")


def _strip_links(text: str) -> str:
    """Return a line without links and emphasis; a link to a chapter becomes the call that shows it."""
    return re.sub(_LINK, _write_link, text).replace("**", "")


def _write_link(link: re.Match[str]) -> str:
    text, target = link[1], link[2]
    if target.endswith(".md") and "/" not in target:
        name = target.removesuffix(".md")
        return text if text == name else f"{text} (`tocsin help {name}`)"
    return f"{text} ({target})" if "://" in target else text


def _wrap(text: str, width: int, begin: str = "") -> list[str]:
    wrapped = textwrap.wrap(
        _strip_links(text),
        max(width, len(begin) + 10),
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapped or [begin.rstrip()]
