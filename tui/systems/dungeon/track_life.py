"""The life of a track: it begins, newcomers join it and act or wait, it is forgotten."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter, Entry, key_of
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon import track_order, turns
from tui.systems.dungeon.meeting import closed
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    batch,
    forget,
    gather,
    notes_of,
    playing,
    several,
)
from tui.systems.dungeon.track_order import keep_total, standing, track_of, value_of


def forget_order(d: Draft) -> None:
    """Numbers, changes and rows moved by hand are gone."""
    forget(d, "places", "later", "pushes", "tie", "anchors")
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
    forget_order(d)
    totals_kept(d, system)
    d.emit(ev.Noted("by", "track"), ev.Noted("contest", "ranks", "stage"))
    if contest.won == HEROES:
        d.emit(ev.Noted("free", value=True))


def joined(d: Draft, system: InitiativeSystem) -> None:
    """Newcomers of a group on the track share its number; new ones take the opposed total or will roll."""
    places = track_of(d.encounter).places
    for x in gather(d.encounter):
        # A number under this key was left by creatures that have gone: newcomers threw for none.
        if x.key in places and all("new" in d.encounter.combatants[k].marks for k in x.members):
            d.emit(ev.Forgot("places", x.key))
    totals_kept(d, system)
    d.emit(ev.Noted("contest", "ranks", "stage"))


def ranked(d: Draft, system: InitiativeSystem, contest: Contest) -> None:
    """All numbers are there: the first turn begins, or the newcomers act or wait."""
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
        d.emit(ev.Noted("tie", track_order.tie_option(d.encounter, system)))


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
    """Newcomers who lost act at their place, or wait if it has passed (TRK-16, TRK-A11)."""
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


def passed(e: Encounter, system: InitiativeSystem, entry: Entry) -> bool:
    """Whether the turn has come by an entry's place: it, or somebody behind it, has acted or is acting."""
    rows = standing(e, system)
    keys = [x.key for x in rows]
    behind = rows[keys.index(entry.key) :] if entry.key in keys else []
    free = track_of(e).free
    came = [x for x in (*behind, *_fallen_behind(e, system, entry)) if _came(e, x)]
    return any(not free or turns.side_of_entry(e, x) == DARK for x in came)


def _fallen_behind(e: Encounter, system: InitiativeSystem, entry: Entry) -> list[Entry]:
    """Those who are out by now and stood behind an entry."""
    places, how = track_of(e).places, track_order.tie_rule(e, system)
    if entry.key not in places:
        return []
    fallen = [Entry(key_of(c), (c.id,)) for c in e.combatants.values() if c.out and key_of(c) in places]
    return [x for x in fallen if track_order.number(e, x, how) > track_order.number(e, entry, how)]


def _came(e: Encounter, entry: Entry) -> bool:
    """Whether the turn came to an entry by its place, not because it cut in."""
    acting = {k for t in (e.turn, *e.paused) if t for k in t.members}
    marks = [(k in acting, e.combatants[k].marks) for k in entry.members]
    return any((now or "acted" in m) and "early" not in m and "new" not in m for now, m in marks)
