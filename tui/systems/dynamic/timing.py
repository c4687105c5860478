"""Until when a round of the Dynamic Initiative System may still be changed."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.systems.dynamic.notes import notes_of, rule


def before_dice(e: Encounter) -> bool:
    """Whether no roll for the order has fallen in this round and no turn has begun; a save does not count."""
    # By purpose: saves and amounts are dice too, and close nothing.
    fallen = any(k.startswith(("init ", "tie")) for k in e.rolls)
    begun = e.turn or any("acted" in c.marks for c in e.combatants.values()) or notes_of(e).later
    return e.running and not fallen and not begun


def may_surprise(e: Encounter) -> bool:
    """Whether somebody may be surprised in this round (DIS-A2)."""
    return e.round <= 1 or bool(rule(e, "surprise_each_round") == "ask")


def bar(d: Draft, who: Iterable[str]) -> None:
    """These came too late for this round."""
    d.mark((k for k in who if "barred" not in d.encounter.combatants[k].marks), "barred", "round")
