"""Measure turns and rounds by the times in the journal and a clock passed as an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, label
from tui.store.history import Step
from tui.store.store import Store

GM = "game master"
NOTE = "Pauses of more than an hour are not counted. Nothing ticks by itself: ask again for later times."


BREAK_SECONDS = 3600.0
"""Seconds without a line that count as a break: the time between two sessions belongs to no turn."""


class Elapsed(Struct, frozen=True):
    """How long the running turn and the running round had taken when the last line was written."""

    at: str = ""
    """When the last line was written, as RFC 3339."""
    turn: float | None = None
    """When the last line was written, as RFC 3339."""
    round: float | None = None
    """Seconds that the running turn has taken, None if no turn runs."""


class Share(Struct, frozen=True):
    """Seconds that the running round has taken, None if no round runs."""

    turns: int = 0
    """How many turns there were."""
    total: float = 0.0
    """The length of all turns together, in seconds."""
    longest: float = 0.0
    """The length of the longest turn, in seconds."""


def measure_clocks(store: Store, e: Encounter) -> Elapsed:
    """Return the clocks of turn and round, from the lines since the beginning of the round."""
    if not e.running or not store.step:
        return Elapsed()
    last = later = store.done(store.step).at
    turn, total = None, 0.0
    # Back to the beginning of the round only, so that the cost does not grow with the evening.
    for step in range(store.step, 0, -1):
        done = store.done(step)
        total, later = total + count_seconds(done.at, later), done.at
        for event in reversed(done.events):
            if isinstance(event, ev.TurnBegan) and event.who == e.acting:
                turn = total if turn is None else turn
            elif isinstance(event, ev.RoundBegan):
                return Elapsed(last, turn, total)
    return Elapsed(last, turn)


def write_clocks(clocks: Elapsed, now: str) -> str:
    """Return a text such as `turn 1:05, round 12:30`."""
    since = count_seconds(clocks.at, now) if clocks.at else 0.0
    pairs = [("turn", clocks.turn), ("round", clocks.round)]
    return ", ".join(f"{title} {span(seconds + since)}" for title, seconds in pairs if seconds is not None)


def count_seconds(at: str, now: str) -> float:
    """Return the seconds between two times; 0 after a break, or if the clock was set back."""
    seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(at)).total_seconds()
    # A clock set back by hand or by daylight saving must not shorten a turn.
    return seconds if 0.0 <= seconds <= BREAK_SECONDS else 0.0


def span(seconds: float) -> str:
    """Return seconds as `0:05`, `12:30` or `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _Running(Struct):
    """The stopwatch of a turn that has begun."""

    who: str
    """The player whose turn it is."""
    since: str
    """When the stopwatch was last started or read, as RFC 3339; "" while the turn waits for another one."""
    spent: float = 0.0
    """Seconds counted up to `since`."""

    def go_on(self, at: str) -> None:
        """Add the seconds from `since` to `at`, and go on counting from `at`."""
        if self.since:
            self.spent += count_seconds(self.since, at)
            self.since = at

    def stop(self, at: str) -> None:
        """Count up to `at` and stop, because the turn waits for another one or is over."""
        self.go_on(at)
        self.since = ""


def shares(steps: Iterable[Step], people: Mapping[str, Combatant], now: str) -> dict[str, Share]:
    """Return the time of turns by player; the running one counts up to `now`."""
    result: dict[str, Share] = {}
    running: list[_Running] = []
    for done in steps:
        for turn in running:
            turn.go_on(done.at)
        for event in done.events:
            _follow(running, result, event, done.at, people)
    for turn in running:
        turn.stop(now)
        _count(result, turn)
    return result


def _follow(
    running: list[_Running],
    totals: dict[str, Share],
    event: ev.Event,
    at: str,
    people: Mapping[str, Combatant],
) -> None:
    match event:
        case ev.TurnBegan(members=members):
            running.append(_Running(_player(members, people), at))
        case ev.TurnPaused() if running:
            running[-1].stop(at)
        case ev.TurnResumed() if running:
            running[-1].since = at
        case ev.TurnEnded() if running:
            running[-1].stop(at)
            _count(totals, running.pop())
        # The turns of the old system never end in the journal: another system does not know them.
        case ev.SystemChanged():
            running.clear()
        case _:
            pass


def _player(members: Iterable[str], people: Mapping[str, Combatant]) -> str:
    return next((c.owner for k in members if (c := people.get(k)) and c.owner), GM)


def _count(totals: dict[str, Share], turn: _Running) -> None:
    old = totals.get(turn.who, Share())
    totals[turn.who] = Share(old.turns + 1, old.total + turn.spent, max(old.longest, turn.spent))


def table(store: Store, e: Encounter, now: str) -> tuple[str, ...]:
    """Return the clocks and every player's share as lines of a table."""
    steps = [store.done(step) for step in range(1, store.step + 1)]
    lines = [x for x in (write_clocks(measure_clocks(store, e), now),) if x]
    for who, share in sorted(shares(steps, e.combatants, now).items(), key=lambda x: -x[1].total):
        mean = span(share.total / share.turns)
        turns = f"{share.turns} turn{'s' * (share.turns > 1)}"
        lines.append(f"{who}: {span(share.total)} in {turns}, {mean} each, the longest {span(share.longest)}")
    return (*lines, NOTE)


# --- a limit for turns

Later = Callable[[float, Callable[[], None]], Callable[[], None]]
"""Schedules a call in the given number of seconds, and returns a function that cancels it."""


class TurnLimit:
    """Watches the turns of a fight; when one takes too long, it calls `say` with a text, and `ring`."""

    def __init__(
        self, later: Later, say: Callable[[str], None], ring: Callable[[], None], e: Encounter, seconds: int
    ) -> None:
        self.seconds = seconds
        self._later, self._say, self._ring = later, say, ring
        self._cancel: Callable[[], None] = lambda: None
        # A turn that began before the save was opened has no limit: how long the table paused is unknown.
        self._turn = _turn(e)

    def set(self, seconds: int, e: Encounter) -> None:
        """Set another limit in seconds, also for the running turn; 0 for none."""
        self.seconds, self._turn = seconds, None
        self.look(e)

    def look(self, e: Encounter) -> None:
        """Start the limit if another turn has begun; call this whenever the fight has changed."""
        if (turn := _turn(e)) == self._turn:
            return
        self._turn = turn
        self._cancel()
        self._cancel = lambda: None
        if turn and self.seconds:
            self._cancel = self._later(self.seconds, partial(self._ring_over, label(e, e.acting)))

    def _ring_over(self, who: str) -> None:
        self._say(f"{who}: {span(self.seconds)} are over, the limit of a turn")
        self._ring()


def _turn(e: Encounter) -> tuple[int, str] | None:
    return (e.round, e.turn.who) if e.turn else None
