"""Correct numbers on the initiative track, and keep the effect of hits and kills."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import Encounter, key_of
from tui.core.rules.draft import Draft
from tui.core.rules.optional import announce_correction
from tui.systems.dungeon.meeting import contest_rollers as rolled_opposed
from tui.systems.dungeon.notes import core_members, entries_by_key
from tui.systems.dungeon.track_order import TrackPlace, read_place, track_of, write_place


def correct_number(d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int]) -> None:
    """Correct the number of an entry and of those that share its roll; their roll-offs are forgotten."""
    mine = track_of(d.encounter).places[ask.who]
    announce_correction(d, ask, mine.value, mine.value + new[1] - _rolled_number(mine))
    _write_numbers(d, ask.who, new, is_total=d.encounter.rolls[ask.key].total is not None)


def keep_numbers(d: Draft, before: Encounter, ask: RollAsk, new: tuple[tuple[int, ...], int]) -> None:
    """Restore the numbers rolled since the contest, and record the contest's totals again."""
    places = track_of(before).places
    d.emit(*(ev.Noted("places", to_builtins(p), k) for k, p in places.items()))
    for who in rolled_opposed(before):
        row = entries_by_key(before).get(key_of(before.combatants[who]))
        mine = places.get(row.key) if row else None
        if row is None or mine is None or who not in {c.id for c in core_members(before, row)}:
            continue
        root = mine.kin or row.key
        # A row that had its number before the contest keeps it (TRK-13), and so does one that has rolled
        # since.
        if root in track_of(before.decision[0]).places or f"track {root}" in before.rolls:
            continue
        if mine.value == _rolled_number(mine) and sum((p.kin or k) == root for k, p in places.items()) == 1:
            d.emit(ev.Forgot("places", row.key))
        elif who == ask.who:
            _write_numbers(d, row.key, new, is_total=d.encounter.rolls[ask.key].total is not None)


def _write_numbers(d: Draft, who: str, new: tuple[tuple[int, ...], int], *, is_total: bool) -> None:
    faces, number = new
    places = track_of(d.encounter).places
    mine = places[who]
    by = number - _rolled_number(mine)
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


def _rolled_number(place: TrackPlace) -> int:
    """Return the number that was rolled, without hits and kills."""
    return sum(place.faces) + place.per + place.mod
