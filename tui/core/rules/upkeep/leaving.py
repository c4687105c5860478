"""Leaving the fight: whoever acted alone has ended the turn, and what hangs on a concentration ends with it."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.rules.draft import Draft, present
from tui.core.rules.system import InitiativeSystem, end_turn


def gone(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """Creatures are out or removed: whoever was acting alone has ended the turn, skipping nobody."""
    if not d.encounter.running:
        return
    turn = d.encounter.turn
    if turn and not present(d.encounter, turn):
        end_turn(d, system)
    system.left(d, who)


def leave(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """Creatures are out; a turn that nobody is left in ends."""
    d.emit(*(ev.WentOut(k) for k in who))
    gone(d, system, who)
