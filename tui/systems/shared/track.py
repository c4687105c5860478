"""A track: everybody has a number, numbers make the order, ties are settled, nobody goes twice."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping
from typing import Any

from tui.core.base.cache import remembered
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Lazy, Offer, RollAsk, Sentence, TrackRow, say
from tui.core.fight.encounter import Encounter, Entry, key_of
from tui.core.odds.race import Forecasting, Race, unordered
from tui.core.rules.draft import Draft, living
from tui.core.rules.system import next_round
from tui.systems.shared import placing, racing
from tui.systems.shared.numbering import BY_HAND, Numbering, TrackNotes, fixed, number, track_notes
from tui.systems.shared.rolling import answered, roll_asks, still_rolling
from tui.systems.shared.ties import fresh, thrown

__all__ = ["BY_HAND", "TrackNotes", "TrackSystem", "announce_fixed", "part_of_group"]


class TrackSystem(Forecasting, Numbering, ABC):
    """A system with a number for every entry, which acts in the order of the numbers."""

    @remembered  # 200 creatures in classic: 3.5 of 5.4 ms at a roll
    def standing(self, e: Encounter) -> list[Entry]:
        """The order of this round, first to act first: where every row stands after dice, ties and moves."""
        return [x for x in placing.ordered(self, e) if x.members]

    @remembered  # 1,000 creatures in classic: three times a key, 0.4 ms each
    def waiting(self, e: Encounter) -> list[Entry]:
        """Who still has a turn in this round, in order."""
        spent = {k for k, c in e.combatants.items() if "acted" in c.marks or "barred" in c.marks}
        return [x for x in self.standing(e) if not spent.issuperset(x.members)]

    def offer(self, e: Encounter) -> Offer:
        """The first who has not acted; after the last of them the next round."""
        waiting = self.waiting(e)
        if not waiting:
            why = say("everybody has acted", rule=self.round_rule or self.roll_rule)
            return Offer((Act("round"),), why) if self.entries(e) else Offer()
        first = waiting[0].key
        why = say("{0} is next in the order", first, rule=self.turn_rule or self.roll_rule)
        return Offer((Act("turn", first),), why, first)

    def took(self, d: Draft, act: Act) -> None:
        """A turn, or the next round."""
        if act.kind == "round":
            next_round(d, self)
        else:
            super().took(d, act)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """A number, a roll-off, or an order by the GM's choice."""
        answered(self, d, ask, answer)
        # The cheap question first: of a hundred dice only the last one asks for the whole order.
        if d.scene.phase == "turns" and not still_rolling(self, d) and not roll_asks(self, d.encounter):
            placing.decided(self, d, self.standing(d.encounter))

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """The number that a row has rolled; of two d20 the face that counts."""
        entry = self.entry(e, roll.who)
        if not roll.ask.startswith("init ") or not entry.members:
            return None
        total, faces = self.total(e, entry, roll.faces), roll.faces
        if roll.dice == (20, 20):
            faces = (min(faces),) if total < self.total(e, entry, (max(faces),) * 2) else (max(faces),)
        return total, faces

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """The GM puts a row elsewhere; it holds until the order is rolled anew."""
        placing.move(self, d, key, where, other)

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """A newcomer to a group that has acted waits for the next round."""
        # Who comes back had a place in the group before; only newcomers wait.
        added = {x.c.id for x in d.events if isinstance(x, ev.Added)}
        placing.late(self, d, [k for k in who if k in added])

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """A new entry takes number and place of its best member; a group that has a number keeps it."""
        placing.regrouped(self, d, before)
        super().regrouped(d, before)

    def race(self, e: Encounter) -> Race | None:
        """Every row throws its dice, and equals roll off; without dice the order stands."""
        if not self.due(e):
            return racing.stands(self.waiting(e)) if e.phase == "turns" else None
        return self.thrown_for(e)

    def thrown_for(self, e: Encounter) -> Race | None:
        """The order that the dice which are due will make."""
        return racing.race(self, e)

    def ways(self, e: Encounter, ask: RollAsk) -> Iterable[tuple[float, tuple[int, ...]]]:
        """Of two equal dice for a place it means nothing which fell first."""
        first = ask.key.startswith("init ") and len(ask.dice) == 2 and len(set(ask.dice)) == 1
        return unordered(ask.dice) if first else super().ways(e, ask)

    # --- rows

    @remembered  # 200 creatures in classic: 0.4 of 1.7 ms a key
    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """The order of this round; those without a number stand below it."""
        order = self.standing(e)
        # Once for all rows, where each would ask for the whole order again.
        may = {a.who for a in self.offer(e).acts} if not e.turn and not self.due(e) else set()
        ranked = {x.key for x in order}
        rest = [x for x in self.entries(e) if x.key not in ranked]

        n = track_notes(e)

        def row(x: Entry) -> TrackRow:
            value, state = number(self, e, x, n) or 0, self.row_state(e, x, may)
            return TrackRow(x.key, x.members, value, state, Lazy(self.why, (e, x)))

        return tuple(map(row, [*order, *rest]))

    def value_of(self, e: Encounter, key: str) -> int:
        """Return the number of one row without making the others."""
        entry = self.row_of(e, key)
        return (number(self, e, entry) or 0) if entry else 0

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry that a row of this key has; None for no row. Overridden together with `entries`."""
        # A side and a creature of a group have no row of their own.
        members = tuple(c.id for c in living(e, key) if key_of(c) == key)
        return Entry(key, members) if members else None

    def row_state(self, e: Encounter, entry: Entry, may: Iterable[str]) -> str:
        """now, may, done, barred or waits."""
        if e.turn and not set(e.turn.members).isdisjoint(entry.members):
            return "now"
        if not fresh(e, entry):
            return "done" if any("acted" in e.combatants[k].marks for k in entry.members) else "barred"
        return "may" if entry.key in may else "waits"

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Why a row stands where it stands."""
        if (place := fixed(self, e, entry)) is not None:
            same = [
                x.key
                for x in self.ranked(e)
                if x.key != entry.key and fixed(self, e, x) is None and number(self, e, x) == place
            ]
            return (say("a fixed place", entry.key), *behind_rolled(entry.key, same))
        if entry.key not in track_notes(e).values:
            return (say("no number yet", entry.key),)
        off = thrown(e, entry.key, self.rolloff_rule)
        return (self.explain(e, entry), *off, *_moved(e, entry.key))


def _moved(e: Encounter, key: str) -> list[Sentence]:
    """Where a row was put last, and by whom; one that is gone cannot be named any more."""
    for m in reversed(
        [m for m in e.shifts if m.who == key and m.by not in (placing.IN_PLACE, placing.WHILE_FIXED)]
    ):
        beside = f"{m.where} {{1}}" if placing.known(e, m.other) else "elsewhere"
        text = f"put {beside} by hand" if m.by == placing.BY_HAND else f"delayed: acts {beside}"
        return [say(text, key, *([m.other] if placing.known(e, m.other) else []))]
    return []


def part_of_group(e: Encounter) -> tuple[Sentence, ...]:
    """Who of a group has the running turn, where not all of it have."""
    if e.turn is None:
        return ()
    row = [c.id for c in living(e, e.turn.who)]
    here = [k for k in row if k in e.turn.members]
    if len(here) in (0, len(row)):
        return ()
    text = ", ".join(f"{{{i}}}" for i in range(1, len(here) + 1))
    return (Sentence(f"of {{0}} only {text} {'acts' if len(here) == 1 else 'act'}", (e.turn.who, *here)),)


def behind_rolled(key: str, same: Iterable[str]) -> tuple[Sentence, ...]:
    """Why a fixed place stands behind the rows that rolled its number; none without such rows."""
    others = tuple(same)
    names = ", ".join(f"{{{i}}}" for i in range(1, len(others) + 1))
    return (
        (Sentence(f"behind {names} of the same number: nobody threw for it", (key, *others)),)
        if others
        else ()
    )


def announce_fixed(d: Draft, s: Numbering) -> None:
    """What a fixed place means here is said: another system may have read it from the other end."""
    end = "the highest" if s.high_first else "the lowest"
    for c in s.in_play(d.encounter):
        if c.value is not None:
            meant = f"; {end} acts first" if s.fixed_places else ", which means nothing here"
            d.announce(f"{{0}} has the fixed place {c.value}{meant}", c.id)
