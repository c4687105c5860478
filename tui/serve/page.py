"""Make the bytes of a browser's page: the HTML once, and the JSON of each viewer after a step."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.viewer import viewer_of
from tui.core.page import LogMoment, MarkWords, Now, Offers, Words
from tui.core.rules.system import InitiativeSystem, is_gmless
from tui.core.table import Table, TableRow
from tui.core.views.lineup import list_rows, side_order
from tui.core.views.now_for import now_for
from tui.core.views.offers import offers_for
from tui.core.views.seen import visible_fight
from tui.manual.glossary import glossary
from tui.store.problems import BadFile
from tui.store.store import Store

MOST_MOMENTS: Final = 60
"""How many moments of the log are on a page."""

_ENCODE = msgspec.json.Encoder()


class BrowserPage(Struct, frozen=True):
    """What a browser shows; the number of the page stands before it as `moment`."""

    viewer: str
    """the viewer's name; empty for the public"""
    gmless: bool
    """the fight has no game master"""
    words: Words
    """the system's names for itself, its marks and fields"""
    state: Table
    """the object of `show --json --as NAME`"""
    sides: tuple[str, ...]
    """the sides in the order of their colours"""
    rows: tuple[TableRow, ...]
    """the lines of the track"""
    now: Now
    """the present moment, in words"""
    log: tuple[LogMoment, ...]
    """the latest moments that the viewer was shown, at most 60"""
    terms: dict[str, str]
    """the meanings of conditions and marks on the page, by name"""
    offers: Offers
    """every line that the viewer may send now"""


def make_page(store: Store, name: str) -> tuple[bytes, Offers]:
    """Return the JSON of a viewer's page, without its number, and what it offers."""
    viewer, system = viewer_of(name), store.system
    e = store.marker(viewer).encounter
    moments, table = store.heard(viewer, MOST_MOMENTS), store.table(viewer)
    offers, gmless = offers_for(e, system, viewer), is_gmless(system, e)
    page = BrowserPage(
        viewer=name,
        gmless=gmless,
        words=_words(system),
        state=table,
        sides=side_order(visible_fight(e, system, viewer).encounter, system),
        rows=list_rows(e, system, viewer),
        now=now_for(e, system, viewer),
        log=tuple(moments),
        terms=dict(_terms(store, table)),
        offers=offers,
    )
    return _ENCODE.encode(page), offers


def number_page(moment: int, page: bytes) -> bytes:
    """Return the JSON of a page with its number, on one line."""
    # A line break would end an event; in JSON there is none inside a text.
    return b'{"moment":%d,%b' % (moment, page[1:].translate(None, b"\r\n"))


def _words(system: InitiativeSystem) -> Words:
    """Return the system's names for itself, its marks and its fields; equal for every viewer."""
    marks = {m.key: MarkWords(m.short, m.word, m.alarming) for m in system.all_marks.values() if m.word}
    # `kind` is left out, since it says no more than the side does.
    fields = {f.key: f.title for f in system.fields if f.key != "kind"}
    return Words(system.title, system.short or system.title, marks, fields)


def _terms(store: Store, table: Table) -> Iterator[tuple[str, str]]:
    """Yield the meanings of the conditions and marks that creatures of the table have."""
    known, library = glossary(store.system), store.effects.library
    titles = {m.key: m.short for m in store.system.all_marks.values()}
    marks = {titles.get(key, "") for c in table.combatants for key in c.marks}
    for name in sorted(marks & known.keys()):
        yield name, known[name]
    for name in sorted({x.name for c in table.combatants for x in c.conditions}):
        try:
            text = library.condition(name) if library else None
        except (RuleError, BadFile):  # a file of the library that cannot be read: the name alone is shown
            text = None
        if text is not None and text.text:
            yield name, text.text


def read_html() -> bytes:
    """Return the one page of HTML, with its style and script in it."""
    parts = {kind: _read(f"page.{kind}") for kind in ("html", "css", "js")}
    html = parts["html"].replace(b"/*css*/", parts["css"])
    return html.replace(b"/*js*/", parts["js"])


def page_headers(html: bytes) -> dict[str, str]:
    """Return the headers of every answer; only the page's own style and script may run, by their hashes."""
    hashes = {}
    for tag in ("style", "script"):
        found = re.search(rf"<{tag}>(.*?)</{tag}>".encode(), html, re.DOTALL)
        assert found
        hashes[tag] = base64.b64encode(hashlib.sha256(found[1]).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


def _read(name: str) -> bytes:
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return file.read()
