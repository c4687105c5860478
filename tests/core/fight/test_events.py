"""Every event is named where something follows from it, or is one of the quiet ones (`core/fight/events`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from tui.core.fight import events as ev

ROOT = Path(__file__).parents[3] / "tui"


def _names(node: ast.AST) -> set[str]:
    """Return the events that a part of a module names as `ev.NAME`."""
    parts = [x for x in ast.walk(node) if isinstance(x, ast.Attribute)]
    return {x.attr for x in parts if isinstance(x.value, ast.Name) and x.value.id == "ev"}


def _partial(tree: ast.AST) -> Iterator[set[str]]:
    """Yield the events that each match with a rest names, and each question about a kind of event."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match) and isinstance(node.cases[-1].pattern, ast.MatchAs):
            yield set().union(*(_names(case.pattern) for case in node.cases))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield _names(node.args[1])


def _looked_for() -> dict[str, list[str]]:
    """Return for each event the modules that look for it and pass over others."""
    found: dict[str, list[str]] = {}
    for path in ROOT.rglob("*.py"):
        if path.name in ("apply.py", "sentences.py"):
            continue  # every event is in these, as the type checker holds
        for names in _partial(ast.parse(path.read_text(encoding="utf-8"))):
            for name in names:
                found.setdefault(name, []).append(str(path.relative_to(ROOT)))
    return found


def test_every_event_is_looked_for_somewhere_or_is_quiet() -> None:
    events = {x.__name__ for x in get_args(ev.Event)}
    quiet = {x.__name__ for x in ev.QUIET_EVENTS}
    found = _looked_for()
    places = sorted({place for name, some in found.items() if name in events for place in some})
    forgotten = events - quiet - set(found)
    assert not forgotten, f"{sorted(forgotten)}: name each in one of {places} or in QUIET of events.py"
    both = {name: found[name] for name in quiet & set(found)}
    assert not both, f"something follows from these, so they are not quiet: {both}"
