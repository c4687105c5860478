"""Run the initiative track of Dungeon Universalis: its course, and commanders, who put it aside (TRK)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Choice, RollAsk, Sentence, list_slots, say
from tui.core.fight.encounter import DiceRoll, Encounter, Entry, key_of, label, members
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.optional import Hits
from tui.core.rules.system import InitiativeSystem
from tui.systems import Texts
from tui.systems.dungeon import by_sides, universalis, variable
from tui.systems.dungeon.advice import group_choices
from tui.systems.dungeon.by_sides import BY_SIDES, side_of_entry
from tui.systems.dungeon.by_track import (
    BY_TRACK,
    forget_order,
    is_by_track,
    record_place,
    track_of,
    write_numbers,
)
from tui.systems.dungeon.contests import contest_rollers, run_decision
from tui.systems.dungeon.notes import (
    Contest,
    all_entries,
    commander,
    core_members,
    creatures_in_play,
    dungeon_notes,
    entries_by_key,
    entry_of,
    made_with,
    new_enemies,
    newcomers_by_key,
    option,
    team,
    winners_to_act,
)
from tui.systems.dungeon.text import COMMANDERS, DARK, HEROES, OPTIONS, TRACK_MARKS, TRACK_OPTIONS
from tui.systems.dungeon.universalis import DungeonUniversalis


class DungeonTrack(DungeonUniversalis, Hits):
    """2d6 + Perception for each hero and group; sides while a Champion or Leader commands."""

    id = "dungeon-track"
    once_rule = "TRK-21"
    instead_of_delays = ("a row of the track can be moved to another place", "TRK-10")
    title = "Dungeon Universalis: initiative track"
    short = "Dungeon Universalis, track"
    summary = "a number for each hero and group"
    credit = (
        'After the mini-ruleset "Initiative additional rules" for Dungeon Universalis, in our own words. '
        "Its author is not known to us."
    )
    grouped = True
    options = (*OPTIONS, *TRACK_OPTIONS)
    verbs = (*DungeonUniversalis.verbs, variable.HIT, variable.KILL)
    marks = (*DungeonUniversalis.marks, *TRACK_MARKS)
    clauses = Texts("clauses", universalis.__file__, __file__)
    glossary = Texts("glossary", universalis.__file__, __file__)

    # --- questions

    def turn_order(self, e: Encounter) -> InitiativeSystem:
        """Return what decides who may act now: the track, or the sides."""
        return BY_TRACK if is_by_track(e) else BY_SIDES

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return 2d6 + Perception + bonuses; those of its roll for an entry with a number."""
        place = track_of(e).places.get(roll.who) if roll.ask.startswith("track ") else None
        if place is None or roll.dice != (6, 6):
            return super().total_of(e, roll)
        return sum(roll.faces) + place.per + place.mod, roll.faces

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:
        """Return `hit` for damage and `kill` for `out` if initiative is variable (TRK-18, TRK-19)."""
        present = {c.id for c in self.in_play(e)}
        if not all(any(c.id in present for c in members(e, k)) for k in keys) or not self.counts_hits(e):
            return ""
        # No creature is its own killer: if the acting creature itself goes out, plain `out` is used.
        if verb == "out" and any(c.id == e.acting for k in keys for c in members(e, k)):
            return ""
        by = f" by={quote(label(e, e.acting))}" if e.acting in e.combatants else ""
        return {"damage": "hit {who} {n}", "out": f"kill {{who}}{by} {{rest}}"}.get(verb, "")

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:
        """Return False for the opposed roll of an entry that already has a number and keeps it (TRK-13)."""
        c = e.combatants.get(ask.who)
        return not (ask.purpose == "opposed" and (key_of(c) if c else ask.who) in track_of(e).places)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return remarks, among them what decides the order of turns and until when."""
        sentences, n = super().remarks(e), track_of(e)
        if n.by == "track":
            if n.tie and n.tie != BY_TRACK.next_tie_rule(e):
                sentences += (say("the new rule for ties counts from the next track on", rule="TRK-A1"),)
        elif dungeon_notes(e).combat:
            sentences += tuple(_side_remarks(e))
        return sentences

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the whole lines that a verb could begin now, also of `group` and `kill`."""
        match verb:
            case "group":
                return group_choices(e)
            case "kill":
                return variable.kill_choices(e)
            case _:
                return super().choices(e, verb)

    def without(self, e: Encounter, unseen: Collection[str]) -> Encounter:
        """Return the encounter without the effect of an unseen commander: the track counts."""
        n = track_of(e)
        if n.by == "track" or not n.places or dungeon_notes(e).led not in unseen:
            return e
        if any(c.word("rank") in COMMANDERS for c in team(e, DARK) if c.id not in unseen):
            return e
        return replace(e, notes={**e.notes, "by": "track", "commanded": False})

    def counts_hits(self, e: Encounter) -> bool:
        """Return whether initiative is variable (TRK-18)."""
        return bool(option(e, "trk.variable"))

    # --- dice

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Pass dice and choices to the contest or to the track, by the key of the ask."""
        if ask.purpose in ("track", "tie", "hand"):
            BY_TRACK.answer(d, ask, answer)
        else:
            super().answer(d, ask, answer)

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the rolls for the track, and the dice of a contest that is not decided yet."""
        return (*super().correctable(e), *BY_TRACK.correctable(e))

    def settled(self, e: Encounter, who: str) -> str:
        """Return the line that ends a fixed place, else the reason why a contest is final; or ""."""
        return BY_TRACK.settled(e, who) or super().settled(e, who)

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Correct a number on the track, hits and kills included, or the dice of a contest."""
        if ask.purpose == "track":
            BY_TRACK.correct(d, ask, new, old)
            return
        before = d.encounter
        super().correct(d, ask, new, old)
        if before.decision:
            _keep_numbers(d, before, ask, new)

    # --- other facts

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, and record the place on the track that has now had its turn (TRK-16)."""
        e = d.encounter
        row = entries_by_key(e).get(act.who) if act.kind == "turn" and is_by_track(e) else None
        # In their first turn the heroes act regardless of their places (TRK-9), and so do newcomers who won.
        is_early = act.who in newcomers_by_key(all_entries(e), winners_to_act(e))
        if row and not is_early and not (track_of(e).free and side_of_entry(e, row) == HEROES):
            _note_turn(d, row.key)
        super().took(d, act)

    def new_round(self, d: Draft) -> None:
        """Begin the next turn by track or sides, and apply the changes that were postponed to it."""
        super().new_round(d)
        d.emit(ev.Forgot("came"), ev.Forgot("spent"))
        variable.apply_later(d)
        _choose_order(d)

    def settle(self, d: Draft) -> None:
        """Continue the contest, begin turns once numbers are known, and look for a commander."""
        super().settle(d)
        contest = dungeon_notes(d.encounter).contest
        if contest.stage == "ranks" and not self.due(d.encounter):
            run_decision(d, lambda: _start_turns(d, contest))
        e = d.encounter
        if not dungeon_notes(e).contest.kind and is_by_track(e) and _is_put_aside(e):
            _suspend(d)
        BY_TRACK.keep_tie_rules(d)

    def conclude(self, d: Draft, contest: Contest) -> None:
        """Begin a track after the opposed roll, add newcomers to it, or suspend it."""
        if contest.kind == "meeting" and not commander(d.encounter):
            _begin_track(d, contest)
        elif is_by_track(d.encounter) and not _is_put_aside(d.encounter):
            _join_track(d, contest)
        else:
            _follow_contest(d, contest)
            super().conclude(d, contest)

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Give a new entry the number and place of its best member, and end turns that were left."""
        BY_TRACK.keep_places(d, before)
        super().regrouped(d, before)

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """Announce a lost commander, and remark on kills that were not counted."""
        _announce_commander_lost(d, who)
        variable.point_out_kill(d, who)

    def damaged(self, d: Draft, who: str, amount: int) -> None:
        """Remark on a hit that was not counted, and on a hero that was knocked out."""
        variable.point_out_hit(d, who)
        variable.offer_knock_out(d, who, amount)

    def count_hit(self, d: Draft, who: str) -> None:
        """Count a hit of an area or attack; a second hit in a round changes nothing and is not announced."""
        variable.count_hit(d, who)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run meet, place, calm, moved, hit or kill."""
        match request.verb:
            case "hit":
                variable.hit(d, request)
            case "kill":
                variable.kill(d, self, request)
            case _:
                super().report(d, request)


# --- the course of a track: its beginning, newcomers


def _keep_totals(d: Draft) -> None:
    """Record the opposed totals of entries without a number; for new enemies only by house rule.

    A companion's total is not that of its entry (TRK-2, TRK-14).
    """
    new = {c.id for c in new_enemies(d.encounter)}
    for who, faces in dungeon_notes(d.encounter).faces.items():
        entry, roller = entry_of(all_entries(d.encounter), who), d.encounter.combatants.get(who)
        if who in new and option(d.encounter, "trk.roller_group") != "keeps":
            continue
        is_placed = entry is not None and entry.key in track_of(d.encounter).places
        if entry and not is_placed and roller in core_members(d.encounter, entry):
            record_place(d, entry, faces, made_with(d.encounter, roller))


def _begin_track(d: Draft, contest: Contest) -> None:
    """Begin a track without a commander: both totals count, the others roll (TRK-1, TRK-2)."""
    d.announce("No Champion or Leader among them: the initiative track", rule="TRK-1")
    if not contest.again:
        forget_order(d)
    _keep_totals(d)
    d.emit(ev.Noted("by", "track"), ev.Noted("contest", "ranks", "stage"))
    if contest.won == HEROES:
        d.emit(ev.Noted("free", value=True))


def _join_track(d: Draft, contest: Contest) -> None:
    """Give newcomers the number of a group that they join; others keep the opposed total or will roll."""
    places = track_of(d.encounter).places
    for x in () if contest.again else all_entries(d.encounter):
        # The place under this key is that of creatures that have left: the newcomers did not roll for it
        # and had no turn.
        if x.key in places and all("new" in d.encounter.combatants[k].marks for k in x.members):
            n = track_of(d.encounter)
            d.emit(ev.Forgot("places", x.key), ev.Forgot("spent", x.key))
            if x.key in n.came:
                # The turn of the round has passed that place nevertheless.
                there = d.encounter.notes["came"][x.key]
                d.emit(ev.Forgot("came", x.key), ev.Noted("came", there, f"{x.key} {len(n.came)}"))
    _keep_totals(d)
    d.emit(ev.Noted("contest", "ranks", "stage"))


def _start_turns(d: Draft, contest: Contest) -> None:
    """Begin the first turn once all numbers are known, or let the newcomers act or wait."""
    if contest.kind == "meeting":
        # A first meeting begins a new turn for everybody (TRK-9, TRK-11).
        by_sides.renew_turns(d, [c.id for c in creatures_in_play(d.encounter)])
        by_sides.begin_side_turn(d, HEROES)
        _tell_order(d, won=contest.won)
    elif contest.won == DARK:
        by_sides.admit_winners(d, "TRK-15")
    else:
        _let_losers_wait(d)
    by_sides.start_combat(d)


def _tell_order(d: Draft, won: str) -> None:
    # The log line shows only as many rows as it has room for; the track shows all.
    rows = BY_TRACK.acting_order(d.encounter)[:20]
    text = ", ".join(f"{{{i}}} ({BY_TRACK.number(d.encounter, x)})" for i, x in enumerate(rows))
    d.announce(f"The track: {text}", *(x.key for x in rows), rule="TRK-8")
    if won == HEROES:
        d.announce("The heroes won: in the first turn they all act before the creatures", rule="TRK-9")
    else:
        d.announce("The creatures won: everybody acts by the track", rule="TRK-11")


def _let_losers_wait(d: Draft) -> None:
    """Bar newcomers that lost if their place has passed, else let them act there (TRK-16)."""
    by_place = bool(option(d.encounter, "trk.losers_same_turn"))
    latecomers = [x for x in all_entries(d.encounter) if not by_place or _has_passed(d.encounter, x)]
    ids = {c.id for c in new_enemies(d.encounter)}
    waiting = [k for x in latecomers for k in x.members if k in ids]
    d.mark(waiting, "barred")
    rest = [c.id for c in new_enemies(d.encounter) if c.id not in waiting]
    if waiting:
        wait = "waits" if len(waiting) == 1 else "wait"
        because = "came too late for a place in this turn" if by_place else "lost"
        d.announce(f"{list_slots(waiting)} {because} and {wait} for the next", *waiting, rule="TRK-16")
    if rest:
        act = "acts at its place" if len(rest) == 1 else "act at their places"
        d.announce(f"{list_slots(rest)} lost and {act}", *rest, rule="TRK-16")


def _note_turn(d: Draft, key: str) -> None:
    """Record that the turn has come to an entry's place on the track as it is now (TRK-16)."""
    n = track_of(d.encounter)
    fixed = BY_TRACK.fixed_place(d.encounter, BY_TRACK.entry(d.encounter, key))
    place = to_builtins(n.places[key]) if fixed is None else fixed
    d.emit(ev.Noted("came", [place, len(n.pushes), len(d.encounter.shifts)], key))


def _has_passed(e: Encounter, entry: Entry) -> bool:
    """Return whether the turn has come to an entry's place, or to a place that was lower at the time.

    An entry that sinks after it has acted has passed no other.
    """
    return any(key == entry.key or _was_lower(e, key, entry.key) for key in track_of(e).came)


def _was_lower(e: Encounter, key: str, than: str) -> bool:
    """Return whether an entry that has acted was lower than `than` on the track at that time."""
    place, pushes, moves = track_of(e).came[key]
    now = track_of(e).places.get(key)
    # A newcomer that came to the same number has rolled off against it since.
    if now and not isinstance(place, int) and (now.value, now.seat) == (place.value, place.seat):
        place = now
    then = {"pushes": dict(list(e.notes.get("pushes", {}).items())[:pushes])}
    if isinstance(place, int):
        people = {k: replace(c, value=place) if key in (k, key_of(c)) else c for k, c in e.combatants.items()}
        e = replace(e, combatants=people)
        then["anchors"] = {**e.notes.get("anchors", {}), key: place}
    else:
        then["places"] = {**e.notes.get("places", {}), key: to_builtins(place)}
    before = replace(e, notes={**e.notes, **then}, shifts=e.shifts[:moves])
    order: list[str] = [x.key for x in BY_TRACK.order_entries(before, (key,))]
    return than in order and key in order and order.index(key) > order.index(than)


# --- commanders


def _suspend(d: Draft) -> None:
    """Suspend the track for a commander: sides take turns, without second turns this round (TRK-12)."""
    text = "{0} commands: the track is set aside, and the sides take turns"
    d.announce(text, commander(d.encounter), rule="TRK-12")
    d.emit(ev.Noted("by", "sides"))
    _note_leader(d)
    # The sides begin with the heroes who have not acted (TRK-A9).
    by_sides.begin_side_turn(d, HEROES, "TRK-12")


_COMMANDS = "{0} commands: the sides take turns, without a track"


def _is_put_aside(e: Encounter) -> bool:
    """Return whether a commander in play suspends the track at once (TRK-A9)."""
    return bool(commander(e)) and option(e, "trk.commander_when") == "immediate"


def _follow_contest(d: Draft, contest: Contest) -> None:
    """Go on by sides after a contest that begins no track (TRK-1, TRK-12)."""
    if is_by_track(d.encounter):
        _suspend(d)
    elif contest.kind == "meeting":
        d.announce(_COMMANDS, commander(d.encounter), rule="TRK-1")
        _note_leader(d)
    elif not commander(d.encounter):
        n = track_of(d.encounter)
        if n.places or not n.commanded:
            _keep_totals(d)


def _announce_commander_lost(d: Draft, who: Sequence[str]) -> None:
    """Announce the consequence if the last commander is out or removed (TRK-20)."""
    e = d.encounter
    # A commander who was removed is no longer in the roster, but has fallen all the same.
    people = [c for k in who if (c := e.combatants.get(k) or e.gone.get(k))]
    led_them = [c.id for c in people if c.word("rank") in COMMANDERS and "met" in c.marks]
    if led_them and dungeon_notes(e).combat and not is_by_track(e) and not commander(e):
        d.announce(f"No commander leads any more: {_what_follows(e)}", *led_them, rule="TRK-20")


def _what_follows(e: Encounter) -> str:
    """Return in words which order the next turn has without a commander."""
    n = track_of(e)
    match option(e, "trk.commander_falls") if n.commanded else "resume":
        case "stay":
            return "the sides stay"
        case "roll_new":
            return "a new track is rolled with the next turn"
        case _ if n.commanded and not n.places:
            return "the sides take turns without a track"
        case _:
            return "the track counts from the next turn on"


def _note_leader(d: Draft) -> None:
    """Record that a commander has led in this combat."""
    who = commander(d.encounter)
    d.emit(ev.Noted("commanded", value=True), *([ev.Noted("led", who)] if who else []))


def _side_remarks(e: Encounter) -> Sequence[Sentence]:
    """Return the reason why sides act; nothing for a viewer who does not know of the commander."""
    if who := commander(e):
        return (say(_COMMANDS, who, rule="TRK-1"),)
    if (last := dungeon_notes(e).led) and last not in e.combatants and last not in e.gone:
        return ()
    return (say(f"no commander leads: {_what_follows(e)}", rule="TRK-20"),)


def _choose_order(d: Draft) -> None:
    """Choose for the next turn between sides and the track (TRK-10, TRK-12, TRK-20)."""
    d.emit(ev.Forgot("free"))
    n = track_of(d.encounter)
    if not dungeon_notes(d.encounter).combat:
        return
    if commander(d.encounter):
        if n.by == "track":
            _suspend(d)
            by_sides.begin_side_turn(d, HEROES)
        _note_leader(d)
        return
    falls = option(d.encounter, "trk.commander_falls") if n.commanded else ""
    if n.by == "track" or falls == "stay":
        return
    if falls == "roll_new":
        forget_order(d)
    elif n.commanded and not n.places:
        return
    d.emit(ev.Noted("by", "track"))
    # The sentence is about the commander: a player who never knew the commander is not told that it is
    # gone.
    about = filter(None, [dungeon_notes(d.encounter).led])
    rule = "TRK-20" if n.commanded else "TRK-10"
    d.announce("No commander leads: everybody acts by the track", *about, rule=rule)


# --- corrections


def _keep_numbers(d: Draft, before: Encounter, ask: RollAsk, new: tuple[tuple[int, ...], int]) -> None:
    """Restore the numbers rolled since the contest, and record the contest's totals again."""
    places = track_of(before).places
    d.emit(*(ev.Noted("places", to_builtins(p), k) for k, p in places.items()))
    for who in contest_rollers(before):
        row = entries_by_key(before).get(key_of(before.combatants[who]))
        mine = places.get(row.key) if row else None
        if row is None or mine is None or who not in {c.id for c in core_members(before, row)}:
            continue
        root = mine.kin or row.key
        known, n = track_of(before.decision[0]).places.get(root), dungeon_notes(before.decision[0])
        # After an earlier correction the number of this contest was there before its latest decision.
        is_own = known is not None and n.contest.again and known.faces == n.faces.get(who)
        # A row that had its number before the contest keeps it (TRK-13), and so does one that has rolled
        # since.
        if (known is not None and not is_own) or f"track {root}" in before.rolls:
            continue
        if mine.value == mine.rolled and sum((p.kin or k) == root for k, p in places.items()) == 1:
            d.emit(ev.Forgot("places", row.key))
        elif who == ask.who:
            write_numbers(d, row.key, ask, new)
