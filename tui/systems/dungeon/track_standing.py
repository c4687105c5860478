"""The order that the numbers of a track make, rows that were moved, and what becomes of both when rows change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter, Entry, Shift, key_of
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.notes import gather
from tui.systems.dungeon.track_order import fixed, gone_from, rank, tie_rule, track_of, value_of, write
from tui.systems.shared.placing import IN_PLACE, WHILE_FIXED
from tui.systems.shared.ties import shifted


def standing(e: Encounter, system: InitiativeSystem) -> list[Entry]:
    """The whole order of this round, first to act first, with rows moved by hits, kills and the GM's hand."""
    return [x for x in _with_gone(e, system) if x.members]


def _with_gone(e: Encounter, system: InitiativeSystem, also: Iterable[str] = ()) -> list[Entry]:
    """The same; rows that a move names, and the keys of `also`, are there without members when they have gone."""
    n, how = track_of(e), tie_rule(e, system)
    found = [x for x in gather(e) if value_of(e, x) is not None]
    here = {x.key for x in found}
    # Moves are played one after the other: without the rows that have gone, later ones would land elsewhere.
    left = (Entry(k, ()) for k in dict.fromkeys([*_moved(e), *also]) if k not in here)
    found += [x for x in left if value_of(e, x) is not None]
    found.sort(key=lambda x: (rank(e, x, how), _seat(e, x)))
    # Pushes first: a row that the GM has moved stays where it was put.
    if n.pushes:
        found = shifted((Shift(*push) for push in n.pushes.values()), found)
    return shifted(_holding(e, found, e.shifts), found)


def _holding(e: Encounter, found: Iterable[Entry], moves: Sequence[Shift]) -> list[Shift]:
    """The moves that count; one to the fixed place of another only as long as both stand at one."""
    rows = {x.key: x for x in found}
    return [
        m
        for m in moves
        if m.by != WHILE_FIXED
        or all(fixed(e, rows.get(k, Entry(k, ()))) is not None for k in (m.who, m.other))
    ]


def _moved(e: Encounter) -> Iterator[str]:
    """The rows that a move names, by hand or by a hit or kill that counts one place."""
    for shift in e.shifts:
        yield from (shift.who, shift.other)
    for who, _, other in track_of(e).pushes.values():
        yield from (who, other)


def _seat(e: Encounter, entry: Entry) -> int:
    """The place in the roster of an entry's first member, also of one who has gone; equals stand in this order."""
    members = entry.members or [c.id for c in gone_from(e, entry.key)]
    return min((int(k[1:]) for k in members), default=0)


# --- rows that change


def put(d: Draft, key: str, where: str, other: str) -> None:
    """The GM puts a row beside another; there it stays, also when that one is gone."""
    row = next(x for x in gather(d.encounter) if x.key == other)
    if (place := fixed(d.encounter, row)) is not None:
        d.emit(ev.Noted("anchors", place, other))
    d.emit(ev.Shifted(key, where, other))


def regrouped(d: Draft, system: InitiativeSystem, before: Mapping[str, str]) -> None:
    """A new row takes number and place of the best that came into it; a group that was there keeps its own."""
    e = d.encounter
    moved: dict[str, list[str]] = {}
    for who, old in before.items():
        if (new := key_of(e.combatants[who])) != old:
            moved.setdefault(new, []).append(who)
    _keep_dissolved(d, moved, before)
    kept = {key_of(c) for c in e.combatants.values() if before.get(c.id, key_of(c)) == key_of(c)}
    for new, ids in moved.items():
        if new not in kept:
            _take_place(d, system, new, {before[k] for k in ids})


def _keep_dissolved(d: Draft, moved: Iterable[str], before: Mapping[str, str]) -> None:
    """A group at a fixed place that nobody is in any more keeps it, for the moves that name it."""
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
    here = next((x for x in gather(e) if new == x.key or new in x.members), Entry(new, ()))
    # A member with a fixed place brings it along, and the group stands there.
    if (place := fixed(e, here)) is not None:
        best = next((k for k in order if fixed(e, Entry(k, ())) == place), "")
    if best:
        _stand_in(e, d, new, best, IN_PLACE if place is None else WHILE_FIXED)


def _stand_in(e: Encounter, d: Draft, key: str, other: str, by: str) -> None:
    """A new row stands where another stood, or beside it where only some of a group left; moves need to know."""
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
