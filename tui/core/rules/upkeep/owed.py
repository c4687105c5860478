"""What is owed beside the rolls of the running system: saving throws and recharges."""

from __future__ import annotations

from collections.abc import Iterator

from tui.core.fight.agenda import Ask, RollAsk, Sentence, literal
from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import counters, saves

RECHARGE = "recharge "
UPKEEP = ("death ", saves.SAVE, RECHARGE)
"""How the purposes of these rolls begin; those of death saves in older journals too."""


def owed(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """What must be answered before play goes on, in order: saves and recharges in roster order, then what the system asks."""
    asks = system.due(e) if e.running else ()
    mine = upkeep(e, system)
    return (*mine, *asks) if mine else asks


def upkeep(e: Encounter, system: InitiativeSystem) -> tuple[RollAsk, ...]:
    """The saves that are due, and the recharges of whose turn runs; both also outside a fight."""
    found = [
        RollAsk(
            saves.purpose(c, x),
            c.id,
            (20,),
            saves.reason(c, x),
            save=saves.saving(c, x),
            ticks=True,
            secret=saves.hides(c, x),
        )
        for c, x in saves.due(e)
    ]
    return (*found, *_recharges(e, system))


def _recharges(e: Encounter, system: InitiativeSystem) -> Iterator[RollAsk]:
    """The dice of counters; where turns start with the round those of everybody."""
    if not e.running:
        return
    acting = e.turn.members if e.turn else ()
    together = system.upkeep_edges == "round"
    for c in e.combatants.values():
        if c.out or not c.counters or not (together or c.id in acting):
            continue
        for x in c.counters:
            if x.owes and (dice := counters.recharge(x.reset)):
                text = f"{{0}}: {literal(x.name)} comes back with {dice[1]} or more"
                yield RollAsk(f"{RECHARGE}{c.id} {x.name}", c.id, dice[0], Sentence(text, (c.id,), own=True))
