"""The order of factions in Unbound initiative: one bare d12 each, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import field

from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import SIDE, Encounter, Entry
from tui.core.rules.draft import Draft
from tui.core.rules.system import notes
from tui.systems.shared.ties import shifted
from tui.systems.shared.track import TrackNotes, TrackSystem


class UnboundNotes(TrackNotes, frozen=True):
    """Keys are sides. `last` acted or passed last, `passed` since the last turn; `begun`: a turn was taken.

    `checks`: Perception checks that are owed, as `SNEAKING ID`, and the number to reach.
    """

    last: str = ""
    passed: tuple[str, ...] = ()
    begun: bool = False
    checks: dict[str, int] = field(default_factory=dict)


class Factions(TrackSystem):
    """Sides as entries, in the order of their dice."""

    roll_rule = "UNB-3"
    rolloff_rule = "UNB-5"
    rolloff_die = 12

    def track_notes(self, e: Encounter) -> UnboundNotes:
        """The notes of the fight."""
        return notes(e, UnboundNotes)

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """The factions of those who are here, in roster order."""
        found: dict[str, list[str]] = {}
        for c in self.in_play(e):
            found.setdefault(SIDE + c.side, []).append(c.id)
        return tuple(Entry(key, tuple(ids)) for key, ids in found.items())

    def fixed(self, e: Encounter, entry: Entry) -> int | None:  # noqa: ARG002
        """Creatures have no places here."""
        return None

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:  # noqa: ARG002
        """One d12."""
        return (12,)

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:  # noqa: ARG002
        """The bare face."""
        return faces[0]

    def roll_why(self, e: Encounter, entry: Entry) -> Sentence:  # noqa: ARG002
        """One of them rolls for all."""
        return say("{0} rolls for its faction: one of them throws the die", entry.key, rule="UNB-2")

    def line(self, e: Encounter) -> list[str]:
        """The order of all factions there ever were, as keys: a place is kept for who may come back."""
        n, here = self.track_notes(e), self.entries(e)
        gone = [Entry(k, ()) for k in n.values if k not in {x.key for x in here}]
        known = [x for x in (*here, *gone) if x.key in n.values]
        return [x.key for x in shifted(e, sorted(known, key=lambda x: self._rank(e, x, n)))]

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The die."""
        value = self.value(e, entry) or 0
        return say(f"d12 ({value})" if value > 0 else "came last", entry.key, rule="UNB-4")

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Groups mean nothing here."""
