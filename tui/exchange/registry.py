"""Collect the formats by scanning `formats`, and find the format of a file by its shape."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from tui import plugins
from tui.core.base.text import clean
from tui.core.language.spoken import explain_gone
from tui.exchange import own
from tui.exchange.document import (
    MOST_CREATURES,
    TOO_DEEP,
    TOO_MANY,
    Document,
    DocumentKind,
    Toml,
    Unreadable,
    read_documents,
)
from tui.exchange.foreign_values import has, has_some, list_tables
from tui.exchange.mapping import Imported, Unread, strip_book

Entries = Iterator[Imported | Unread]


class Format(Struct, frozen=True):
    """A file format of another tool."""

    title: str
    """The name of the format, for users."""
    kinds: tuple[DocumentKind, ...]
    """The kinds of documents that the format reads."""
    fits: Callable[[Any], bool]
    """Returns whether a document has this format."""
    take: Callable[[Any], Entries]
    """Yields the creatures of a document."""
    rank: int = 5
    """Formats with a lower rank are tried first; a shape that contains others needs a lower rank."""
    refuses: Callable[[Any], str] = lambda _value: ""
    """Returns what a document without creatures looks like and lacks, after "; " what works; or ""."""


class Understood(Struct, frozen=True):
    """The format and the creatures of a file; `problems` has line and cause of each unread part."""

    title: str
    entries: tuple[Imported, ...]
    problems: tuple[tuple[int, str], ...] = ()


def load_formats() -> tuple[Format, ...]:
    """Return every format of the program, in the order in which they are tried."""
    package = importlib.import_module("tui.exchange.formats")
    names = [info.name for info in pkgutil.iter_modules(package.__path__)]
    modules = [importlib.import_module(f"{package.__name__}.{name}") for name in names]
    forms = (value for module in modules for value in vars(module).values() if isinstance(value, Format))
    return tuple(sorted(forms, key=_order))


class OwnFormats(Struct, frozen=True):
    """The formats in the user's folder and of installed packages."""

    formats: tuple[Format, ...]
    problems: tuple[str, ...] = ()
    """A line for each file or package that brings no format, with the reason."""
    faults: list[str] = field(default_factory=list)
    """A line for each error of the user's formats while one file was read; `understand` empties the list."""


def load_own_formats() -> OwnFormats:
    """Return the user's formats, which are tried before the program's."""
    installed, problems = plugins.list_installed_folders("tocsin.formats")
    own.__path__ = [*dict.fromkeys([*own.__path__, *installed])]
    problems += plugins.name_missing_folders(own.__path__)
    formats, faults = list[Format](), list[str]()
    for info in pkgutil.iter_modules(own.__path__):
        if info.name[:1] != "_":
            found, reason = _import_own(info)
            formats += [_guard(form, faults) for form in found]
            problems += filter(None, [reason])
    return OwnFormats(tuple(sorted(formats, key=_order)), tuple(problems), faults)


def _import_own(info: pkgutil.ModuleInfo) -> tuple[list[Format], str]:
    """Return the formats of a user's file, or what is wrong with the file."""
    path = f"{getattr(info.module_finder, 'path', '')}/{info.name}{'' if info.ispkg else '.py'}"
    try:
        module = importlib.import_module(f"{own.__name__}.{info.name}")
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's file may fail in any way
        return [], plugins.describe_failure(error, path)
    formats = [value for value in vars(module).values() if isinstance(value, Format)]
    return formats, "" if formats else clean(f"{path}: it defines no Format; helper files begin with _", 300)


def _guard(form: Format, faults: list[str]) -> Format:
    """Return a user's format whose errors are added to `faults` instead of raised."""

    def fits(value: Any) -> bool:
        try:
            return bool(form.fits(value))
        except Exception as error:  # noqa: BLE001  # a stranger's file may fail in any way
            faults.append(plugins.describe_failure(error, f"your format {form.title}"))
            return False

    def take(value: Any) -> Entries:
        try:
            for one in form.take(value):
                if isinstance(one, Imported | Unread):
                    yield one
                else:
                    wrong = f"take yields {type(one).__name__} in place of a creature"
                    faults.append(f"your format {form.title}: {wrong}")
        except RecursionError:
            raise
        except Exception as error:  # noqa: BLE001  # a stranger's file may fail in any way
            faults.append(plugins.describe_failure(error, f"your format {form.title}"))

    return replace(form, fits=fits, take=take)


def _order(form: Format) -> tuple[int, str]:
    return form.rank, form.title


def understand(
    data: bytes, toml: Toml, pulse: Callable[[], None] = lambda: None, owned: OwnFormats | None = None
) -> Understood:
    """Return the creatures of a file of any format; `pulse` is called for each. Raises Unreadable.

    `owned` are the user's formats; they are loaded if None.
    """
    owned = owned or load_own_formats()
    owned.faults.clear()
    understood, problems = list[Understood](), list[tuple[int, str]]()
    tried: dict[int, str] = {}
    known, kinds = set[int](), set[DocumentKind]()
    refused: Unreadable | None = None
    for document in _read_until_held(data, toml, understood):
        if isinstance(document, Unreadable):
            problems.append((document.line, document.message))
            continue
        if document.block:
            tried[document.line] = document.block
        # A document read as YAML is not read as text, too. Of a note with blocks the blocks are read, its
        # front matter only if no block holds a creature, its prose never; of tables all.
        elsewhere = (known and not kinds == {document.kind} == {"table"}) or (
            (tried or problems) and document.kind == "text"
        )
        if document.line in known or (not document.block and elsewhere):
            continue
        gone = explain_gone_shape(document)
        forms = owned.formats if gone else (*owned.formats, *load_formats())
        if result := _understand_document(document, forms, pulse, data):
            understood.append(result)
            known.add(document.line)
            kinds.add(document.kind)
            problems += result.problems
        elif reason := Unreadable(*gone) if gone else _explain_unread(document, owned):
            # Of a note the text says more than its front matter.
            refused = reason if document.kind == "text" else refused or reason
    problems += [
        (line, f"no creature in this {kind} block") for line, kind in tried.items() if line not in known
    ]
    # Last, because these errors do not concern the parts of the file that could be read.
    problems += [(1, fault) for fault in dict.fromkeys(owned.faults)]
    if not understood and problems:
        raise Unreadable(problems[0][1], "", problems[0][0])
    if not understood:
        reason = refused or Unreadable("this is text without a stat block", _READ_HINT)
        raise Unreadable(reason.message, owned.problems[0] if owned.problems else reason.hint)
    entries = tuple(x for u in understood for x in u.entries)
    return Understood(understood[0].title, tuple(_drop_repeated_names(entries)), tuple(sorted(problems)))


def _drop_repeated_names(entries: tuple[Imported, ...]) -> Iterator[Imported]:
    """Yield the entries without encounter rows that only repeat the name of a creature in the same note.

    Notes made from books have such a row below each creature, with its name but without the book.
    """
    own = {x.block.name.lower() for x in entries if not x.is_row}
    own |= {strip_book(name) for name in own}
    for x in entries:
        if not (x.is_row and x.block.bare and not x.amount and x.block.name.lower() in own):
            yield x


def _read_until_held(
    data: bytes, toml: Toml, understood: list[Understood]
) -> Iterator[Document | Unreadable]:
    """Yield the documents of a file; an error ends them, and is raised only if `held` is still empty."""
    try:
        yield from read_documents(data, toml)
    except Unreadable:
        if not understood:
            raise


def _explain_unread(document: Document, owned: OwnFormats) -> Unreadable | None:
    """Return what a document looks like and what is missing; None if no format knows."""
    reasons = (form.refuses(document.value) for form in load_formats() if document.kind in form.kinds)
    fitting = (form.title for form in owned.formats if _is_fitting(form, document))
    nameless = (
        f"your format {title} fits, but finds no creature: an entry needs a name" for title in fitting
    )
    is_front_matter = document.kind == "yaml" and document.line > 1 and not document.block
    reason = next(filter(None, (*nameless, *(() if is_front_matter else reasons))), "")
    what, _, hint = reason.replace("{kind}", document.kind.upper()).partition("; ")
    return Unreadable(what, hint) if reason else None


def _is_fitting(form: Format, document: Document) -> bool:
    return document.kind in form.kinds and form.fits(document.value)


def _understand_document(
    document: Document, forms: Sequence[Format], pulse: Callable[[], None], data: bytes
) -> Understood | None:
    for form in forms:
        if _is_fitting(form, document):
            values = list[Imported]()
            problems = list[tuple[int, str]]()
            try:
                for count, one in enumerate(form.take(document.value), 1):
                    if count > MOST_CREATURES:
                        raise Unreadable(*TOO_MANY)
                    pulse()
                    if isinstance(one, Unread):
                        place = data.find(one.near.encode()) if one.near else -1
                        line = data.count(b"\n", 0, place) + 1 if place >= 0 else document.line + one.line - 1
                        problems.append((line, one.cause))
                    else:
                        values.append(one)
            except RecursionError:
                raise Unreadable(TOO_DEEP) from None
            if values:
                return Understood(form.title, tuple(values), tuple(problems))
    return None


_READ_HINT = "a stat block has `Armor Class 13` and `Hit Points 22`, a line of a list `Bram, hp 24, AC 14`"


_FOUNDRY_MARKS = (
    "_stats",
    "effects",
    "items",
    "flags",
    "ownership",
    "permission",
    "img",
    "prototypeToken",
    "token",
)
"""Keys that Foundry gives to every document of its own."""


def explain_gone_shape(document: Document) -> tuple[str, str] | None:
    """Return why a file of Foundry or 5e-bits is not read, and what works; None for other documents."""
    if document.kind == "json" and has_some(document.value, "index", "name", "hit_points", "armor_class"):
        return explain_gone("import", "5e-bits")
    if document.kind in ("json", "yaml") and any(map(_is_of_foundry, list_tables(document.value))):
        return explain_gone("import", "Foundry")
    return None


def _is_of_foundry(row: dict[str, Any]) -> bool:
    return (
        isinstance(row.get("type"), str)
        and (isinstance(row.get("system"), dict) or isinstance(row.get("data"), dict))
        and any(has(row, mark) for mark in _FOUNDRY_MARKS)
    )
