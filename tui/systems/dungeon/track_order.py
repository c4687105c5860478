"""Order the initiative track: values, places, ties, moved rows, and the reasons for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, PickAsk, RollAsk, reasoned
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, Shift, key_of, members
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, notes
from tui.systems.dungeon import turns
from tui.systems.dungeon.meeting import closed
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    batch,
    best,
    entry_of,
    forget,
    gather,
    homes,
    notes_of,
    playing,
    several,
)
from tui.systems.dungeon.notes import own as own_members
from tui.systems.shared.placing import (
    IN_PLACE,
    WHILE_FIXED,
    Tie,
    by_hand,
    put_in_order,
    shifted,
    unsettled,
)


class TrackPlace(Struct, frozen=True, omit_defaults=True):
    """A number of an entry and what settles its ties.

    `value` counts; `faces`, `per` and `mod` are the roll it came from, `mind` the Intelligence of that
    moment; `seat` and `hand` order those who met at one value later (TRK-A6), by seat or by the GM; `ties`
    are roll-offs; `kin` is the entry whose roll this is, for members who left it.
    """

    value: int
    faces: list[int] = []
    per: int = 0
    mod: int = 0
    mind: int = 0
    seat: int = 0
    hand: bool = False
    ties: list[int] = []
    kin: str = ""


class PlaceNotes(Struct, frozen=True):
    """Notes of a track.

    `by` sides or track; `free`: the characters' first turn (TRK-9); `commanded`: a commander led once.
    `later`: changes of value that wait for the next turn, in order; `pushes`: places changed by one; `tie`:
    the tie rule by which this track was first put in order; `anchors`: the fixed places of rows that others
    were moved next to, for when those have gone. `came`: the entries to whose own places the turn has come in
    this round, each with its place of that moment and how many pushes and moves there were; `spent`: what
    each entry has had of the hit and the kill that count in a round.
    """

    by: str = "sides"
    free: bool = False
    commanded: bool = False
    places: dict[str, TrackPlace] = {}
    later: dict[str, tuple[str, int]] = {}
    pushes: dict[str, tuple[str, str, str]] = {}
    tie: str = ""
    anchors: dict[str, int] = {}
    came: dict[str, tuple[TrackPlace | None, int, int]] = {}
    spent: dict[str, list[str]] = {}


def track_of(e: Encounter) -> PlaceNotes:
    """Return the notes of a track."""
    return notes(e, PlaceNotes)


def by_track(e: Encounter) -> bool:
    """Return whether numbers order the turns now."""
    return track_of(e).by == "track"


def tie_rule(e: Encounter, system: InitiativeSystem) -> str:
    """Return how ties are settled: intelligence, heroes_first, creatures_first or by_hand (TRK-A1).

    A track keeps the rule by which it was first put in order: what was rolled is not sorted again.
    """
    return track_of(e).tie or tie_option(e, system)


def tie_option(e: Encounter, system: InitiativeSystem) -> str:
    """Return how the ties of the next track will be settled."""
    return "by_hand" if system.option(e, "tie.by_hand") else str(system.option(e, "trk.tie"))


def fixed(e: Encounter, entry: Entry) -> int | None:
    """Return the fixed place of a row, or that of a row whose last member went, or None."""
    place = next((v for c in _core(e, entry) if (v := c.value) is not None), None)
    return track_of(e).anchors.get(entry.key) if place is None and not entry.members else place


def _core(e: Encounter, entry: Entry) -> list[Combatant]:
    """Return those whose abilities count; of an entry without members those who were in it last."""
    return own_members(e, entry) if entry.members else gone_from(e, entry.key)


def gone_from(e: Encounter, key: str) -> list[Combatant]:
    """Return those who stood behind a key: they are out, in another row, or struck from the roster."""
    left = [c for k, c in e.gone.items() if key in (k, key_of(c))]
    return [*members(e, key), *left]


def value_of(e: Encounter, entry: Entry) -> int | None:
    """Return an entry's number, or None while it is owed."""
    if (given := fixed(e, entry)) is not None:
        return given
    place = track_of(e).places.get(entry.key)
    return place.value if place else None


# --- order


def number(e: Encounter, entry: Entry, how: str) -> tuple[int, ...]:
    """Return what orders an entry before any roll-off: the higher value, then the tie rule."""
    if (given := fixed(e, entry)) is not None:
        # A fixed place comes behind the rolled of its value, and no tie is ever thrown for it.
        return (-given, 1, 0, 0, 0)
    place = track_of(e).places[entry.key]
    hero = any(c.side == HEROES for c in _core(e, entry)[:1])
    side = {"heroes_first": not hero, "creatures_first": hero}.get(how, False)
    mind = 0 if how == "by_hand" else -place.mind
    return (-place.value, 0, int(side), mind, place.seat)


def rank(e: Encounter, entry: Entry, how: str) -> tuple[Any, ...]:
    """Return what orders an entry, roll-offs included; a fixed place has none, whatever was thrown before."""
    numbers = number(e, entry, how)
    return numbers if numbers[1] else (*numbers, tuple(-t for t in track_of(e).places[entry.key].ties))


def _alike(e: Encounter, system: InitiativeSystem) -> list[list[Entry]]:
    """Return entries that only dice or the GM's hand can set apart, front to back."""
    how = tie_rule(e, system)
    same: dict[tuple[int, ...], list[Entry]] = {}
    for x in gather(e):
        if x.key in track_of(e).places and fixed(e, x) is None:
            rank = number(e, x, how)
            # By hand the value alone makes a tie: the GM may put anything else aside.
            same.setdefault(rank[:1] if how == "by_hand" else rank, []).append(x)
    return [some for _, some in sorted(same.items()) if len(some) > 1]


def _ties(e: Encounter, system: InitiativeSystem) -> list[Tie]:
    places = track_of(e).places
    kin = {k: p.kin for k, p in places.items() if p.kin}
    if tie_rule(e, system) != "by_hand":
        rolled = {k: p.ties for k, p in places.items()}
        return [tie for some in _alike(e, system) for tie in unsettled(some, rolled, kin)]
    ties = [tie for some in _alike(e, system) for tie in unsettled(some, {}, kin)]
    return [tie for tie in ties if not all(places[x.key].hand for x in tie.rivals)]


# --- what is owed


def track_asks(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """Return the rolls that the track still needs: numbers in roster order, then ties from the front."""
    n, contest = track_of(e), notes_of(e).contest
    if n.by != "track":
        return ()
    # Newcomers roll for the track only after the contest, whose total may be their number (TRK-2).
    early = contest is not None and contest.stage != "ranks"
    owing = [x for x in gather(e) if value_of(e, x) is None and not (early and _all_new(e, x))]
    if owing:
        return tuple(_first_roll(e, x) for x in owing)
    if early:
        return ()
    ties = _ties(e, system)
    if tie_rule(e, system) == "by_hand":
        return tuple(by_hand(tie, "TRK-7", "Tied on the track") for tie in ties[:1])
    return tuple(_roll_off(e, x, tie) for tie in ties for x in tie.owing)


def _all_new(e: Encounter, entry: Entry) -> bool:
    return all("new" in e.combatants[k].marks for k in entry.members)


def _first_roll(e: Encounter, entry: Entry) -> Ask:
    rule = "TRK-4" if e.combatants[entry.members[0]].side == HEROES else "TRK-6"
    head, place = "{0} rolls 2d6 + Perception", "for a place on the track"
    why = reasoned(head, place, entry.key, rule=rule, joint=" ")
    return RollAsk(f"track {entry.key}", entry.key, (6, 6), why)


def _roll_off(e: Encounter, entry: Entry, tie: Tie) -> Ask:
    keys = [x.key for x in tie.rivals if x.key != entry.key]
    tied = [entry.key, *keys]
    why = reasoned("Tied on the track", f"{several(tied)} roll off", *tied, rule="TRK-7")
    purpose = f"tie{len(track_of(e).places[entry.key].ties)} {entry.key}"
    return RollAsk(purpose, entry.key, (6, 6), why, (entry.key, *keys))


def track_answered(d: Draft, ask: Ask, answer: Sequence[Any]) -> None:
    """Take an answer: a number, a roll-off, or an order by hand."""
    if isinstance(ask, PickAsk):
        for seat, key in enumerate(answer):
            _kin(d, key, noted(d, key), seat=seat, hand=True)
        put_in_order(d, ask, answer)
        return
    entry = homes(d.encounter)[ask.who]
    roller = best(d.encounter, entry)
    if ask.key.startswith("tie"):
        place = noted(d, entry.key)
        total = sum(answer) + roller.number("per") + roller.number("mod")
        _kin(d, entry.key, place, ties=[*place.ties, total])
    else:
        place_of(d, entry, answer, roller)


def _kin(d: Draft, key: str, place: TrackPlace, **change: Any) -> None:
    """Settle a tie for an entry and its kin of one roll at the same value."""
    places, roller = d.encounter.notes.get("places", {}), place.kin or key
    for k in [k for k, p in places.items() if k == roller or ("kin" in p and p["kin"] == roller)]:
        p = noted(d, k)
        level = (p.value, p.mind, p.seat, p.ties) == (place.value, place.mind, place.seat, place.ties)
        if k == key or level:
            write(d, k, replace(p, **change))


# --- writing


def noted(d: Draft, key: str) -> TrackPlace:
    """Return an entry's current place."""
    return convert(d.noted("places", key), TrackPlace, strict=True)


def write(d: Draft, key: str, place: TrackPlace) -> None:
    """Write an entry's place into the notes."""
    d.emit(ev.Noted("places", to_builtins(place), key))


def place_of(d: Draft, entry: Entry, faces: Sequence[int], roller: Combatant) -> None:
    """Record an entry's roll; its companions keep the number if they are left alone."""
    per, mod = roller.number("per"), roller.number("mod")
    mind = best(d.encounter, entry).number("int")
    place = TrackPlace(sum(faces) + per + mod, list(faces), per, mod, mind)
    write(d, entry.key, place)
    core = {c.id for c in own_members(d.encounter, entry)}
    for k in entry.members:
        if k not in core:
            write(d, k, replace(place, kin=entry.key))


def keep_total(d: Draft, who: str) -> None:
    """Use a roller's opposed total for an entry without a number (TRK-2, TRK-A13), but not a companion's."""
    entry = entry_of(gather(d.encounter), who)
    faces = notes_of(d.encounter).faces.get(who)
    if entry is None or entry.key in track_of(d.encounter).places:
        return
    if faces and d.encounter.combatants[who] in own_members(d.encounter, entry):
        place_of(d, entry, faces, d.encounter.combatants[who])


def standing(e: Encounter, system: InitiativeSystem) -> list[Entry]:
    """Return the whole order of this round, first to act first, after hits, kills and moves by hand."""
    return [x for x in _with_gone(e, system) if x.members]


def _with_gone(e: Encounter, system: InitiativeSystem, also: Iterable[str] = ()) -> list[Entry]:
    """Return that order with the rows of `also` and of moves, without members if they have gone."""
    n, how = track_of(e), tie_rule(e, system)
    entries = [x for x in gather(e) if value_of(e, x) is not None]
    present = {x.key for x in entries}
    # Moves are played one after the other: without the rows that have gone, later ones would land elsewhere.
    left = (Entry(k, ()) for k in dict.fromkeys([*_moved(e), *also]) if k not in present)
    entries += [x for x in left if value_of(e, x) is not None]
    entries.sort(key=lambda x: (rank(e, x, how), _seat(e, x)))
    # Pushes first: a row that the GM has moved stays where it was put.
    if n.pushes:
        entries = shifted((Shift(*push) for push in n.pushes.values()), entries)
    return shifted(_holding(e, entries, e.shifts), entries)


def _holding(e: Encounter, entries: Iterable[Entry], moves: Sequence[Shift]) -> list[Shift]:
    """Return the moves that count; one to a fixed place only while both rows have one."""
    rows = {x.key: x for x in entries}
    return [
        m
        for m in moves
        if m.by != WHILE_FIXED
        or all(fixed(e, rows.get(k, Entry(k, ()))) is not None for k in (m.who, m.other))
    ]


def _moved(e: Encounter) -> Iterator[str]:
    """Yield the rows that a move names, by hand or by a hit or kill that counts one place."""
    for shift in e.shifts:
        yield from (shift.who, shift.other)
    for who, _, other in track_of(e).pushes.values():
        yield from (who, other)


def _seat(e: Encounter, entry: Entry) -> int:
    """Return the place in the roster of an entry's first member, even a removed one; it orders equals."""
    members = entry.members or [c.id for c in gone_from(e, entry.key)]
    return min((int(k[1:]) for k in members), default=0)


# --- rows that change


def put(d: Draft, key: str, where: str, other: str) -> None:
    """Put a row before or after another; it stays there even when that one is gone."""
    row = next(x for x in gather(d.encounter) if x.key == other)
    if (place := fixed(d.encounter, row)) is not None:
        d.emit(ev.Noted("anchors", place, other))
    d.emit(ev.Shifted(key, where, other))


def regrouped(d: Draft, system: InitiativeSystem, before: Mapping[str, str]) -> None:
    """Give a new row the number and place of its best member; an existing group keeps its own."""
    e = d.encounter
    moved: dict[str, list[str]] = {}
    for who, old in before.items():
        if (new := key_of(e.combatants[who])) != old:
            moved.setdefault(new, []).append(who)
    _keep_dissolved(d, moved, before)
    kept = {key_of(c) for c in e.combatants.values() if before.get(c.id, key_of(c)) == key_of(c)}
    for new, ids in moved.items():
        rows = {before[k] for k in ids}
        if new not in kept:
            _take_place(d, system, new, rows)
            # What several rows have had before they were one is not the group's (TRK-18).
            spent = track_of(d.encounter).spent
            own = [*spent.get(min(rows), ()), *spent.get(new, ())] if len(rows) == 1 else []
            d.emit(ev.Noted("spent", list(dict.fromkeys(own)), new))
        had = track_of(d.encounter).spent.get(new, ())
        for mark in ("hit", "kill"):
            if mark in had:
                d.mark(ids, mark)
            else:
                d.unmark(ids, mark)


def _keep_dissolved(d: Draft, moved: Iterable[str], before: Mapping[str, str]) -> None:
    """Keep the fixed place of a group without members for the moves that name it."""
    e = d.encounter
    named = set(_moved(e))
    for who, old in before.items():
        value = e.combatants[who].value
        if value is not None and old in named and old not in moved and not gone_from(e, old):
            d.emit(ev.Noted("anchors", value, old))


def _take_place(d: Draft, system: InitiativeSystem, new: str, old: set[str]) -> None:
    e, places = d.encounter, track_of(d.encounter).places
    order = [x.key for x in _with_gone(e, system, old) if x.key in old]
    best = next((k for k in order if k in places), "")
    if best:
        write(d, new, replace(places[best], kin=places[best].kin or best))
    placed = next((x for x in gather(e) if new == x.key or new in x.members), Entry(new, ()))
    # A member with a fixed place brings it along, and the group stands there.
    if (place := fixed(e, placed)) is not None:
        best = next((k for k in order if fixed(e, Entry(k, ())) == place), "")
    if best:
        _stand_in(e, d, new, best, IN_PLACE if place is None else WHILE_FIXED)


def _stand_in(e: Encounter, d: Draft, key: str, other: str, by: str) -> None:
    """Put a new row in the place of the old one, or next to it if the group was split; update moves."""
    # A row that no move names stands by its number, and so does the one that has it now.
    if other not in set(_moved(e)):
        return
    rows = {x.key: x for x in gather(e)}
    behind = other in rows and key in rows and _seat(e, rows[key]) > _seat(e, rows[other])
    where = "after" if behind else "before"
    if by == WHILE_FIXED or any(other in (s.who, s.other) for s in e.shifts):
        d.emit(ev.Shifted(key, where, other, by))
    else:
        d.emit(ev.Noted("pushes", [key, where, other], str(len(track_of(e).pushes) + 1)))


def forget_order(d: Draft) -> None:
    """Clear numbers, changes and rows moved by hand."""
    forget(d, "places", "later", "pushes", "tie", "anchors", "came")
    if d.encounter.shifts:
        d.emit(ev.ShiftsForgotten())
    if any(k.startswith(("track ", "tie")) for k in d.encounter.rolls):
        d.emit(ev.RollsForgotten("track "), ev.RollsForgotten("tie"))


def totals_kept(d: Draft, system: InitiativeSystem) -> None:
    """Record the opposed totals for entries without a number; by house rule also for the enemy's group."""
    new = {c.id for c in batch(d.encounter)}
    for who in notes_of(d.encounter).faces:
        if who not in new or system.option(d.encounter, "trk.roller_group") == "keeps":
            keep_total(d, who)


def begun(d: Draft, system: InitiativeSystem, contest: Contest) -> None:
    """Begin a track in a section without a commander: both totals count, the others roll (TRK-1, TRK-2)."""
    d.announce("No Champion or Leader among them: the initiative track", rule="TRK-1")
    if not contest.again:
        forget_order(d)
    totals_kept(d, system)
    d.emit(ev.Noted("by", "track"), ev.Noted("contest", "ranks", "stage"))
    if contest.won == HEROES:
        d.emit(ev.Noted("free", value=True))


def joined(d: Draft, system: InitiativeSystem, contest: Contest) -> None:
    """Give newcomers of a group on the track its number; new ones take the opposed total or will roll."""
    places = track_of(d.encounter).places
    for x in () if contest.again else gather(d.encounter):
        # What this key has was left by creatures that have gone: newcomers threw for none and had no turn.
        if x.key in places and all("new" in d.encounter.combatants[k].marks for k in x.members):
            n = track_of(d.encounter)
            d.emit(ev.Forgot("places", x.key))
            if x.key in n.spent:
                d.emit(ev.Forgot("spent", x.key))
            if x.key in n.came:
                # The turn has been at that place all the same.
                there = d.encounter.notes["came"][x.key]
                d.emit(ev.Forgot("came", x.key), ev.Noted("came", there, f"{x.key} {len(n.came)}"))
    totals_kept(d, system)
    d.emit(ev.Noted("contest", "ranks", "stage"))


def ranked(d: Draft, system: InitiativeSystem, contest: Contest) -> None:
    """Begin the first turn once all numbers are there, or let the newcomers act or wait."""
    if contest.kind == "meeting":
        # A first meeting begins a new turn for everybody (TRK-9, TRK-11).
        d.unmark([c.id for c in playing(d.encounter)], "acted")
        turns.turn_of(d, HEROES)
        _tell(d, system, won=contest.won)
    elif contest.won == DARK:
        turns.admit(d, "TRK-15")
    else:
        _wait(d, system)
    turns.fight_on(d)
    closed(d)


def settled(d: Draft, system: InitiativeSystem) -> None:
    """Record the tie rule that put a complete track in order."""
    n = track_of(d.encounter)
    if n.by == "track" and n.places and not n.tie and not system.due(d.encounter):
        d.emit(ev.Noted("tie", tie_option(d.encounter, system)))


def _tell(d: Draft, system: InitiativeSystem, won: str) -> None:
    # What a log line can bear; the track itself shows all of them.
    rows = standing(d.encounter, system)[:20]
    text = ", ".join(f"{{{i}}} ({value_of(d.encounter, x)})" for i, x in enumerate(rows))
    d.emit(ev.Announced(f"The track: {text}", tuple(x.key for x in rows), "TRK-8"))
    if won == HEROES:
        d.announce("The heroes won: in the first turn they all act before the creatures", rule="TRK-9")
    else:
        d.announce("The creatures won: everybody acts by the track", rule="TRK-11")


def _wait(d: Draft, system: InitiativeSystem) -> None:
    """Let newcomers who lost act at their place, or wait if it has passed (TRK-16, TRK-A11)."""
    by_place = bool(system.option(d.encounter, "trk.losers_same_turn"))
    late = [x for x in gather(d.encounter) if not by_place or passed(d.encounter, system, x)]
    ids = {c.id for c in batch(d.encounter)}
    waiting = [k for x in late for k in x.members if k in ids]
    d.mark(waiting, "barred")
    rest = [c.id for c in batch(d.encounter) if c.id not in waiting]
    if waiting:
        wait = "waits" if len(waiting) == 1 else "wait"
        because = "came too late for a place in this turn" if by_place else "lost"
        d.emit(
            ev.Announced(f"{several(waiting)} {because} and {wait} for the next", tuple(waiting), "TRK-16")
        )
    if rest:
        act = "acts at its place" if len(rest) == 1 else "act at their places"
        d.emit(ev.Announced(f"{several(rest)} lost and {act}", tuple(rest), "TRK-16"))


def came(d: Draft, key: str) -> None:
    """Record that the turn has come to an entry's place, as the track stands now (TRK-16)."""
    n = track_of(d.encounter)
    place = n.places.get(key)
    plain = to_builtins(place) if place else None
    d.emit(ev.Noted("came", [plain, len(n.pushes), len(d.encounter.shifts)], key))


def passed(e: Encounter, system: InitiativeSystem, entry: Entry) -> bool:
    """Return whether the turn has come to an entry's place, or to one that was lower on the track then.

    An entry that sinks after it has acted passes nobody.
    """
    return any(key == entry.key or _lower(e, system, key, entry.key) for key in track_of(e).came)


def _lower(e: Encounter, system: InitiativeSystem, key: str, than: str) -> bool:
    """Return whether an entry that has acted stood lower on the track when it did."""
    n = track_of(e)
    place, pushes, moves = n.came[key]
    then = {
        "places": {**e.notes.get("places", {}), **({key: to_builtins(place)} if place else {})},
        "pushes": dict(list(e.notes.get("pushes", {}).items())[:pushes]),
    }
    before = replace(e, notes={**e.notes, **then}, shifts=e.shifts[:moves])
    order = [x.key for x in _with_gone(before, system, (key,))]
    return than in order and key in order and order.index(key) > order.index(than)
