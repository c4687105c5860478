"""What nobody sits at a seat for, where there is no GM: closing the writing, and the dice of creatures without a player."""

from __future__ import annotations

from tui.core.base.text import quote
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.core.fight.encounter import Encounter, label, members
from tui.core.rules.system import InitiativeSystem, without_gm
from tui.core.rules.upkeep import owed
from tui.store.store import Store

_MOST = 10_000  # lines in a row; a die that always ties would roll for ever


def go_on(store: Store) -> int:
    """Takes the steps that wait for no player; how many. Raises RuleError, NotSaved."""
    for count in range(_MOST):
        line = forced(store.encounter, store.system)
        if not line:
            return count
        store.run(line)
    return _MOST


def forced(e: Encounter, system: InitiativeSystem) -> str:
    """The line that is due and that no player can send; "" while a player must do something, or nothing is due."""
    if not without_gm(system, e):
        return ""
    due = owed(e, system)
    rolls = [x for x in due if isinstance(x, RollAsk) and not _played(e, x.who)]
    if rolls:
        return f"roll {quote(label(e, rolls[0].who))}"
    # Sealed until all are in (CHA-2): the writing is closed by nobody before that.
    if not any(isinstance(x, LockAsk) for x in due) or any(
        _played(e, x.who) for x in due if isinstance(x, FormAsk)
    ):
        return ""
    return "lock missing=empty" if any(isinstance(x, FormAsk) for x in due) else "lock"


def _played(e: Encounter, key: str) -> bool:
    """Whether a player answers for an entry."""
    return any(c.owner for c in members(e, key))
