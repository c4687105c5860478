"""Decide who may act by the track: rolls, numbers, ties, moved rows (TRK-4 to TRK-8, TRK-21)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import force_setattr, replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Lazy,
    Offer,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    list_slots,
    name_slots,
    say,
    say_because,
)
from tui.core.fight.combatant import Combatant, EntryKey
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, Entry, Shift, gone_members, members, side_of
from tui.core.rules.draft import Draft
from tui.core.rules.optional import announce_correction
from tui.core.rules.system import notes
from tui.systems.dungeon.by_sides import begin_side_turn, marks_of, newcomers_offer, ready_of, state_of
from tui.systems.dungeon.contests import contest_asks
from tui.systems.dungeon.notes import (
    RollValues,
    all_entries,
    best_roller,
    core_members,
    dungeon_notes,
    entries_by_key,
    made_now,
    option,
)
from tui.systems.dungeon.text import HEROES
from tui.systems.shared.numbering import Tie, TrackNotes, group_ties
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
    """The rank among entries that came to one value after the roll; low first (TRK-18)."""
    hand: bool = False
    """Whether the GM put the entry in order among tied entries."""
    ties: list[int] = []
    """The totals of the entry's roll-offs."""
    kin: str = ""
    """The key of the entry that made the roll, for members that left it; "" for the entry itself."""

    @property
    def rolled(self) -> int:
        """Return the number that was rolled, without hits and kills."""
        return sum(self.faces) + self.per + self.mod


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
    """Return the places on the track and what has changed them; all are empty in a fight by sides."""
    return notes(e, PlaceNotes)


def is_by_track(e: Encounter) -> bool:
    """Return whether the order of turns comes from the track now."""
    return track_of(e).by == "track"


class ByTrack(TrackSystem):
    """Who may act by numbers: 2d6 + Perception, Intelligence in ties, moves by hits and kills."""

    roll_word = "track"
    roll_rule = "TRK-7"
    rolloff_rule = "TRK-7"
    tied_text = "Tied on the track"
    turn_rule = "TRK-10"
    round_rule = "TRK-10"
    place_rules = ("TRK-7", "TRK-8")
    place_words = "on the track"

    def track(self, e: Encounter) -> PlaceNotes:
        """Return `track_of`, for `TrackSystem`."""
        return track_of(e)

    # --- who may act

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the asks of the contest, then those of the track."""
        return (*contest_asks(e), *self.roll_asks(e))

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of newcomers that won, of heroes in a first turn, or of the next row (TRK-21)."""
        if early_offer := newcomers_offer(e, "TRK-15"):
            return early_offer
        if heroes := self._free_heroes(e):
            won = "they won the initiative, and act in any order"
            reason = say_because("The heroes' turn", won, rule="TRK-9")
            places = {x.key: n for n, x in enumerate(self.acting_order(e))}
            turns = sorted((x.key for x in heroes), key=lambda key: places.get(key, len(places)))
            return Offer(tuple(Act("turn", key) for key in turns), reason, SIDE + HEROES)
        return super().offer(e)

    def _free_heroes(self, e: Encounter) -> list[Entry]:
        """Return the heroes that have not acted in their first turn, in which they act in any order."""
        return ready_of(e, HEROES) if track_of(e).free else []

    def turn_side(self, e: Encounter) -> str:
        """Return the side that acts; "" between turns, except in the heroes' first turn."""
        return HEROES if not e.turn and self._free_heroes(e) else side_of(e, e.acting)

    def side_acts_whole(self, e: Encounter) -> bool:
        """Return whether a side has its turn: the track gives one to the heroes alone, at first (TRK-9)."""
        return track_of(e).free

    # --- who rolls

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:  # noqa: ARG002
        """Return two d6."""
        return (6, 6)

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries: single creatures, groups, and heroes with their companions."""
        return all_entries(e)

    def entries_to_roll(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries that need a number; of newcomers only after the contest (TRK-2)."""
        # The total of the contest may become their number.
        settled = not _is_contested(e)
        new = set[str]() if settled else {k for k, c in e.combatants.items() if "new" in c.marks}
        return tuple(x for x in self.entries_that_roll(e) if not new.issuperset(x.members))

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
        return entries_by_key(e).get(key, Entry(EntryKey(key), ()))

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry of a key, companions included; None for a key without a row of its own."""
        return entries_by_key(e).get(key)

    # --- ties

    def tie_rule(self, e: Encounter) -> str:
        """Return the tie rule in force: intelligence, heroes_first, creatures_first or by_hand (TRK-A1).

        A track keeps the rule that first ordered it.
        """
        return track_of(e).tie or self.next_tie_rule(e)

    def next_tie_rule(self, e: Encounter) -> str:
        """Return the tie rule of the next track."""
        return "by_hand" if option(e, "tie.by_hand") else str(option(e, "trk.tie"))

    def find_ties(self, e: Encounter) -> list[Tie]:
        """Return the ties that need dice or the GM, in the order of the track; none during a contest."""
        n, by_hand, same = track_of(e), self.tie_rule(e) == "by_hand", dict[tuple[int, ...], list[Entry]]()
        for x in () if _is_contested(e) else self.entries_that_roll(e):
            if x.key in n.places and self.fixed_place(e, x) is None:
                level = self.tie_level(e, x, n)
                # If ties are settled by hand, equal numbers alone make a tie: the GM may ignore everything
                # else.
                same.setdefault(level[:1] if by_hand else level, []).append(x)
        known = {} if by_hand else n.ties
        ties = [tie for _, some in sorted(same.items()) for tie in group_ties(some, known, n.kin)]
        return [tie for tie in ties if not by_hand or not all(n.places[x.key].hand for x in tie.rivals)]

    def is_tied_by_hand(self, e: Encounter, tie: Tie) -> bool:  # noqa: ARG002
        """Return whether the GM orders tied entries, by the tie rule in force."""
        return self.tie_rule(e) == "by_hand"

    def roll_offs(self, e: Encounter, tie: Tie) -> list[Ask]:
        """Return the rolls that are owed in a tie."""
        n, asks = track_of(e), list[Ask]()
        for key in (x.key for x in tie.rollers):
            tied = (key, *(x.key for x in tie.rivals if x.key != key))
            reason = say_because("Tied on the track", f"{list_slots(tied)} roll off", *tied, rule="TRK-7")
            asks.append(RollAsk(f"tie{len(n.places[key].ties)} {key}", key, (6, 6), reason, tied))
        return asks

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

    def number_of_gone(self, e: Encounter, key: EntryKey) -> tuple[int, bool] | None:
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
        record_place(d, entry, faces, made_now(d.encounter, best_roller(d.encounter, entry)))

    def record_roll_off(self, d: Draft, key: str, faces: Sequence[int]) -> None:
        """Record a roll-off of 2d6 + Perception."""
        roller = best_roller(d.encounter, self.entry(d.encounter, key))
        total = sum(faces) + roller.number("per") + roller.number("mod")
        _settle_tie(d, key, ties=[*read_place(d, key).ties, total])

    def put_in_order(self, d: Draft, keys: Sequence[str]) -> None:
        """Put tied entries into the order that the GM named."""
        for seat, key in enumerate(keys):
            _settle_tie(d, key, seat=seat, hand=True)

    # --- corrections

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:  # noqa: ARG002
        """Correct the number of an entry and of those that share its roll; their roll-offs are forgotten."""
        mine = track_of(d.encounter).places[ask.who]
        announce_correction(d, ask, mine.value, mine.value + new[1] - mine.rolled)
        write_numbers(d, ask.who, ask, new)

    # --- rows that change

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Do nothing: `DungeonUniversalis.regrouped` bars, because newcomers that won may act at once."""

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
        first = next((k for k in order if k in places_), None)
        if first:
            write_place(d, key, replace(places_[first], kin=places_[first].kin or first))
        row = next((x for x in all_entries(e) if key == x.key or key in x.members), Entry(EntryKey(key), ()))
        # A member with a fixed place brings it along, and the group takes that place.
        if (place := self.fixed_place(e, row)) is not None:
            first = next((k for k in order if self.fixed_place(e, Entry(k, ())) == place), None)
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
        return state_of(e, entry, set(may))

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Return the sum of the roll, and the value after hits and kills."""
        place = track_of(e).places[entry.key]
        total = place.rolled
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
        undecided = contest.stage == "opposed"
        for i, row in enumerate(rows):
            neighbours = [x for x in (*rows[max(i - 1, 0) : i], *rows[i + 1 : i + 2]) if x.entry in placed]
            level = [x.entry for x in neighbours if x.value == row.value and row.entry in placed]
            reasons = Lazy(self.why, (*row.reasons.about, level))
            result.append(replace(row, reasons=reasons, ranked=row.entry in placed or not undecided))
        return tuple(result)

    def why(self, e: Encounter, entry: Entry, keys: Sequence[str] = ()) -> tuple[Sentence, ...]:
        """Return the sentences that explain a row's place, and why its newcomers wait or act at once."""
        return (*self._place_reasons(e, entry, keys), *marks_of(e, entry, "TRK-16", "TRK-15"))

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
    return [*members(e, key), *gone_members(e, key)]


def _is_contested(e: Encounter) -> bool:
    """Return whether a contest runs that is not decided yet."""
    return dungeon_notes(e).contest.stage in ("opposed", "caught")


def _explain_tie(place: TrackPlace, tie_rule: str) -> str:
    if tie_rule == "by_hand":
        return "ordered by the GM"
    first = tie_rule.replace("_", " ") + ", then " if tie_rule.endswith("_first") else ""
    rolled = f", roll-off {', '.join(map(str, place.ties))}" if place.ties else ""
    return f"{first}higher Intelligence{rolled}"


BY_TRACK = ByTrack()


# --- writing


def read_place(d: Draft, key: str) -> TrackPlace:
    """Return an entry's current place."""
    return convert(d.noted("places", key), TrackPlace, strict=True)


def write_place(d: Draft, key: str, place: TrackPlace) -> None:
    """Record an entry's place."""
    d.emit(ev.Noted("places", to_builtins(place), key))


def record_place(d: Draft, entry: Entry, faces: Sequence[int], made: RollValues) -> None:
    """Record an entry's roll; its companions keep the number if they are left alone."""
    place = TrackPlace(sum(faces) + made.per + made.mod, list(faces), made.per, made.mod, made.best)
    write_place(d, entry.key, place)
    core = {c.id for c in core_members(d.encounter, entry)}
    for k in entry.members:
        if k not in core:
            write_place(d, k, replace(place, kin=entry.key))


def forget_order(d: Draft) -> None:
    """Clear numbers, changes and moves."""
    d.emit(*map(ev.Forgot, ("places", "later", "pushes", "tie", "anchors", "came")), ev.ShiftsForgotten())
    d.emit(ev.RollsForgotten("track "), ev.RollsForgotten("tie"))


def _settle_tie(d: Draft, key: str, **change: Any) -> None:
    """Settle a tie for an entry and for its kin of the same roll and value."""
    place, known = read_place(d, key), d.encounter.notes.get("places", {})
    roller = place.kin or key
    for k in [k for k, p in known.items() if k == roller or ("kin" in p and p["kin"] == roller)]:
        p = read_place(d, k)
        level = (p.value, p.mind, p.seat, p.ties) == (place.value, place.mind, place.seat, place.ties)
        if k == key or level:
            write_place(d, k, replace(p, **change))


def clear_combat(d: Draft) -> None:
    """End combat: clear the track, bars, and the turns that newcomers won."""
    if is_by_track(d.encounter):
        begin_side_turn(d, HEROES)
    forget_order(d)
    d.unmark(list(d.encounter.combatants), "barred")
    d.emit(*map(ev.Forgot, ("by", "free", "commanded", "led", "combat", "winners")))
    d.emit(ev.DecisionMarked("over"))
    d.announce("Combat is over", rule="DUN-25")


def write_numbers(d: Draft, who: str, ask: RollAsk, new: tuple[tuple[int, ...], int]) -> None:
    """Correct the number of an entry and of those that share its roll; their roll-offs are forgotten."""
    faces, number = new
    places = track_of(d.encounter).places
    mine = places[who]
    by = number - mine.rolled
    is_total = d.encounter.rolls[ask.key].total is not None
    shown = [number - mine.per - mine.mod] if is_total else list(faces)
    family = {k for k, p in places.items() if (p.kin or k) == (mine.kin or who)}
    for k in family:
        p = read_place(d, k)
        # Perception and modifier of the old roll stay as they were; only a later change goes into the
        # modifier.
        extra = number - sum(shown) - p.per - p.mod
        right = replace(p, value=p.value + by, faces=shown, mod=p.mod + extra, seat=0, hand=False, ties=[])
        write_place(d, k, right)
    equals = [k for k, p in places.items() if k not in family and p.value == mine.value]
    # A row that is alone at its number now was tied with nobody.
    for k in equals if len({places[k].kin or k for k in equals}) == 1 else ():
        if places[k].ties or places[k].hand:
            write_place(d, k, replace(read_place(d, k), ties=[], hand=False))
