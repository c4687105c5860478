"""Saves that were cut, spoilt or edited, as files in `damaged`, and what is said of each.

`python -m tests.store.damaged` writes `damaged/answers.txt` again: what opening says, what `tocsin check`
finds, and how many steps a repair keeps. Read the difference.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.kit.journals import HOUSE, Event, fight, journal
from tests.store.editors import WAYS
from tui.store.journal.reader import parse_journal
from tui.store.journal.verification import survey_journal
from tui.store.problems import JournalError

FOLDER = Path(__file__).with_name("damaged")
ANSWERS = FOLDER / "answers.txt"


def cases() -> dict[str, bytes]:
    """Return by name every file, and a save after each thing that an editor may do."""
    files = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.toml"))}
    edited = {f"an editor: {name}": way(journal(fight(3), HOUSE)) for name, way in WAYS.items()}
    return files | edited


def answered() -> str:
    """Return what is said of all of them now."""
    return "\n\n".join(f"== {name} ==\n{_said(data)}" for name, data in cases().items()) + "\n"


PARSERS = re.compile(
    r"((?:journal|header) is damaged|unreadable.*: step \d+"
    r"|^refused, (?:Journal|Damaged)\w+ at .*, step \d+): "
    r".*?(?= -> |$)",
    re.MULTILINE,
)
"""What the parser of the standard library says, in words that change with its version."""


def _said(data: bytes) -> str:
    return PARSERS.sub(r"\1: (why)", "\n".join([_opened(data), *_checked(data)]))


def _opened(data: bytes) -> str:
    try:
        found = parse_journal(data, Event, "mill.toml")
    except JournalError as error:
        return f"refused, {type(error).__name__} at step {error.step}: {error} -> {error.hint}"
    end = f"; line {found.torn.line}: {found.torn.words}" if found.torn else ""
    return f"opens with {len(found.steps)} steps{'; a line feed is lent' * found.missing_bytes}{end}"


def _checked(data: bytes) -> list[str]:
    try:
        found = survey_journal(data, Event)
    except JournalError as error:
        return [f"check refuses: {error}"]
    lines = [f"  {x.kind}, step {x.step}, line {x.line}: {x.message}" for x in found.findings]
    return [*lines, f"  sound: {'yes' if found.sound else 'no'}, keeps {len(found.steps)} steps"]


if __name__ == "__main__":
    ANSWERS.write_text(answered(), encoding="utf-8")
