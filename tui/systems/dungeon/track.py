"""Run the initiative track of Dungeon Universalis, which commanders put aside (TRK-12, TRK-20)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    NOTHING,
    Act,
    Ask,
    Choice,
    Field,
    Lazy,
    Offer,
    RollAsk,
    Sentence,
    TrackRow,
    places,
    reasoned,
    say,
)
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, Entry, key_of, label, members, side_of
from tui.core.fight.viewer import worded
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.now import suggestion
from tui.core.rules.optional import Hits
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon import correcting, track_order, turns
from tui.systems.dungeon.advice import group_choices, singles
from tui.systems.dungeon.meeting import contest_asks, decides
from tui.systems.dungeon.notes import (
    COMMANDERS,
    DARK,
    HEROES,
    Contest,
    commander,
    forget,
    gather,
    homes,
    notes_of,
    offered,
    pending,
    team,
)
from tui.systems.dungeon.text import DUN, TRACK_GLOSSARY, TRACK_MARKS, TRK
from tui.systems.dungeon.track_order import (
    TrackPlace,
    by_track,
    fixed,
    forget_order,
    put,
    regrouped,
    standing,
    tie_rule,
    totals_kept,
    track_of,
    value_of,
)
from tui.systems.dungeon.turns import marks_of
from tui.systems.dungeon.universalis import OPTIONS, DungeonUniversalis
from tui.systems.dungeon.variable import (
    HIT,
    KILL,
    apply_later,
    count_hit,
    hit,
    kill,
    kill_choices,
    knocked_out,
    unclaimed,
    uncounted,
)
from tui.systems.shared.declarations import BY_HAND
from tui.systems.shared.placing import BY_HAND as MOVED_BY_HAND
from tui.systems.shared.placing import fresh, move_line
from tui.systems.shared.track import behind_rolled


def suspended(d: Draft) -> None:
    """Suspend the track for a commander: sides take turns, with no second turn this round (TRK-12)."""
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
    """Return whether a commander in play puts the track aside at once (TRK-A9)."""
    return bool(commander(e)) and system.option(e, "trk.commander_when") == "immediate"


def noticed(d: Draft, system: InitiativeSystem) -> None:
    """Suspend the track if a commander is in play, however it came there."""
    if not notes_of(d.encounter).contest and by_track(d.encounter) and yields(d.encounter, system):
        suspended(d)


def aside(d: Draft, system: InitiativeSystem, contest: Contest) -> None:
    """Return whether sides follow the contest: a commander, or no new section (TRK-1, TRK-12)."""
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
    """Announce what follows when the last commander is out or removed (TRK-20)."""
    e = d.encounter
    # A commander who was removed is no longer in the roster, but fell all the same.
    people = [c for k in who if (c := e.combatants.get(k) or e.gone.get(k))]
    led_them = [c.id for c in people if c.word("rank") in COMMANDERS and "met" in c.marks]
    if led_them and notes_of(e).combat and not by_track(e) and not commander(e):
        d.announce(f"No commander leads any more: {outlook(e, system)}", *led_them, rule="TRK-20")


def outlook(e: Encounter, system: InitiativeSystem) -> str:
    """Return what orders the next turn of a fight by sides without a commander."""
    n = track_of(e)
    match system.option(e, "trk.commander_falls") if n.commanded else "resume":
        case "stay":
            return "the sides stay"
        case "roll_new":
            return "a new track is rolled with the next turn"
        case _ if n.commanded and not n.places:
            return "without a track the sides stay"
        case _:
            return "the track counts from the next turn on"


def led(d: Draft) -> None:
    """Record that a commander has led in this combat."""
    who = commander(d.encounter)
    if not track_of(d.encounter).commanded:
        d.emit(ev.Noted("commanded", value=True))
    if who and notes_of(d.encounter).led != who:
        d.emit(ev.Noted("led", who))


def side_remarks(e: Encounter, system: InitiativeSystem) -> Sequence[Sentence]:
    """Return why sides act for now; nothing to a viewer who does not know of the leader."""
    if who := commander(e):
        return (say("{0} commands: the sides take turns, without a track", who, rule="TRK-1"),)
    if (last := notes_of(e).led) and last not in e.combatants and last not in e.gone:
        return ()
    return (say(f"no commander leads: {outlook(e, system)}", rule="TRK-20"),)


def next_turn(d: Draft, system: InitiativeSystem) -> None:
    """Begin the next turn, by sides or by the track (TRK-10, TRK-12, TRK-20)."""
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


def why(e: Encounter, system: InitiativeSystem, entry: Entry, beside: Sequence[str]) -> tuple[Sentence, ...]:
    """Return why a row stands where it stands, and what holds its newcomers back."""
    return (*_placed(e, system, entry, beside), *marks_of(e, entry, "TRK-16", "TRK-15"))


def _placed(
    e: Encounter, system: InitiativeSystem, entry: Entry, beside: Sequence[str]
) -> tuple[Sentence, ...]:
    """Return where a number comes from, what settled ties with neighbours, and who moved the row."""
    key, n = entry.key, track_of(e)
    # A fixed place comes behind the rolled of its number, whatever the Intelligence: nobody threw for it.
    rolled = [k for k in beside if (x := homes(e).get(k)) and fixed(e, x) is None]
    if fixed(e, entry) is not None:
        return (say("a fixed place", key), *behind_rolled(key, rolled))
    place = n.places.get(key)
    if place is None:
        return (say("no roll yet", key, rule="TRK-7"),)
    sentences = [_sum(key, place)]
    if rolled:
        names = places(len(rolled), 1, " and ")
        settled = _settled(place, tie_rule(e, system))
        sentences += [Sentence(f"level with {names}: {settled}", (key, *rolled), "TRK-7")]
        sentences += [Sentence(f"Intelligence {place.mind}", (key, *rolled), own=True)]
    moved = [push[1] for push in n.pushes.values() if push[0] == key]
    sentences += [
        say(f"one place {'back' if w == 'after' else 'forward'}", key, rule="TRK-18") for w in moved
    ]
    by_hand = [s for s in e.shifts if s.who == key and s.by == MOVED_BY_HAND]
    return (*sentences, *(say(f"put {s.where} {{1}} by hand", s.who, s.other) for s in by_hand))


def level(e: Encounter, order: Sequence[Entry]) -> list[list[str]]:
    """Return for each row the rows just before and behind it that have the same value."""
    values = [value_of(e, x) for x in order]
    return [
        [order[j].key for j in (i - 1, i + 1) if 0 <= j < len(order) and values[j] == values[i]]
        for i in range(len(order))
    ]


def _sum(key: str, place: TrackPlace) -> Sentence:
    total = sum(place.faces) + place.per + place.mod
    bonus = f" {place.mod:+d}".replace("+", "+ ").replace("-", "- ") if place.mod else ""
    faces = ", ".join(map(str, place.faces))
    text = f"2d6 ({faces}) + {place.per} Perception{bonus} = {total}"
    now = f", {place.value} after hits and kills" if place.value != total else ""
    return say(text + now, key, rule="TRK-7" if not now else "TRK-18")


def _settled(place: TrackPlace, how: str) -> str:
    if how == "by_hand":
        return "ordered by hand"
    first = {"heroes_first": "heroes first, then ", "creatures_first": "creatures first, then "}.get(how, "")
    rolled = f", roll-off {', '.join(map(str, place.ties))}" if place.ties else ""
    return f"{first}higher Intelligence{rolled}"


TRACK_OPTIONS = (
    Field("trk.tie", "ties", "choice", ("intelligence", "heroes_first", "creatures_first", "by_hand"),
          "intelligence", "intelligence: the higher goes first; heroes_first, creatures_first: that side; "
        "by_hand: the GM's order", "TRK-7"),
    Field("trk.roller_group", "the roller's group", "choice", ("keeps", "rolls_again"), "keeps",
          "keeps: its number is the opposed total; rolls_again: it rolls again", "TRK-6"),
    Field("trk.variable", "variable initiative", "bool", default=False, rule="TRK-23",
          help="a first hit lowers the number by 1, a first kill raises it"),
    Field("trk.variable_moves", "a hit or kill moves", "choice", ("value", "one_place"), "value",
          "value: its number changes by 1; one_place: its row moves by one place", "TRK-18"),
    Field("trk.variable_when", "it counts", "choice", ("immediate", "next_turn"), "immediate",
          "immediate: at once; next_turn: from the next turn", "TRK-18"),
    Field("trk.variable_who", "it concerns", "choice", ("all", "creatures"), "all",
          "all: everybody; creatures: creatures alone, not heroes", "TRK-18"),
    Field("trk.commander_when", "a commander appears", "choice", ("immediate", "next_turn"), "immediate",
          "immediate: the track is set aside at once; next_turn: with the next turn", "TRK-12"),
    Field("trk.commander_falls", "the last commander falls", "choice", ("resume", "stay", "roll_new"),
        "resume",
          "resume: the old track returns; stay: sides stay; roll_new: a new track is rolled", "TRK-20"),
    Field("trk.losers_same_turn", "losers act at their place", "bool", default=True, rule="TRK-16",
          help="newcomers who lost act this turn if their place is still ahead"),
    BY_HAND,
)  # fmt: skip


class DungeonTrack(DungeonUniversalis, Hits):
    """2d6 + Perception for each hero and group; sides only where a Champion or Leader commands."""

    id = "dungeon-track"
    once_rule = "TRK-21"
    title = "Dungeon Universalis: initiative track"
    short = "Dungeon Universalis, track"
    summary = "a number for each hero and group"
    credit = (
        'After the mini-ruleset "Initiative additional rules" for Dungeon Universalis, in our own words. '
        "Its author is not known to us."
    )
    grouped = True
    rolls_track = True
    options = (*OPTIONS, *TRACK_OPTIONS)
    verbs = (*DungeonUniversalis.verbs, HIT, KILL)
    marks = (*DungeonUniversalis.marks, *TRACK_MARKS)
    clauses: ClassVar[Mapping[str, str]] = {**DUN, **TRK}
    glossary: ClassVar[Mapping[str, str]] = TRACK_GLOSSARY

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the contest's dice and choices, then those of the track."""
        return (*contest_asks(e, self), *track_order.track_asks(e, self))

    def offer(self, e: Encounter) -> Offer:
        """Offer newcomers who won, the heroes of a first turn, else the best who has not acted (TRK-21)."""
        if not track_order.by_track(e):
            return super().offer(e)
        if early := turns.newcomers_offer(e, "TRK-15"):
            return early
        heroes = turns.ready_of(e, HEROES) if track_of(e).free else []
        if heroes:
            why = reasoned("The heroes' turn", "they won the initiative, and act in any order", rule="TRK-9")
            return Offer(tuple(Act("turn", x.key) for x in heroes), why, SIDE + HEROES)
        waiting = [x for x in standing(e, self) if fresh(e, x)]
        if waiting:
            why = say("{0} is next on the track", waiting[0].key, rule="TRK-10")
            return Offer((Act("turn", waiting[0].key),), why, waiting[0].key)
        return Offer((Act("round"),), say("Everybody has acted", rule="TRK-10")) if gather(e) else NOTHING

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the whole track; entries without a number stand below it."""
        if not track_order.by_track(e):
            return super().rows(e)
        now, entries = turns.may(e, self), standing(e, self)
        ranked = {x.key for x in entries}
        rest = [x for x in gather(e) if x.key not in ranked]
        beside = [*level(e, entries), *([] for _ in rest)]
        contest = notes_of(e).contest
        undecided = contest is not None and contest.stage == "opposed"
        return tuple(
            TrackRow(
                x.key,
                x.members,
                track_order.value_of(e, x) or 0,
                turns.state_of(e, x, now),
                Lazy(why, (e, self, x, level)),
                # Newcomers get a place when it is known who wins, and until then are not said to have one.
                ranked=x.key in ranked or not undecided,
            )
            for x, level in zip([*entries, *rest], beside, strict=True)
        )

    def value_of(self, e: Encounter, key: str) -> int:
        """Return the number of one row without making the others."""
        if not track_order.by_track(e):
            return super().value_of(e, key)
        entry = homes(e).get(key)
        return (track_order.value_of(e, entry) or 0) if entry else 0

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:
        """Suggest `hit` for damage and `kill` for `out` with variable initiative (TRK-18, TRK-19)."""
        present = {c.id for c in self.in_play(e)}
        if not self.option(e, "trk.variable") or not all(
            any(c.id in present for c in members(e, k)) for k in keys
        ):
            return ""
        # No one is the killer of itself: who acts and leaves goes out by the plain word.
        if verb == "out" and any(c.id == e.acting for k in keys for c in members(e, k)):
            return ""
        by = f" by={quote(label(e, e.acting))}" if e.acting in e.combatants else ""
        return {"damage": "hit {who} {n}", "out": f"kill {{who}}{by} {{rest}}"}.get(verb, "")

    def places_by(self, e: Encounter, ask: RollAsk) -> bool:
        """Who has a number keeps it through the opposed roll against newcomers (TRK-13)."""
        return not (ask.key.startswith("opposed ") and _row_of(e, ask.who) in track_of(e).places)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return what orders the turns, and until when."""
        sentences = (*singles(e), *super().remarks(e))
        n = track_of(e)
        if n.by == "track":
            waits = n.tie and n.tie != track_order.tie_option(e, self)
            return (
                (*sentences, say("the new rule for ties counts from the next track on", rule="TRK-A1"))
                if waits
                else sentences
            )
        if not notes_of(e).combat:
            return sentences
        return (*sentences, *side_remarks(e, self))

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the lines that a verb could mean now, those of groups and kills among them."""
        match verb:
            case "group":
                return group_choices(e)
            case "kill":
                return kill_choices(e)
            case _:
                return super().choices(e, verb)

    def turn_side(self, e: Encounter) -> str:
        """Return the side that acts; on a track "" between turns, except in the heroes' first turn."""
        if not track_order.by_track(e):
            return super().turn_side(e)
        if not e.turn and track_of(e).free and turns.ready_of(e, HEROES):
            return HEROES
        return side_of(e, e.acting)

    def contest_rule(self, e: Encounter) -> str:
        """Return the clause that requires the opposed roll."""
        if commander(e):
            return super().contest_rule(e)
        return "TRK-2" if self.new_room(e) else "TRK-13"

    def without(self, e: Encounter, unseen: Collection[str]) -> Encounter:
        """Return the fight without an unseen commander: for viewers who see none, the track still counts."""
        n = track_of(e)
        if n.by == "track" or not n.places or notes_of(e).led not in unseen:
            return e
        if any(c.word("rank") in COMMANDERS for c in team(e, DARK) if c.id not in unseen):
            return e
        return replace(e, notes={**e.notes, "by": "track", "commanded": False})

    # --- facts

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Take dice or choices of the contest, or of the track."""
        if ask.key.startswith(("track ", "tie", "hand ")):
            track_order.track_answered(d, ask, answer)
        else:
            super().answer(d, ask, answer)

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the rolls for the track, and the dice of a contest that is not decided yet."""
        return (*super().correctable(e), *correcting.rolled(e))

    def settled(self, e: Encounter, who: str) -> str:
        """Return the line that ends a fixed place; else why a contest stands."""
        return correcting.pinned(e, who) or super().settled(e, who)

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Put a number on the track right, hits and kills included, or the dice of a contest."""
        if ask.key.startswith("track "):
            correcting.correct(d, ask, new)
            return
        before = d.encounter
        super().correct(d, ask, new, old)
        if before.decision:
            correcting.keep_numbers(d, before, ask, new)

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, and record whose place on the track it came to (TRK-16)."""
        e = d.encounter
        row = homes(e).get(act.who) if act.kind == "turn" and by_track(e) else None
        # In their first turn the heroes act regardless of their places (TRK-9), and so do newcomers who won.
        early = act.who in offered(gather(e), pending(e))
        if row and not early and not (track_of(e).free and turns.side_of_entry(e, row) == HEROES):
            track_order.came(d, row.key)
        super().took(d, act)

    def new_round(self, d: Draft) -> None:
        """Begin the next turn by track or by sides, with the changes that waited for it."""
        super().new_round(d)
        forget(d, "came", "spent")
        apply_later(d, self)
        next_turn(d, self)

    def settle(self, d: Draft) -> None:
        """Continue the contest, use complete numbers, and look for a commander."""
        super().settle(d)
        contest = notes_of(d.encounter).contest
        if contest and contest.stage == "ranks" and not self.due(d.encounter):
            decides(d, lambda: track_order.ranked(d, self, contest))
        noticed(d, self)
        track_order.settled(d, self)

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """Handle a commander's fall, and remark on who may have killed the creatures that went out."""
        fell(d, self, who)
        unclaimed(d, self, who)

    def counts_hits(self, e: Encounter) -> bool:
        """Return whether initiative is variable (TRK-18)."""
        return bool(self.option(e, "trk.variable"))

    def count_hit(self, d: Draft, who: str) -> None:
        """Lower the initiative of a creature's row for the hit of an area (TRK-18)."""
        count_hit(d, self, who)

    def damaged(self, d: Draft, who: str, amount: int) -> None:
        """Point out a hit that no one reported, and a hero who was knocked out: they change initiative."""
        uncounted(d, self, who)
        knocked_out(d, self, who, amount)

    def conclude(self, d: Draft, contest: Contest) -> None:
        """Follow the opposed roll: begin a track, add newcomers to it, or suspend it."""
        if contest.kind == "meeting" and not commander(d.encounter):
            track_order.begun(d, self, contest)
        elif track_order.by_track(d.encounter) and not yields(d.encounter, self):
            track_order.joined(d, self, contest)
        else:
            aside(d, self, contest)
            super().conclude(d, contest)

    def end_side(self, d: Draft) -> None:
        """End a side's turn for `end` without a running turn; a track has none."""
        if track_order.by_track(d.encounter):
            raise RuleError(
                "nobody is acting, and no side has a turn on the track",
                suggestion(d.encounter, self),
                "TRK-10",
            )
        super().end_side(d)

    def cleared(self, d: Draft) -> None:
        """Clear track, bars and the exception of the first turn when combat is over."""
        if track_order.by_track(d.encounter):
            turns.turn_of(d, HEROES)
        track_order.forget_order(d)
        forget(d, "by", "free", "commanded", "led")
        super().cleared(d)

    def hold(self, d: Draft, key: str) -> None:
        """Refuse: no one delays."""
        if track_order.by_track(d.encounter):
            line = move_line(d.encounter, key, standing(d.encounter, self))
            hint = f"`{line}` moves the row" if line else ""
            raise RuleError("nobody delays on the track", hint, "TRK-10")
        super().hold(d, key)

    def move(self, d: Draft, key: str, where: str, other: str) -> None:
        """Move a row by the GM's hand until the track is rolled again."""
        if not track_order.by_track(d.encounter):
            super().move(d, key, where, other)
        keys = [x.key for x in standing(d.encounter, self)]
        for k in (key, other):
            if k not in keys:
                raise RuleError(worded(d.encounter, "{0} has no row yet", k), "", "TRK-7")
        if key == other:
            raise RuleError(f"{label(d.encounter, key)} cannot stand {where} itself", "", "TRK-8")
        put(d, key, where, other)

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Keep number and place of creatures that change rows; a new group takes the best of them."""
        regrouped(d, self, before)
        super().regrouped(d, before)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run meet, place, calm, moved, hit or kill."""
        match request.verb:
            case "hit":
                hit(d, self, request)
            case "kill":
                kill(d, self, request)
            case _:
                super().report(d, request)


def _row_of(e: Encounter, who: str) -> str:
    c = e.combatants.get(who)
    return key_of(c) if c else who
