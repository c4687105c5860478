"""Run a track: numbers give the order, ties are settled, and each row acts once a round."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, takewhile
from typing import Any, ClassVar

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Lazy,
    Offer,
    PickAsk,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    name_slots,
    say,
)
from tui.core.fight.combatant import EntryKey
from tui.core.fight.encounter import DiceRoll, Encounter, Entry, is_awaited, key_of, label, members
from tui.core.fight.viewer import fill_names
from tui.core.rules.draft import Draft, members_in_play
from tui.core.rules.optional import Corrections, announce_correction
from tui.core.rules.system import due_of, next_round, offer_of
from tui.systems.shared import placing
from tui.systems.shared.placing import Placing, added_in, members_to_act


def _has_new_dice(events: Sequence[ev.Event]) -> bool:
    """Return whether a die for the order was rolled in this draft after the order was last decided."""
    for event in reversed(events):
        match event:
            case ev.Decided():
                return False
            case ev.Rolled(ask) if ask.startswith(("init ", "tie")):
                return True
            case _:
                pass
    return False


class TrackSystem(Placing, Corrections, ABC):
    """A system in which each entry has a number and acts in the order of the numbers."""

    place_words: ClassVar[str] = "in the order"
    """The words for the place of a row in sentences."""
    place_rules: ClassVar[tuple[str, str]] = ("", "")
    """The clauses by which a row gets a place, and by which places are counted."""

    ordered_phases: ClassVar[tuple[str, ...]] = ("turns",)
    """The phases after the dice, in which a correction changes the order that was announced."""
    after_rolls: ClassVar[str] = "turns"
    """The phase after the last die for the order; "" if the system's own `settle` enters it."""

    def acting_order(self, e: Encounter) -> list[Entry]:
        """Return the entries of this round with a member here, first to act first."""
        return [x for x in self.order_entries(e) if x.members]

    def entries_to_act(self, e: Encounter) -> list[Entry]:
        """Return the entries that still have a turn in this round, in order."""
        spent = {k for k, c in e.combatants.items() if "acted" in c.marks or "barred" in c.marks}
        return [x for x in self.acting_order(e) if not spent.issuperset(x.members)]

    def offer(self, e: Encounter) -> Offer:
        """Return the turn of the first entry that has not acted, or the next round after the last one."""
        waiting = self.entries_to_act(e)
        if not waiting:
            reason = say("Everybody has acted", rule=self.round_rule or self.roll_rule)
            return Offer((Act("round"),), reason) if is_awaited(e) else Offer()
        first = waiting[0].key
        reason = say(f"{{0}} is next {self.place_words}", first, rule=self.turn_rule or self.roll_rule)
        return Offer((Act("turn", first),), reason, first)

    def begin(self, d: Draft) -> None:
        """Begin round 1; everybody owes a roll."""
        next_round(d, self)
        self.announce_fixed(d)
        d.emit(ev.PhaseEntered("rolls"))

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn or the next round."""
        if act.kind == "round":
            next_round(d, self)
        else:
            super().took(d, act)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Take an answer: a first roll, a roll-off, or the GM's order."""
        if isinstance(ask, PickAsk):
            self.put_in_order(d, answer)
            d.announce(f"Tied, ordered by the GM: {name_slots(len(answer))}", *answer, rule=ask.why.rule)
            self._settle_order(d)
        elif ask.purpose == "tie":
            self.record_roll_off(d, EntryKey(ask.who), answer)
        else:
            self.record_roll(d, self.entry(d.encounter, ask.who), answer)

    def settle(self, d: Draft) -> None:
        """Enter `after_rolls` after the last die; record the order after the last roll of a newcomer, too."""
        if self.after_rolls and d.encounter.phase == "rolls" and not due_of(d.encounter, self):
            d.emit(ev.PhaseEntered(self.after_rolls))
            self.announce_order(d, self.acting_order(d.encounter))
        elif _has_new_dice(d.events):
            self._settle_order(d)  # once for each line, not with each die

    def _settle_order(self, d: Draft) -> None:
        if d.encounter.phase in self.ordered_phases and not self.roll_asks(d.encounter):
            self.announce_order(d, self.acting_order(d.encounter))

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the rolls for the order that can still be corrected: all, unless a system overrides it."""
        return self.rolled_asks(e)

    def rolled_asks(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the first roll of each entry that got its number by rolling."""
        n = self.track(e)
        asks = []
        for x in self.entries_that_roll(e):
            purpose = f"{self.roll_word} {n.kin.get(x.key, x.key)}"
            roll = e.rolls.get(purpose)
            if roll is None or x.key not in n.values or self.fixed_place(e, x) is not None:
                continue
            if dice := roll.dice or self.dice_for(e, x):
                reason = say(f"{{0}} rolls for a place {self.place_words}", x.key, rule=self.roll_rule)
                asks.append(RollAsk(purpose, x.key, dice, reason, plain=True))
        return tuple(asks)

    def settled(self, e: Encounter, who: str) -> str:
        """Return the line that ends an entry's fixed place; "" without one."""
        key = key_of(e.combatants[who])
        entry = next((x for x in self.entries(e) if who in x.members), Entry(key, ()))
        if (place := self.fixed_place(e, entry)) is None:
            return ""
        people = [*(e.combatants[k] for k in entry.members), *members(e, entry.key)]
        name = next((c.name for c in people if c.value is not None), label(e, entry.key))
        ends = f"`set {quote(name)} value=none` ends it"
        return f"{label(e, entry.key)} has the fixed place {place}: {ends}"

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Correct the number of an entry, and of those that share its roll; new ties are rolled off."""
        before, entry = self.track(d.encounter), self.entry(d.encounter, ask.who)
        numbers = self.corrected_numbers(d, entry, new, old)
        announce_correction(d, ask, before.values[entry.key], numbers[entry.key])
        changes = {k: value for k, value in numbers.items() if before.values.get(k) != value}
        d.emit(*(ev.Noted("values", value, k) for k, value in changes.items()))
        d.emit(*(ev.Forgot("ties", k) for k in changes if k in before.ties))
        n = self.track(d.encounter)
        rows = {x.key for x in self.numbered_entries(d.encounter)}
        # The number of a group that acts one by one is nobody's place.
        split = {k for k in n.kin.values() if k not in rows and members_in_play(d.encounter, k)}
        for was in dict.fromkeys(before.values[k] for k in changes if k in before.values):
            equals = [k for k, value in n.values.items() if value == was and k not in split]
            # A row that is alone at its number now was tied with nobody.
            if len({n.kin.get(k, k) for k in equals}) <= 1:
                d.emit(*(ev.Forgot("ties", k) for k in equals if k in n.ties))
                d.emit(*(ev.Forgot("rules", r) for r in [str(was)] if r in n.rules))
        self._settle_order(d)

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return the number of a first roll, and its faces; of two d20 the face that counts."""
        entry = self.entry(e, roll.who)
        if not roll.ask.startswith("init ") or not entry.members:
            return None
        total, faces = self.total(e, entry, roll.faces), roll.faces
        if roll.dice[:2] == (20, 20):
            two, more = faces[:2], faces[2:]
            best = max(two) if total == self.total(e, entry, (*[max(two)] * 2, *more)) else min(two)
            faces = (best, *more)
        return total, faces

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """Move a row for the GM, until the order is rolled again. Raises RuleError."""
        keys = [x.key for x in self.numbered_entries(d.encounter)]
        for k in (key, other):
            if k not in keys:
                raise RuleError(fill_names(d.encounter, "{0} has no row yet", k), "", self.place_rules[0])
        if key == other:
            raise RuleError(f"{label(d.encounter, key)} cannot stand {where} itself", "", self.place_rules[1])
        self.put_row(d, key, where, other, placing.BY_HAND)

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Bar a newcomer to a group that has acted until the next round."""
        # A creature that comes back had its place in the group before; only newcomers wait.
        self.bar_late(d, added_in(d, who))

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Give a new entry the number and place of its best member; a group with a number keeps it."""
        self.keep_places(d, before)
        super().regrouped(d, before)

    def record_roll(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """Record an entry's number, what it was rolled with, and its present values for winning ties."""
        self.note_tie_breaks(d, entry)
        makings = self.makings(d.encounter, entry)
        self.record_number(d, entry, faces)
        if makings is not None:
            d.emit(ev.Noted("makings", makings, entry.key))

    def put_in_order(self, d: Draft, keys: Sequence[EntryKey]) -> None:
        """Put tied entries into the order that the GM named; earlier roll-offs no longer count."""
        ties = self.track(d.encounter).ties
        # The shortest list decides; otherwise an earlier roll-off would outweigh the GM's new order.
        settled = min((ties.get(key, []) for key in keys), key=len)
        for place, key in enumerate(keys):
            self._settle_tie(d, key, [*settled, -place])

    def record_roll_off(self, d: Draft, key: EntryKey, faces: Sequence[int]) -> None:
        """Append the face to the roll-offs of an entry, which settle its ties."""
        self._settle_tie(d, key, [*(d.noted("ties", key) or ()), faces[0]])

    def _settle_tie(self, d: Draft, key: EntryKey, results: list[int]) -> None:
        """Record the results that settle a tie; entries of one roll that are still tied share them."""
        shared = d.encounter.notes.get("kin", {})
        if shared.get(key, key) == key and key not in shared.values():
            d.emit(ev.Noted("ties", results, key))
            return
        e, n = d.encounter, self.track(d.encounter)
        roller = n.kin.get(key, key)
        present = {x.key: x for x in self.numbered_entries(e)}
        # Places of rows that are gone are included.
        same = [present.get(k, Entry(k, ())) for k in n.values if n.kin.get(k, k) == roller]
        ranks = {x.key: self.sort_key(e, x, n) for x in same}
        d.emit(*(ev.Noted("ties", results, k) for k, rank in ranks.items() if rank == ranks[key]))

    def announce_fixed(self, d: Draft) -> None:
        """Announce what each fixed place means in this system."""
        end = "the highest" if self.high_first else "the lowest"
        for c in self.in_play(d.encounter):
            if c.value is not None:
                meant = f"; {end} acts first" if self.fixed_places else ", which means nothing here"
                d.announce(f"{{0}} has the fixed place {c.value}{meant}", c.id)

    # --- rows

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the order of this round, then the entries without a number."""
        order = self.acting_order(e)
        # Computed once for all rows, each of which would otherwise ask for the whole order again.
        may = {a.who for a in offer_of(e, self).acts} if not e.turn and not due_of(e, self) else set()
        ranked = {x.key for x in order}
        rest = [x for x in self.entries(e) if x.key not in ranked]

        n = self.track(e)

        def row(x: Entry) -> TrackRow:
            value, state = self.number(e, x, n) or 0, self.row_state(e, x, may)
            return TrackRow(x.key, x.members, value, state, Lazy(self.why, (e, x)))

        return tuple(map(row, [*order, *rest]))

    def value_of(self, e: Encounter, key: str) -> int:
        """Return the number of one row; 0 if it has none."""
        entry = self.row_of(e, key)
        return (self.number(e, entry) or 0) if entry else 0

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry of a row, or None; overridden together with `entries`."""
        # A side, and a creature of a group, has no row of its own.
        members = tuple(c.id for c in members_in_play(e, key) if key_of(c) == key)
        return Entry(EntryKey(key), members) if members else None

    def has_no_turn(self, e: Encounter, entry: Entry) -> bool:
        """Return whether a row has no turn left in this round."""
        return not members_to_act(e, entry)

    def row_state(self, e: Encounter, entry: Entry, may: Iterable[str]) -> RowState:
        """Return the state of a row in this round, as in `RowState`."""
        if e.turn and not set(e.turn.members).isdisjoint(entry.members):
            return "now"
        if self.has_no_turn(e, entry):
            return "done" if any("acted" in e.combatants[k].marks for k in entry.members) else "barred"
        return "may" if entry.key in may else "waits"

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Return the sentences that explain a row's number and place."""
        if (place := self.fixed_place(e, entry)) is not None:
            rolled = (x for x in self.numbered_entries(e) if self.fixed_place(e, x) is None)
            same = [x.key for x in rolled if x.key != entry.key and self.number(e, x) == place]
            return (say("a fixed place", entry.key), *after_rolled(entry.key, same))
        if entry.key not in self.track(e).values:
            return (say("no number yet", entry.key),)
        return (self.explain(e, entry), *self._roll_off_reasons(e, entry.key), *_move_reasons(e, entry.key))

    def _roll_off_reasons(self, e: Encounter, key: EntryKey) -> list[Sentence]:
        """Return the sentence with an entry's roll-offs, about all tied entries; none without any."""
        # Only as many dice as are noted: dice of a number that was corrected stay among the rolls.
        settled = len(self.track(e).ties.get(key, ()))
        if not settled or f"tie0 {key}" not in e.rolls:
            return []
        rolls = list(takewhile(bool, (e.rolls.get(f"tie{i} {key}") for i in range(settled))))
        faces = ", ".join(str(roll.faces[0]) for roll in rolls if roll)
        # A tie may have hundreds of entries: this way no loop in Python runs over them.
        among = dict.fromkeys(chain.from_iterable(roll.among for roll in rolls if roll))
        among.pop(key, None)
        return [Sentence(f"roll-off {faces}", (key, *among), self.rolloff_rule)]


def _move_reasons(e: Encounter, key: str) -> list[Sentence]:
    """Return the sentence on the last move of a row, by hand or by a delay; none without one."""
    moves = [m for m in e.shifts if m.who == key and m.by not in (placing.IN_PLACE, placing.WHILE_FIXED)]
    for m in moves[-1:]:
        place = f"{m.where} {{1}}" if members(e, m.other) else "elsewhere"
        text = f"put {place} by hand" if m.by == placing.BY_HAND else f"delayed: acts {place}"
        return [say(text, key, *([m.other] if members(e, m.other) else []))]
    return []


def acting_part(e: Encounter) -> tuple[Sentence, ...]:
    """Return the sentence on the acting members of a group, if not all of them act."""
    if e.turn is None:
        return ()
    row = [c.id for c in members_in_play(e, e.turn.who)]
    present = [k for k in row if k in e.turn.members]
    if len(present) in (0, len(row)):
        return ()
    text = f"{name_slots(len(present), 1)} {'acts' if len(present) == 1 else 'act'}"
    return (say(f"of {{0}} only {text}", e.turn.who, *present),)


def after_rolled(key: str, same: Iterable[str]) -> tuple[Sentence, ...]:
    """Return the sentence that a fixed place comes after rows that rolled its number; none without them."""
    others = tuple(same)
    names = name_slots(len(others), 1)
    return (Sentence(f"after {names}, who rolled the same number", (key, *others)),) if others else ()
