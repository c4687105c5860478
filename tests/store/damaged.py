"""Saves that were cut, spoilt or edited, and what is said of each: `damaged/cases.txt`.

Each begins with its name, and says how it is made from the save `damaged/mill.toml`:

- `< 1-36 40` takes lines of it; `+ TEXT` adds a line, `% TEXT` bytes with Python's escapes, `0 N` zero bytes
- `@ WAY` does to all above what an editor does (`tests/store/editors.py`)

`python -m tests.store.damaged` writes the rest again: what opening says, what `tocsin check` finds, and how
many steps a repair keeps. Read the difference.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.kit.journals import HOUSE, Event, fight, journal
from tests.store.editors import WAYS
from tui.store.journal.reader import parse_journal
from tui.store.journal.verification import survey_journal
from tui.store.problems import JournalError

CASES = Path(__file__).with_name("damaged") / "cases.txt"
SAVE = CASES.with_name("mill.toml").read_bytes().splitlines(keepends=True)
EDITED = {f"an editor: {name}": way(journal(fight(3), HOUSE)) for name, way in WAYS.items()}
"""A save after each thing that an editor may do, by name."""


def answered(text: str) -> str:
    """Return the same cases with what is said of all of them now."""
    spoilt = [case.splitlines() for case in text.split("\n\n") if not case.startswith("== an editor: ")]
    recipes = [[line for line in case if line[:1] in {"<", "+", "%", "0", "@"}] for case in spoilt]
    cases = [[case[0], *recipe, _said(_made(recipe))] for case, recipe in zip(spoilt, recipes, strict=True)]
    cases += [[f"== {name} ==", _said(data)] for name, data in EDITED.items()]
    return "\n\n".join(map("\n".join, cases)) + "\n"


def _made(recipe: list[str]) -> bytes:
    made = b""
    for kind, rest in ((line[0], line[2:]) for line in recipe):
        if kind == "<":
            for first, last in re.findall(r"(\d+)-?(\d*)", rest):
                made += b"".join(SAVE[int(first) - 1 : int(last or first)])
        elif kind == "@":
            made = WAYS[rest](made)
        elif kind == "0":
            made += bytes(int(rest))
        else:
            made += (
                f"{rest}\n".encode()
                if kind == "+"
                else rest.encode().decode("unicode_escape").encode("latin-1")
            )
    return made


PARSERS = re.compile(
    r"((?:journal|header) is damaged|unreadable.*: step \d+"
    r"|^refused, (?:Journal|Damaged)\w+ at .*, step \d+): "
    r".*?(?= -> |$)",
    re.MULTILINE,
)
"""What the parser of the standard library says, in words that change with its version."""


def _said(data: bytes) -> str:
    return PARSERS.sub(r"\1: (why)", "\n".join([_opened(data).rstrip(), *_checked(data)]))


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
    CASES.write_text(answered(CASES.read_text(encoding="utf-8")), encoding="utf-8")
