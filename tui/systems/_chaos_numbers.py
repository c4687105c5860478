"""The initiative of Chaos: d20 + bonus for every row, every round anew, high first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec import field

from tui.core.agenda import Sentence, say
from tui.core.combatant import Combatant
from tui.core.encounter import Encounter, Entry, unacted
from tui.core.system import notes
from tui.systems._ties import Tie
from tui.systems._track import TrackNotes, TrackSystem

LOCKED = "locked"
"""The mark of those who were here when the orders were locked: only they act in this round (CHA-A13)."""

_EDGE = {"adv": 1, "dis": -1}


class ChaosNotes(TrackNotes, frozen=True):
    """What a round of Chaos remembers beside the numbers; tables are by entry.

    `begun`: the round whose first slot has opened; `warn`: doubts about orders; `used`: components whose
    alternative was used; `held`: readied actions in words; `missing`: entries that the lock answered with
    nothing; `let_go`: ids of those who did not keep last round's readied action; `fell`: ids of those who
    went out in the moment of their own slot (ties that act together).
    """

    begun: int = 0
    warn: dict[str, list[str]] = field(default_factory=dict)
    used: dict[str, list[str]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    let_go: list[str] = field(default_factory=list)
    fell: list[str] = field(default_factory=list)


def adjusted(size: int, affected: int | None) -> bool:
    """Whether an adjustment counts for a formation: at least half of it is touched (CHA-28)."""
    return affected is None or 2 * affected >= size


def size(c: Combatant) -> int:
    """How many creatures one combatant stands for."""
    return max(1, c.number("formation", 1))


def _counts(c: Combatant) -> bool:
    return adjusted(size(c), c.number("affected") if "affected" in c.fields else None)


def _shared(weighted: Iterable[tuple[int, int]]) -> int:
    """Of (value, creatures) the best value that at least half of the creatures have, or better."""
    found = sorted(weighted, reverse=True)
    total, so_far = sum(n for _, n in found), 0
    for value, n in found:
        so_far += n
        if 2 * so_far >= total:
            return value
    return 0


def bonus(e: Encounter, entry: Entry) -> int:
    """What an entry adds to its d20 (CHA-12, CHA-28)."""
    people = [e.combatants[k] for k in entry.members]
    return _shared((c.number("bonus") if _counts(c) else 0, size(c)) for c in people)


def edge(e: Encounter, entry: Entry) -> int:
    """1 for advantage, -1 for disadvantage, 0 for neither (CHA-28, CHA-A15)."""
    people = [e.combatants[k] for k in entry.members]
    return _shared((_EDGE.get(c.word("adv"), 0) if _counts(c) else 0, size(c)) for c in people)


class ChaosNumbers(TrackSystem):
    """Who rolls, what for, and why a row stands where it stands."""

    rolloff_rule: ClassVar[str] = "CHA-A1"
    roll_rule: ClassVar[str] = "CHA-12"

    def track_notes(self, e: Encounter) -> ChaosNotes:
        """The notes of the round."""
        return notes(e, ChaosNotes)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """One d20, or two for advantage and disadvantage."""
        return (20, 20) if edge(e, entry) else (20,)

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
        """The die that counts + bonus."""
        return (min(faces) if edge(e, entry) < 0 else max(faces)) + bonus(e, entry)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The face, what was added to it, and a bonus that does not count."""
        roll, value = e.rolls.get(f"init {entry.key}"), self.value(e, entry) or 0
        if roll is None:
            return say(f"{value}, with the row it comes from", entry.key, rule=self.roll_rule)
        kept = self._kept(e, entry, roll.faces, value)
        dice = f"d20 ({', '.join(map(str, roll.faces))})" + (
            f", {kept} counts" if len(roll.faces) > 1 else ""
        )
        text = f"{dice} {value - kept:+} = {value}"
        idle = [c for c in (e.combatants[k] for k in entry.members) if c.number("bonus") and not _counts(c)]
        for c in idle[:1]:
            text += f"; the bonus {c.number('bonus'):+} touches less than half (CHA-28)"
        return say(text, entry.key, rule=self.roll_rule)

    def _kept(self, e: Encounter, entry: Entry, faces: Sequence[int], value: int) -> int:
        """The face that counted, also when the fields were edited after the roll."""
        best, worst = max(faces), min(faces)
        if edge(e, entry) < 0:
            best, worst = worst, best
        added = bonus(e, entry)
        return worst if value - worst == added != value - best else best

    def tie_break(self, e: Encounter, key: str) -> int:
        """The bonus, if the house rule says so."""
        return bonus(e, self.entry(e, key)) if self.option(e, "cha.tie") == "bonus" else 0

    def ties_by_hand(self, e: Encounter) -> bool:
        """Whether the GM orders the tied."""
        return self.option(e, "cha.tie") == "by_hand" or super().ties_by_hand(e)

    def tied(self, e: Encounter) -> list[Tie]:
        """Nobody is, when equals act in the same moment."""
        return [] if self.together(e) else super().tied(e)

    def together(self, e: Encounter) -> bool:
        """Whether equals act in the same moment (CHA-A1)."""
        return self.option(e, "cha.tie") == "simultaneous"

    def rollers(self, e: Encounter) -> tuple[Entry, ...]:
        """Everybody whose orders are locked."""
        return tuple(x for x in self.entries(e) if any(LOCKED in e.combatants[k].marks for k in x.members))

    def ranked(self, e: Encounter) -> tuple[Entry, ...]:
        """Those of them who have a number."""
        n = self.track_notes(e)
        return tuple(x for x in self.rollers(e) if self.value(e, x, n) is not None)

    def waiting(self, e: Encounter) -> list[Entry]:
        """Who still has a slot in this round, in order."""
        return [x for x in self.standing(e) if pending(e, x)]

    def row_state(self, e: Encounter, entry: Entry, may: Iterable[str]) -> str:
        """A row that was grouped in its own slot is `now` too; who came after the lock is `barred`."""
        if e.turn and any(k in e.turn.members for k in entry.members):
            return "now"
        if not unacted(e.combatants[k] for k in entry.members):
            return "done"
        if e.phase != "orders" and not pending(e, entry):
            return "barred"
        return "may" if entry.key in may else "waits"


def pending(e: Encounter, entry: Entry) -> list[str]:
    """The ids in an entry whose slot is still to come: here when the orders were locked, and unacted."""
    marks = ((k, e.combatants[k].marks) for k in entry.members)
    return [k for k, found in marks if LOCKED in found and "acted" not in found]
