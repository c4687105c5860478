"""`tocsin import`: creatures from files of other tools, into the library, or into a save."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tui.core.base.text import clean
from tui.core.fight.dice import Dice
from tui.core.rules.system import Systems
from tui.exchange.document import SMALL
from tui.store.library.actions import welcome
from tui.store.library.importing import Harvest, Progress, look, look_at_text, shown
from tui.store.library.service import Library, Stocking
from tui.store.problems import BadFile
from tui.store.saves import saves_folder
from tui.store.session import written

STDIN = "-"
"""The word for what is piped in: a stat block that was copied from a page."""


def read(paths: Sequence[str], *, over: bool = False) -> Harvest:
    """The creatures of files and folders, or of standard input. Raises BadFile, RuleError; nothing is written then."""
    if list(paths) == [STDIN]:
        return look_at_text(_piped(), "standard input", over=over)
    return look(paths, _progress, over=over)


def _piped() -> str:
    data = sys.stdin.buffer.read(SMALL + 1) if sys.stdin is not None else b""
    if len(data) > SMALL:
        raise BadFile("standard input", 0, f"it is larger than {SMALL // 1_000_000} MB", "name the file")
    return data.decode("utf-8-sig", "replace")


def _progress(at: Progress) -> None:
    """How far it is, on a terminal that waits."""
    number = at.done + 1
    if (
        at.count > 20
        and sys.stderr is not None
        and sys.stderr.isatty()
        and (number % 20 == 0 or number == at.count)
    ):
        with suppress(OSError):
            sys.stderr.write(f"\rtocsin: {number} of {at.count} files" + ("\n" if number == at.count else ""))
            sys.stderr.flush()


# --- where they go


def into_library(found: Harvest, saves: str, systems: Systems, *, over: bool) -> Stocking:
    """Keep them in the library; what came in and what did not. Raises RuleError, NotSaved."""
    return Library(saves_folder(saves), systems).stock_creatures(found.stem, found.gathered.blocks, over=over)


def into_save(
    found: Harvest, save: str, saves: str, systems: Systems, dice: Dice, files: Sequence[str]
) -> list[str]:
    """Adds them to a fight, in one step; what happened, in words. Raises RuleError, NotSaved."""
    with written(save, saves, systems, dice, lambda _: None) as session:
        told = clean("import " + " ".join(shown(f) for f in files), 200)
        held = found.gathered
        result = welcome(session.store, systems, held.blocks, told, held.many, held.like, held.standing)
        session.writer.wait()
        return [line.text for line in result.lines]


def table(found: Harvest, paths: Sequence[str], stocking: Stocking) -> dict[str, Any]:
    """Return the same as plain tables."""
    blocks = [
        {"name": b.name, "source": b.source, "hp": b.hp, "ac": b.ac, "initiative": b.initiative}
        for b in found.gathered.blocks
    ]
    return {
        "creatures": blocks,
        "formats": [{"name": title, "count": count} for title, count in found.gathered.counts],
        "mapping": [{"to": to, "from": path, "count": n} for to, path, n in found.gathered.rows],
        "cut": list(found.gathered.cut),
        "problems": list(found.passed),
        "clashes": [{"name": x.name, "taken": x.taken, "left": x.left} for x in found.gathered.clashes],
        "left": [{"name": name, "where": where} for name, where in stocking.left],
        "replaced": [{"name": name, "where": where} for name, where in stocking.over],
        "files": list(paths),
    }
