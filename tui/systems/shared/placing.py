"""Sort rows by their numbers: ties, and rows that were moved by hand."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, EntryKey
from tui.core.fight.encounter import (
    SIDE,
    Encounter,
    Entry,
    OrderOutcome,
    Shift,
    key_of,
    members,
    to_act,
)
from tui.core.rules.draft import Draft, members_in_play
from tui.systems.shared.numbering import Numbering, TrackNotes


def members_to_act(e: Encounter, entry: Entry) -> list[Combatant]:
    """Return the members of an entry that still have a turn in this round."""
    return to_act(e.combatants[k] for k in entry.members)


def ids_to_act(e: Encounter, key: str) -> set[str]:
    """Return the ids of a key's creatures that are here and still have a turn in this round."""
    return {c.id for c in to_act(members_in_play(e, key))}


def apply_moves(moves: Iterable[Shift], entries: list[Entry]) -> list[Entry]:
    """Return the entries after these moves, applied in order; a move of a missing entry is skipped."""
    for s in moves:
        keys: list[str] = [x.key for x in entries]
        if s.who in keys and s.other in keys:
            moving = entries.pop(keys.index(s.who))
            at = next(i for i, x in enumerate(entries) if x.key == s.other)
            entries.insert(at if s.where == "before" else at + 1, moving)
    return entries


BY_HAND, BY_DELAY, IN_PLACE, WHILE_FIXED = "hand", "delay", "place", "fixed"
"""The causes of a row's move: the GM, a delay, or a group that takes the place of its best member.

With `WHILE_FIXED` a row keeps a fixed place only while both rows have one.
"""


# --- groups


def has_older_members(e: Encounter, key: str, ids: Iterable[str]) -> bool:
    """Return whether a group had members before these joined it."""
    return any(c.id not in ids for c in members(e, key))


def moved_by_key(e: Encounter, before: Mapping[str, str]) -> dict[EntryKey, list[str]]:
    """Return the ids of the creatures that changed entries, by new key; `before`: the old key by id."""
    result: dict[EntryKey, list[str]] = {}
    for k, old in before.items():
        if (key := key_of(e.combatants[k])) != old:
            result.setdefault(key, []).append(k)
    return result


def added_in(d: Draft, who: Iterable[str]) -> list[str]:
    """Return those of these ids that were added by this line."""
    added = {x.c.id for x in d.events if isinstance(x, ev.Added)}
    return [k for k in who if k in added]


def find_late_members(e: Encounter, who: Iterable[str]) -> list[str]:
    """Return the ids of creatures that joined a group after its turn and have had none themselves."""
    joined = [e.combatants[k] for k in who]
    acting, late = e.busy, list[str]()
    for c in to_act(c for c in joined if c.group and c.id not in acting):
        others = [x for x in members_in_play(e, key_of(c)) if x not in joined]
        through = [x for x in others if "acted" in x.marks or x.id in acting]
        if through and all(x in through or "barred" in x.marks for x in others):
            late.append(c.id)
    return late


def bar_late_members(d: Draft, who: Iterable[str], rule: str) -> None:
    """Bar creatures that joined a group after its turn until the next round, and announce it."""
    for k in find_late_members(d.encounter, who):
        d.mark((k,), "barred")
        text = "{0} acts from the next round on: {1} has had this round's turn"
        d.announce(text, k, key_of(d.encounter.combatants[k]), rule=rule)


def share_mark(d: Draft, mark: str, ids: Iterable[str], first: Iterable[str]) -> None:
    """Let creatures that joined an entry have a mark or not, as `first` do, whose place they share now."""
    people = d.encounter.combatants
    if any(mark in c.marks for c in to_act(people[k] for k in first)):
        d.mark((c.id for c in to_act(people[k] for k in ids)), mark)
    else:
        d.unmark(ids, mark)


class Placing(Numbering, ABC):
    """A system that sorts its rows by their numbers."""

    def roster_place(self, e: Encounter, key: str) -> int:
        """Return the number in the id of an entry's first member, even a removed one.

        It sorts equal entries.
        """
        if not key.startswith(SIDE):
            return int(key[1:])
        return min((int(c.id[1:]) for c in members(e, key)), default=0)

    def row_moves(self, e: Encounter) -> Sequence[Shift]:
        """Return the moves of rows, in order."""
        return e.shifts

    def sort_key(self, e: Encounter, entry: Entry, n: TrackNotes) -> tuple[Any, ...]:
        """Return the sort key of an entry, roll-offs included."""
        numbers = self.tie_level(e, entry, n)
        place = numbers[2]
        return (*numbers, () if place else tuple(-t for t in n.ties.get(entry.key, [])))

    def order_entries(self, e: Encounter, keys: Iterable[str] = ()) -> list[Entry]:
        """Return the order of this round, first to act first, after all moves.

        Entries that have gone and are named by a move or by `keys` are included without members: so a row
        stays next to an entry that was later removed, grouped or taken out.
        """
        n, moved = self.track(e), self.row_moves(e)
        entries = list(self.numbered_entries(e))
        seen_keys = {x.key for x in entries}
        # Moves are applied one after the other: without the rows that are gone, later moves would end
        # elsewhere.
        gone = dict.fromkeys(map(EntryKey, [*(k for m in moved for k in (m.who, m.other)), *keys]))
        kept = [k for k in gone if k not in seen_keys and self.number_of_gone(e, k) is not None]
        entries += [Entry(k, ()) for k in kept]
        entries.sort(key=lambda x: (self.sort_key(e, x, n), self.roster_place(e, x.key)))

        def counts(m: Shift) -> bool:
            both = (EntryKey(m.who), EntryKey(m.other))
            return m.by != WHILE_FIXED or all(self._is_at_fixed_place(e, key) for key in both)

        return apply_moves(filter(counts, moved), entries)

    def _is_at_fixed_place(self, e: Encounter, key: EntryKey) -> bool:
        """Return whether an entry has a fixed place, or had one when it left."""
        # A creature that is out holds no place for a row that is still in play.
        if in_play := members_in_play(e, key) or members(e, key):
            return self.fixed_place(e, Entry(key, tuple(c.id for c in in_play))) is not None
        return (self.number_of_gone(e, key) or (0, False))[1]

    def announce_order(self, d: Draft, order: Iterable[Entry]) -> None:
        """Record the order as outcome, and the tie rules that decided in it."""
        self.keep_tie_rules(d)
        d.emit(ev.Decided(OrderOutcome(tuple(x.key for x in order))))

    def keep_tie_rules(self, d: Draft) -> None:
        """Record the tie rule that decided among equal numbers; a later house rule changes nothing."""
        n, first = self.track(d.encounter), dict[int, str]()
        for x in self.numbered_entries(d.encounter) if self.tie_option else ():
            value = n.values.get(x.key)
            if value is None or str(value) in n.rules or self.fixed_place(d.encounter, x) is not None:
                continue
            # Members of a group that was dissolved share a roll, and one roll is no tie.
            roll = n.kin.get(x.key, x.key)
            if first.setdefault(value, roll) != roll:
                d.emit(ev.Noted("rules", self.tie_rule(d.encounter), str(value)))
                n = self.track(d.encounter)

    def put_row(self, d: Draft, key: str, where: str, other: str, by: str) -> None:
        """Move a row before or after another; it keeps that place even if the other is gone."""
        place = self.fixed_place(d.encounter, self.entry(d.encounter, other))
        if place is not None:
            d.emit(ev.Noted("anchors", place, other))
        d.emit(ev.Shifted(key, where, other, by))

    def keep_places(self, d: Draft, before: Mapping[str, str]) -> None:
        """Give each new entry the number and place of its best member; a group with a number keeps it."""
        moves = moved_by_key(d.encounter, before)
        self._keep_dissolved(d, before)
        for key, ids in moves.items():
            self.inherit_place(d, key, ids, {before[k] for k in ids})
            self.bar_late(d, ids)

    def _keep_dissolved(self, d: Draft, before: Mapping[str, str]) -> None:
        """Record the fixed place of a dissolved group for the moves that name it."""
        e = d.encounter
        for who, old in before.items():
            value = e.combatants[who].value if self.fixed_places and self.row_moves(e) else None
            dissolved = old.startswith(SIDE) and not members(e, old)
            if value is not None and dissolved and self.number_of_gone(d.encounter, EntryKey(old)) is None:
                d.emit(ev.Noted("anchors", value, old))

    def inherit_place(self, d: Draft, key: EntryKey, ids: list[str], old: set[str]) -> None:
        """Give an entry that these creatures (ids) joined the number and place of their best old entry."""
        e, n = d.encounter, self.track(d.encounter)
        place = self.fixed_place(e, self.entry(e, key))
        # A creature keeps its own number, and a group the one that it had before others joined it.
        is_group = key.startswith(SIDE)
        keeps = not is_group or has_older_members(e, key, ids)
        if keeps and (key in n.values or (is_group and place is not None)):
            return
        known_ones = [x.key for x in self.order_entries(e, old) if x.key in old]
        if place is not None:
            same = next((k for k in known_ones if self.number_of_gone(e, k) == (place, True)), "")
            if same and e.shifts:
                d.emit(ev.Noted("anchors", place, same))
            self.move_into_place(d, key, same, WHILE_FIXED)
            return
        best = next((k for k in known_ones if k in n.values), None)
        if best is None:
            return
        d.emit(ev.Noted("values", n.values[best], key), ev.Noted("kin", n.kin.get(best, best), key))
        for word, table in (("ties", n.ties), ("breaks", n.breaks)):
            d.emit(ev.Noted(word, table[best], key) if best in table else ev.Forgot(word, key))
        self.move_into_place(d, key, best, IN_PLACE)

    def move_into_place(self, d: Draft, key: str, other: str, by: str) -> None:
        """Move a new entry to the place of an old one, or next to it if the old one still exists."""
        e = d.encounter
        if e.shifts and other:
            is_later = self.roster_place(e, key) > self.roster_place(e, other)
            where = "after" if is_later and members_in_play(e, other) else "before"
            d.emit(ev.Shifted(key, where, other, by))

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Bar creatures that joined a group after its turn until the next round."""
        bar_late_members(d, who, self.join_rule)

    def forget_order(self, d: Draft) -> None:
        """Clear numbers, roll-offs and moves before the order is rolled again."""
        d.emit(*map(ev.Forgot, TrackNotes.__struct_fields__), ev.RollsForgotten(), ev.ShiftsForgotten())
