"""Decide who may act by sides: the heroes in any order, then the Dark Player; newcomers at once or later."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Lazy,
    Offer,
    RowState,
    Sentence,
    TrackRow,
    list_slots,
    say,
    say_because,
)
from tui.core.fight.combatant import MISSED_MARK
from tui.core.fight.encounter import SIDE, Encounter, Entry, unacted
from tui.core.rules.draft import Draft, finish_turn, has_members, miss_turns, start_turn
from tui.core.rules.now import suggest_line
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.contests import close_contest, contest_asks
from tui.systems.dungeon.notes import (
    Contest,
    all_entries,
    announce_side,
    creatures_in_play,
    cut_depth,
    dungeon_notes,
    entry_of,
    new_enemies,
    newcomers_by_key,
    option,
    team,
    winners_to_act,
)
from tui.systems.dungeon.text import COMMANDERS, DARK, HEROES
from tui.systems.shared.placing import members_to_act

_NEWS = {
    "": say_because("The heroes' turn", "any of them, in any order", rule="DUN-24"),
    "dark": say_because("The Dark Player's turn", "his creatures, in any order", rule="DUN-24"),
    "DUN-11": say_because("The heroes won", "a new turn for all of them", rule="DUN-11"),
    "DUN-12": say_because("The heroes lost", "the Dark Player's turn", rule="DUN-12"),
    "TRK-12": say_because("By sides for the rest of this turn", "those who have not acted", rule="TRK-12"),
}


_TURNS = {HEROES: "the heroes' turn", DARK: "the Dark Player's turn"}


def side_of_entry(e: Encounter, entry: Entry) -> str:
    """Return the side in whose turn an entry acts."""
    return e.combatants[entry.members[0]].side


# --- questions


def newcomers_offer(e: Encounter, rule: str) -> Offer | None:
    """Return an offer of turns to newcomers that won, with a pass; None if there are none (DUN-15)."""
    ids = winners_to_act(e)
    if not ids:
        return None
    acts = [Act("turn", key) for key in newcomers_by_key(all_entries(e), ids)]
    may = "each may act at once, or all pass" if len(acts) > 1 else "the winners may act at once, or pass"
    reason = say_because("The newcomers won", may, *ids, rule=rule)
    return Offer((*acts, Act("pass", SIDE + DARK)), reason, SIDE + DARK)


def ready_of(e: Encounter, side: str) -> list[Entry]:
    """Return the entries of a side that may still act."""
    return [x for x in all_entries(e) if side_of_entry(e, x) == side and members_to_act(e, x)]


class BySides(InitiativeSystem):
    """Who may act while sides take turns."""

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the dice and choices of the running contest."""
        return contest_asks(e)

    def offer(self, e: Encounter) -> Offer:
        """Return the turns of newcomers that won or of the side whose turn it is; then what comes next."""
        if offer := newcomers_offer(e, "DUN-15"):
            return offer
        n = dungeon_notes(e)
        if ready := ready_of(e, n.side) if not n.closed else []:
            news = n.news or ("dark" if n.side == DARK else "")
            return Offer(tuple(Act("turn", x.key) for x in ready), _NEWS[news], SIDE + n.side)
        if n.side == HEROES:
            reason = say("The heroes' turn is over", rule="DUN-24")
            # Play pauses if no creature can act; otherwise the Dark Player's moment for a card would be
            # skipped.
            return Offer((Act("side", pauses=not _has_dark_ready(e)),), reason)
        if not n.closed and not any("acted" in c.marks for c in team(e, DARK)):
            card = say("The Dark Player's turn: now is the moment to play a card", rule="DUN-24")
            return Offer((Act("round"),), card)
        return Offer((Act("round"),), say("The Dark Player's turn is over", rule="DUN-24"))

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return a row for each entry in play, those of the side whose turn it is first."""
        may = () if e.turn or self.due(e) else self.offer(e).turns
        first = dungeon_notes(e).side
        # False sorts first, and the sort is stable: within a side the roster's order remains.
        entries = sorted(all_entries(e), key=lambda x: side_of_entry(e, x) != first)
        return tuple(
            TrackRow(x.key, x.members, 0, _side_state(e, x, may), Lazy(_explain, (e, x)), ranked=False)
            for x in entries
        )

    def value_of(self, e: Encounter, key: str) -> int:  # noqa: ARG002
        """Return 0: entries have no numbers, because sides act."""
        return 0

    def turn_side(self, e: Encounter) -> str:
        """Return the side whose turn it is, or "" between two turns."""
        n = dungeon_notes(e)
        return "" if n.closed else n.side

    def side_acts_whole(self, e: Encounter) -> bool:
        """Return whether a side has its turn."""
        return bool(self.turn_side(e))

    def end_side(self, d: Draft) -> None:
        """End the side's turn for `end` without a running turn. Raises RuleError."""
        n = dungeon_notes(d.encounter)
        whose = _TURNS[n.side]
        if (due := self.due(d.encounter)) or winners_to_act(d.encounter):
            line, rule = suggest_line(d.encounter, self), "" if due else "DUN-15"
            raise RuleError(f"{whose} cannot end yet", line, rule)
        if n.closed:
            raise RuleError(f"{whose} is over already", "`next` goes on", "DUN-24")
        losers, turn = [x.key for x in ready_of(d.encounter, n.side)], whose[0].upper() + whose[1:]
        d.emit(ev.Noted("closed", value=True))
        if losers:
            d.announce(f"{turn} ends: {list_slots(losers)} may no longer act", *losers, rule="DUN-24")
        else:
            announce_side(d, f"{turn} is over")
        miss_turns(d, n.side)

    def move(self, d: Draft, key: str, where: str, other: str) -> None:  # noqa: ARG002
        """Refuse to move a row, because sides act in any order."""
        raise RuleError("a side acts in any order: no row has a place", "", "DUN-24")


BY_SIDES = BySides()


def _has_dark_ready(e: Encounter) -> bool:
    """Return whether any enemy will be able to act when the Dark Player's turn begins."""
    # Newcomers that acted at once act once more by house rule (DUN-15).
    again = option(e, "dun.second_activation")
    waiting = [c for c in team(e, DARK) if "acted" not in c.marks or (again and "early" in c.marks)]
    return any(c.marks.get("barred", "fight") == "fight" for c in waiting)


def _side_state(e: Encounter, entry: Entry, now: Container[str]) -> RowState:
    """Return the state of a row; an entry that has not acted is barred once its side's turn is over."""
    state, n = state_of(e, entry, now), dungeon_notes(e)
    side = side_of_entry(e, entry)
    is_over = (side == HEROES and n.side == DARK) or (side == n.side and n.closed)
    return "barred" if state == "waits" and is_over and not winners_to_act(e) else state


def _explain(e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
    """Return the sentences on when an entry acts, and on newcomers in it."""
    side = side_of_entry(e, entry)
    when = f"acts once in {_TURNS[side]}, in any order"
    if not unacted(e.combatants[k] for k in entry.members):
        when = "has acted in this round"
    elif dungeon_notes(e).side == DARK and side == HEROES:
        when = f"may act in {_TURNS[side]} of the next round"
    return (say(when, entry.key, rule="DUN-24"), *marks_of(e, entry))


def state_of(e: Encounter, entry: Entry, now: Container[str]) -> RowState:
    """Return the state of a row in this round, as in `RowState`."""
    if e.acting and (e.acting == entry.key or e.acting in entry.members):
        return "now"
    if not unacted(e.combatants[k] for k in entry.members):
        return "done"
    if entry.key in now or any(k in now for k in entry.members):
        return "may"
    return "waits" if members_to_act(e, entry) else "barred"


def marks_of(e: Encounter, entry: Entry, lost: str = "DUN-14", won: str = "DUN-15") -> tuple[Sentence, ...]:
    """Return the sentences on newcomers of an entry that are barred or may act at once.

    `lost` and `won` are their clauses.
    """
    creatures = [e.combatants[k] for k in entry.members]
    sentences = []
    if barred := [c.id for c in creatures if "barred" in c.marks]:
        sentences.append(
            say(f"placed, and lost the roll: {list_slots(barred)} must wait", *barred, rule=lost)
        )
    if early := [k for k in winners_to_act(e) if k in entry.members and k not in e.actors]:
        sentences.append(say(f"{list_slots(early)} may act at once", *early, rule=won))
    sentences += idle_part(e) if entry.key == e.acting else ()
    if any(x.who == entry.key or x.who in entry.members for x in e.paused):
        others = (*winners_to_act(e), *([e.acting] if e.turn else []))
        sentences.append(say("{0} goes on after the newcomers", entry.key, *others, rule=won))
    return tuple(sentences)


def idle_part(e: Encounter) -> tuple[Sentence, ...]:
    """Return the sentence on the members of the acting entry that may not act in its turn."""
    row = next((x for x in all_entries(e) if x.key == e.acting), None)
    idle = [k for k in row.members if k not in e.actors] if row else []
    return (say(f"{list_slots(idle)} may not act in this turn", *idle),) if idle else ()


# --- facts


def begin_side_turn(d: Draft, side: str, news: str = "") -> None:
    """Record that a side has its turn, and the clause by which it began (`news`)."""
    d.emit(ev.Noted("side", side), ev.Noted("closed", value=False), ev.Noted("news", news))


def begin_dark_turn(d: Draft, news: str = "") -> None:
    """Begin the Dark Player's turn; bars of the heroes' turn end (DUN-14)."""
    dark = team(d.encounter, DARK)
    miss_turns(d, HEROES)
    # Marked until the end of the fight, because no single turn is that of the whole side of heroes (DUN-14).
    waiting = [c.id for c in d.encounter.combatants.values() if c.marks.get("barred") == "fight"]
    d.unmark(waiting, "barred")
    if option(d.encounter, "dun.second_activation"):
        renew_turns(d, [c.id for c in dark if "early" in c.marks])
    begin_side_turn(d, DARK, news)
    if not news:
        announce_side(d, "The Dark Player's turn begins")


def renew_turns(d: Draft, who: Sequence[str]) -> None:
    """Let creatures act again in this round, whether they had their turn or missed it."""
    for mark in ("acted", MISSED_MARK):
        d.unmark(who, mark)


def begin_turn(d: Draft, key: str) -> None:
    """Begin the turn of an entry, or of its newcomers; companions act alone if their hero has acted."""
    entries = all_entries(d.encounter)
    early_entries = newcomers_by_key(entries, winners_to_act(d.encounter))
    if key in early_entries:
        d.mark(early_entries[key], "early")
        start_turn(d, key, early_entries[key])
        return
    who = [c.id for c in members_to_act(d.encounter, next(x for x in entries if x.key == key))]
    start_turn(d, key if key.startswith(SIDE) or key in who else who[0], who)


def decline_turns(d: Draft) -> None:
    """Let newcomers that won wait; they may still act in their side's turn (DUN-15)."""
    d.emit(ev.Passed(SIDE + DARK))
    d.emit(*(ev.Forgot("winners", k) for k in winners_to_act(d.encounter)))


def follow_meeting(d: Draft, won: str) -> None:
    """Begin the heroes' new turn after a first meeting, or end their turn (DUN-11, DUN-12)."""
    if won == HEROES:
        renew_turns(d, [c.id for c in team(d.encounter, HEROES)])
        begin_side_turn(d, HEROES, "DUN-11")
        text = "The heroes begin a new turn; the Dark Player draws no card and gains no Achievement"
        d.announce(text, rule="DUN-11")
        return
    n = dungeon_notes(d.encounter)
    running = n.side == HEROES and not n.closed
    if losers := [x.key for x in ready_of(d.encounter, HEROES) if running]:
        d.announce(f"The heroes' turn ends: {list_slots(losers)} may no longer act", *losers, rule="DUN-12")
    begin_dark_turn(d, "DUN-12")


def forget_news(d: Draft) -> None:
    """Forget that a meeting began the side's turn, because more enemies have appeared."""
    if dungeon_notes(d.encounter).news in ("DUN-11", "DUN-12"):
        d.emit(ev.Noted("news", ""))


def conclude(d: Draft, contest: Contest) -> None:
    """Give the winning side what the rules give it while sides act, and end the contest."""
    if contest.kind == "meeting":
        follow_meeting(d, contest.won)
    elif contest.won == DARK:
        forget_news(d)
        admit_winners(d, "DUN-15")
    else:
        bar_losers(d)
        forget_news(d)
    start_combat(d)


def continue_turn(d: Draft) -> None:
    """Let the running turn go on for the members that are left of an entry.

    It goes to a companion whose hero has fallen, or to the first of a group that was split; the others get
    turns of their own.
    """
    turn = d.encounter.turn
    if turn is None:
        return
    entries = all_entries(d.encounter)
    remaining = [k for k in turn.members if entry_of(entries, k)]
    if turn.who in remaining or any(x.key == turn.who for x in entries) or not remaining:
        return
    heir = next(x for x in entries if remaining[0] in x.members)
    rest = [k for k in turn.members if k in heir.members or k not in remaining]
    d.emit(ev.TurnHandedOn(turn.who, heir.key, tuple(rest)))


def start_combat(d: Draft) -> None:
    """End the contest; from now on combat runs."""
    d.emit(ev.Noted("combat", value=True), ev.PhaseEntered("turns"))
    close_contest(d)


def admit_winners(d: Draft, rule: str) -> None:
    """Let newcomers that won act at once, interrupting a running turn (DUN-15)."""
    # A creature whose turn was interrupted will resume it, and gets no second one.
    busy = d.encounter.busy
    ids = [c.id for c in unacted(new_enemies(d.encounter)) if c.id not in busy]
    if not ids:
        return
    if d.encounter.turn:
        d.emit(ev.TurnPaused())
    # Newcomers may be interrupted by later newcomers, and the latest act first. The level is stored, because
    # the number of waiting turns would fall if one of them ended early.
    level = cut_depth(d.encounter) + 1
    d.emit(*(ev.Noted("winners", level, k) for k in ids))
    keys = tuple(newcomers_by_key(all_entries(d.encounter), ids))
    d.announce(f"{list_slots(keys)} may act at once", *keys, rule=rule)


def bar_losers(d: Draft) -> None:
    """Bar newcomers that lost: for the round, or for the heroes' turn alone (DUN-14).

    A commander that appears in a turn of the track waits for the next combat turn (TRK-A9).
    """
    n = dungeon_notes(d.encounter)
    whole = option(d.encounter, "dun.losers_wait") == "full_turn" or n.side == DARK
    losers = new_enemies(d.encounter)
    led = [c.id for c in losers if n.news == "TRK-12" and c.word("rank") in COMMANDERS]
    d.mark(led, "barred", "round")
    d.mark([c.id for c in losers if c.id not in led], "barred", "round" if whole else "fight")


def resume_turns(d: Draft) -> None:
    """Resume interrupted turns whose newcomers have acted or are gone."""
    n = dungeon_notes(d.encounter)
    waiting = {c.id for c in unacted(creatures_in_play(d.encounter))}
    if n.winners:
        d.emit(*(ev.Forgot("winners", k) for k in n.winners if k not in waiting))
        if not dungeon_notes(d.encounter).winners:
            d.emit(ev.Forgot("winners"))
    while d.encounter.paused and not d.encounter.turn and not winners_to_act(d.encounter):
        d.emit(ev.TurnResumed())
        if d.encounter.turn and not has_members(d.encounter, d.encounter.turn):
            finish_turn(d)
