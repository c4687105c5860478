"""The systems there are: the one that runs a fight, and those that could."""

from __future__ import annotations

from typing import Literal, Protocol

from tui.core.fight.encounter import Encounter
from tui.core.fight.errors import RuleError
from tui.core.rules.system import InitiativeSystem


class Absent(InitiativeSystem):
    """Stands in for a system that is not installed: its saves can be looked at."""

    title = "A system that is not installed"


class Systems(Protocol):
    """The systems there are."""

    def ids(self) -> tuple[str, ...]:
        """Their ids."""

    def get(self, name: str) -> InitiativeSystem:
        """The one of that id. Raises RuleError that names the nearest."""

    def beside(self, name: str, kind: Literal["lesson", "sample"]) -> str:
        """The file of that kind that lies beside a system's own; "" where there is none."""


def running(systems: Systems, e: Encounter) -> InitiativeSystem:
    """The system that runs the fight; when it is not there, one that shows and cannot go on."""
    try:
        return systems.get(e.system)
    except RuleError:
        return Absent()


def having(systems: Systems, verb: str) -> str:
    """The id of a system that has a verb; "" for none."""
    for name in systems.ids():
        try:
            system = systems.get(name)
        except RuleError:
            continue
        if any(v.name == verb for v in system.verbs):
            return system.id
    return ""
