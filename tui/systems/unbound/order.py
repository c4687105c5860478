"""The order of factions in Unbound initiative: one bare d12 each, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import field

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, Entry
from tui.core.rules.draft import Draft
from tui.core.rules.system import notes
from tui.systems.shared.numbering import TrackNotes, number
from tui.systems.shared.placing import rank
from tui.systems.shared.ties import shifted
from tui.systems.shared.track import TrackSystem

AGAIN = "again"
"""The mark of those who have had a turn and may have another (house rule `unb.reset`)."""


class UnboundNotes(TrackNotes, frozen=True):
    """Keys are sides. `last`: the side that acted or passed last; `passed`: who passed since the last turn.

    `begun`: whether a turn was taken in this combat; `had`: by id, who has had one. `checks`: Perception checks
    that are owed, as `SNEAKING ID`, and the number to reach.
    """

    last: str = ""
    passed: tuple[str, ...] = ()
    begun: bool = False
    had: dict[str, bool] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)


def unbound_notes(e: Encounter) -> UnboundNotes:
    """The notes of the fight."""
    return notes(e, UnboundNotes)


class Factions(TrackSystem):
    """Sides as entries, in the order of their dice."""

    roll_rule = "UNB-2"
    roll_text = "{0} rolls %s"
    roll_note = "one of them throws for all"
    rolloff_rule = "UNB-5"
    rolloff_die = 12
    fixed_places = False

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """The factions of those who are here, in roster order."""
        found: dict[str, list[str]] = {}
        for c in self.in_play(e):
            found.setdefault(SIDE + c.side, []).append(c.id)
        return tuple(Entry(key, tuple(ids)) for key, ids in found.items())

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:  # noqa: ARG002
        """One d12."""
        return (12,)

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:  # noqa: ARG002
        """The bare face."""
        return faces[0]

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """A check with the Perception of whoever makes it (UNB-15)."""
        if roll.ask.startswith("notice ") and roll.who in e.combatants:
            return sum(roll.faces) + e.combatants[roll.who].number("per"), roll.faces
        return super().total_of(e, roll)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The die."""
        value = number(self, e, entry) or 0
        return say(f"d12 ({value})" if value > 0 else "came last", entry.key, rule="UNB-4")

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Groups mean nothing here."""

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """A new member has not acted and may be chosen at once."""


def line(s: Factions, e: Encounter) -> list[str]:
    """The order of all factions so far, as keys; one that is wholly out keeps its place, for it may come back."""
    n, here = unbound_notes(e), s.entries(e)
    gone = [Entry(k, ()) for k in n.values if k not in {x.key for x in here}]
    known = [x for x in (*here, *gone) if x.key in n.values]
    return [x.key for x in shifted(e.shifts, sorted(known, key=lambda x: rank(s, e, x, n)))]


def of_all(text: str, people: Iterable[Combatant], rule: str) -> list[Sentence]:
    """What holds for several creatures, `%s` standing for them; of each hidden one in a sentence of its own."""
    found = list(people)
    seen = tuple(c.id for c in found if not c.hidden)
    groups = [seen] if seen else []
    # One sentence for all would be kept from a player as soon as one of them is hidden.
    groups += [(c.id,) for c in found if c.hidden]
    return [
        Sentence(text.replace("%s", ", ".join(f"{{{i}}}" for i in range(len(ids)))), ids, rule)
        for ids in groups
    ]


def waits(c: Combatant) -> bool:
    """Whether a creature has not had a turn in this round."""
    return not {"acted", AGAIN} & set(c.marks)
