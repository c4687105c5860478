"""A random fight whose every step is compared with an independent statement of the rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from tests.kit.random_play import Game, Habits
from tests.kit.table import plain
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.views.table_for import table_for

State = dict[str, Any]


def due_for_order(state: State) -> list[State]:
    """The answers that the order waits for; a saving throw against an area is owed in every system alike."""
    return [d for d in state["due"] if not d.get("save")]


class Second(Protocol):
    """An independent statement of a system's rules; it reads only public states, dice and lines."""

    def step(self, line: str, old: State, dice: list[tuple[str, str, list[int]]], new: State) -> None:
        """Take over an accepted line, the states before and after, and the dice (ask, who, faces) of the
        step.
        """


Oracle = TypeVar("Oracle", bound=Second)


class Watched(Game, ABC, Generic[Oracle]):
    """A fight and its oracle; `compared` counts the states that were compared."""

    def __init__(
        self, system: str, habits: Habits, random: Random, options: dict[str, Any], oracle: Oracle
    ) -> None:
        super().__init__(system, habits, random, options)
        self.oracle, self.compared = oracle, 0
        self.public = plain(table_for(self.encounter, self.rules, Viewer()))

    def laws(self, before: Encounter, events: tuple[ev.Event, ...]) -> None:
        """Pass the step to the oracle, and compare the state while the fight runs."""
        old, new = self.public, plain(table_for(self.encounter, self.rules, Viewer()))
        self.public = new
        fallen = [(x.ask, x.who, list(x.faces)) for x in events if isinstance(x, ev.Rolled)]
        self.oracle.step(self.log[-1], old, fallen, new)
        if self.encounter.running:
            self.compared += 1
            self.compare(new, "\n".join(self.log))

    @abstractmethod
    def compare(self, new: State, said: str) -> None:
        """Assert that the oracle agrees with the state of a running fight; `said` are the lines so far."""
