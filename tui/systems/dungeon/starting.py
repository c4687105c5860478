"""Begin a track: from the contest to the first turn, and newcomers who join it (TRK-2, TRK-13 to 16)."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter, Entry
from tui.core.rules.draft import Draft
from tui.systems.dungeon import turns
from tui.systems.dungeon.meeting import closed
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    batch,
    entry_of,
    gather,
    notes_of,
    own,
    playing,
    several,
)
from tui.systems.dungeon.track_order import DungeonOrder


class Starting(DungeonOrder):
    """A track from the contest that begins it to its first turn, and who joins it."""

    def _keep_total(self, d: Draft, who: str) -> None:
        """Use a roller's opposed total for its entry's number (TRK-2, TRK-A13), but not a companion's."""
        entry = entry_of(gather(d.encounter), who)
        faces = notes_of(d.encounter).faces.get(who)
        if entry is None or entry.key in self.track(d.encounter).places:
            return
        if faces and d.encounter.combatants[who] in own(d.encounter, entry):
            self.place(d, entry, faces, d.encounter.combatants[who])

    def keep_totals(self, d: Draft) -> None:
        """Record opposed totals for entries without a number; by house rule also for the enemy's group."""
        new = {c.id for c in batch(d.encounter)}
        for who in notes_of(d.encounter).faces:
            if who not in new or self.option(d.encounter, "trk.roller_group") == "keeps":
                self._keep_total(d, who)

    def begin_track(self, d: Draft, contest: Contest) -> None:
        """Begin a track where nobody commands: both totals count, the others roll (TRK-1, TRK-2)."""
        d.announce("No Champion or Leader among them: the initiative track", rule="TRK-1")
        if not contest.again:
            self.forget_order(d)
        self.keep_totals(d)
        d.emit(ev.Noted("by", "track"), ev.Noted("contest", "ranks", "stage"))
        if contest.won == HEROES:
            d.emit(ev.Noted("free", value=True))

    def join_track(self, d: Draft, contest: Contest) -> None:
        """Give newcomers of a group on the track its number; new ones take the opposed total or will roll."""
        places = self.track(d.encounter).places
        for x in () if contest.again else gather(d.encounter):
            # What this key has was left by those who have gone: newcomers threw for none and had no turn.
            if x.key in places and all("new" in d.encounter.combatants[k].marks for k in x.members):
                n = self.track(d.encounter)
                d.emit(ev.Forgot("places", x.key))
                if x.key in n.spent:
                    d.emit(ev.Forgot("spent", x.key))
                if x.key in n.came:
                    # The turn has been at that place all the same.
                    there = d.encounter.notes["came"][x.key]
                    d.emit(ev.Forgot("came", x.key), ev.Noted("came", there, f"{x.key} {len(n.came)}"))
        self.keep_totals(d)
        d.emit(ev.Noted("contest", "ranks", "stage"))

    def start_turns(self, d: Draft, contest: Contest) -> None:
        """Begin the first turn once all numbers are there, or let the newcomers act or wait."""
        if contest.kind == "meeting":
            # A first meeting begins a new turn for everybody (TRK-9, TRK-11).
            d.unmark([c.id for c in playing(d.encounter)], "acted")
            turns.turn_of(d, HEROES)
            self._tell_order(d, won=contest.won)
        elif contest.won == DARK:
            turns.admit(d, "TRK-15")
        else:
            self._let_losers_wait(d)
        turns.fight_on(d)
        closed(d)

    def _tell_order(self, d: Draft, won: str) -> None:
        # What a log line can bear; the track itself shows all of them.
        rows = self.standing(d.encounter)[:20]
        text = ", ".join(f"{{{i}}} ({self.number(d.encounter, x)})" for i, x in enumerate(rows))
        d.emit(ev.Announced(f"The track: {text}", tuple(x.key for x in rows), "TRK-8"))
        if won == HEROES:
            d.announce("The heroes won: in the first turn they all act before the creatures", rule="TRK-9")
        else:
            d.announce("The creatures won: everybody acts by the track", rule="TRK-11")

    def _let_losers_wait(self, d: Draft) -> None:
        """Let newcomers who lost act at their place, or wait if it has passed (TRK-16, TRK-A11)."""
        by_place = bool(self.option(d.encounter, "trk.losers_same_turn"))
        late = [x for x in gather(d.encounter) if not by_place or self._passed(d.encounter, x)]
        ids = {c.id for c in batch(d.encounter)}
        waiting = [k for x in late for k in x.members if k in ids]
        d.mark(waiting, "barred")
        rest = [c.id for c in batch(d.encounter) if c.id not in waiting]
        if waiting:
            wait = "waits" if len(waiting) == 1 else "wait"
            because = "came too late for a place in this turn" if by_place else "lost"
            text = f"{several(waiting)} {because} and {wait} for the next"
            d.emit(ev.Announced(text, tuple(waiting), "TRK-16"))
        if rest:
            act = "acts at its place" if len(rest) == 1 else "act at their places"
            d.emit(ev.Announced(f"{several(rest)} lost and {act}", tuple(rest), "TRK-16"))

    def note_turn(self, d: Draft, key: str) -> None:
        """Record that the turn has come to an entry's place, as the track stands now (TRK-16)."""
        n = self.track(d.encounter)
        place = n.places.get(key)
        plain = to_builtins(place) if place else None
        d.emit(ev.Noted("came", [plain, len(n.pushes), len(d.encounter.shifts)], key))

    def _passed(self, e: Encounter, entry: Entry) -> bool:
        """Return whether the turn has come to an entry's place, or to one that was lower on the track then.

        An entry that sinks after it has acted passes nobody.
        """
        return any(key == entry.key or self._lower(e, key, entry.key) for key in self.track(e).came)

    def _lower(self, e: Encounter, key: str, than: str) -> bool:
        """Return whether an entry that has acted stood lower on the track when it did."""
        n = self.track(e)
        place, pushes, moves = n.came[key]
        then = {
            "places": {**e.notes.get("places", {}), **({key: to_builtins(place)} if place else {})},
            "pushes": dict(list(e.notes.get("pushes", {}).items())[:pushes]),
        }
        before = replace(e, notes={**e.notes, **then}, shifts=e.shifts[:moves])
        order = [x.key for x in self.ordered(before, (key,))]
        return than in order and key in order and order.index(key) > order.index(than)
