"""What a system says of play without a game master: one that says nothing always has one."""

from __future__ import annotations

from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem


class Gmless:
    """A system that can be played without a GM. Both questions are pure."""

    def without_gm(self, e: Encounter) -> bool:
        """Whether this fight is played without one."""
        raise NotImplementedError

    def resolvers(self, e: Encounter, key: str) -> tuple[str, ...]:
        """The players who may carry out an entry's turn then, whoever is nearest first; at least one where anybody plays."""
        raise NotImplementedError


def without_gm(system: InitiativeSystem, e: Encounter) -> bool:
    """Whether this fight is played without a GM."""
    return isinstance(system, Gmless) and system.without_gm(e)


def resolves(system: InitiativeSystem, e: Encounter, key: str, player: str) -> bool:
    """Whether a player may carry out an entry's turn; letter case of players' names is ignored."""
    if not isinstance(system, Gmless) or not system.without_gm(e):
        return False
    return player.lower() in (name.lower() for name in system.resolvers(e, key))
