"""What a system says of play without a game master: one that says nothing always has one."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem


class Gmless(ABC):
    """A system that can be played without a GM. Both questions are pure."""

    @abstractmethod
    def without_gm(self, e: Encounter) -> bool:
        """Whether this fight is played without one."""

    @abstractmethod
    def resolvers(self, e: Encounter, key: str) -> tuple[str, ...]:
        """The players who may carry out an entry's turn then, whoever is nearest first; at least one where anybody plays."""


def without_gm(system: InitiativeSystem, e: Encounter) -> bool:
    """Whether this fight is played without a GM."""
    return isinstance(system, Gmless) and system.without_gm(e)


def resolves(system: InitiativeSystem, e: Encounter, key: str, player: str) -> bool:
    """Whether a player may carry out an entry's turn; letter case of players' names is ignored."""
    if not isinstance(system, Gmless) or not system.without_gm(e):
        return False
    return player.lower() in (name.lower() for name in system.resolvers(e, key))


def carried_out(system: InitiativeSystem, e: Encounter) -> str:
    """The key of the entry whose turn runs, or comes; "" where neither does, or something is due before it."""
    if e.acting or system.due(e):
        return e.acting
    return next((x.who for x in system.offer(e).acts if x.kind == "turn"), "")
