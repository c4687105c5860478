"""Collect the events of one decision in a draft, and apply the edges of turns and rounds.

A draft belongs to one decision. If the rules refuse, the draft is dropped and nothing has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import COMMON_MARKS, COMMON_PHASES, Mark, Phase
from tui.core.fight.apply import apply
from tui.core.fight.combatant import (
    BEGUN_MARK,
    CONDITION,
    MISSED_MARK,
    Combatant,
    Condition,
    OwedEffect,
    OwedSave,
    Plain,
    next_save_number,
)
from tui.core.fight.encounter import SIDE, Encounter, Turn, gone_members, has_arrived, members


def count_edge(e: Encounter, edge: str, whose: Collection[str] | None) -> Iterator[ev.Event]:
    """Yield the changes of conditions at an edge (start, end) of the turns of `whose`; None: of all turns."""
    for c in e.combatants.values():
        for x in c.conditions:
            if x.until == edge and x.rounds and (whose is None or (x.of or c.id) in whose):
                yield _count_down(c, x)


def _count_down(c: Combatant, x: Condition) -> ev.Event:
    # The end of the turn in which the condition was given only clears its `fresh` flag.
    if x.fresh:
        return ev.Ticked(c.id, x.name, x.rounds, x.of)
    if x.rounds <= 1:
        return ev.Cleared(c.id, x.name, over=True, of=x.of)
    return ev.Ticked(c.id, x.name, x.rounds - 1, x.of)


def keys_starting(e: Encounter, key: str, who: Collection[str]) -> set[str]:
    """Return the keys whose first turn of this round starts with this entry's turn."""
    first = {k for k in who if k in e.combatants and not _has_begun(e.combatants[k])}
    return first | ({key} if first and not _is_shared(e, key, who) else set())


def keys_ending(e: Encounter, key: str, who: Collection[str]) -> set[str]:
    """Return the keys whose turn ends with this entry's turn; a group's ends once in a round.

    The edges of a creature whose side's turn was over before have been counted.
    """
    ending = {k for k in who if k not in e.combatants or MISSED_MARK not in e.combatants[k].marks}
    return ending | (set() if _is_shared(e, key, who) or not ending else {key})


def _is_shared(e: Encounter, key: str, who: Collection[str]) -> bool:
    """Return whether other members of a group have begun or ended the group's turn in this round."""
    return key.startswith(SIDE) and any(c.id not in who and _has_begun(c) for c in members(e, key))


def _has_begun(c: Combatant) -> bool:
    """Return whether a creature has had its turn of this round, missed it, or began it and delayed."""
    return not {"acted", BEGUN_MARK, MISSED_MARK}.isdisjoint(c.marks)


def _has_ended(c: Combatant) -> bool:
    """Return whether a creature has had its turn of this round or missed it."""
    return not {"acted", MISSED_MARK}.isdisjoint(c.marks)


def keys_missed(e: Encounter) -> tuple[set[str], set[str]]:
    """Return the keys whose turn never started in this round, and those whose turn never ended."""
    bearers = {k for c in e.combatants.values() for x in c.conditions for k in (x.of or c.id, c.id)}
    unstarted = {k for k in bearers if not any(map(_has_begun, _creatures_of(e, k)))}
    return unstarted, {k for k in bearers if not any(map(_has_ended, _creatures_of(e, k)))}


def _creatures_of(e: Encounter, key: str) -> tuple[Combatant, ...]:
    """Return the creatures of a key, removed ones included if none are left."""
    return members(e, key) or gone_members(e, key)


_MARKS = {m.name: m for m in COMMON_MARKS}
_PHASES = {p.name: p for p in COMMON_PHASES}


class Draft:
    """The events of a decision so far, and the encounter after them.

    `marks` and `phases` are those of the running system; no other may be written.
    """

    def __init__(
        self, e: Encounter, marks: Mapping[str, Mark] = _MARKS, phases: Mapping[str, Phase] = _PHASES
    ) -> None:
        self.encounter = e
        self.events: list[ev.Event] = []
        self._marks, self._phases = marks, phases
        self.notices: list[str] = []
        """Remarks that only the author of the line reads, a sentence each."""

    def emit(self, *facts: ev.Event) -> None:
        """Append events, except notes, marks and clearings that change nothing.

        Raises RuleError for a mark or a phase that the system does not declare.
        """
        for fact in facts:
            self._check(fact)
            if self._is_news(fact):
                self.encounter = apply(self.encounter, fact)
                self.events.append(fact)

    def _is_news(self, fact: ev.Event) -> bool:
        """Return whether a note, a mark, a phase or a clearing changes anything; True for other events."""
        match fact:
            case ev.Noted(key, value, at):
                return bool(self._note(key, at) != value)
            case ev.Forgot(key, at):
                return self._note(key, at) is not None
            case ev.Marked(who, mark, until):
                return any(x.marks.get(mark) != until for x in self._find(who))
            case ev.Unmarked(who, mark):
                return any(mark in x.marks for x in self._find(who))
            case ev.PhaseEntered(phase):
                return phase != self.encounter.phase
            case ev.RollsForgotten(prefix):
                return any(key.startswith(prefix) for key in self.encounter.rolls)
            case ev.ShiftsForgotten():
                return bool(self.encounter.shifts)
            case ev.DecisionMarked("over"):
                return bool(self.encounter.decision)
            case _:
                return True

    def noted(self, key: str, at: str) -> Plain:
        """Return the value at a place of a table in the notes; None if it is missing."""
        return self.encounter.notes.get(key, {}).get(at)

    def _note(self, key: str, at: str) -> Plain:
        return self.noted(key, at) if at else self.encounter.notes.get(key)

    def _find(self, who: Iterable[str]) -> Iterator[Combatant]:
        people = self.encounter.combatants
        return (people[k] for k in who if k in people)

    def _check(self, fact: ev.Event) -> None:
        match fact:
            case ev.Marked(_, name) if name not in self._marks:
                raise _name_bug("mark", name, f'marks = (Mark("{name}", "a description"),)')
            case ev.PhaseEntered(name) if name not in self._phases:
                raise _name_bug("phase", name, f'phases = (Phase("{name}"),)')
            case _:
                pass

    def announce(self, text: str, *about: str, rule: str = "", own: bool = False) -> None:
        """Announce a sentence to the table; with `own` only to the owner of the first key."""
        self.emit(ev.Announced(text, about, rule, own))

    def mark(self, who: Iterable[str], mark: str, until: str = "") -> None:
        """Give creatures a mark until the edge `until`; "" stands for the edge that the mark declares."""
        if names := tuple(who):
            declared = self._marks.get(mark)
            self.emit(ev.Marked(names, mark, until or (declared.until if declared else "round")))

    def unmark(self, who: Iterable[str], mark: str) -> None:
        """Remove a mark from those creatures that have it."""
        if names := tuple(c.id for c in self._find(who) if mark in c.marks):
            self.emit(ev.Unmarked(names, mark))


def _name_bug(kind: str, name: str, line: str) -> RuleError:
    return RuleError(
        f"the system has a bug: it declares no {kind} {name}", f"its author writes `{line}`", kind="faulty"
    )


def start_turn(d: Draft, key: str, who: Iterable[str], *, edges: bool = True, upkeep: bool = True) -> None:
    """Begin an entry's turn; with `edges` conditions count its start, once in a round.

    With `upkeep` counters, death saves and recharges of the start of a turn are handled.
    """
    names = tuple(who)
    first = keys_starting(d.encounter, key, names)
    d.emit(ev.TurnBegan(key, names))
    _start_edges(d, names, first, edges=edges, upkeep=upkeep)


def hand_on_turn(
    d: Draft, turn: Turn, key: str, joining: Sequence[str], *, edges: bool, upkeep: bool
) -> None:
    """Let a turn go on as that of another entry, in which `joining` members act too: their turns start."""
    first = keys_starting(d.encounter, key, joining) - {key}
    d.emit(ev.TurnHandedOn(turn.who, key, (*turn.members, *joining)))
    _start_edges(d, joining, first, edges=edges, upkeep=upkeep)


def _start_edges(
    d: Draft, names: Sequence[str], first: Collection[str], *, edges: bool, upkeep: bool
) -> None:
    """Apply the start of the turns of these members; `first` are the keys of which it is the first one."""
    if upkeep:
        d.emit(*_renew(d.encounter, [k for k in names if k in first], "turn"))
    if edges:
        _begin_edges(d, first)


def _begin_edges(d: Draft, whose: Collection[str] | None) -> None:
    """Apply the start of the turns of these keys (None: all): effects and conditions."""
    d.emit(*_owe_effects(d.encounter, "start", whose))
    d.emit(*count_edge(d.encounter, "start", whose))


def _owe_effects(e: Encounter, edge: str, whose: Collection[str] | None) -> Iterator[ev.Event]:
    """Yield the effects that fall due at an edge (start, end) of these creatures' turns; None: of all."""
    for c in e.combatants.values():
        if not c.conditions or c.out or not has_arrived(e, c) or not (whose is None or c.id in whose):
            continue
        number = max((x.number for x in c.effects), default=0)
        for x in c.conditions:
            is_due = any(x.fits(o.name, o.of) for o in c.effects)
            if x.at == edge and (x.damage or x.heal) and not is_due:
                number += 1
                effect = OwedEffect(number, x.name, x.of, x.damage, x.type, x.heal, x.hidden)
                yield ev.EffectOwed(c.id, effect)


def _renew(e: Encounter, who: Iterable[str], edge: str) -> Iterator[ev.Event]:
    """Yield restored counters at an edge (turn, round), and at `turn` owed death saves and recharges."""
    for c in (e.combatants[k] for k in who):
        dying = c.dying
        if edge == "turn" and dying and not dying.stable and not c.out:
            yield ev.DeathSaves(c.id, dying.good, dying.bad, owes=True)
        for x in c.counters:
            if x.n < x.most and x.reset == edge:
                yield ev.Tallied(c.id, replace(x, n=x.most))
            elif x.n < x.most and edge == "turn" and ">=" in x.reset and not c.out:
                yield ev.Tallied(c.id, replace(x, owes=True), quiet=True)


def finish_turn(d: Draft, turn: Turn | None = None, *, was_taken: bool = True, edges: bool = True) -> None:
    """End the running turn, or a paused `turn`; with `edges` conditions count its end if it was taken."""
    turn = turn or d.encounter.turn
    if turn is None:
        return
    ended = keys_ending(d.encounter, turn.who, turn.members)
    d.emit(ev.TurnEnded(turn.who, turn.members, was_taken))
    if edges and was_taken:
        _end_edges(d, ended)


def _end_edges(d: Draft, whose: Collection[str] | None) -> None:
    """Apply the end of the turns of these keys (None: all): effects, conditions, saves against conditions."""
    d.emit(*_owe_effects(d.encounter, "end", whose))
    d.emit(*count_edge(d.encounter, "end", whose))
    for c in list(d.encounter.combatants.values()):
        if not c.conditions or c.out or not (whose is None or c.id in whose):
            continue
        for x in c.conditions:
            is_due = any(s.cause == CONDITION and x.fits(s.name, s.of) for s in c.owes)
            if x.dc and not is_due:
                number = next_save_number(d.encounter.combatants[c.id])
                d.emit(ev.SaveOwed(c.id, OwedSave(number, CONDITION, x.dc, x.key, x.name, x.of)))


def miss_turns(d: Draft, side: str) -> None:
    """Apply both edges of the turns that creatures of a side had not when its turn is over."""
    busy = d.encounter.busy
    ours = [c for c in d.encounter.combatants.values() if c.side == side and has_arrived(d.encounter, c)]
    missing = tuple(c.id for c in ours if c.id not in busy and not _has_ended(c))
    if not missing:
        return
    unstarted = {k for k in missing if not _has_begun(d.encounter.combatants[k])}
    d.emit(ev.TurnsMissed(missing))
    _begin_edges(d, unstarted)
    _end_edges(d, set(missing))


def finish_part(d: Draft, who: str, *, edges: bool) -> None:
    """End one creature's part in a running or interrupted turn, which goes on for the others."""
    d.emit(ev.TurnEnded(who, (who,)))
    if edges:
        _end_edges(d, {who})


def close_turns(d: Draft, lasting: Iterable[str]) -> None:
    """End all turns that have begun, with the fight.

    `lasting`: keys whose turns last until the round ends.
    """
    e = d.encounter
    whose = {k for t in e.turns for k in keys_ending(e, t.who, t.members)}
    if e.turn:
        d.emit(ev.TurnEnded(e.turn.who, e.turn.members))
    d.emit(*count_edge(d.encounter, "end", whose.union(lasting)))


def start_round(d: Draft, *, edges: bool, upkeep: bool) -> None:
    """Start the next round, in which staged creatures arrive.

    With `edges` all turns start here for conditions (DIS-27, CHA-14), with `upkeep` also for counters, death
    saves and recharges.
    """
    number = d.encounter.round + 1
    d.emit(ev.RoundBegan(number))
    d.emit(*_renew(d.encounter, list(d.encounter.combatants), "round"))
    for c in d.encounter.combatants.values():
        if c.arrives == number and number > 0:
            d.announce("{0} arrives", c.id)
    if upkeep:
        playing = [c.id for c in d.encounter.combatants.values() if not c.out and has_arrived(d.encounter, c)]
        d.emit(*_renew(d.encounter, playing, "turn"))
    if edges:
        _begin_edges(d, None)


ROUND_OVER = "round_over"
"""The key of the note with the number of a round whose turns have ended while saves are still owed."""


def is_round_over(e: Encounter) -> bool:
    """Return whether all turns of this round have ended while saves are still owed."""
    return bool(e.notes.get(ROUND_OVER) == e.round)


def stops_at_saves(d: Draft) -> bool:
    """End all turns of the round if saves or effects fall due by that; return whether they do."""
    if is_round_over(d.encounter):
        return False
    trial = Draft(d.encounter)
    _end_edges(trial, None)
    if not any(isinstance(x, ev.SaveOwed | ev.EffectOwed) for x in trial.events):
        return False
    _end_edges(d, None)
    d.emit(ev.Noted(ROUND_OVER, d.encounter.round))
    return True


def finish_round(d: Draft, *, edges: bool) -> None:
    """End the round; with `edges` all turns end here, else only those that never came."""
    if is_round_over(d.encounter):
        d.emit(ev.RoundEnded(d.encounter.round), ev.Forgot(ROUND_OVER))
        return
    # This must come before the event, which clears the marks that tell which creatures have had a turn.
    unstarted, unended = keys_missed(d.encounter)
    d.emit(ev.RoundEnded(d.encounter.round))
    if edges:
        _end_edges(d, None)
    else:
        _begin_edges(d, unstarted)
        _end_edges(d, unended)


def members_in_play(e: Encounter, key: str) -> list[Combatant]:
    """Return the members of an entry that have arrived and are not out."""
    return [c for c in members(e, key) if not c.out and has_arrived(e, c)]


def refuse_early(c: Combatant, rule: str = "") -> RuleError:
    """Return the refusal of a creature that has not arrived."""
    return RuleError(f"{c.name} is not here before round {c.arrives}", "", rule)


def is_helpless(e: Encounter, key: str) -> bool:
    """Return whether all creatures of an entry are dying; in its turn companions that act along count too."""
    people = members_in_play(e, key) + (_present_members(e, e.turn) if e.turn and e.turn.who == key else [])
    return bool(people) and all(c.dying for c in people)


def fallen_state(e: Encounter, key: str) -> str:
    """Return `stable` if all creatures of an entry are stable at 0 hit points, else `dying`."""
    people = members_in_play(e, key)
    return "stable" if people and all(c.dying and c.dying.stable for c in people) else "dying"


def _present_members(e: Encounter, turn: Turn) -> list[Combatant]:
    return [c for k in turn.members if (c := e.combatants.get(k)) and not c.out]


def able_companions(e: Encounter) -> tuple[str, ...]:
    """Return the ids of companions that can act in the running turn of a dying creature."""
    first = e.combatants.get(e.acting)
    if e.turn is None or first is None or not first.dying:
        return ()
    return tuple(c.id for c in _present_members(e, e.turn) if not c.dying)


def has_members(e: Encounter, turn: Turn) -> bool:
    """Return whether a turn has a member that is not out."""
    return bool(_present_members(e, turn))
