"""Bytes of unknown kind into plain data: JSON, YAML, XML, TOML, a table of cells, or text. By its look, never by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import Struct

from tui.exchange import yaml as yaml_
from tui.exchange.json import BadJson
from tui.exchange.json import decode as decode_json
from tui.exchange.xml import BadXml
from tui.exchange.xml import parse as parse_xml

Kind = Literal["json", "yaml", "xml", "toml", "table", "text"]

LARGE = 64_000_000
"""Bytes of one JSON file or table, and of all files together."""
SMALL = 5_000_000
"""Bytes of one file of any other kind."""

MOST = 20_000
"""Creatures of one import, and rows of a table."""
LONGEST_ROW = 500_000
"""Characters of one row of a table."""

_ARCHIVES = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive", b"7z\xbc\xaf": "a 7z archive",
             b"Rar!": "a rar archive", b"%PDF": "a PDF", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture",
             b"SQLite": "a database"}  # fmt: skip
_FENCE = re.compile(
    r"^(```+|~~~+)(?:[ \t]{0,20}(statblock|encounter))?[^\n]{0,200}$", re.MULTILINE | re.IGNORECASE
)
_FENCED = 200_000
"""Characters between two fences."""
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(
    r"\A(?:\s|#[^\n]*\n)*(?:\[\[?[\w.\"' \t-]{1,80}\]\]?[ \t]{0,8}(?:#[^\n]*)?$|[\w.\"'-]{1,80}[ \t]{0,8}=)",
    re.MULTILINE,
)
_YAML = re.compile(
    r"\A(?:\s|#[^\n]*\n|---[^\n]*\n|%[^\n]*\n)*(?:- |-$|[\w\"' -]{1,60}:(?:\s|$))", re.MULTILINE
)
_SPLIT = re.compile(r"\n|\r\n?")
_HEADS = frozenset({"name", "creature", "monster", "monster name", "creature name", "combatant"})


class Document(Struct, frozen=True):
    """Plain data of one kind; a table is a list of rows, `line` is where it begins."""

    kind: Kind
    value: Any
    line: int = 1


class Unreadable(Exception):  # noqa: N818 - named after what it is
    """A file that cannot be read: `message` says why, `hint` what would work, `line` where (0: nowhere)."""

    def __init__(self, message: str, hint: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.message, self.hint, self.line = message, hint, line


Toml = Callable[[bytes], dict[str, Any]]
"""Reads TOML, bounded. Raises Unreadable."""


def read(data: bytes, toml: Toml) -> Iterator[Document]:
    """What the bytes may be, the likeliest first. Raises Unreadable when it is nothing."""
    text = _text(data)
    start = text.lstrip()[:1]
    if start in "{[" and not _TOML.match(text[:2000]):
        if len(data) > LARGE:
            raise Unreadable(f"it is larger than {LARGE // 1_000_000} MB")
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        yield Document("json", _json(text.encode() if wide else data.removeprefix(b"\xef\xbb\xbf")))
        return
    rows = _rows(text)
    if rows:
        yield Document("table", rows)
        return
    if len(data) > SMALL:
        raise Unreadable(f"it is larger than {SMALL // 1_000_000} MB", "JSON and CSV may have 64 MB")
    if start == "<":
        try:
            yield Document("xml", parse_xml(data.removeprefix(b"\xef\xbb\xbf")))
        except BadXml as error:
            raise Unreadable(f"this is no XML that can be taken: {error.message}", "", error.line) from None
        return
    yield from _worded(text, toml)


def _text(data: bytes) -> str:
    """The bytes as text. Raises Unreadable."""
    if not data.strip():
        raise Unreadable("it is empty")
    for magic, what in _ARCHIVES.items():
        if data.startswith(magic):
            raise Unreadable(
                f"this is {what}", "unpack it first and name the files" if "archive" in what else ""
            )
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            "not valid UTF-8", "save it as UTF-8", data.count(b"\n", 0, error.start) + 1
        ) from None
    if "\0" in text:
        raise Unreadable("this is no text", "", text.count("\n", 0, text.index("\0")) + 1)
    return text


def _json(data: bytes) -> Any:
    """JSON, or a database of one JSON object on each line."""
    try:
        return decode_json(data)
    except BadJson as error:
        raise Unreadable(error.message, "", data.count(b"\n", 0, error.at) + 1) from None


def _worded(text: str, toml: Toml) -> Iterator[Document]:
    """TOML, blocks of Markdown, YAML; and always text."""
    if _TOML.match(text[:20_000]):
        try:
            yield Document("toml", toml(text.encode()))
        except Unreadable:
            # A note of Obsidian may begin with a link, `[[Fin City]]`.
            yield Document("text", text)
            raise
        return
    for inside, line in _fenced(text):
        yield from _yaml(inside, line)
        yield Document("text", inside, line)
    if front := _FRONT.match(text):
        yield from _yaml(front[1], 2)
    elif _YAML.match(text[:20_000]):
        yield from _yaml(text, 1)
    yield Document("text", text)


def _fenced(text: str) -> Iterator[tuple[str, int]]:
    """What stands between fences that open a stat block or an encounter, and the line at which it begins."""
    fences = [found for found in _FENCE.finditer(text)]  # noqa: C416 - list() would be one long call
    # For each fence the next that is as long: by one pass from behind, for a file may hold nothing but fences.
    closed = [len(fences)] * len(fences)
    open_: dict[str, list[int]] = {"`": [], "~": []}
    for at in range(len(fences) - 1, -1, -1):
        waiting = open_[fences[at][1][0]]
        while waiting and len(fences[waiting[-1]][1]) < len(fences[at][1]):
            waiting.pop()
        closed[at] = waiting[-1] if waiting else len(fences)
        waiting.append(at)
    at, line, counted = 0, 1, 0
    while at < len(fences):
        start, end = fences[at].end() + 1, closed[at]
        if fences[at][2] is None or end == len(fences) or fences[end].start() - start > _FENCED:
            at += 1
            continue
        line, counted = line + text.count("\n", counted, start), start
        yield text[start : fences[end].start()], line
        at = end + 1


def _yaml(text: str, line: int) -> Iterator[Document]:
    """The documents of a YAML text; none where it is no YAML, for much text merely looks like it."""
    try:
        found = yaml_.documents(text)
    except yaml_.UntakenYaml as error:
        raise Unreadable(f"this YAML is not taken: {error.message}", "", line + error.line - 1) from None
    except yaml_.BadYaml:
        return
    for value in found:
        if isinstance(value, dict | list):
            yield Document("yaml", value, line)


def _rows(text: str) -> list[list[str]]:
    """The cells of a table whose first row has a head for names; none where it is no table."""
    import csv

    first = _SPLIT.split(text[:20_000].lstrip("\r\n"), 1)[0]
    mark = next((m for m in "\t;," if m in first), "")
    heads = [cell.strip().strip('"').lower() for cell in first.split(mark)] if mark else []
    if not _HEADS & set(heads):
        return []
    rows: list[list[str]] = []
    try:
        for row in csv.reader(_lines(text.lstrip("\r\n")), delimiter=mark, strict=True):
            rows.append(row)
            if len(rows) > MOST + 1:
                raise Unreadable(f"this table has more than {MOST:,} rows", "import it in parts")
    except csv.Error as error:
        raise Unreadable(f"this table cannot be read: {error}") from None
    return rows


def _lines(text: str) -> Iterator[str]:
    """The lines, each with its line feed; one after the other, for all at once would be one long call."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        if stop - start > LONGEST_ROW:
            raise Unreadable(f"this table has a row of more than {LONGEST_ROW:,} characters")
        yield text[start:stop] + "\n"
        start = stop + 1
