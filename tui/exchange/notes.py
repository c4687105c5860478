"""Notes of Obsidian: their blocks, their links, and YAML as people write it by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_OPEN = re.compile(r"(`{3,}|~{3,})[ \t]{0,8}(statblock|encounter)\b[^\n`]{0,200}", re.IGNORECASE)
_QUOTED = re.compile(r"(?:[ \t]{0,8}>)+ ?")
_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,400})(?:\|([^\[\]\n]{1,400}))?\]\]")
_ADDRESSED = re.compile(r"!?\[([^\[\]\n]{1,400})\]\([^()\s]{1,400}\)")
_KEYED = re.compile(
    r"([ ]{0,80}(?:- +){0,4})((?:[^\s:#\"'\[\]{},&*!|>%@`-][^:\n]{0,80}?)?)(:[ \t]+)(\S[^\n]*)"
)
_ITEM = re.compile(r"([ ]{0,80}- +)(\S[^\n]*)")
_BEGINS = re.compile(r"[ ]{0,80}(?:-(?: |$)|[^\s:#\"'\[\]{}][^:\n]{0,80}:(?:\s|$))")
_COUNTED = re.compile(r"([ ]{0,80}- +(?:[0-9d+]{1,10}: +)?)(\[[^\[\]\n]{1,200}\][ \t]{0,4},[^\n]*)")
"""`[Hobgoblin, Jim], 10, 15` is a list that begins with a list."""
_SIGNS = frozenset("*&!%@`|>?")
"""What YAML would read as more than text at the beginning of a value."""
_LITERAL = ("|", ">", "|-", ">-", "|+", ">+")
"""How a text of several lines begins that YAML takes as it stands."""


class Block(Struct, frozen=True):
    """A `statblock` or `encounter` block of a note; `line` is that of its first row, from 1."""

    kind: str
    text: str
    line: int


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a note, also those in quotations; an unclosed block ends with the note."""
    kind, mark, first = "", "", 0
    held: list[str] = []
    for number, row in enumerate(text.split("\n"), 1):
        bare = _QUOTED.sub("", row, count=1) if row.lstrip()[:1] == ">" else row
        if not kind:
            if opening := _OPEN.fullmatch(bare.strip()):
                kind, mark, first, held = opening[2].lower(), opening[1], number + 1, []
        elif bare.strip().startswith(mark) and not bare.strip().strip(mark[0]):
            yield Block(kind, "\n".join(held) + "\n", first)
            kind = ""
        else:
            held.append(bare)
    if kind:
        yield Block(kind, "\n".join(held), first)


def linked(text: str) -> str:
    """Return the text with links and embedded notes replaced by their words: `[[x|Goblin]]` is `Goblin`."""
    if "[[" in text:
        text = _LINK.sub(lambda m: (m[2] or m[1].split("#", 1)[0] or m[1].lstrip("#")).strip(), text)
    return _ADDRESSED.sub(r"\1", text) if "](" in text else text


_CODE = re.compile(r"`(dice|pf2):[ ]?([^`\n]{1,120})`[ ]?")
_COSTS = {
    "0": "free action",
    "1": "1 action",
    "2": "2 actions",
    "3": "3 actions",
    "r": "reaction",
    "f": "free action",
}


def worded(text: str) -> str:
    """Return a value of a note with words for its links and for the codes of other plugins: dice, actions."""
    text = linked(text)
    return _CODE.sub(lambda m: _coded(m, text), text) if "`" in text else text


def _coded(match: re.Match[str], text: str) -> str:
    """Return the dice or the cost of an action; nothing for dice that the text says behind them again."""
    inside = match[2].partition("|")[0].strip()
    if match[1] == "pf2":
        return f"({_COSTS.get(inside.lower(), inside)}) "
    behind = text[match.end() : match.end() + 40].replace(" ", "").lstrip("(")
    return "" if behind.startswith(inside.replace(" ", "")) else f"{inside} "


def quoted(text: str) -> str:
    """Return YAML that does not parse with quotes added where they are missing and blanks for tabs."""
    rows = [_COUNTED.sub(r"\1[\2]", _untabbed(row)) for row in text.split("\n")]
    done: list[str] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        match = _KEYED.fullmatch(row) or _ITEM.fullmatch(row)
        value = match[match.re.groups] if match else ""
        if match is None or not _needs(value, keyed=match.re is _KEYED):
            done.append(row)
            if value in _LITERAL:
                deep = len(row) - len(row.lstrip())
                while at < len(rows) and (not rows[at] or len(rows[at]) - len(rows[at].lstrip()) > deep):
                    done.append(rows[at])
                    at += 1
            continue
        # Whatever goes on below, further in than its key, is the same text.
        deep = len(row) - len(row.lstrip())
        while at < len(rows) and _goes_on(rows[at], deep):
            value += f" {rows[at].strip()}"
            done.append("")
            at += 1
        blank = len(done)
        done.append(row[: match.start(match.re.groups)] + _in_quotes(value))
        # The lines below keep their numbers, so that a mistake is told where it stands.
        while blank and done[blank - 1] == "" and done[blank]:
            done[blank - 1], done[blank] = done[blank], ""
            blank -= 1
    return "\n".join(done)


def _untabbed(row: str) -> str:
    inner = row.lstrip(" \t")
    return row[: len(row) - len(inner)].replace("\t", "  ") + inner.rstrip()


def _needs(value: str, *, keyed: bool) -> bool:
    """Return whether YAML would stumble over a text, or read another thing in it."""
    first = value[0]
    if first in "\"'":
        inner = value[1:-1]
        closed = len(value) > 1 and value[-1] == first
        odd = r'(?<!\\)"|\\[^"\\/nrt]' if first == '"' else r"(?<!')'(?!')"
        return not closed or bool(re.search(odd, inner))
    if value in _LITERAL:
        return False
    if first in "[{":
        return not _balanced(value)
    return first in _SIGNS or value == "-" or ": " in value if keyed else first in _SIGNS


def _balanced(value: str) -> bool:
    """Return whether brackets close where the text ends."""
    level = 0
    for place, sign in enumerate(value):
        level += (sign in "[{") - (sign in "]}")
        if level == 0:
            return not value[place + 1 :].split(" #", maxsplit=1)[0].strip()
    # A list may go on in the next line.
    return True


def _goes_on(row: str, deep: int) -> bool:
    return bool(row.strip()) and len(row) - len(row.lstrip()) > deep and not _BEGINS.match(row)


def _in_quotes(value: str) -> str:
    if value[0] in "\"'" and len(value) > 1 and value[-1] == value[0]:
        value = value[1:-1].replace('\\"', '"').replace("''", "'")
    return "'" + value.replace("'", "''") + "'"
