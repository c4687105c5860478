"""How a fight stands, told without opening it for play."""

from __future__ import annotations

import os
from typing import Final

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import GAME_MASTER, is_plural
from tui.core.rules.system import InitiativeSystem, Systems, running
from tui.core.views.json import say_now
from tui.store.checkpoint.sidecar import sidecar_path
from tui.store.loading import load
from tui.store.problems import BadFile, plain

UNAIDED: Final = 4_000_000
"""Bytes of a journal up to which it is folded for a line of a list; a longer one only from its checkpoint."""


class Brief(Struct, frozen=True):
    """A fight in a few words: `stands` is what a list has room for, `now` the whole sentence.

    `system` is its title; `steps` are the lines in force; `people` those who are there, in roster order, those who
    are hurt with their hit points, `out` how many are out; `problem` says why nothing could be read.
    """

    system: str = ""
    round: int = 0
    stands: str = ""
    now: str = ""
    steps: int = 0
    people: tuple[str, ...] = ()
    out: int = 0
    problem: str = ""


def brief(path: str, systems: Systems) -> Brief:
    """The fight at `path`. Never raises: what is damaged or a stranger's is told as a problem."""
    try:
        if os.path.getsize(path) > UNAIDED and not os.path.exists(sidecar_path(path)):
            return Brief(stands="long: open it to see")
        found = load(path, systems)
        return _told(found.history.here, running(systems, found.history.here), found.history.position)
    except BadFile as error:
        return Brief(problem=error.message)
    except RuleError as error:
        return Brief(problem=plain(str(error)))
    except OSError as error:
        return Brief(problem=plain(error.strerror or "it cannot be read"))


def _told(e: Encounter, system: InitiativeSystem, steps: int) -> Brief:
    there = [c for c in e.combatants.values() if not c.out]
    return Brief(
        system.short or system.title,
        e.round if e.running else 0,
        _stands(e, system),
        say_now(e, system, GAME_MASTER).replace("`", ""),
        steps,
        tuple(c.name if c.hp in (None, c.most_hp) else f"{c.name} {c.hp}/{c.most_hp}" for c in there),
        len(e.combatants) - len(there),
    )


def _stands(e: Encounter, system: InitiativeSystem) -> str:
    """`Thane acts`, `no fight runs`, else how the Now line begins."""
    if not e.running:
        return "no fight runs" if e.combatants else "nobody is here yet"
    if e.turn:
        return f"{label(e, e.acting)} {'act' if is_plural(e, e.acting) else 'acts'}"
    return say_now(e, system, GAME_MASTER).replace("`", "")
