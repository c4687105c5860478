"""A track: everybody has a number, numbers make the order, ties are settled, nobody goes twice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Field, Lazy, Offer, PickAsk, RollAsk, Sentence, TrackRow, say
from tui.core.fight.encounter import SIDE, Encounter, Entry, Outcome, key_of
from tui.core.fight.errors import RuleError
from tui.core.fight.memo import remembered
from tui.core.rules.draft import Draft, living
from tui.core.rules.system import InitiativeSystem, names, next_round, notes
from tui.systems.shared.ties import Tie, by_hand, fallen, fresh, roll_offs, shifted, thrown, unsettled

BY_HAND = Field("tie.by_hand", "ties by hand", "bool", default=False, help="the GM puts tied rows in order")


class TrackNotes(Struct, frozen=True):
    """`values`: the number of each entry; `ties`: what each has won or lost in roll-offs so far.

    `kin`: entries whose number comes from another entry's roll; kin never roll off against each other.
    """

    values: dict[str, int] = {}
    ties: dict[str, list[int]] = {}
    kin: dict[str, str] = {}


class TrackSystem(InitiativeSystem, ABC):
    """A system with a number for every entry. Subclasses say which dice, what total, which direction."""

    high_first: ClassVar[bool] = True
    rolloff_die: ClassVar[int] = 20
    rolloff_rule: ClassVar[str] = ""
    roll_rule: ClassVar[str] = ""
    turn_rule: ClassVar[str] = ""
    round_rule: ClassVar[str] = ""

    # --- what a subclass says

    @abstractmethod
    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """The sides of the dice an entry rolls for its place, in rolling order."""

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:  # noqa: ARG002
        """The number that these faces give, by the creatures alone."""
        return sum(faces)

    @abstractmethod
    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """How the number came about."""

    def rollers(self, e: Encounter) -> tuple[Entry, ...]:
        """Who owes a number."""
        return self.entries(e)

    def tie_break(self, e: Encounter, key: str) -> int:  # noqa: ARG002
        """A number that settles ties before any roll-off, high first."""
        return 0

    def lateness(self, e: Encounter, key: str) -> int:  # noqa: ARG002
        """How late in the round an entry came to its number: later ones stand behind equals."""
        return 0

    def ties_by_hand(self, e: Encounter) -> bool:
        """Whether the GM orders the tied."""
        return bool(self.option(e, "tie.by_hand"))

    # --- numbers

    def track_notes(self, e: Encounter) -> TrackNotes:
        """The notes a track needs."""
        return notes(e, TrackNotes)

    def fixed(self, e: Encounter, entry: Entry) -> int | None:
        """The fixed place of a row, if it has one."""
        for k in entry.members:
            if (value := e.combatants[k].value) is not None:
                return value
        return None

    def value(self, e: Encounter, entry: Entry, n: TrackNotes | None = None) -> int | None:
        """An entry's number; None while it is owed."""
        fixed = self.fixed(e, entry)
        return fixed if fixed is not None else (n or self.track_notes(e)).values.get(entry.key)

    @remembered  # 200 creatures in classic: 0.8 of 2.1 ms a key
    def roll_asks(self, e: Encounter) -> list[Ask]:
        """The rolls that are owed for the order: everybody's first, then the tied, front to back."""
        n = self.track_notes(e)
        owing = [x for x in self.rollers(e) if self.value(e, x, n) is None]
        if owing:
            return [self._first_roll(e, x) for x in owing]
        return self.tie_asks(e)

    def tie_asks(self, e: Encounter) -> list[Ask]:
        """What settles ties: roll-offs, or the GM's hand."""
        if self.ties_by_hand(e):
            return [by_hand(tie, self.rolloff_rule) for tie in self.tied(e)[:1]]
        ties = self.track_notes(e).ties
        return [
            ask for tie in self.tied(e) for ask in roll_offs(tie, ties, self.rolloff_die, self.rolloff_rule)
        ]

    def _first_roll(self, e: Encounter, entry: Entry) -> Ask:
        return RollAsk(f"init {entry.key}", entry.key, self.dice_for(e, entry), self.roll_why(e, entry))

    def roll_why(self, e: Encounter, entry: Entry) -> Sentence:  # noqa: ARG002
        """Why an entry rolls."""
        return say("{0} rolls for a place in the order", entry.key, rule=self.roll_rule)

    def tied(self, e: Encounter) -> list[Tie]:
        """The ties that nothing settles yet, front to back, each in roster order."""
        n = self.track_notes(e)
        same: dict[tuple[int, ...], list[Entry]] = {}
        for x in self.ranked(e):
            if self.fixed(e, x) is None:
                same.setdefault(self._number(e, x, n), []).append(x)
        alike = [some for _, some in sorted(same.items(), key=lambda item: item[0]) if len(some) > 1]
        return [tie for some in alike for tie in unsettled(some, n.ties, n.kin)]

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """A number, a roll-off, or an order by hand."""
        if isinstance(ask, PickAsk):
            self._by_hand(d, answer)
        elif ask.key.startswith("tie"):
            self._tie(d, ask.who, [*(d.noted("ties", ask.who) or ()), answer[0]])
        else:
            e = d.encounter if ask.who.startswith(SIDE) else d.scene
            self.numbered(d, self.entry(e, ask.who), answer)
        if d.scene.phase == "turns" and not self._rolling(d) and not self.roll_asks(d.encounter):
            self.decided(d)

    def _rolling(self, d: Draft) -> bool:
        """Whether a die is still to fall that was owed before the last ones fell: no need to ask for all."""
        asks = reversed(self.roll_asks(d.scene))  # they fall from the front
        return any(isinstance(ask, RollAsk) and not fallen(d, ask) for ask in asks)

    def numbered(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """An entry's number is known."""
        d.emit(ev.Noted("values", self.total(d.scene, entry, faces), entry.key))

    def _by_hand(self, d: Draft, keys: Sequence[str]) -> None:
        """The tied stand as named, whatever dice some of them won before."""
        ties = self.track_notes(d.encounter).ties
        settled = min((ties.get(key, []) for key in keys), key=len)
        for place, key in enumerate(keys):
            self._tie(d, key, [*settled, -place])

    def _tie(self, d: Draft, key: str, results: list[int]) -> None:
        """What a roll-off gave; kin that stand equal share it."""
        shared = d.scene.notes.get("kin", {})  # no roll-off makes kin: what came last need not be waited for
        if shared.get(key, key) == key and key not in shared.values():
            d.emit(ev.Noted("ties", results, key))
            return
        n = self.track_notes(d.encounter)
        kin = n.kin.get(key, key)
        e = d.encounter
        ranks = {x.key: self._rank(e, x, n) for x in self.ranked(e) if n.kin.get(x.key, x.key) == kin}
        d.emit(*(ev.Noted("ties", results, k) for k, rank in ranks.items() if rank == ranks[key]))

    def entry(self, e: Encounter, key: str) -> Entry:
        """The entry of a key, with whoever is alive in it."""
        return Entry(key, tuple(c.id for c in living(e, key)))

    # --- order

    def ranked(self, e: Encounter) -> tuple[Entry, ...]:
        """Who has a number, in roster order."""
        n = self.track_notes(e)
        return tuple(x for x in self.entries(e) if self.value(e, x, n) is not None)

    def _number(self, e: Encounter, entry: Entry, n: TrackNotes) -> tuple[int, ...]:
        fixed = self.fixed(e, entry)
        value = n.values.get(entry.key, 0) if fixed is None else fixed
        first = -value if self.high_first else value
        return (first, self.lateness(e, entry.key), fixed is not None, -self.tie_break(e, entry.key))

    def _rank(self, e: Encounter, entry: Entry, n: TrackNotes) -> tuple[Any, ...]:
        return (*self._number(e, entry, n), tuple(-t for t in n.ties.get(entry.key, [])))

    @remembered  # 200 creatures in classic: 3.5 of 5.4 ms at a roll
    def standing(self, e: Encounter) -> list[Entry]:
        """The whole order of this round, first to act first, with rows the GM moved where he put them."""
        n = self.track_notes(e)
        found = sorted(self.ranked(e), key=lambda x: self._rank(e, x, n))
        return shifted(e, found)

    def offer(self, e: Encounter) -> Offer:
        """The first who has not acted; after the last of them the next round."""
        waiting = self.waiting(e)
        if not waiting:
            why = say("everybody has acted", rule=self.round_rule or self.roll_rule)
            return Offer((Act("round"),), why) if self.entries(e) else Offer()
        return Offer((Act("turn", waiting[0].key),), self.first_why(e, waiting[0]), waiting[0].key)

    def first_why(self, e: Encounter, entry: Entry) -> Sentence:  # noqa: ARG002
        """Why this entry is next."""
        return say("{0} is next in the order", entry.key, rule=self.turn_rule or self.roll_rule)

    def waiting(self, e: Encounter) -> list[Entry]:
        """Who still has a turn in this round, in order."""
        return [x for x in self.standing(e) if fresh(e, x)]

    def took(self, d: Draft, act: Act) -> None:
        """A turn, or the next round."""
        if act.kind == "round":
            next_round(d, self)
            self.new_round(d)
        else:
            super().took(d, act)

    def new_round(self, d: Draft) -> None:
        """What a round begins with."""

    def forget_order(self, d: Draft) -> None:
        """The order is rolled anew: numbers, roll-offs and rows moved by hand are gone."""
        n = self.track_notes(d.encounter)
        if n.values:
            d.emit(ev.Forgot("values"))
        if n.ties:
            d.emit(ev.Forgot("ties"))
        if n.kin:
            d.emit(ev.Forgot("kin"))
        if d.encounter.rolls:
            d.emit(ev.RollsForgotten())
        if d.encounter.shifts:
            d.emit(ev.ShiftsForgotten())

    def decided(self, d: Draft) -> None:
        """The order stands."""
        d.emit(ev.Decided(Outcome("order", order=tuple(x.key for x in self.standing(d.encounter)))))

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """The GM puts a row elsewhere; it holds until the order is rolled anew."""
        keys = [x.key for x in self.standing(d.encounter)]
        for k in (key, other):
            if k not in keys:
                raise RuleError(f"{names(d.encounter, [k])} has no row yet", "roll first")
        if key == other:
            raise RuleError(f"{names(d.encounter, [key])} cannot stand {where} itself")
        d.emit(ev.Shifted(key, where, other))

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Whoever changes the entry takes the number along; a group keeps the one it has."""
        for who, old in before.items():
            new = key_of(d.encounter.combatants[who])
            n = self.track_notes(d.encounter)
            if new != old and new not in n.values and old in n.values:
                d.emit(ev.Noted("values", n.values[old], new))
                d.emit(ev.Noted("kin", n.kin.get(old, old), new))
                if old in n.ties:
                    d.emit(ev.Noted("ties", n.ties[old], new))

    # --- rows

    @remembered  # 200 creatures in classic: 0.4 of 1.7 ms a key
    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """The order of this round; those without a number stand below it."""
        order = self.standing(e)
        may = {a.who for a in self.offer(e).acts} if not e.turn and not self.due(e) else set()
        ranked = {x.key for x in order}
        rest = [x for x in self.entries(e) if x.key not in ranked]
        n = self.track_notes(e)

        def row(x: Entry) -> TrackRow:
            value, state = self.value(e, x, n) or 0, self.row_state(e, x, may)
            return TrackRow(x.key, x.members, value, state, Lazy(self.why, (e, x)))

        return tuple(map(row, [*order, *rest]))

    def row_state(self, e: Encounter, entry: Entry, may: Iterable[str]) -> str:
        """now, may, done, barred or waits."""
        if e.turn and not set(e.turn.members).isdisjoint(entry.members):
            return "now"
        marks = [m for k in entry.members if "acted" not in (m := e.combatants[k].marks)]
        if not marks:
            return "done"
        if all("barred" in m for m in marks):
            return "barred"
        return "may" if entry.key in may else "waits"

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Why a row stands where it stands."""
        if self.fixed(e, entry) is not None:
            return (say("a fixed place", entry.key),)
        if self.value(e, entry) is None:
            return (say("no number yet", entry.key),)
        off = thrown(e, entry.key, self.rolloff_rule)
        hand = [say(f"put {s.where} {{1}} by hand", s.who, s.other) for s in e.shifts if s.who == entry.key]
        return (self.explain(e, entry), *off, *hand)
