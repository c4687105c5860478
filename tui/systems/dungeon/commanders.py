"""Commanders put the track aside, and bring it back when the last of them falls (TRK-12, TRK-20)."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.systems.dungeon import turns
from tui.systems.dungeon.notes import (
    COMMANDERS,
    HEROES,
    Contest,
    commander,
    forget,
    notes_of,
)
from tui.systems.dungeon.starting import Starting
from tui.systems.dungeon.track_order import by_track


class Commanders(Starting):
    """A Champion or Leader who commands: sides take turns, and the track waits."""

    def _suspend(self, d: Draft) -> None:
        """Suspend the track for a commander: sides take turns, with no second turn this round (TRK-12)."""
        d.announce(
            "{0} commands: the track is put aside, and the sides take turns",
            commander(d.encounter),
            rule="TRK-12",
        )
        d.emit(ev.Noted("by", "sides"))
        self._note_leader(d)
        # Sides begin with the heroes who have not acted (TRK-A9).
        turns.turn_of(d, HEROES, "TRK-12")

    def yields(self, e: Encounter) -> bool:
        """Return whether a commander in play puts the track aside at once (TRK-A9)."""
        return bool(commander(e)) and self.option(e, "trk.commander_when") == "immediate"

    def notice(self, d: Draft) -> None:
        """Suspend the track if a commander is in play, however it came there."""
        if not notes_of(d.encounter).contest and by_track(d.encounter) and self.yields(d.encounter):
            self._suspend(d)

    def stand_aside(self, d: Draft, contest: Contest) -> None:
        """Let sides follow the contest: a commander, or no new section (TRK-1, TRK-12)."""
        if by_track(d.encounter):
            self._suspend(d)
        elif contest.kind == "meeting":
            d.announce(
                "{0} commands: the sides take turns, without a track", commander(d.encounter), rule="TRK-1"
            )
            self._note_leader(d)
        elif not commander(d.encounter):
            n = self.track(d.encounter)
            if n.places or not n.commanded:
                self.keep_totals(d)

    def fell(self, d: Draft, who: Sequence[str]) -> None:
        """Announce what follows when the last commander is out or removed (TRK-20)."""
        e = d.encounter
        # A commander who was removed is no longer in the roster, but fell all the same.
        people = [c for k in who if (c := e.combatants.get(k) or e.gone.get(k))]
        led_them = [c.id for c in people if c.word("rank") in COMMANDERS and "met" in c.marks]
        if led_them and notes_of(e).combat and not by_track(e) and not commander(e):
            d.announce(f"No commander leads any more: {self._outlook(e)}", *led_them, rule="TRK-20")

    def _outlook(self, e: Encounter) -> str:
        """Return what orders the next turn of a fight by sides without a commander."""
        n = self.track(e)
        match self.option(e, "trk.commander_falls") if n.commanded else "resume":
            case "stay":
                return "the sides stay"
            case "roll_new":
                return "a new track is rolled with the next turn"
            case _ if n.commanded and not n.places:
                return "without a track the sides stay"
            case _:
                return "the track counts from the next turn on"

    def _note_leader(self, d: Draft) -> None:
        """Record that a commander has led in this combat."""
        who = commander(d.encounter)
        if not self.track(d.encounter).commanded:
            d.emit(ev.Noted("commanded", value=True))
        if who and notes_of(d.encounter).led != who:
            d.emit(ev.Noted("led", who))

    def side_remarks(self, e: Encounter) -> Sequence[Sentence]:
        """Return why sides act for now; nothing to a viewer who does not know of the leader."""
        if who := commander(e):
            return (say("{0} commands: the sides take turns, without a track", who, rule="TRK-1"),)
        if (last := notes_of(e).led) and last not in e.combatants and last not in e.gone:
            return ()
        return (say(f"no commander leads: {self._outlook(e)}", rule="TRK-20"),)

    def choose_order(self, d: Draft) -> None:
        """Begin the next turn, by sides or by the track (TRK-10, TRK-12, TRK-20)."""
        forget(d, "free")
        n = self.track(d.encounter)
        if not notes_of(d.encounter).combat:
            return
        if commander(d.encounter):
            if n.by == "track":
                self._suspend(d)
                turns.turn_of(d, HEROES)
            self._note_leader(d)
            return
        falls = self.option(d.encounter, "trk.commander_falls") if n.commanded else ""
        if n.by == "track" or falls == "stay":
            return
        if falls == "roll_new":
            self.forget_order(d)
        elif n.commanded and not n.places:
            return
        d.emit(ev.Noted("by", "track"))
        # About the commander: who never knew of one is not told that one is gone.
        last = notes_of(d.encounter).led
        about = [last] if last else []
        rule = "TRK-20" if n.commanded else "TRK-10"
        d.announce("No commander leads: everybody acts by the track", *about, rule=rule)
