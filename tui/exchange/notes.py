"""Notes of Obsidian: their blocks, their links, and the codes of its dice roller."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_OPEN = re.compile(r"(`{3,}|~{3,})[ \t]{0,8}(statblock|encounter)\b[^\n`]{0,200}", re.IGNORECASE)
_QUOTED = re.compile(r"(?:[ \t]{0,8}>)+ ?")
_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,400})(?:\|([^\[\]\n]{1,400}))?\]\]")
_ADDRESSED = re.compile(r"!?\[([^\[\]\n]{1,400})\]\([^()\s]{1,400}\)")
_COUNTED = re.compile(
    r"^([ ]{0,80}- +(?:[0-9d+]{1,10}: +)?)(\[[^\[\]\n]{1,200}\][ \t]{0,4},[^\n]*)$", re.MULTILINE
)
"""A row `- [Hobgoblin, Jim], 10, 15` of an encounter: a list whose own brackets are left out."""
_DICE = re.compile(r"`dice:[ ]?([^`|\n]{1,120})(?:\|[^`\n]{0,120})?`")


class Block(Struct, frozen=True):
    """A `statblock` or `encounter` block of a note."""

    kind: str
    text: str
    line: int
    """The line of its first row in the note, from 1."""


def split_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a note, also those in quotations; an unclosed block ends with the note."""
    kind, mark, first = "", "", 0
    rows: list[str] = []
    for number, row in enumerate(text.split("\n"), 1):
        bare = _QUOTED.sub("", row, count=1) if row.lstrip()[:1] == ">" else row
        if not kind:
            if opening := _OPEN.fullmatch(bare.strip()):
                kind, mark, first, rows = opening[2].lower(), opening[1], number + 1, []
        elif bare.strip().startswith(mark) and not bare.strip().strip(mark[0]):
            yield Block(kind, "\n".join(rows) + "\n", first)
            kind = ""
        else:
            rows.append(bare)
    if kind:
        yield Block(kind, "\n".join(rows), first)


def replace_links(text: str) -> str:
    """Return the text with links and embedded notes replaced by their words: `[[x|Goblin]]` is `Goblin`."""
    if "[[" in text:
        text = _LINK.sub(lambda m: (m[2] or m[1].split("#", 1)[0] or m[1].lstrip("#")).strip(), text)
    return _ADDRESSED.sub(r"\1", text) if "](" in text else text


def prepare_yaml(text: str) -> str:
    """Return the YAML of a note as a parser takes it: without links, and with a bracket around each list."""
    return _COUNTED.sub(r"\1[\2]", replace_links(text))


def replace_codes(text: str) -> str:
    """Return a value of a note without links and with the dice of codes such as `dice: 1d6|text`."""
    text = replace_links(text)
    return _DICE.sub(lambda m: m[1].strip(), text) if "`" in text else text
