"""Order the initiative track: rolls, numbers, ties, moved rows (TRK-4 to TRK-8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import force_setattr, replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Ask,
    Lazy,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    name_slots,
    say,
    say_because,
)
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, Shift, key_of, members
from tui.core.rules.draft import Draft
from tui.core.rules.system import notes
from tui.systems.dungeon import turns
from tui.systems.dungeon.notes import (
    HEROES,
    TwoSides,
    all_entries,
    best_roller,
    core_members,
    dungeon_notes,
    entries_by_key,
    forget_notes,
    list_slots,
    made_now,
)
from tui.systems.dungeon.opposed_roll import RollValues
from tui.systems.shared.numbering import Tie, TrackNotes, find_ties
from tui.systems.shared.placing import BY_HAND, IN_PLACE, WHILE_FIXED, has_older_members
from tui.systems.shared.track import TrackSystem, after_rolled


class TrackPlace(Struct, frozen=True, omit_defaults=True):
    """The number of an entry, and the values that settle its ties."""

    value: int
    """The number on the track, with hits and kills."""
    faces: list[int] = []
    """The dice that were rolled."""
    per: int = 0
    """The Perception in the number."""
    mod: int = 0
    """The bonus in the number."""
    mind: int = 0
    """The Intelligence at the roll."""
    seat: int = 0
    """The rank among entries that came to one value after the roll; low first (TRK-A6)."""
    hand: bool = False
    """Whether the GM put the entry in order among tied entries."""
    ties: list[int] = []
    """The totals of the entry's roll-offs."""
    kin: str = ""
    """The key of the entry that made the roll, for members that left it; "" for the entry itself."""


class PlaceNotes(TrackNotes, frozen=True):
    """The notes of the track; the tables of `TrackNotes` are computed from `places`."""

    by: str = "sides"
    """The order of turns: by `sides` or by `track`."""
    free: bool = False
    """Whether it is the heroes' first turn, in which they act in any order (TRK-9)."""
    commanded: bool = False
    """Whether a commander has led in this combat."""
    places: dict[str, TrackPlace] = field(default_factory=dict)
    later: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Changes of value that are postponed to the next turn: key and amount."""
    pushes: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Moves by one place through hits and kills: key, `before` or `after`, other key."""
    tie: str = ""
    """The tie rule that first ordered this track; "" until then."""
    came: dict[str, tuple[TrackPlace | int, int, int]] = field(default_factory=dict)
    """For each entry whose place has had its turn: that place or fixed place, and the numbers of pushes and
    moves then.
    """
    spent: dict[str, list[str]] = field(default_factory=dict)
    """The marks `hit` and `kill` that have counted in this round, by key."""

    def __post_init__(self) -> None:
        """Fill the tables of `TrackNotes` from `places`."""
        force_setattr(self, "values", {k: p.value for k, p in self.places.items()})
        force_setattr(self, "ties", {k: p.ties for k, p in self.places.items() if p.ties})
        force_setattr(self, "kin", {k: p.kin for k, p in self.places.items() if p.kin})


def track_of(e: Encounter) -> PlaceNotes:
    """Return the notes of the track."""
    return notes(e, PlaceNotes)


def is_by_track(e: Encounter) -> bool:
    """Return whether the order of turns comes from the track now."""
    return track_of(e).by == "track"


class DungeonOrder(TwoSides, TrackSystem):
    """The order of the track: 2d6 + Perception, Intelligence in ties, moves by hits and kills."""

    roll_word = "track"
    roll_rule = "TRK-7"
    rolloff_rule = "TRK-7"
    tied_text = "Tied on the track"
    turn_rule = "TRK-10"
    round_rule = "TRK-10"
    place_rules = ("TRK-7", "TRK-8")
    place_words = "on the track"

    def track(self, e: Encounter) -> PlaceNotes:
        """Return the notes of the track."""
        return track_of(e)

    # --- who rolls

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:  # noqa: ARG002
        """Return two d6."""
        return (6, 6)

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return 2d6 + Perception + bonuses; those of its roll for an entry with a number."""
        place = track_of(e).places.get(roll.who) if roll.ask.startswith("track ") else None
        if place is None or roll.dice != (6, 6):
            return super().total_of(e, roll)
        return sum(roll.faces) + place.per + place.mod, roll.faces

    def roll_asks(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the asks that the track needs: numbers in roster order, then ties."""
        n, contest = track_of(e), dungeon_notes(e).contest
        if n.by != "track":
            return ()
        # Newcomers roll for the track only after the contest, since its total may become their number
        # (TRK-2).
        is_early = contest is not None and contest.stage != "ranks"
        without = [x for x in all_entries(e) if x.key not in n.values and self.fixed_place(e, x) is None]
        late = [x for x in without if not all("new" in e.combatants[k].marks for k in x.members)]
        entries_due = late if is_early else without
        if entries_due or is_early:
            return tuple(self.first_roll(e, x) for x in entries_due)
        ties = self.find_ties(e)
        if self.tie_rule(e) == "by_hand":
            return tuple(self.order_ask(tie) for tie in ties[:1])
        return tuple(_roll_off_ask(n, x.key, tie) for tie in ties for x in tie.rollers)

    def entries_that_roll(self, e: Encounter) -> tuple[Entry, ...]:
        """Return all entries while a track runs, else none."""
        return all_entries(e) if is_by_track(e) else ()

    def first_roll(self, e: Encounter, entry: Entry) -> RollAsk:
        """Return the roll of a hero or a group for its number."""
        rule = "TRK-4" if e.combatants[entry.members[0]].side == HEROES else "TRK-6"
        head, place = "{0} rolls 2d6 + Perception", "for a place on the track"
        reason = say_because(head, place, entry.key, rule=rule, joint=" ")
        return RollAsk(f"{self.roll_word} {entry.key}", entry.key, (6, 6), reason)

    def entry(self, e: Encounter, key: str) -> Entry:
        """Return the entry of a key with its companions; without members if it has gone."""
        return entries_by_key(e).get(key, Entry(key, ()))

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry of a row, or None."""
        return entries_by_key(e).get(key)

    # --- ties

    def tie_rule(self, e: Encounter) -> str:
        """Return the tie rule in force: intelligence, heroes_first, creatures_first or by_hand (TRK-A1).

        A track keeps the rule that first ordered it.
        """
        return track_of(e).tie or self.next_tie_rule(e)

    def next_tie_rule(self, e: Encounter) -> str:
        """Return the tie rule of the next track."""
        return "by_hand" if self.option(e, "tie.by_hand") else str(self.option(e, "trk.tie"))

    def find_ties(self, e: Encounter) -> list[Tie]:
        """Return the ties that need dice or the GM, in the order of the track."""
        n, by_hand, same = track_of(e), self.tie_rule(e) == "by_hand", dict[tuple[int, ...], list[Entry]]()
        for x in all_entries(e):
            if x.key in n.places and self.fixed_place(e, x) is None:
                level = self.tie_level(e, x, n)
                # If ties are settled by hand, equal numbers alone make a tie: the GM may ignore everything
                # else.
                same.setdefault(level[:1] if by_hand else level, []).append(x)
        known = {} if by_hand else n.ties
        ties = [tie for _, some in sorted(same.items()) for tie in find_ties(some, known, n.kin)]
        return [tie for tie in ties if not by_hand or not all(n.places[x.key].hand for x in tie.rivals)]

    def tie_level(self, e: Encounter, entry: Entry, n: TrackNotes) -> tuple[int, ...]:
        """Return the sort key of an entry without roll-offs: value, then the tie rule."""
        place = track_of(e).places.get(entry.key)
        if place is None or self.fixed_place(e, entry) is not None:
            # A fixed place comes after rolled places of the same number, and is never part of a roll-off.
            return (-(self.number(e, entry, n) or 0), 0, 1, 0, 0, 0)
        tie_rule = self.tie_rule(e)
        hero = any(c.side == HEROES for c in _core_creatures(e, entry)[:1])
        side = {"heroes_first": not hero, "creatures_first": hero}.get(tie_rule, False)
        return (-place.value, 0, 0, int(side), 0 if tie_rule == "by_hand" else -place.mind, place.seat)

    def keep_tie_rules(self, d: Draft) -> None:
        """Record the tie rule that ordered a complete track."""
        n = track_of(d.encounter)
        if n.by == "track" and n.places and not n.tie and not self.due(d.encounter):
            d.emit(ev.Noted("tie", self.next_tie_rule(d.encounter)))

    def announce_order(self, d: Draft, order: Iterable[Entry]) -> None:
        """Do nothing: the outcome of the contest is kept, because the track itself shows the order."""

    # --- fixed places, moves, those who have gone

    def fixed_place(self, e: Encounter, entry: Entry) -> int | None:
        """Return the fixed place of a row, or that of its last member when it left; None without one."""
        place = next((v for c in _core_creatures(e, entry) if (v := c.value) is not None), None)
        return track_of(e).anchors.get(entry.key) if place is None and not entry.members else place

    def number_of_gone(self, e: Encounter, key: str) -> tuple[int, bool] | None:
        """Return the last number of an entry that has gone, and whether it was a fixed place; or None."""
        place = self.fixed_place(e, Entry(key, ()))
        if place is not None:
            return place, True
        values = track_of(e).values
        return (values[key], False) if key in values else None

    def roster_place(self, e: Encounter, key: str) -> int:
        """Return the number in the id of an entry's first member, companions included."""
        row = entries_by_key(e).get(key)
        ids = row.members if row else [c.id for c in _creatures_of_key(e, key)]
        return min((int(k[1:]) for k in ids), default=0)

    def row_moves(self, e: Encounter) -> Sequence[Shift]:
        """Return all moves of rows, in order: first those by hits and kills, then those by the GM."""
        return (*(Shift(*push) for push in track_of(e).pushes.values()), *e.shifts)

    # --- answers

    def record_roll(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """Record the roll of an entry's best member."""
        self.place(d, entry, faces, made_now(d.encounter, best_roller(d.encounter, entry)))

    def place(self, d: Draft, entry: Entry, faces: Sequence[int], made: RollValues) -> None:
        """Record an entry's roll; its companions keep the number if they are left alone."""
        place = TrackPlace(sum(faces) + made.per + made.mod, list(faces), made.per, made.mod, made.best)
        write_place(d, entry.key, place)
        core = {c.id for c in core_members(d.encounter, entry)}
        for k in entry.members:
            if k not in core:
                write_place(d, k, replace(place, kin=entry.key))

    def record_roll_off(self, d: Draft, key: str, faces: Sequence[int]) -> None:
        """Record a roll-off of 2d6 + Perception."""
        roller = best_roller(d.encounter, self.entry(d.encounter, key))
        total = sum(faces) + roller.number("per") + roller.number("mod")
        _settle_tie(d, key, ties=[*read_place(d, key).ties, total])

    def put_in_order(self, d: Draft, keys: Sequence[str]) -> None:
        """Put tied entries into the order that the GM named."""
        for seat, key in enumerate(keys):
            _settle_tie(d, key, seat=seat, hand=True)

    def forget_order(self, d: Draft) -> None:
        """Clear numbers, changes and moves."""
        forget_notes(d, "places", "later", "pushes", "tie", "anchors", "came")
        if d.encounter.shifts:
            d.emit(ev.ShiftsForgotten())
        if any(k.startswith(("track ", "tie")) for k in d.encounter.rolls):
            d.emit(ev.RollsForgotten("track "), ev.RollsForgotten("tie"))

    # --- rows that change

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Do nothing: `TwoSides.regrouped` bars, because newcomers that won may act at once."""

    def inherit_place(self, d: Draft, key: str, ids: list[str], old: set[str]) -> None:
        """Give a new row the number and place of its best member; an existing group keeps its own."""
        if not has_older_members(d.encounter, key, ids):
            self._inherit_best(d, key, old)
            # Turns that several rows had before they became one group are not turns of the group (TRK-18).
            spent = track_of(d.encounter).spent
            mine = [*spent.get(min(old), ()), *spent.get(key, ())] if len(old) == 1 else []
            d.emit(ev.Noted("spent", list(dict.fromkeys(mine)), key))
        had = track_of(d.encounter).spent.get(key, ())
        for mark in ("hit", "kill"):
            if mark in had:
                d.mark(ids, mark)
            else:
                d.unmark(ids, mark)

    def _inherit_best(self, d: Draft, key: str, old: set[str]) -> None:
        e, places_ = d.encounter, track_of(d.encounter).places
        order = [x.key for x in self.order_entries(e, old) if x.key in old]
        first = next((k for k in order if k in places_), "")
        if first:
            write_place(d, key, replace(places_[first], kin=places_[first].kin or first))
        row = next((x for x in all_entries(e) if key == x.key or key in x.members), Entry(key, ()))
        # A member with a fixed place brings it along, and the group takes that place.
        if (place := self.fixed_place(e, row)) is not None:
            first = next((k for k in order if self.fixed_place(e, Entry(k, ())) == place), "")
        if first:
            self.move_into_place(d, key, first, IN_PLACE if place is None else WHILE_FIXED)

    def move_into_place(self, d: Draft, key: str, other: str, by: str) -> None:
        """Move a new row to the place of the old one, or next to it, if a move names the old one."""
        # If no move names the old row, that row stood at its number, and the new row does too.
        e = d.encounter
        if not any(other in (s.who, s.other) for s in self.row_moves(e)):
            return
        rows = entries_by_key(e)
        is_after = other in rows and key in rows and self.roster_place(e, key) > self.roster_place(e, other)
        where = "after" if is_after else "before"
        if by == WHILE_FIXED or any(other in (s.who, s.other) for s in e.shifts):
            d.emit(ev.Shifted(key, where, other, by))
        else:
            d.emit(ev.Noted("pushes", [key, where, other], str(len(track_of(e).pushes) + 1)))

    # --- rows

    def row_state(self, e: Encounter, entry: Entry, may: Iterable[str]) -> RowState:
        """Return the state of a row in this round, as in `RowState`."""
        return turns.state_of(e, entry, set(may))

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Return the sum of the roll, and the value after hits and kills."""
        place = track_of(e).places[entry.key]
        total = sum(place.faces) + place.per + place.mod
        bonus = f" {place.mod:+d}".replace("+", "+ ").replace("-", "- ") if place.mod else ""
        faces = ", ".join(map(str, place.faces))
        text = f"2d6 ({faces}) + {place.per} Perception{bonus} = {total}"
        if not 2 <= sum(place.faces) <= 12:
            text = f"{total}, as called"
        now = f", {place.value} after hits and kills" if place.value != total else ""
        return say(text + now, entry.key, rule="TRK-7" if not now else "TRK-18")

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the whole track; each row is explained with its neighbours of the same value."""
        rows, result = super().rows(e), list[TrackRow]()
        placed, contest = {x.key for x in self.numbered_entries(e)}, dungeon_notes(e).contest
        # Newcomers get a place when it is known who wins, and until then none is shown.
        undecided = contest is not None and contest.stage == "opposed"
        for i, row in enumerate(rows):
            neighbours = [x for x in (*rows[max(i - 1, 0) : i], *rows[i + 1 : i + 2]) if x.entry in placed]
            level = [x.entry for x in neighbours if x.value == row.value and row.entry in placed]
            reasons = Lazy(self.why, (*row.reasons.about, level))
            result.append(replace(row, reasons=reasons, ranked=row.entry in placed or not undecided))
        return tuple(result)

    def why(self, e: Encounter, entry: Entry, keys: Sequence[str] = ()) -> tuple[Sentence, ...]:
        """Return the sentences that explain a row's place, and why its newcomers wait or act at once."""
        return (*self._place_reasons(e, entry, keys), *turns.marks_of(e, entry, "TRK-16", "TRK-15"))

    def _place_reasons(self, e: Encounter, entry: Entry, keys: Sequence[str]) -> tuple[Sentence, ...]:
        """Return the sentences on the number, on how ties were settled, and on moves of the row."""
        key, n = entry.key, track_of(e)
        # A fixed place comes after rolled places of the same number, whatever the Intelligence: it was not
        # rolled.
        rolled = [k for k in keys if self.fixed_place(e, entries_by_key(e)[k]) is None]
        if self.fixed_place(e, entry) is not None:
            return (say("a fixed place", key), *after_rolled(key, rolled))
        place = n.places.get(key)
        if place is None:
            return (say("no roll yet", key, rule="TRK-7"),)
        sentences = [self.explain(e, entry)]
        if rolled:
            names = name_slots(len(rolled), 1, " and ")
            settled = _explain_tie(place, self.tie_rule(e))
            sentences += [Sentence(f"tied with {names}: {settled}", (key, *rolled), "TRK-7")]
            sentences += [Sentence(f"Intelligence {place.mind}", (key, *rolled), own=True)]
        ways = ["back" if where == "after" else "forward" for k, where, _ in n.pushes.values() if k == key]
        sentences += [say(f"one place {way}", key, rule="TRK-18") for way in ways]
        by_hand = [s for s in e.shifts if s.who == key and s.by == BY_HAND]
        return (*sentences, *(say(f"put {s.where} {{1}} by hand", s.who, s.other) for s in by_hand))


def _core_creatures(e: Encounter, entry: Entry) -> list[Combatant]:
    """Return the creatures whose abilities count; for an entry without members the last ones in it."""
    return core_members(e, entry) if entry.members else _creatures_of_key(e, entry.key)


def _creatures_of_key(e: Encounter, key: str) -> list[Combatant]:
    """Return the creatures of a key that are out, in another row, or removed."""
    return [*members(e, key), *(c for k, c in e.gone.items() if key in (k, key_of(c)))]


def _roll_off_ask(n: PlaceNotes, key: str, tie: Tie) -> Ask:
    tied = (key, *(x.key for x in tie.rivals if x.key != key))
    reason = say_because("Tied on the track", f"{list_slots(tied)} roll off", *tied, rule="TRK-7")
    return RollAsk(f"tie{len(n.places[key].ties)} {key}", key, (6, 6), reason, tied)


def _explain_tie(place: TrackPlace, tie_rule: str) -> str:
    if tie_rule == "by_hand":
        return "ordered by the GM"
    first = tie_rule.replace("_", " ") + ", then " if tie_rule.endswith("_first") else ""
    rolled = f", roll-off {', '.join(map(str, place.ties))}" if place.ties else ""
    return f"{first}higher Intelligence{rolled}"


# --- writing


def read_place(d: Draft, key: str) -> TrackPlace:
    """Return an entry's current place."""
    return convert(d.noted("places", key), TrackPlace, strict=True)


def write_place(d: Draft, key: str, place: TrackPlace) -> None:
    """Record an entry's place."""
    d.emit(ev.Noted("places", to_builtins(place), key))


def _settle_tie(d: Draft, key: str, **change: Any) -> None:
    """Settle a tie for an entry and for its kin of the same roll and value."""
    place, known = read_place(d, key), d.encounter.notes.get("places", {})
    roller = place.kin or key
    for k in [k for k, p in known.items() if k == roller or ("kin" in p and p["kin"] == roller)]:
        p = read_place(d, k)
        level = (p.value, p.mind, p.seat, p.ties) == (place.value, place.mind, place.seat, place.ties)
        if k == key or level:
            write_place(d, k, replace(p, **change))
