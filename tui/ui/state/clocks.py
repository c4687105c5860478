"""How long turns and rounds take: from the times in the journal, against a clock that is given from outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.store.history import Step
from tui.ui.state.messages import Past

GM = "game master"
NOTE = "Nothing ticks by itself: ask again for later times."


class Began(Struct, frozen=True):
    """When the running turn and the running round began, as the journal writes times; "" for neither."""

    turn: str = ""
    round: str = ""


class Share(Struct, frozen=True):
    """The turns of one player (or the game master): how many, all of them and the longest in seconds."""

    turns: int = 0
    total: float = 0.0
    longest: float = 0.0


def began(past: Past, e: Encounter) -> Began:
    """Looks back as far as the beginning of the round."""
    turn = ""
    for step in range(past.step if e.running else 0, 0, -1):
        done = past.done(step)
        for event in reversed(done.events):
            if isinstance(event, ev.TurnBegan) and event.who == e.acting:
                turn = turn or done.at
            elif isinstance(event, ev.RoundBegan):
                return Began(turn, done.at)
    return Began(turn)


def shown(start: Began, now: str) -> str:
    """`turn 1:05, round 12:30`."""
    told = [("turn", start.turn), ("round", start.round)]
    return ", ".join(f"{what} {span(between(at, now))}" for what, at in told if at)


def between(at: str, now: str) -> float:
    """Seconds from one time to another; 0 when the clock was set back."""
    return max(0.0, (datetime.fromisoformat(now) - datetime.fromisoformat(at)).total_seconds())


def span(seconds: float) -> str:
    """`0:05`, `12:30`, `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _Running(Struct):
    """A turn under way: whose, since when ("" while it waits for another), and what it took before that."""

    who: str
    since: str
    spent: float = 0.0

    def stop(self, at: str) -> None:
        """It waits, or is over."""
        self.spent += between(self.since, at) if self.since else 0.0
        self.since = ""


def shares(steps: Iterable[Step], people: Mapping[str, Combatant], now: str) -> dict[str, Share]:
    """Whose turns took how long; the running one counts up to now."""
    found: dict[str, Share] = {}
    running: list[_Running] = []
    for done in steps:
        for event in done.events:
            _follow(running, found, event, done.at, people)
    for turn in running:
        turn.stop(now)
        _count(found, turn)
    return found


def _follow(
    running: list[_Running],
    found: dict[str, Share],
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
            _count(found, running.pop())
        case ev.SystemChanged():
            running.clear()
        case _:
            pass


def _player(members: Iterable[str], people: Mapping[str, Combatant]) -> str:
    return next((c.owner for k in members if (c := people.get(k)) and c.owner), GM)


def _count(found: dict[str, Share], turn: _Running) -> None:
    old = found.get(turn.who, Share())
    found[turn.who] = Share(old.turns + 1, old.total + turn.spent, max(old.longest, turn.spent))


def table(past: Past, e: Encounter, now: str) -> tuple[str, ...]:
    """The clocks and every player's share, to be read."""
    steps = [past.done(step) for step in range(1, past.step + 1)]
    lines = [x for x in (shown(began(past, e), now),) if x]
    for who, share in sorted(shares(steps, e.combatants, now).items(), key=lambda x: -x[1].total):
        mean = span(share.total / share.turns)
        turns = f"{share.turns} turn{'s' * (share.turns > 1)}"
        lines.append(f"{who}: {span(share.total)} in {turns}, {mean} each, the longest {span(share.longest)}")
    return (*lines, NOTE)
