"""Champions and Leaders: they put a track aside, and with the last of them gone it comes back (TRK-12, TRK-20)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon import turns
from tui.systems.dungeon.notes import COMMANDERS, DARK, HEROES, Contest, commander, forget, notes_of, team
from tui.systems.dungeon.track_life import forget_order, totals_kept
from tui.systems.dungeon.track_order import by_track, track_of


def suspended(d: Draft) -> None:
    """A commander is there: by sides from now on, and nobody twice in this turn (TRK-12)."""
    d.announce(
        "{0} commands: the track is put aside, and the sides take turns",
        commander(d.encounter),
        rule="TRK-12",
    )
    d.emit(ev.Noted("by", "sides"))
    led(d)
    # Sides begin with the heroes who have not acted (TRK-A9).
    turns.turn_of(d, HEROES, "TRK-12")


def yields(e: Encounter, system: InitiativeSystem) -> bool:
    """Whether a commander in play puts the track aside at once (TRK-A9)."""
    return bool(commander(e)) and system.option(e, "trk.commander_when") == "immediate"


def noticed(d: Draft, system: InitiativeSystem) -> None:
    """A commander on the table counts, however he came there."""
    if not notes_of(d.encounter).contest and by_track(d.encounter) and yields(d.encounter, system):
        suspended(d)


def aside(d: Draft, system: InitiativeSystem, contest: Contest) -> None:
    """The contest is followed by sides: a commander leads, or no section was revealed (TRK-1, TRK-12)."""
    if by_track(d.encounter):
        suspended(d)
    elif contest.kind == "meeting":
        d.announce(
            "{0} commands: the sides take turns, without a track", commander(d.encounter), rule="TRK-1"
        )
        led(d)
    elif not commander(d.encounter) and (track_of(d.encounter).places or not track_of(d.encounter).commanded):
        totals_kept(d, system)


def fell(d: Draft, system: InitiativeSystem, who: Sequence[str]) -> None:
    """The last commander is out or removed: what that means from the next turn on is said at once (TRK-20)."""
    e = d.encounter
    # A commander who was removed is no longer in the roster, but fell all the same.
    people = [c for k in who if (c := e.combatants.get(k) or e.gone.get(k))]
    led_them = [c.id for c in people if c.word("rank") in COMMANDERS and "met" in c.marks]
    if led_them and notes_of(e).combat and not by_track(e) and not commander(e):
        d.announce(f"No commander leads any more: {outlook(e, system)}", *led_them, rule="TRK-20")


def outlook(e: Encounter, system: InitiativeSystem) -> str:
    """What orders the next turn of a fight by sides in which no commander leads."""
    n = track_of(e)
    match system.option(e, "trk.commander_falls") if n.commanded else "resume":
        case "stay":
            return "the sides stay"
        case "roll_new":
            return "a new track is rolled with the next turn"
        case _ if n.commanded and not n.places:
            return "no track was ever rolled, so the sides stay"
        case _:
            return "the track counts from the next turn on"


def led(d: Draft) -> None:
    """A commander has led in this combat."""
    who = commander(d.encounter)
    if not track_of(d.encounter).commanded:
        d.emit(ev.Noted("commanded", value=True))
    if who and notes_of(d.encounter).led != who:
        d.emit(ev.Noted("led", who))


def without(e: Encounter, unseen: Collection[str]) -> Encounter:
    """The fight without a commander who is not seen: to whoever knows of none, the track still counts."""
    n = track_of(e)
    if n.by == "track" or not n.places or notes_of(e).led not in unseen:
        return e
    if any(c.word("rank") in COMMANDERS for c in team(e, DARK) if c.id not in unseen):
        return e
    return replace(e, notes={**e.notes, "by": "track", "commanded": False})


def said_of_sides(e: Encounter, system: InitiativeSystem) -> Sequence[Sentence]:
    """Why sides act for now; nothing to whoever does not know who led, or it would tell of him."""
    if who := commander(e):
        return (say("{0} commands: the sides take turns, without a track", who, rule="TRK-1"),)
    if (last := notes_of(e).led) and last not in e.combatants and last not in e.gone:
        return ()
    return (say(f"no commander leads: {outlook(e, system)}", rule="TRK-20"),)


def next_turn(d: Draft, system: InitiativeSystem) -> None:
    """Sides or track, with the turn that begins (TRK-10, TRK-12, TRK-20)."""
    forget(d, "free")
    n = track_of(d.encounter)
    if not notes_of(d.encounter).combat:
        return
    if commander(d.encounter):
        if n.by == "track":
            suspended(d)
            turns.turn_of(d, HEROES)
        led(d)
        return
    falls = system.option(d.encounter, "trk.commander_falls") if n.commanded else ""
    if n.by == "track" or falls == "stay":
        return
    if falls == "roll_new":
        forget_order(d)
    elif n.commanded and not n.places:
        return
    d.emit(ev.Noted("by", "track"))
    # About the commander: who never knew of one is not told that one is gone.
    last = notes_of(d.encounter).led
    about = [last] if last else []
    rule = "TRK-20" if n.commanded else "TRK-10"
    d.announce("No commander leads: everybody acts by the track", *about, rule=rule)
