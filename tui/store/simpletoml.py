"""The simplest TOML, read by one pattern: texts, switches and headers of one bare word, such as themes and locks hold.

Loading Python's own parser and reading a theme with it takes 5 ms of the processor more. What is said in any other way is
left to it, and so is whatever is wrong.
"""

from __future__ import annotations

import re
from typing import Any

_BLANK = r"[ \t]*(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?"
_LINE = (
    r"(?:\[(?P<table>[A-Za-z0-9_-]+)\]"
    r'|(?P<key>[A-Za-z0-9_-]+) *= *(?:"(?P<text>[^"\\\x00-\x1f\x7f]*)"|(?P<switch>true|false)))?'
    rf"{_BLANK}"
)


def simple(text: str) -> dict[str, Any] | None:
    """The tables of a text in which every line is simple and nothing is said twice; None for any other text."""
    found: dict[str, Any] = {}
    here = found
    for line in map(re.compile(_LINE).fullmatch, text.split("\n")):
        if line is None:
            return None
        table, key = line["table"], line["key"]
        if (table is not None and table in found) or (key is not None and key in here):
            return None
        if table is not None:
            here = found[table] = {}
        elif key is not None:
            here[key] = line["switch"] == "true" if line["switch"] else line["text"]
    return found
