"""Until when a round of the Dynamic Initiative System may still be changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.systems.shared.placing import forget_order

if TYPE_CHECKING:
    from tui.systems.dynamic.track import DynamicTrack


def is_open(s: DynamicTrack, e: Encounter) -> bool:
    """Whether no face of this round has fallen and no turn has begun."""
    fallen = any(k.startswith(("init ", "tie")) for k in e.rolls)
    begun = e.turn or any("acted" in c.marks for c in e.combatants.values()) or s.track_notes(e).later
    return e.running and not fallen and not begun


def reopen(d: Draft) -> None:
    """A round without a die was ready for its turns, and something is changed after all."""
    if d.encounter.phase == "turns":
        forget_order(d)
        d.emit(ev.PhaseEntered("orders"))


def may_surprise(s: DynamicTrack, e: Encounter) -> bool:
    """Whether somebody may be surprised in this round (DIS-A2)."""
    return e.round <= 1 or bool(s.option(e, "dis.surprise_each_round") == "ask")


def bar(d: Draft, who: Iterable[str]) -> None:
    """These came too late for this round."""
    d.mark((k for k in who if "barred" not in d.encounter.combatants[k].marks), "barred", "round")
