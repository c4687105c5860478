"""How many moments a step tells all players alike: a count without words, as long as nothing is kept from anybody."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence
from tui.core.fight.apply import Folding
from tui.core.fight.encounter import GM, Encounter
from tui.core.fight.viewer import keeps_nothing
from tui.core.rules.system import InitiativeSystem
from tui.core.views.log import apart, cut
from tui.core.views.telling import tell

_NOBODY_NEW = (
    ev.Damaged, ev.Healed, ev.Bolstered, ev.Afflicted, ev.Cleared, ev.Ticked, ev.Marked, ev.Unmarked, ev.DeathSaves,
    ev.SaveOwed, ev.SaveSettled, ev.SaveDropped, ev.SavesKept, ev.Died, ev.Rested, ev.WentOut, ev.CameBack, ev.Tallied, ev.CounterEnded, ev.PlayEvent,
    ev.NoteTaken, ev.Announced, ev.DiceThrown,
)  # fmt: skip
"""Events after which nobody is hidden or called otherwise who was not before; after all others that is looked up."""


class AlikeSteps:
    """Counts steps one after the other, from an encounter on."""

    def __init__(self, e: Encounter) -> None:
        self._folding, self._open = Folding(e), keeps_nothing(e)

    @property
    def encounter(self) -> Encounter:
        """The encounter after the steps that were counted."""
        return self._folding.encounter

    def count(self, events: Iterable[ev.Event], system: InitiativeSystem) -> int | None:
        """The moments that the next step tells any player; None where that depends on the player.

        `system` ran the fight before the step.
        """
        alike, found, last = self._open, 0, ""
        for event in events:
            before = self._folding.scene
            self._take(event)
            alike = alike and self._open
            kind = type(event).__name__.lower()
            for said in apart(event, tell(before, event, system)) if alike else ():
                if any(not sentence.own for sentence in said):
                    found += not found or cut(last, kind)
                    last = kind
                elif not all(map(_masters, said)):
                    alike = False
        return found if alike else None

    def _take(self, event: ev.Event) -> None:
        self._folding.put(event)
        if not isinstance(event, _NOBODY_NEW):
            self._open = keeps_nothing(self._folding.scene)


def _masters(sentence: Sentence) -> bool:
    """Whether a sentence is for the game master alone."""
    return sentence.own and sentence.about[0] == GM
