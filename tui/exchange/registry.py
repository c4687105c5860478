"""The formats there are, found by scanning `formats`, and which of them a file is, by its shape."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from tui.exchange.document import MOST, Document, Kind, Toml, Unreadable, read
from tui.exchange.taking import Aside, Imported

Found = Iterator[Imported | Aside]


class Format(Struct, frozen=True):
    """A shape that creatures come in.

    `title` is what people call it, `kinds` what its documents are made of, `fits` whether a document has the shape,
    `take` its creatures. `rank`: lower ones are asked first; a shape that others contain is asked after them.
    """

    title: str
    kinds: tuple[Kind, ...]
    fits: Callable[[Any], bool]
    take: Callable[[Any], Found]
    rank: int = 5


class Understood(Struct, frozen=True):
    """What a file holds: its format and the creatures."""

    title: str
    found: tuple[Imported | Aside, ...]


@cache
def formats() -> tuple[Format, ...]:
    """Every format, in the order in which they are asked."""
    package = importlib.import_module("tui.exchange.formats")
    modules = (
        importlib.import_module(f"tui.exchange.formats.{info.name}")
        for info in pkgutil.iter_modules(package.__path__)
    )
    found = (value for module in modules for value in vars(module).values() if isinstance(value, Format))
    return tuple(sorted(found, key=lambda f: (f.rank, f.title)))


def understood(data: bytes, toml: Toml, pulse: Callable[[], None] = lambda: None) -> Understood:
    """The creatures of a file of unknown format; `pulse` is called for each. Raises Unreadable."""
    blocks, known = list[Understood](), set[int]()
    for document in _readable(data, toml, blocks):
        # A block that was read as YAML is not read as text as well; nor is the page around it.
        if document.kind == "text" and known & {document.line, *([] if document.line > 1 else known)}:
            continue
        if found := _understood(document, pulse):
            blocks.append(found)
            known.add(document.line)
    if not blocks:
        raise Unreadable(
            "no known format", f"known are: {', '.join(dict.fromkeys(f.title for f in formats()))}"
        )
    return Understood(blocks[0].title, tuple(x for b in blocks for x in b.found))


def _readable(data: bytes, toml: Toml, blocks: list[Understood]) -> Iterator[Document]:
    """What the bytes may be. What is wrong with them counts for nothing once creatures were found."""
    try:
        yield from read(data, toml)
    except Unreadable:
        if not blocks:
            raise


def _understood(document: Document, pulse: Callable[[], None]) -> Understood | None:
    for form in formats():
        if document.kind in form.kinds and form.fits(document.value):
            try:
                found = tuple(_told(form.take(document.value), pulse))
            except RecursionError:
                raise Unreadable("it is nested too deep") from None
            if found:
                return Understood(form.title, found)
    return None


def _told(found: Found, pulse: Callable[[], None]) -> Found:
    for count, one in enumerate(found, 1):
        if count > 2 * MOST:  # asides are counted with the creatures; those are counted when all are there
            raise Unreadable(f"more than {MOST:,} creatures are too many at once", "import them in parts")
        pulse()
        yield one
