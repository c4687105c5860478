"""The initiative of Chaos: d20 + bonus for every row, every round anew, high first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from msgspec import field

from tui.core.fight.agenda import Act, Ask, Offer, Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, entries, key_of, unacted
from tui.core.fight.memo import remembered
from tui.core.rules.system import notes
from tui.systems.shared.numbering import TrackNotes, fixed, number
from tui.systems.shared.rolling import roll_asks
from tui.systems.shared.track import TrackSystem

LOCKED = "locked"
"""The mark of those who were here when the orders were locked: only they act in this round (CHA-A13)."""

_EDGE = {"adv": 1, "dis": -1}
_NONE: dict[str, Any] = {}


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


def _adjustment(c: Combatant) -> tuple[int, int]:
    """Bonus and edge (1 advantage, -1 disadvantage) of one combatant, if they count."""
    if "affected" in c.fields and not adjusted(size(c), c.number("affected")):
        return 0, 0
    return c.number("bonus"), _EDGE.get(c.word("adv"), 0)


def _shared(weighted: Iterable[tuple[int, int]]) -> int:
    """Of (value, creatures) the best value that at least half of the creatures have, or better."""
    found = sorted(weighted, reverse=True)
    total, so_far = sum(n for _, n in found), 0
    for value, n in found:
        so_far += n
        if 2 * so_far >= total:
            return value
    return 0


def adjustment(e: Encounter, entry: Entry) -> tuple[int, int]:
    """What an entry adds to its d20, and 1 for advantage, -1 for disadvantage (CHA-12, CHA-28)."""
    people = [e.combatants[k] for k in entry.members]
    if len(people) == 1:
        return _adjustment(people[0])
    found = [(_adjustment(c), size(c)) for c in people]
    return _shared((bonus, n) for (bonus, _), n in found), _shared((edge, n) for (_, edge), n in found)


@remembered
def _ranks(values: Mapping[str, int], ties: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """The place of every number among all, equals sharing one; remembered while no number changes."""
    found = {key: (-value, tuple(-t for t in ties.get(key, ()))) for key, value in values.items()}
    place = {rank: i for i, rank in enumerate(sorted(set(found.values())))}
    return {key: place[rank] for key, rank in found.items()}


class ChaosNumbers(TrackSystem):
    """Who rolls, what for, and why a row stands where it stands."""

    tie_option: ClassVar[str] = "cha.tie"
    rolloff_rule: ClassVar[str] = "CHA-A1"
    roll_rule: ClassVar[str] = "CHA-12"

    def track_notes(self, e: Encounter) -> ChaosNotes:
        """The notes of the round."""
        return notes(e, ChaosNotes)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """One d20, or two for advantage and disadvantage."""
        return (20, 20) if adjustment(e, entry)[1] else (20,)

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
        """The die that counts + bonus."""
        bonus, edge = adjustment(e, entry)
        return (min(faces) if edge < 0 else max(faces)) + bonus

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The face, what was added to it, and a bonus that does not count."""
        roll, value = e.rolls.get(f"init {entry.key}"), number(self, e, entry) or 0
        if roll is None:
            return say(f"{value}, with the row it comes from", entry.key, rule=self.roll_rule)
        faces = roll.faces
        kept = faces[0] if len(faces) == 1 else self._kept(e, entry, faces, value)
        text = f"d20 ({', '.join(map(str, faces))})" + (f", {kept} counts" if len(faces) > 1 else "")
        text += f" {value - kept:+} = {value}"
        for c in (e.combatants[k] for k in entry.members):
            if "affected" in c.fields and c.number("bonus") and _adjustment(c) == (0, 0):
                text += f"; the bonus {c.number('bonus'):+} touches less than half (CHA-28)"
                break
        return say(text, entry.key, rule=self.roll_rule)

    def _kept(self, e: Encounter, entry: Entry, faces: Sequence[int], value: int) -> int:
        """The face that counted, also when the fields were edited after the roll."""
        bonus, edge = adjustment(e, entry)
        best, worst = (min(faces), max(faces)) if edge < 0 else (max(faces), min(faces))
        return worst if value - worst == bonus != value - best else best

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """The bonus at the roll, if the house rule says so (CHA-A1)."""
        return adjustment(e, entry)[0] if rule == "bonus" else 0

    def owing(self, e: Encounter) -> bool:
        """Whether a first roll is owed; the quick half of `undecided`."""
        values = e.notes.get("values", _NONE)
        return any(
            LOCKED in c.marks and c.value is None and not c.out and key_of(c) not in values
            for c in e.combatants.values()
        )

    def undecided(self, e: Encounter) -> list[Ask]:
        """The dice and choices that the order still waits for; asked at every key."""
        settled = _distinct(*(e.notes.get(key, _NONE) for key in ("values", "ties", "kin")))
        return roll_asks(self, e) if not settled or self.owing(e) else []

    def together(self, e: Encounter) -> bool:
        """Whether equals act in the same moment (CHA-A1)."""
        return bool(self.option(e, "cha.tie") == "simultaneous")

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Who gets a place in the order."""
        return _present(e.combatants, e.round)

    def rollers(self, e: Encounter) -> tuple[Entry, ...]:
        """Everybody whose orders are locked."""
        return _locked(e.combatants, self.entries(e))

    def ranked(self, e: Encounter) -> tuple[Entry, ...]:
        """Those of them who have a number."""
        values = e.notes.get("values", {})
        return tuple(x for x in self.rollers(e) if x.key in values or fixed(self, e, x) is not None)

    def standing(self, e: Encounter) -> list[Entry]:
        """The whole order of this round; without fixed rows and house rules by the remembered numbers."""
        found = self.ranked(e)
        bonus = self.option(e, "cha.tie") == "bonus" or "bonus" in e.notes.get("rules", _NONE).values()
        if bonus or e.shifts or any(fixed(self, e, x) is not None for x in found):
            return super().standing(e)
        ranks = _ranks(e.notes.get("values", _NONE), e.notes.get("ties", _NONE))
        return sorted(found, key=lambda x: ranks[x.key])

    def waiting(self, e: Encounter) -> list[Entry]:
        """Who still has a slot in this round, in order."""
        return [x for x in self.standing(e) if pending(e, x)]

    def offer(self, e: Encounter) -> Offer:
        """The first whose slot is still to come; after the last of them the next round."""
        found = next((x for x in self.standing(e) if pending(e, x)), None)
        if found:
            why = say("{0} has the highest initiative that is left", found.key, rule="CHA-16")
            return Offer((Act("turn", found.key),), why, found.key)
        done = say("all orders are resolved", rule="CHA-18")
        return Offer((Act("round"),), done) if self.entries(e) else Offer()

    def row_state(self, e: Encounter, entry: Entry, may: Iterable[str]) -> str:
        """A row that was grouped in its own slot is `now` too; who came after the lock is `barred`."""
        if e.turn and any(k in e.turn.members for k in entry.members):
            return "now"
        if not unacted(e.combatants[k] for k in entry.members):
            return "done"
        if e.phase != "orders" and not pending(e, entry):
            return "barred"
        return "may" if entry.key in may else "waits"


@remembered
def _distinct(values: Mapping[str, int], ties: Mapping[str, Sequence[int]], kin: Mapping[str, str]) -> bool:
    """Whether no two numbers are alike: neither have the same dice fallen, nor is a roll-off half done."""
    found = sorted((value, tuple(ties.get(key, ())), kin.get(key, key)) for key, value in values.items())
    return not any(
        one == other and later[: len(rolled)] == rolled and roll != again
        for (one, rolled, roll), (other, later, again) in pairwise(found)
    )


@remembered
def _present(people: Mapping[str, Combatant], number: int) -> tuple[Entry, ...]:
    return entries(c for c in people.values() if not c.out and c.arrives <= number)


@remembered
def _locked(people: Mapping[str, Combatant], rows: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(x for x in rows if any(LOCKED in people[k].marks for k in x.members))


def pending(e: Encounter, entry: Entry) -> list[str]:
    """The ids in an entry whose slot is still to come: here when the orders were locked, and unacted."""
    people = e.combatants
    return [k for k in entry.members if LOCKED in (found := people[k].marks) and "acted" not in found]
