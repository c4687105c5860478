"""Arrange the rows of the track as the screen shows them: members under the row of their side."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.cache import remember_results
from tui.core.fight.agenda import Lazy, RollAsk, RowState, TrackRow
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import (
    USUAL_SIDES,
    Encounter,
    active,
    entries,
    has_arrived,
    key_of,
    sides,
    unacted,
)
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import InitiativeSystem, rows_of
from tui.core.views.seen import known_choice, visible_fight

NO_REASONS = Lazy(lambda: (), ())


class ShownRow(Struct, frozen=True):
    """A row of the track as a screen shows it.

    `place` counts from 1; 0 for none. `is_owed`: its number is still to be rolled. `is_inner`: a member under
    the row of its side; `is_outer`: a row with such members.
    """

    row: TrackRow
    place: int = 0
    is_owed: bool = False
    is_inner: bool = False
    is_outer: bool = False


class Lineup(Struct, frozen=True):
    """All rows from top to bottom; `is_numbered`: whether the system gives places and numbers."""

    spots: tuple[ShownRow, ...] = ()
    is_numbered: bool = False


# One key pressed, 200 creatures in dungeon-track: 3 ms (worst 18), without the cache 70 (worst 115).
@remember_results
def lineup(e: Encounter, system: InitiativeSystem) -> Lineup:
    """Return the rows of a running fight; creatures in reserve or out are below those who take part."""
    if not e.running:
        return Lineup()
    keys_due = {a.who for a in system.due(e) if isinstance(a, RollAsk) and system.places_by(e, a)}
    return _line_up(e, system, rows_of(e, system), keys_due, lambda: _turns(e, system))


def lineup_for(whole: Encounter, system: InitiativeSystem, viewer: Viewer) -> Lineup:
    """Return the rows of a running fight as this viewer knows them, without reasons."""
    shown = visible_fight(whole, system, viewer)
    e = shown.encounter
    if not e.running:
        return Lineup()
    choice = shown.offer if shown.offer.acts else known_choice(shown, system, viewer)
    open_to = {choice.chooser, *choice.turns}
    rows = [
        TrackRow(
            r.entry,
            r.members,
            r.value,
            "may" if r.state == "waits" and r.entry in open_to else r.state,
            NO_REASONS,
            r.ranked,
            r.face,
        )
        for r in shown.rows
    ]
    # A saving throw is a roll too, but gives no place in the order.
    keys = {a.key for a in system.due(whole)}
    asks = [a for a in shown.due if isinstance(a, RollAsk) and a.key in keys]
    return _line_up(e, system, rows, {a.who for a in asks if system.places_by(e, a)}, lambda: choice.turns)


def side_order(e: Encounter, system: InitiativeSystem) -> tuple[str, ...]:
    """Return the sides in the order of their signs and colours.

    The usual ones come first, so that heroes keep their colour whatever was added first.
    """
    present = sides(e)
    usual = system.sides or tuple(side for side in USUAL_SIDES if side in present)
    return tuple(dict.fromkeys([*usual, *present]))


def _turns(e: Encounter, system: InitiativeSystem) -> tuple[str, ...]:
    """Return the entries whose turn may begin now."""
    return () if e.turn or system.due(e) else system.offer(e).turns


def _line_up(
    e: Encounter,
    system: InitiativeSystem,
    rows: Sequence[TrackRow],
    keys_due: Collection[str],
    turns: Callable[[], tuple[str, ...]],
) -> Lineup:
    numbered = any(r.value for r in rows) or any(r.ranked and r.entry in keys_due for r in rows)
    spots: list[ShownRow] = []
    place = 0
    delaying = frozenset(name for name, mark in system.all_marks.items() if mark.delays)
    for row in rows:
        counted = numbered and row.ranked and (row.value != 0 or row.state != "barred")
        ranked = counted and row.entry not in keys_due
        # Tied rows that roll again stand above the others already.
        place += ranked or (counted and row.value != 0)
        inner = tuple(_list_members(e, row, turns))
        state = "delays" if row.state == "waits" and _is_delaying(e, delaying, row) else row.state
        spots.append(
            ShownRow(
                replace(row, state=state), place if ranked else 0, row.entry in keys_due, is_outer=bool(inner)
            )
        )
        spots += inner
    return Lineup((*spots, *_list_others(e, {k for r in rows for k in r.members})), numbered)


def _is_delaying(e: Encounter, delaying: frozenset[str], row: TrackRow) -> bool:
    """Return whether a member of a row has one of these marks of delay."""
    people = e.combatants
    return bool(delaying) and any(
        not delaying.isdisjoint(people[k].marks) for k in row.members if k in people
    )


def _list_members(e: Encounter, row: TrackRow, turns: Callable[[], tuple[str, ...]]) -> Iterator[ShownRow]:
    """Return the members of a side's row, those still to act first; nothing for a creature or a group."""
    # The usual row, that of one creature, is tried first.
    if row.entry in row.members:
        return
    people = [e.combatants[k] for k in row.members if k in e.combatants]
    keys = {key_of(c) for c in people}
    if row.entry in keys or not people:
        return
    offered = set(turns())
    pairs = [(x, _row_state(e, [e.combatants[k] for k in x.members], offered)) for x in entries(people)]
    # A stable sort: among those who are still to act, the roster's order.
    for entry, state in sorted(pairs, key=lambda item: item[1] == "done"):
        yield ShownRow(TrackRow(entry.key, entry.members, 0, state, NO_REASONS), is_inner=True)


def _row_state(e: Encounter, people: list[Combatant], offered: set[str]) -> RowState:
    if e.turn and any(c.id in e.turn.members for c in people):
        return "now"
    if any(c.id in offered or key_of(c) in offered for c in people):
        return "may"
    return "waits" if unacted(people) else "done"


def _list_others(e: Encounter, shown: set[str]) -> Iterator[ShownRow]:
    """Yield rows for creatures that are in no row of the system: in reserve, to come later, or out."""
    listed = {key_of(e.combatants[k]) for k in shown if k in e.combatants}
    rest = [c for c in e.combatants.values() if c.id not in shown]
    waiting = {c.id for c in active(e)} | {c.id for c in rest if not c.out and not has_arrived(e, c)}
    groups: tuple[tuple[RowState, list[Combatant]], ...] = (
        ("staged", [c for c in rest if c.id in waiting]),
        # Members who are out are counted in the row of their group, if others of the group are still in play.
        ("out", [c for c in rest if c.id not in waiting and key_of(c) not in listed]),
    )
    for state, creatures in groups:
        for entry in entries(creatures):
            yield ShownRow(TrackRow(entry.key, entry.members, 0, state, NO_REASONS))
