"""Dying: at 0 hit points a creature owes a death save in each of its turns, until it is stable, dead or healed."""

from __future__ import annotations

import re

from tui.core.fight import events as ev
from tui.core.fight.combatant import ENOUGH, Combatant, Dying
from tui.core.fight.errors import RuleError
from tui.core.rules.draft import Draft

NEEDED = 3
"""Successes that make stable, and failures that kill."""
REVIVES, WORST = 20, 1
_STABLE = "stable"
_WORDS = re.compile(r"([0-2]) made, ([0-2]) failed")


def written(dying: Dying) -> str:
    """How it stands with a dying creature, as a file of the library says it."""
    return _STABLE if dying.stable else f"{dying.good} made, {dying.bad} failed"


def read(words: str) -> Dying:
    """How it stands with a dying creature, from those words. Raises RuleError."""
    if words == _STABLE:
        return Dying(stable=True)
    if found := _WORDS.fullmatch(words):
        return Dying(int(found[1]), int(found[2]))
    raise RuleError(
        f'"{words}" says nothing of death saves', '"1 made, 2 failed", up to 2 of each, or "stable"'
    )


def kept_dying(d: Draft, who: str, words: str) -> None:
    """A creature that was kept while it was dying goes on with the death saves it had."""
    dying = read(words)
    d.emit(ev.DeathSaves(who, dying.good, dying.bad, dying.stable))


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
        return ticked(d, who, made=True)
    return _stands(d, who, dying.good, dying.bad + (2 if face == WORST else 1))


def ticked(d: Draft, who: str, *, made: bool) -> bool:
    """A death save was one success, or one failure. Whether the creature dies of it."""
    dying = d.encounter.combatants[who].dying or Dying()
    return _stands(d, who, dying.good + made, dying.bad + (not made))


def _stands(d: Draft, who: str, good: int, bad: int, *, owes: bool = False) -> bool:
    if bad >= NEEDED:
        d.emit(ev.DeathSaves(who, over=True))
        d.announce("{0} has failed three death saves and dies", who)
        d.emit(ev.Died(who))
        return True
    stable = good >= NEEDED
    d.emit(ev.DeathSaves(who, 0 if stable else good, 0 if stable else bad, stable, owes))
    d.announce("{0} is stable" if stable else f"{{0}}: {good} of 3 successes, {bad} of 3 failures", who)
    return False
