"""Order the factions of Unbound: the faction at turn, its choices, and its right to pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile

from msgspec import field
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import WITHHELD, Act, Offer, Sentence, list_slots, say, say_because
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, Entry, is_awaited
from tui.core.rules.draft import Draft
from tui.core.rules.system import notes
from tui.systems.shared.numbering import TrackNotes
from tui.systems.shared.placing import apply_moves
from tui.systems.shared.side_dice import SideDice, sides_from
from tui.systems.shared.track import TrackSystem

AGAIN = "again"
"""The mark of creatures that have had a turn and may have another (house rule `unb.reset`)."""


class UnboundNotes(TrackNotes, frozen=True):
    """The notes of the fight, by side unless stated otherwise."""

    last: str = ""
    """The side that acted or passed last."""
    passed: tuple[str, ...] = ()
    """The sides that have passed since the last turn."""
    begun: bool = False
    """Whether a turn was taken in this combat."""
    had: dict[str, bool] = field(default_factory=dict)
    """The creatures that have had a turn in this combat, by id."""
    checks: dict[str, int] = field(default_factory=dict)
    """The number to reach in each Perception check that is owed, by `SNEAKING ID`."""
    made: dict[str, tuple[int, bool]] = field(default_factory=dict)
    """The number of each answered check, and whether the check failed; `GM ID` is the GM's decision."""


def unbound_notes(e: Encounter) -> UnboundNotes:
    """Return the notes of the fight."""
    return notes(e, UnboundNotes)


class Factions(SideDice, TrackSystem):
    """The sides as entries, in the order of their dice."""

    after_rolls = ""
    roll_rule = "UNB-2"
    roll_text = "{0} rolls %s"
    roll_note = "one of them rolls for all"
    rolloff_rule = "UNB-5"
    rolloff_die = 12
    fixed_places = False

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the factions in play, in roster order."""
        return self.side_entries(e)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:  # noqa: ARG002
        """Return one d12."""
        return (12,)

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:  # noqa: ARG002
        """Return the bare face."""
        return faces[0]

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return the total of a check with Perception (UNB-15); None for other dice."""
        if roll.ask.startswith("notice ") and roll.who in e.combatants:
            return sum(roll.faces) + e.combatants[roll.who].number("per"), roll.faces
        return None

    def is_under_way(self, e: Encounter) -> bool:
        """Return whether a faction has acted or passed in this fight."""
        n = unbound_notes(e)
        return n.begun or bool(n.last or n.passed)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the number: the die alone."""
        value, roll = self.number(e, entry) or 0, e.rolls.get(f"init {entry.key}")
        if roll and not roll.faces:
            return say(f"{value}, as called", entry.key, rule="UNB-4")
        return say(f"d12 ({value})" if value > 0 else "joined late, comes last", entry.key, rule="UNB-4")

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Do nothing: groups have no meaning in this system."""

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Let a new member be chosen at once, because it has not acted."""

    def faction_order(self, e: Encounter) -> list[str]:
        """Return the keys of all factions in order; a faction without creatures keeps its place."""
        n, present = unbound_notes(e), self.entries(e)
        gone = [Entry(k, ()) for k in n.values if k not in {x.key for x in present}]
        known = [x for x in (*present, *gone) if x.key in n.values]
        return [x.key for x in apply_moves(e.shifts, sorted(known, key=lambda x: self.sort_key(e, x, n)))]

    def without(self, e: Encounter, unseen: Collection[str]) -> Encounter:  # noqa: ARG002
        """Return the encounter in which a faction with a seen member had the last turn before this one."""
        last, present = unbound_notes(e).last, {x.key for x in self.entries(e)}
        if not last or last in present:
            return e
        before = reversed(list(takewhile(lambda key: key != last, self.faction_order(e))))
        return replace(e, notes={**e.notes, "last": next((k for k in before if k in present), "")})

    def counts_to_act(self, e: Encounter) -> dict[str, int]:
        """Return by key how many creatures of each present faction still have a turn."""
        result: dict[str, int] = {}
        for c in self.in_play(e):
            result[SIDE + c.side] = result.get(SIDE + c.side, 0) + is_to_act(c)
        return result

    def choosing_sides(self, e: Encounter) -> Sequence[str]:
        """Return the faction that chooses; none if the round is over."""
        counts = self.counts_to_act(e)
        if not any(counts.values()):
            return ()
        # The search begins at the faction after the last one, not at the first: a faction that passed is
        # asked again only in its turn.
        around = sides_from(self.faction_order(e), unbound_notes(e).last, after=True)
        return [k for k in around if self.list_choosable(e, k, counts)][:1]

    def list_choosable(self, e: Encounter, side: str, counts: Mapping[str, int]) -> list[str]:
        """Return the ids that a faction may choose from."""
        present = [c for c in self.in_play(e) if SIDE + c.side == side]
        fresh = [c.id for c in present if "acted" not in c.marks]
        is_own_reset = self.option(e, "unb.reset") == "own_faction" and not counts.get(side)
        return fresh or [c.id for c in present if is_own_reset]

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of the current faction, its right to pass, and the numbers for that right."""
        choosing = self.choosing_sides(e)
        if not choosing:
            reason = say("Everybody of all factions has had a turn", rule="UNB-11")
            return Offer((Act("round"),), reason) if is_awaited(e) else Offer()
        side, counts = choosing[0], self.counts_to_act(e)
        turns = [Act("turn", k) for k in self.list_choosable(e, side, counts)]
        allowed = may_pass(counts, side, self.option(e, "unb.pass"))
        others = [k for k, n in counts.items() if k != side and n]
        # If all others have passed already, one more pass would go round the table for ever (UNB-22).
        must_act = allowed and set(others) <= set(unbound_notes(e).passed)
        passing = [Act("pass", side)] if allowed and not must_act else []
        does = "{0} chooses" if len((*turns, *passing)) > 1 else "{0} is next"
        why = self._why_offered(e, side, counts, does, allowed=allowed, must_act=must_act)
        return Offer((*turns, *passing), why, side, "UNB-7")

    def _why_offered(
        self, e: Encounter, side: str, counts: Mapping[str, int], does: str, *, allowed: bool, must_act: bool
    ) -> Sentence:
        # The counts give away how many are hidden, so viewers who do not see those may not read them.
        unseen = tuple(c.id for c in self.in_play(e) if c.hidden)
        others = [n for key, n in counts.items() if key != side]
        if not any(others):
            return say(does, side, *unseen, rule="UNB-7")
        numbers = _pass_numbers(counts[side], others, self.option(e, "unb.pass"), allowed=allowed)
        verdict = f"{'may pass' if allowed else WITHHELD}: {numbers}"
        reason, rule = (f"{WITHHELD}: everyone else passed", "UNB-22") if must_act else (verdict, "UNB-8")
        return say_because(does, reason, side, *unseen, rule=rule, joint="; ")


def sentences_about(text: str, people: Iterable[Combatant], rule: str) -> list[Sentence]:
    """Return one sentence with all visible creatures in place of `%s`, and one for each hidden creature."""
    creatures = list(people)
    seen = tuple(c.id for c in creatures if not c.hidden)
    groups = [seen] if seen else []
    # One sentence for all would be kept from players as soon as one creature of it is hidden.
    groups += [(c.id,) for c in creatures if c.hidden]
    return [Sentence(text.replace("%s", list_slots(ids, len(ids))), ids, rule) for ids in groups]


def is_to_act(c: Combatant) -> bool:
    """Return whether a creature has not had a turn in this round."""
    return not {"acted", AGAIN} & set(c.marks)


def may_pass(counts: Mapping[str, int], side: str, reading: str) -> bool:
    """Return whether a faction may pass, from the creatures that each faction has left (UNB-8)."""
    own = counts.get(side, 0)
    others = [n for key, n in counts.items() if key != side]
    match reading:
        case "never":
            is_allowed = False
        case "each":
            is_allowed = all(2 * own < n for n in others)
        case "two_sides_only":
            is_allowed = len(others) == 1 and 2 * own < others[0]
        case _:
            is_allowed = 2 * own < sum(others)
    return own > 0 and bool(others) and is_allowed


def _pass_numbers(own: int, others: Sequence[int], reading: str, *, allowed: bool) -> str:
    """Return in words the numbers and the rule that decide about passing."""
    match reading:
        case "never":
            return f"{own} left; by house rule nobody passes"
        case "each" if len(others) > 1:
            each = ", ".join(map(str, others[:-1]))
            return f"{own} left; by house rule fewer than half of each other side, {each} and {others[-1]}"
        case "two_sides_only" if len(others) > 1:
            return f"{own} left; by house rule only one of two sides passes, and here are {len(others) + 1}"
        case _:
            parts = f"{' + '.join(map(str, others))} = " if len(others) > 1 else ""
            share = "under half" if allowed else "at least half"
            return f"{own} left, {share} of the others' {parts}{sum(others)}"
