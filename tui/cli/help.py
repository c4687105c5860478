"""Print a chapter of the manual: `tocsin help [TOPIC]`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tui.cli.output import DONE, USAGE, Complaint, put
from tui.core.base.text import nearest
from tui.manual import CONTENTS, ManualChapter, chapter, chapters, plain

WIDEST = 100
"""Columns beyond which a text is hard to read."""


def run_help(topic: Sequence[str], commands: Sequence[str]) -> int:
    """Print the chapter of this name, or of a unique beginning. Raises Complaint if there is none."""
    asked = " ".join(topic)
    found = _found(asked, chapters(), commands) if asked else chapter(CONTENTS)
    width = _width()
    put([found.title, "=" * min(len(found.title), width), "", *plain(found.text, width)])
    return DONE


def _found(asked: str, every: Sequence[ManualChapter], commands: Sequence[str]) -> ManualChapter:
    word = asked.casefold()
    by_name = {one.name: one for one in every}
    beginning = [one for one in every if one.name.startswith(word)]
    if word in by_name:
        return by_name[word]
    if len(beginning) == 1:
        return beginning[0]
    if word in commands:
        hint = f"`tocsin {word} --help` explains that command"
    elif like := nearest(word, by_name):
        hint = f"`tocsin help {like}`"
    elif spoken := [one.name for one in every if word in f"{one.title} {one.text}".casefold()]:
        hint = f"it is mentioned in: {', '.join(spoken)}"
    else:
        hint = ""
    names = f"chapters: {', '.join(by_name)}"
    raise Complaint(USAGE, "usage", f"there is no chapter {asked}", f"{hint}; {names}" if hint else names)


def _width() -> int:
    """Return the columns of the terminal; 80 where there is none."""
    if (columns := os.environ.get("COLUMNS", "")).isascii() and columns.isdigit():
        return max(20, min(WIDEST, int(columns[:4])))
    try:
        return max(20, min(WIDEST, os.get_terminal_size(sys.stdout.fileno()).columns))
    except (OSError, ValueError, AttributeError):
        return 80
