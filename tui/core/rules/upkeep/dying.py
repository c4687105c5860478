"""Dying: at 0 hit points a creature owes a death save in each of its turns, until it is stable, dead or healed."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Dying
from tui.core.rules.draft import Draft

NEEDED = 3
"""Successes that make stable, and failures that kill."""
ENOUGH = 10
"""What a death save must reach."""
REVIVES, WORST = 20, 1


def falls(d: Draft, who: str) -> None:
    """A creature that came to 0 hit points is dying."""
    d.emit(ev.DeathSaves(who))
    d.announce("{0} is dying", who)


def hurt(d: Draft, c: Combatant, dying: Dying) -> bool:
    """Damage to a dying creature is a failure, and ends its being stable. Whether it dies of it."""
    return _stands(d, c.id, dying.good if not dying.stable else 0, dying.bad + 1, owes=dying.owes)


def saved(d: Draft, who: str, face: int) -> bool:
    """A death save has fallen. Whether the creature dies of it."""
    dying = d.encounter.combatants[who].dying or Dying()
    if face == REVIVES:
        d.emit(ev.Healed(who, 1, 1))
        d.announce("{0} rolls a 20 and is up again with 1 hit point", who)
        return False
    if face >= ENOUGH:
        return _stands(d, who, dying.good + 1, dying.bad)
    return _stands(d, who, dying.good, dying.bad + (2 if face == WORST else 1))


def _stands(d: Draft, who: str, good: int, bad: int, *, owes: bool = False) -> bool:
    if bad >= NEEDED:
        d.emit(ev.DeathSaves(who, over=True))
        d.announce("{0} has failed three death saves and dies", who)
        return True
    stable = good >= NEEDED
    d.emit(ev.DeathSaves(who, 0 if stable else good, 0 if stable else bad, stable, owes))
    d.announce("{0} is stable" if stable else f"{{0}}: {good} of 3 successes, {bad} of 3 failures", who)
    return False
