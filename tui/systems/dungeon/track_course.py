"""Begin a track, add newcomers to it, and suspend it for a commander (TRK-2, TRK-12 to 16, TRK-20)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import Encounter, Entry, key_of
from tui.core.rules.draft import Draft
from tui.systems.dungeon import turns
from tui.systems.dungeon.meeting import close_contest
from tui.systems.dungeon.notes import (
    COMMANDERS,
    DARK,
    HEROES,
    Contest,
    all_entries,
    commander,
    core_members,
    creatures_in_play,
    dungeon_notes,
    entry_of,
    forget_notes,
    list_slots,
    made_with,
    new_enemies,
)
from tui.systems.dungeon.track_order import DungeonOrder, is_by_track


class TrackCourse(DungeonOrder):
    """The course of a track: its beginning, newcomers, and its suspension by a commander."""

    def _keep_total(self, d: Draft, who: str) -> None:
        """Record a roller's opposed total for its entry, except a companion's (TRK-2, TRK-A13)."""
        entry = entry_of(all_entries(d.encounter), who)
        faces = dungeon_notes(d.encounter).faces.get(who)
        if entry is None or entry.key in self.track(d.encounter).places:
            return
        roller = d.encounter.combatants[who]
        if faces and roller in core_members(d.encounter, entry):
            self.place(d, entry, faces, made_with(d.encounter, roller))

    def keep_totals(self, d: Draft) -> None:
        """Record the opposed totals of entries without a number; for new enemies only by house rule."""
        new = {c.id for c in new_enemies(d.encounter)}
        for who in dungeon_notes(d.encounter).faces:
            if who not in new or self.option(d.encounter, "trk.roller_group") == "keeps":
                self._keep_total(d, who)

    def begin_track(self, d: Draft, contest: Contest) -> None:
        """Begin a track without a commander: both totals count, the others roll (TRK-1, TRK-2)."""
        d.announce("No Champion or Leader among them: the initiative track", rule="TRK-1")
        if not contest.again:
            self.forget_order(d)
        self.keep_totals(d)
        d.emit(ev.Noted("by", "track"), ev.Noted("contest", "ranks", "stage"))
        if contest.won == HEROES:
            d.emit(ev.Noted("free", value=True))

    def join_track(self, d: Draft, contest: Contest) -> None:
        """Give newcomers the number of a group that they join; others keep the opposed total or will roll."""
        places = self.track(d.encounter).places
        for x in () if contest.again else all_entries(d.encounter):
            # The place under this key is that of creatures that have left: the newcomers did not roll for it
            # and had no turn.
            if x.key in places and all("new" in d.encounter.combatants[k].marks for k in x.members):
                n = self.track(d.encounter)
                d.emit(ev.Forgot("places", x.key))
                if x.key in n.spent:
                    d.emit(ev.Forgot("spent", x.key))
                if x.key in n.came:
                    # The turn of the round has passed that place nevertheless.
                    there = d.encounter.notes["came"][x.key]
                    d.emit(ev.Forgot("came", x.key), ev.Noted("came", there, f"{x.key} {len(n.came)}"))
        self.keep_totals(d)
        d.emit(ev.Noted("contest", "ranks", "stage"))

    def start_turns(self, d: Draft, contest: Contest) -> None:
        """Begin the first turn once all numbers are known, or let the newcomers act or wait."""
        if contest.kind == "meeting":
            # A first meeting begins a new turn for everybody (TRK-9, TRK-11).
            turns.renew_turns(d, [c.id for c in creatures_in_play(d.encounter)])
            turns.begin_side_turn(d, HEROES)
            self._tell_order(d, won=contest.won)
        elif contest.won == DARK:
            turns.admit_winners(d, "TRK-15")
        else:
            self._let_losers_wait(d)
        turns.start_combat(d)
        close_contest(d)

    def _tell_order(self, d: Draft, won: str) -> None:
        # The log line shows only as many rows as it has room for; the track shows all.
        rows = self.acting_order(d.encounter)[:20]
        text = ", ".join(f"{{{i}}} ({self.number(d.encounter, x)})" for i, x in enumerate(rows))
        d.emit(ev.Announced(f"The track: {text}", tuple(x.key for x in rows), "TRK-8"))
        if won == HEROES:
            d.announce("The heroes won: in the first turn they all act before the creatures", rule="TRK-9")
        else:
            d.announce("The creatures won: everybody acts by the track", rule="TRK-11")

    def _let_losers_wait(self, d: Draft) -> None:
        """Bar newcomers that lost if their place has passed, else let them act there (TRK-16, TRK-A11)."""
        by_place = bool(self.option(d.encounter, "trk.losers_same_turn"))
        latecomers = [x for x in all_entries(d.encounter) if not by_place or self._has_passed(d.encounter, x)]
        ids = {c.id for c in new_enemies(d.encounter)}
        waiting = [k for x in latecomers for k in x.members if k in ids]
        d.mark(waiting, "barred")
        rest = [c.id for c in new_enemies(d.encounter) if c.id not in waiting]
        if waiting:
            wait = "waits" if len(waiting) == 1 else "wait"
            because = "came too late for a place in this turn" if by_place else "lost"
            text = f"{list_slots(waiting)} {because} and {wait} for the next"
            d.emit(ev.Announced(text, tuple(waiting), "TRK-16"))
        if rest:
            act = "acts at its place" if len(rest) == 1 else "act at their places"
            d.emit(ev.Announced(f"{list_slots(rest)} lost and {act}", tuple(rest), "TRK-16"))

    def note_turn(self, d: Draft, key: str) -> None:
        """Record that the turn has come to an entry's place on the track as it is now (TRK-16)."""
        n = self.track(d.encounter)
        fixed = self.fixed_place(d.encounter, self.entry(d.encounter, key))
        place = to_builtins(n.places[key]) if fixed is None else fixed
        d.emit(ev.Noted("came", [place, len(n.pushes), len(d.encounter.shifts)], key))

    def _has_passed(self, e: Encounter, entry: Entry) -> bool:
        """Return whether the turn has come to an entry's place, or to a place that was lower at the time.

        An entry that sinks after it has acted has passed no other.
        """
        return any(key == entry.key or self._was_lower(e, key, entry.key) for key in self.track(e).came)

    def _was_lower(self, e: Encounter, key: str, than: str) -> bool:
        """Return whether an entry that has acted was lower than `than` on the track at that time."""
        place, pushes, moves = self.track(e).came[key]
        now = self.track(e).places.get(key)
        # A newcomer that came to the same number has rolled off against it since.
        if now and not isinstance(place, int) and (now.value, now.seat) == (place.value, place.seat):
            place = now
        then = {"pushes": dict(list(e.notes.get("pushes", {}).items())[:pushes])}
        if isinstance(place, int):
            e = _with_fixed_place(e, key, place)
            then["anchors"] = {**e.notes.get("anchors", {}), key: place}
        else:
            then["places"] = {**e.notes.get("places", {}), key: to_builtins(place)}
        before = replace(e, notes={**e.notes, **then}, shifts=e.shifts[:moves])
        order = [x.key for x in self.order_entries(before, (key,))]
        return than in order and key in order and order.index(key) > order.index(than)

    # --- commanders

    def _suspend(self, d: Draft) -> None:
        """Suspend the track for a commander: sides take turns, without second turns this round (TRK-12)."""
        text = "{0} commands: the track is put aside, and the sides take turns"
        d.announce(text, commander(d.encounter), rule="TRK-12")
        d.emit(ev.Noted("by", "sides"))
        self._note_leader(d)
        # The sides begin with the heroes who have not acted (TRK-A9).
        turns.begin_side_turn(d, HEROES, "TRK-12")

    def is_put_aside(self, e: Encounter) -> bool:
        """Return whether a commander in play suspends the track at once (TRK-A9)."""
        return bool(commander(e)) and self.option(e, "trk.commander_when") == "immediate"

    def suspend_for_commander(self, d: Draft) -> None:
        """Suspend the track if a commander is in play."""
        e = d.encounter
        if not dungeon_notes(e).contest and is_by_track(e) and self.is_put_aside(e):
            self._suspend(d)

    def follow_contest(self, d: Draft, contest: Contest) -> None:
        """Go on by sides after a contest that begins no track (TRK-1, TRK-12)."""
        if is_by_track(d.encounter):
            self._suspend(d)
        elif contest.kind == "meeting":
            text = "{0} commands: the sides take turns, without a track"
            d.announce(text, commander(d.encounter), rule="TRK-1")
            self._note_leader(d)
        elif not commander(d.encounter):
            n = self.track(d.encounter)
            if n.places or not n.commanded:
                self.keep_totals(d)

    def announce_commander_lost(self, d: Draft, who: Sequence[str]) -> None:
        """Announce the consequence if the last commander is out or removed (TRK-20)."""
        e = d.encounter
        # A commander who was removed is no longer in the roster, but has fallen all the same.
        people = [c for k in who if (c := e.combatants.get(k) or e.gone.get(k))]
        led_them = [c.id for c in people if c.word("rank") in COMMANDERS and "met" in c.marks]
        if led_them and dungeon_notes(e).combat and not is_by_track(e) and not commander(e):
            d.announce(f"No commander leads any more: {self._what_follows(e)}", *led_them, rule="TRK-20")

    def _what_follows(self, e: Encounter) -> str:
        """Return in words which order the next turn has without a commander."""
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
        if who and dungeon_notes(d.encounter).led != who:
            d.emit(ev.Noted("led", who))

    def side_remarks(self, e: Encounter) -> Sequence[Sentence]:
        """Return the reason why sides act; nothing for a viewer who does not know of the commander."""
        if who := commander(e):
            return (say("{0} commands: the sides take turns, without a track", who, rule="TRK-1"),)
        if (last := dungeon_notes(e).led) and last not in e.combatants and last not in e.gone:
            return ()
        return (say(f"no commander leads: {self._what_follows(e)}", rule="TRK-20"),)

    def choose_order(self, d: Draft) -> None:
        """Choose for the next turn between sides and the track (TRK-10, TRK-12, TRK-20)."""
        forget_notes(d, "free")
        n = self.track(d.encounter)
        if not dungeon_notes(d.encounter).combat:
            return
        if commander(d.encounter):
            if n.by == "track":
                self._suspend(d)
                turns.begin_side_turn(d, HEROES)
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
        # The sentence is about the commander: a player who never knew the commander is not told that it is
        # gone.
        about = filter(None, [dungeon_notes(d.encounter).led])
        rule = "TRK-20" if n.commanded else "TRK-10"
        d.announce("No commander leads: everybody acts by the track", *about, rule=rule)


def _with_fixed_place(e: Encounter, key: str, place: int) -> Encounter:
    """Return the encounter in which the creatures of a key have this fixed place."""
    people = {k: replace(c, value=place) if key in (k, key_of(c)) else c for k, c in e.combatants.items()}
    return replace(e, combatants=people)
