"""Parse bytes of unknown kind into plain data: JSON, YAML, TOML, a table of cells, or text."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import Struct

from tui.core.language.noted import LABELS

DEPTH = 40
"""The most levels of lists and tables in a YAML file."""
MOST_YAML = 200_000
"""The most values in a YAML file."""
MOST_VALUES = 2_000_000
"""The most values in a JSON file."""
MOST_LISTS = 400_000
"""The most lists in a JSON file."""

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_REAL = re.compile(r"[-+]?[0-9]{1,17}\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,2})?")
_WORDS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


class BadYaml(ValueError):  # noqa: N818 - the word of the message
    """A mistake in a YAML text, at `line`, counted from 1.

    `is_refused` says that the text is valid, but has anchors, too many values or too many levels.
    """

    def __init__(self, message: str, line: int, *, is_refused: bool = False) -> None:
        super().__init__(message)
        self.message, self.line, self.is_refused = message, line, is_refused


def read_yaml(text: str) -> list[Any]:
    """Return the documents of a YAML file as dicts, lists, texts and numbers. Raises BadYaml."""
    import yaml  # only notes of a vault are YAML: other imports do not wait for it

    # The parser in C, where there is one, is ten times as fast. Both only yield events and make no objects.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _build_documents(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadYaml(str(error.problem or error.context), mark.line + 1 if mark else 0) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, BadYaml):
            raise
        raise BadYaml("this is not YAML", 0) from None


class _Level:
    """A list or a table while it is filled."""

    def __init__(self, value: list[Any] | dict[str, Any]) -> None:
        self.value = value
        self.key: str | None = None

    def put(self, value: Any) -> None:
        """Add the next item of a list; in a table, the next key or the value of the last key."""
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.key is None:
            self.key = value if isinstance(value, str) else str(value)[:200]
        else:
            self.value[self.key] = value
            self.key = None


def _build_documents(events: Iterator[Any]) -> list[Any]:
    """Return the documents that a stream of events describes."""
    result: list[Any] = []
    levels = [_Level(result)]
    for count, event in enumerate(events):
        kind = type(event).__name__
        if kind == "AliasEvent" or count > MOST_YAML:
            problem = (
                "anchors are not followed" if kind == "AliasEvent" else f"more than {MOST_YAML:,} values"
            )
            raise BadYaml(problem, event.start_mark.line + 1, is_refused=True)
        if kind in ("SequenceStartEvent", "MappingStartEvent"):
            if len(levels) > DEPTH:
                problem = f"lists more than {DEPTH} deep"
                raise BadYaml(problem, event.start_mark.line + 1, is_refused=True)
            levels.append(_Level([] if kind == "SequenceStartEvent" else {}))
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            done = levels.pop().value
            levels[-1].put(done)
        elif kind == "ScalarEvent":
            levels[-1].put(_parse_scalar(event.value, plain=event.style in (None, "") and not event.tag))
    return result


def _parse_scalar(text: str, *, plain: bool) -> Any:
    """Return a YAML scalar: without quotes a number, boolean or None if it is one, else the text."""
    if not plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _REAL.fullmatch(text) else text


DocumentKind = Literal["json", "yaml", "toml", "xml", "table", "text"]

TOO_DEEP = "it is nested too deep"
IN_PARTS = "import them in parts"
"""The hint for files that have too much."""

MOST_BYTES = 64_000_000
"""The most bytes of a JSON or XML file or a table, and of all files together."""
MOST_TEXT_BYTES = 5_000_000
"""The most bytes of a file of any other kind."""

MOST_CREATURES = 20_000
"""The most creatures of an import, and the most rows of a table."""
TOO_MANY = (f"more than {MOST_CREATURES:,} creatures are too many at once", IN_PARTS)
LONGEST_ROW = 500_000
"""The most characters in a row of a table."""

_ARCHIVES = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive", b"7z\xbc\xaf": "a 7z archive",
             b"Rar!": "a rar archive", b"%PDF": "a PDF", b"\x89PNG": "a picture",
             b"\xff\xd8\xff": "a picture", b"GIF8": "a picture", b"RIFF": "a picture or a sound",
             b"SQLite": "a database"}  # fmt: skip
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(
    r"\A(?:\s|#[^\n]*\n)*(?:\[\[?[\w.\"' \t-]{1,80}\]\]?[ \t]{0,8}(?:#[^\n]*)?$|[\w.\"'-]{1,80}[ \t]{0,8}=)",
    re.MULTILINE,
)
_YAML = re.compile(
    r"\A(?:\s|#[^\n]*\n|---[^\n]*\n|%[^\n]*\n)*(?:- |-$|[\w\"' -]{1,60}:(?:\s|$))", re.MULTILINE
)
_BREW = re.compile(r"\s*\{\{[a-z]")
_XML = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE(?! html)|compendium)\b", re.IGNORECASE)
_SPLIT = re.compile(r"\n|\r\n?")
COLUMNS: dict[str, tuple[str, ...]] = {
    "name": (
        "name", "creature", "monster", "monster name", "creature name", "combatant", "character", "nombre",
        "nom", "nome", "namn", "kreatur", "criatura", "créature", "creatura",
    ),
    "source": ("source", "book"),
    "hp": (
        *LABELS["hp"], "max hp", "hp max", "maximum hp", "max hit points", "hit points max",
        "health points", "hits", "tp", "lp", "trefferpunkte", "lebenspunkte", "pv", "points de vie", "pg",
        "pf", "puntos de golpe", "punti ferita", "pontos de vida",
    ),
    "hp_dice": ("hp dice", "hit dice", "hd", "hp formula", "trefferwürfel"),
    "current": ("current hp", "hp current", "current hit points", "hit points current", "current health"),
    "temporary": (
        "temp hp", "temporary hp", "hp temp", "temporary hit points", "temporary health points",
    ),
    "ac": (
        *LABELS["ac"], "rk", "rüstungsklasse", "ca", "classe d'armure", "clase de armadura",
        "classe armatura", "classe de armadura",
    ),
    "initiative": (*LABELS["mod"], "ini", "initiativbonus", "iniciativa", "iniziativa"),
    "per": (*LABELS["per"], "wahrnehmung", "percepción", "percezione", "percepção"),
    "int": (*LABELS["int"], "intelligenz", "inteligencia", "intelligenza", "inteligência"),
    "size": ("size",),
    "stealth": ("stealth",),
    "passive": LABELS["passive"],
    "con": ("con save", "constitution save"),
    "dex": ("dex", "dexterity", "ges", "geschicklichkeit", "des", "destreza", "dextérité", "destrezza"),
    "cr": ("cr", "challenge", "challenge rating", "hg", "herausforderungsgrad", "fp", "vd", "nd"),
    "level": ("level", "lvl", "lv", "stufe", "nivel", "niveau", "livello", "nível"),
}  # fmt: skip
"""The column names that are understood, by target; other columns become part of the card."""
_HEADS = frozenset(head for heads in COLUMNS.values() for head in heads)


class Document(Struct, frozen=True):
    """A file or a part of one, parsed into plain data of one kind; a table is a list of rows of cells.

    `line` is the part's first line in the file. `block` is `statblock` or `encounter` for a block of a note,
    else "".
    """

    kind: DocumentKind
    value: Any
    line: int = 1
    block: str = ""


class Unreadable(Exception):  # noqa: N818 - named after what it is
    """A file that cannot be read: what is wrong, what would work, and the line (0: the whole file)."""

    def __init__(self, message: str, hint: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.message, self.hint, self.line = message, hint, line


Toml = Callable[[bytes], dict[str, Any]]
"""Reads TOML within the size limits. Raises Unreadable."""


def read_documents(data: bytes, toml: Toml) -> Iterator[Document | Unreadable]:
    """Yield each document that the bytes may hold, the likeliest first; for a bad block, an Unreadable.

    Raises Unreadable if they hold no document.
    """
    text = _decode_text(data)
    start = text.lstrip()[:1]
    # A brew of the Homebrewery may begin with its frame, `{{monster`.
    is_json = start in "{[" and not _TOML.match(text[:2000]) and not _BREW.match(text)
    if is_json or _XML.match(text):
        _require_size(data, MOST_BYTES)
        yield Document("json", _parse_json(text)) if is_json else Document("xml", _parse_xml(text))
        return
    rows = _split_table(text)
    if rows:
        yield Document("table", rows)
        return
    _require_size(data, MOST_TEXT_BYTES)
    yield from _read_words(text, toml)


def _require_size(data: bytes, most: int) -> None:
    if len(data) > most:
        hint = "text may have 5 MB, JSON, XML and CSV 64 MB"
        raise Unreadable(f"it is larger than {most // 1_000_000} MB", hint)


def _decode_text(data: bytes) -> str:
    """Return the bytes as text. Raises Unreadable."""
    if not data.strip():
        raise Unreadable("it is empty")
    for magic, archive in _ARCHIVES.items():
        if data.startswith(magic):
            raise Unreadable(
                f"this is {archive}", "unpack it first and name the files" if "archive" in archive else ""
            )
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            "not valid UTF-8", "save it as UTF-8", data.count(b"\n", 0, error.start) + 1
        ) from None
    if "\0" in text:
        raise Unreadable("this is not text", "", text.count("\n", 0, text.index("\0")) + 1)
    return text


def _make_table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(pairs)


# A hook in Python for each table: between two of them other threads run and signals are answered.
_JSON = json.JSONDecoder(object_pairs_hook=_make_table)
_BLANKS = re.compile(r"\s*")


def _parse_json(text: str) -> Any:
    """Return the value of a JSON text, or a list of its values if it has several. Raises Unreadable."""
    for signs, most, title in ((",{[", MOST_VALUES, "values"), ("[", MOST_LISTS, "lists")):
        if sum(map(text.count, signs)) > most:
            raise Unreadable(f"it has more than {most:,} {title}", IN_PARTS)
    values = list[Any]()
    place = len(text) - len(text.lstrip())
    try:
        while place < len(text):
            value, end = _JSON.raw_decode(text, place)
            values.append(value)
            blanks = _BLANKS.match(text, end)
            place = blanks.end() if blanks else end
    except RecursionError:
        raise Unreadable(TOO_DEEP) from None
    except ValueError as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else place
        raise Unreadable("this is not valid JSON", "", text.count("\n", 0, at) + 1) from None
    return values[0] if len(values) == 1 else values


def _parse_xml(text: str) -> dict[str, Any]:
    """Return the root as `{TAG: table}`: children in lists by tag, texts bare, each table's line at `@line`.

    Raises Unreadable, also for a DOCTYPE: without one a file has no entities and no references to others.
    """
    from xml.parsers import expat  # only files of phone apps are XML

    if text.count("<") > MOST_VALUES:
        raise Unreadable(f"it has more than {MOST_VALUES:,} elements", IN_PARTS)
    parser = expat.ParserCreate("utf-8")
    levels: list[dict[str, Any]] = [{}]
    words: list[str] = []

    def begin(_tag: str, _attributes: dict[str, str]) -> None:
        if len(levels) > DEPTH:
            raise Unreadable(TOO_DEEP, "", parser.CurrentLineNumber)
        levels.append({"@line": parser.CurrentLineNumber})
        words.clear()

    def end(tag: str) -> None:
        table = levels.pop()
        value = table if len(table) > 1 else "".join(words).strip()
        levels[-1].setdefault(tag, []).append(value)
        words.clear()

    def refuse(*_declared: object) -> None:
        raise Unreadable(
            "this XML has a DOCTYPE", "remove that line and what it declares", parser.CurrentLineNumber
        )

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = words.append, refuse
    parser.buffer_text = True
    try:
        parser.Parse(text.lstrip().encode(), True)
    except expat.ExpatError as error:
        raise Unreadable(
            f"this is not valid XML: {expat.ErrorString(error.code)}", "", error.lineno
        ) from None
    return {tag: values[0] for tag, values in levels[0].items()}


def _read_words(text: str, toml: Toml) -> Iterator[Document | Unreadable]:
    """Yield the documents that a text may hold: TOML, a note's blocks or front matter, YAML, and the text."""
    if _TOML.match(text[:20_000]):
        try:
            yield Document("toml", toml(text.encode()))
        except Unreadable:
            # A note of Obsidian may begin with a link, `[[Fin City]]`.
            yield Document("text", text)
            raise
        return
    if "```" in text or "~~~" in text:
        for block in _split_blocks(text.replace("\r\n", "\n")):
            yield from _read_block(block)
    if front := _FRONT.match(text):
        yield from _read_front_matter(front[1])
    elif _YAML.match(text[:20_000]):
        yield from _read_plain_yaml(text)
    yield Document("text", text)
    for line, rows in _find_tables(text):
        yield Document("table", rows, line)


_TABLE_RULE = re.compile(r"[ \t|:-]{3,400}")


def _find_tables(text: str) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield line and rows of the tables of a note whose columns name a creature and one of its numbers."""
    lines = text.split("\n")
    for at, rule in enumerate(lines[1:], 1):
        if "|" in rule and "-" in rule and _TABLE_RULE.fullmatch(rule.rstrip("\r")):
            heads = _split_cells(lines[at - 1])
            known = {head.lower() for head in heads} & _HEADS
            if known & set(COLUMNS["name"]) and len(known) > 1:
                below = lines[at + 1 : at + 1 + MOST_CREATURES]
                rows = itertools.takewhile(lambda line: "|" in line, below)
                yield at, [heads, *map(_split_cells, rows)]


def _split_cells(line: str) -> list[str]:
    """Return the cells of a table's row without links and without marks of type."""
    plain = replace_codes(line.strip().removeprefix(">").strip().strip("|"))
    return [cell.strip(" \t*_`") for cell in plain.replace("\\|", "/").split("|")]


def _read_block(block: NoteBlock) -> Iterator[Document | Unreadable]:
    """Yield the documents of a note's block: YAML, with links replaced, then the text."""
    text = _prepare_yaml(block.text)
    if _YAML.match(text[:20_000]):
        try:
            values = read_yaml(text)
        except BadYaml as error:
            # The block is not read as prose, because numbers in other sentences would replace its own.
            yield Unreadable(
                f"this {block.kind} block is not YAML: {error.message}", "", block.line + error.line - 1
            )
            return
        yield from _read_note_values(values, block.line, block.kind)
    yield Document("text", text, block.line, block.kind)


def _read_front_matter(text: str) -> Iterator[Document]:
    """Yield the front matter of a note; nothing for invalid YAML, because most notes have no creature."""
    try:
        values = read_yaml(_prepare_yaml(text))
    except BadYaml:
        return
    yield from _read_note_values(values, 2)


def _read_note_values(values: list[Any], line: int, block: str = "") -> Iterator[Document]:
    """Yield the tables and lists among `values`, with codes and links replaced by their words."""
    for value in values:
        if isinstance(value, dict | list):
            yield Document("yaml", _replace_codes(value), line, block)


def _replace_codes(value: Any) -> Any:
    if isinstance(value, str):
        return replace_codes(value)
    if isinstance(value, list):
        return [_replace_codes(x) for x in value]
    return {k: _replace_codes(v) for k, v in value.items()} if isinstance(value, dict) else value


def _read_plain_yaml(text: str) -> Iterator[Document]:
    """Yield the documents of a YAML text; nothing for invalid YAML, because prose may look like YAML."""
    try:
        values = read_yaml(text)
    except BadYaml as error:
        if error.is_refused:
            raise Unreadable(f"this YAML cannot be read: {error.message}", "", error.line) from None
        return
    for value in values:
        if isinstance(value, dict | list):
            yield Document("yaml", value)


def _split_table(text: str) -> list[list[str]]:
    """Return the rows of a CSV or TSV text; [] if its first row names neither names nor two known columns."""
    first = _SPLIT.split(text[:20_000].lstrip("\r\n"), 1)[0]
    mark = next((m for m in "\t;," if m in first), "")
    heads = [cell.strip().strip('"').lower() for cell in first.split(mark)] if mark else []
    if not set(COLUMNS["name"]).intersection(heads) and len(_HEADS.intersection(heads)) < 2:
        return []
    rows: list[list[str]] = []
    filled = 0
    try:
        for row in csv.reader(_split_lines(text.lstrip("\r\n")), delimiter=mark, strict=True):
            rows.append(row)
            filled += bool(row)
            if filled > MOST_CREATURES + 1:
                raise Unreadable(f"this table has more than {MOST_CREATURES:,} rows", IN_PARTS)
    except csv.Error as error:
        raise Unreadable(f"this table cannot be read: {error}") from None
    return rows


def _split_lines(text: str) -> Iterator[str]:
    """Yield the lines of a table with their line feeds. Raises Unreadable for a line that is too long."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        if stop - start > LONGEST_ROW:
            raise Unreadable(f"this table has a row of more than {LONGEST_ROW:,} characters")
        yield text[start:stop] + "\n"
        start = stop + 1


# --- notes of Obsidian: their blocks, their links, and the codes of its dice roller

_OPEN_BLOCK = re.compile(r"(`{3,}|~{3,})[ \t]{0,8}(statblock|encounter)\b[^\n`]{0,200}", re.IGNORECASE)
_QUOTATION = re.compile(r"(?:[ \t]{0,8}>)+ ?")
_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,400})(?:\|([^\[\]\n]{1,400}))?\]\]")
_ADDRESS_LINK = re.compile(r"!?\[([^\[\]\n]{1,400})\]\([^()\s]{1,400}\)")
_COUNTED_ROW = re.compile(
    r"^([ ]{0,80}- +(?:[0-9d+]{1,10}: +)?)(\[[^\[\]\n]{1,200}\][ \t]{0,4},[^\n]*)$", re.MULTILINE
)
"""Matches a row such as `- [Hobgoblin, Jim], 10, 15`, which is YAML only with brackets around the whole list.
"""
_DICE = re.compile(r"`dice:[ ]?([^`|\n]{1,120})(?:\|[^`\n]{0,120})?`")


class NoteBlock(Struct, frozen=True):
    """A `statblock` or `encounter` block of a note."""

    kind: str
    text: str
    line: int
    """The number of the block's first row in the note, from 1."""


def _split_blocks(text: str) -> Iterator[NoteBlock]:
    """Yield the blocks of a note, including those in quotations; an unclosed block ends with the note."""
    kind, mark, first = "", "", 0
    rows: list[str] = []
    for number, row in enumerate(text.split("\n"), 1):
        bare = _QUOTATION.sub("", row, count=1) if row.lstrip()[:1] == ">" else row
        if not kind:
            if opening := _OPEN_BLOCK.fullmatch(bare.strip()):
                kind, mark, first, rows = opening[2].lower(), opening[1], number + 1, []
        elif bare.strip().startswith(mark) and not bare.strip().strip(mark[0]):
            yield NoteBlock(kind, "\n".join(rows) + "\n", first)
            kind = ""
        else:
            rows.append(bare)
    if kind:
        yield NoteBlock(kind, "\n".join(rows), first)


def replace_links(text: str) -> str:
    """Return the text with links and embedded notes replaced by their words: `Goblin` for `[[x|Goblin]]`."""
    if "[[" in text:
        text = _LINK.sub(lambda m: (m[2] or m[1].split("#", 1)[0] or m[1].lstrip("#")).strip(), text)
    return _ADDRESS_LINK.sub(r"\1", text) if "](" in text else text


def _prepare_yaml(text: str) -> str:
    """Return the YAML of a note in a form that a parser accepts: without links, lists in brackets."""
    return _COUNTED_ROW.sub(r"\1[\2]", replace_links(text.expandtabs(4)))


def replace_codes(text: str) -> str:
    """Return a text of a note without links, and with plain dice for codes such as `dice: 1d6|text`."""
    text = replace_links(text)
    return _DICE.sub(lambda m: m[1].strip(), text) if "`" in text else text
