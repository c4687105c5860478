"""Estimate the order by playing a copy of the fight many times to its next offer.

Only the rules are asked, so this works for every system. Plays go on by lines alone; the lines that had to be
sent on the way are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import sqrt

from msgspec import Struct, json
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.agenda import AcknowledgeAsk, Ask, EffectAsk, FormAsk, LockAsk, PickAsk, RollAsk, TrackRow
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter, OpposedOutcome, SurpriseOutcome, label, side_of
from tui.core.language.grammar import parse
from tui.core.rules.decide import Rules, draft, draft_of
from tui.core.rules.now import suggest_line
from tui.core.rules.numbers import Roller
from tui.core.rules.rolling import roll_all
from tui.core.rules.system import InitiativeSystem, Systems, running_system, system_with_verb
from tui.core.rules.upkeep import all_owed

MOST_RUNS = 625
"""With this many plays the standard error of every chance is at most 2 %."""
LEAST_RUNS = 100
MOST_SECONDS = 2.0
MOST_ANSWERS = 1_000
"""The most answers in one play; a play that needs more is taken as endless."""


class RowOdds(Struct, frozen=True):
    """A row of the order: key, name, side, ids. `places` has the chance of each place, the first place first.

    `before` is the chance to come before every foe, `acts` the chance to have a place at all; `numbers` has
    the chance of each number on the track.
    """

    key: str
    name: str
    side: str
    members: tuple[str, ...]
    places: tuple[float, ...]
    before: float
    numbers: Mapping[int, float] = {}

    @property
    def acts(self) -> float:
        """The chance to have a place at all."""
        return sum(self.places)

    @property
    def mean(self) -> float:
        """The average place in the plays in which the row has one; 0 if it never has."""
        return sum(at * p for at, p in enumerate(self.places, 1)) / self.acts if self.acts else 0.0


class Odds(Struct, frozen=True):
    """The odds of the order after `runs` plays; with 0 nothing is left to roll, and the order is known.

    `lines` were sent in memory on the way to the dice. `beside` has further results of the dice, in words,
    with their chances.
    """

    encounter: Encounter
    rows: tuple[RowOdds, ...]
    lines: tuple[str, ...] = ()
    runs: int = 0
    beside: tuple[tuple[str, float], ...] = ()

    def error(self, *rows: RowOdds) -> float:
        """Return the largest standard error of the chances of these rows; without rows, of all chances."""
        chances = [p for row in rows or self.rows for p in (*row.places, row.before)]
        chances += [] if rows else [p for _, p in self.beside]
        return max((sqrt(max(p * (1 - p), 0) / self.runs) for p in chances if self.runs), default=0.0)


def seed_of(e: Encounter, line: str = "") -> bytes:
    """Return a seed from a fight and a line, so that the same fight and line have the same odds."""
    return json.encode((e, line), order="deterministic")


def odds(e: Encounter, systems: Systems, dice: Dice, clock: Callable[[], float], line: str = "") -> Odds:
    """Return the odds of the order; `line` is sent as soon as the rules accept it.

    `clock` returns seconds. Raises RuleError if the line is refused throughout, or if people must decide
    before the dice.
    """
    play, until = _Play(systems, dice), clock() + MOST_SECONDS
    start = play.on(_Way(e, line), dice=False)
    tally, runs, rolled = _Tally(), 0, False
    while runs < MOST_RUNS and (runs < LEAST_RUNS or clock() < until):
        end = play.on(start)
        rolled = rolled or end.rolled
        # Nobody has rolled: all forecasts are this one.
        if not rolled:
            return tally.told(end, running_system(systems, end.encounter), 0)
        tally.count(end.encounter, running_system(systems, end.encounter))
        runs += 1
    return tally.told(start, running_system(systems, start.encounter), runs)


def after_line(e: Encounter, line: str, systems: Systems, dice: Dice) -> Encounter:
    """Return the encounter after a line. Raises RuleError."""
    verbs = {v.name for v in running_system(systems, e).verbs}
    action = parse(line, verbs, partial(system_with_verb, systems))
    return draft(e, action, Rules(systems, dice)).encounter


class _Way(Struct, frozen=True):
    """A play in progress: the line still to send, the lines accepted, and whether order dice were rolled."""

    encounter: Encounter
    line: str = ""
    said: tuple[str, ...] = ()
    rolled: bool = False


class _Play:
    """A player who lets chance answer, and otherwise does as little as the rules allow."""

    def __init__(self, systems: Systems, dice: Dice) -> None:
        self._systems, self._dice = systems, dice

    def on(self, way: _Way, *, dice: bool = True) -> _Way:
        """Play on until an act is offered, or without `dice` up to the first dice. Raises RuleError."""
        refusal: RuleError | None = None
        for _ in range(MOST_ANSWERS):
            if way.line:
                try:
                    way = self._say(way, way.line)
                    continue
                except RuleError as error:
                    refusal = error
            system = running_system(self._systems, way.encounter)
            due = all_owed(way.encounter, system)
            if due and not dice and isinstance(due[0], RollAsk):
                return way
            if not due and way.encounter.running:
                break
            after = self._answer(way, system, due[0]) if due else self._say(way, "begin")
            if after is None:
                return _stop_at(way, system, due[0])
            way = after
        if way.line and refusal:
            raise refusal
        return way

    def _say(self, way: _Way, line: str) -> _Way:
        e = after_line(way.encounter, line, self._systems, self._dice)
        return replace(way, encounter=e, line="" if line == way.line else way.line, said=(*way.said, line))

    def _answer(self, way: _Way, system: InitiativeSystem, ask: Ask) -> _Way | None:
        """Answer an ask; return None if only people can answer it."""
        e = way.encounter
        match ask:
            case RollAsk() | EffectAsk():
                order = e.running and any(isinstance(x, RollAsk) for x in system.due(e))
                roller = Roller(self._dice, "app")
                after = draft_of(e, system, lambda d, s: roll_all(d, s, roller)).encounter
                return replace(way, encounter=after, rolled=way.rolled or order)
            case FormAsk() | LockAsk():
                return self._close_forms(way, ask)
            case PickAsk(names=names, least=least):
                after = draft_of(e, system, lambda d, s: s.answer(d, ask, names[:least])).encounter
                words = " ".join(quote(label(e, k)) for k in names[:least])
                return replace(way, encounter=after, said=(*way.said, f"pick {words or 'none'}"))
            case AcknowledgeAsk():
                return self._say(way, "ok")
            case _:
                return None

    def _close_forms(self, way: _Way, ask: FormAsk | LockAsk) -> _Way | None:
        """Close the forms without any text; if they cannot be closed, send an empty order for this one."""
        for line in ("lock missing=empty", f"order {quote(label(way.encounter, ask.who))}"):
            try:
                return self._say(way, line)
            except RuleError:
                continue
        return None


def _stop_at(way: _Way, system: InitiativeSystem, ask: Ask) -> _Way:
    """Return the play as it stops at an ask for people. Raises RuleError if no dice were rolled yet."""
    if way.rolled:
        return way
    name = label(way.encounter, ask.who)
    raise RuleError(
        f"{name} must decide something before the dice are rolled", suggest_line(way.encounter, system)
    )


# --- what the plays came to


class _Tally:
    """The counts of places, numbers and further results over all plays."""

    def __init__(self) -> None:
        self._places: dict[str, Counter[int]] = {}
        self._before: Counter[str] = Counter()
        self._numbers: dict[str, Counter[int]] = {}
        self._beside: Counter[str] = Counter()
        self._people: dict[str, tuple[str, ...]] = {}

    def count(self, e: Encounter, system: InitiativeSystem) -> None:
        """Count the result of one play."""
        order = in_order(system.rows(e))
        foes = [side_of(e, row.entry) for row in order]
        for at, row in enumerate(order):
            key = row.entry
            self._people.setdefault(key, row.members)
            self._places.setdefault(key, Counter())[at] += 1
            self._numbers.setdefault(key, Counter())[row.value] += 1
            self._before[key] += all(side == foes[at] for side in foes[:at])
        self._beside.update(_tell_outcome(e))

    def told(self, way: _Way, system: InitiativeSystem, runs: int) -> Odds:
        """Return the counted chances; with 0 runs, the order that is known already."""
        e, total = way.encounter, runs or 1
        if not runs:
            self.count(e, system)
        most = max((at + 1 for places in self._places.values() for at in places), default=0)
        rows = [
            RowOdds(
                key,
                label(e, key),
                side_of(e, key),
                self._people[key],
                tuple(places[at] / total for at in range(most)),
                self._before[key] / total,
                {n: many / total for n, many in self._numbers[key].items()},
            )
            for key, places in self._places.items()
        ]
        shares = [(text, many / total) for text, many in self._beside.items()] if runs else []
        return Odds(e, tuple(sorted(rows, key=lambda row: row.mean)), way.said, runs, tuple(sorted(shares)))


def in_order(rows: Sequence[TrackRow]) -> list[TrackRow]:
    """Return the rows that have a place in this round; those that may act now come before all that wait."""
    present = [row for row in rows if row.state not in ("out", "barred")]
    ready = any(row.state == "may" for row in present)
    return sorted(present, key=lambda row: ready and row.state not in ("done", "now", "may"))


def _tell_outcome(e: Encounter) -> list[str]:
    """Return the winner of the latest contest and the caught creatures, a text for each."""
    match e.outcome:
        case OpposedOutcome(winner, caught=caught):
            won = [f"{side_of(e, winner)} win the opposed roll"]
            return [*won, *(f"{label(e, k)} is caught" for k in caught)]
        case SurpriseOutcome(caught):
            return [f"{label(e, k)} is caught" for k in caught]
        case _:
            return []
