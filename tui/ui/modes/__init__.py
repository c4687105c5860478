"""The modes of the screen. Each file has one: its keys and what it shows.

A file may list words of the command line that open its mode: `WORDS = {"word": function}`. The function takes
the desk and the rest of the line.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.ui.desk.base import BaseDesk

Word = Callable[["BaseDesk", str], None]
"""A function that runs a word of the command line; it takes the desk and the rest of the line."""


def words() -> dict[str, Word]:
    """Return the functions of all `WORDS` in this folder, by word."""
    found: dict[str, Word] = {}
    for name in sorted(os.listdir(__path__[0])):
        if name.endswith(".py") and name != "__init__.py":
            module = importlib.import_module(f"{__name__}.{name.removesuffix('.py')}")
            found |= getattr(module, "WORDS", {})
    return found
