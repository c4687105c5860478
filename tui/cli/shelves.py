"""`tocsin party`, `encounters`, `creatures`: what the library holds, and what is wrong with its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tui.core.rules.system import Systems
from tui.store.library.service import Library
from tui.store.library.shelves import Kind, RosterFile
from tui.store.problems import BadFile
from tui.store.saves import saves_folder


def shelved(kind: Kind, saves: str, systems: Systems) -> list[RosterFile]:
    """Parties or encounters, in order of their names."""
    return Library(saves_folder(saves), systems).rosters(kind)


def roster_lines(found: Iterable[RosterFile]) -> list[str]:
    """A row for each: its name, and who is in it or what is wrong."""
    return [f"{s.name:<20} {s.told}" for s in found]


def roster_table(found: Iterable[RosterFile]) -> list[dict[str, Any]]:
    """The same as plain tables."""
    return [
        {"name": s.name, "path": s.path, "creatures": list(s.names), "later": s.later, "problem": s.problem}
        for s in found
    ]


def known(saves: str, systems: Systems) -> tuple[list[dict[str, Any]], list[str]]:
    """Every creature with its place, in order of the names, and every mistake in the files with its line."""
    found, problems = Library(saves_folder(saves), systems).creatures()
    return [{"name": f.name, "path": f.path, "line": f.line} for f in found], _told(problems)


def _told(problems: Sequence[BadFile]) -> list[str]:
    return [f"{p}; {p.hint}" if p.hint else str(p) for p in problems]
