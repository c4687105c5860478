"""What is owed in a turn beside the rolls of the running system: death saves and recharges, and their answers."""

from __future__ import annotations

from collections.abc import Iterator

from tui.core.fight.agenda import Ask, RollAsk, Sentence, literal, reasoned
from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem

DEATH, RECHARGE = "death ", "recharge "
UPKEEP = (DEATH, RECHARGE)
"""How the purposes of these rolls begin."""


def owed(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """What must be answered before play goes on, in order: the acting creatures' saves and recharges, then the system's."""
    if not e.running:
        return ()
    mine = tuple(_asks(e))
    return (*mine, *system.due(e)) if mine else system.due(e)


def _asks(e: Encounter) -> Iterator[Ask]:
    """The dice that the creatures of the running turn owe."""
    for c in (e.combatants[k] for k in (e.turn.members if e.turn else ()) if k in e.combatants):
        if c.dying and c.dying.owes and not c.out:
            yield RollAsk(
                f"{DEATH}{c.id}", c.id, (20,), reasoned("{0} owes a death save", "10 or more", c.id)
            )
        for x in (x for x in c.counters if x.owes):
            from tui.core.rules.upkeep import counters

            if dice := counters.recharge(x.reset):
                text = f"{{0}}: {literal(x.name)} comes back with {dice[1]} or more"
                yield RollAsk(f"{RECHARGE}{c.id} {x.name}", c.id, dice[0], Sentence(text, (c.id,), own=True))


def answered(d: Draft, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...]) -> bool:
    """Whether these dice were for one of those, and have been counted."""
    if ask.key.startswith(DEATH):
        from tui.core.rules.upkeep import dying

        if dying.saved(d, ask.who, faces[0]):
            from tui.core.rules.upkeep.leaving import leave

            leave(d, system, (ask.who,))
        return True
    if ask.key.startswith(RECHARGE):
        from tui.core.rules.upkeep import counters

        counters.fallen(d, ask.who, ask.key.removeprefix(f"{RECHARGE}{ask.who} "), faces)
        return True
    return False
