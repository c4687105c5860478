"""CSV: a row for each event, for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re

from tui.exchange.story.story import Fight, Happening, StoryFormat

HEAD = ("round", "acting", "kind", "who", "amount", "dice", "faces", "text")


_FORMULA = "=+@|%\uff1d\uff0b\uff0d\uff20-"
_INNER = re.compile(rf"(?<=[;\t\r\n])(?=[^\S\t\r\n]*[{_FORMULA}])")
"""Matches before a formula that would begin a cell if `;` or a tab separated the cells."""


def write(fight: Fight) -> str:
    """Return a heading row and a row for each event, quoted as RFC 4180 says."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(HEAD)
    table.writerows(_write_happening(x) for x in fight.story.happenings)
    return out.getvalue()


def _write_happening(x: Happening) -> tuple[str | int, ...]:
    dice, faces = (" ".join(map(str, numbers)) for numbers in (x.dice, x.faces))
    amount = x.amount or ""
    return (
        x.round,
        escape_formula(x.acting),
        x.kind,
        escape_formula(x.who),
        amount,
        dice,
        faces,
        escape_formula(x.text),
    )


def escape_formula(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    text = _INNER.sub("'", text)
    # A blank in front does not stop every one of them from reading a formula.
    return "'" + text if text.lstrip()[:1] in tuple(_FORMULA) or text[:1] in ("\t", "\r", "\n") else text


CSV = StoryFormat("csv", "a table for a spreadsheet", write)
