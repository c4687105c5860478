"""The odds of a fight before its dice: in memory it is played on to them, and told who will stand where.

Lines are the only door here too: what is taken for granted is said by lines of the grammar, and shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import Encounter, label, side_of
from tui.core.fight.errors import RuleError
from tui.core.language.grammar import parse
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.core.odds.exact import exact
from tui.core.odds.forecasting import Forecasting, toward_begin
from tui.core.odds.race import Chance, Race
from tui.core.odds.sample import Random, sampled
from tui.core.odds.spread import Spread
from tui.core.odds.standing import Forecast, Standing, shared
from tui.core.rules.decide import Rules, draft
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Systems, having, running
from tui.core.rules.upkeep.owed import owed
from tui.core.views.odds_play import FREE_CHOICE, ChanceDice, Played, TooManyWays, Walk, at_random

MOST_LINES = 400
"""Lines on the way to the dice: one for each of a large party's orders."""

PLAYED = 400
"""Fights that are played by the rules themselves where no formula is known."""

PLAYED_ROWS = 8_000
"""Rows in all of them together."""


class RowOdds(Struct, frozen=True):
    """A row of the order: its key, its name, its side, the ids in it; where it may stand, and what it may throw.

    `later` is its standing in the rounds after the next, where that is another. `total` is empty where it throws
    no number of its own.
    """

    key: str
    name: str
    side: str
    members: tuple[str, ...]
    standing: Standing
    later: Standing | None = None
    total: Spread = {}


class Odds(Struct, frozen=True):
    """Who will stand where. `lines` were said in memory on the way to the dice; `runs`: 0 where all is exact.

    `kept`: later rounds keep the order; None where nobody can tell.
    """

    encounter: Encounter
    rows: tuple[RowOdds, ...]
    lines: tuple[str, ...] = ()
    runs: int = 0
    kept: bool | None = None
    beside: tuple[Chance, ...] = ()
    given: tuple[str, ...] = ()


def said(e: Encounter, line: str, systems: Systems, random: Random) -> Encounter:
    """The encounter after a line. Raises RuleError."""
    verbs = {v.name for v in running(systems, e).verbs}
    action = parse(line, verbs, partial(having, systems))
    return draft(e, action, Rules(systems, ChanceDice(random))).encounter


def odds(e: Encounter, systems: Systems, random: Random, line: str = "") -> Odds:
    """The odds of the next order to be rolled, `line` being said as soon as it is accepted on the way there.

    Raises RuleError: the line is refused wherever it is tried, or somebody must decide something first.
    """
    here, lines = _prepared(e, systems, random, line)
    system = running(systems, here)
    _must_be_dice(here, system)
    if _over(here, system):
        # Nobody is left to act: the next round is what is asked about.
        here, more = _prepared(said(here, "next", systems, random), systems, random, "")
        lines = (*lines, "next", *more)
        _must_be_dice(here, system)
    try:
        return _told(here, system, lines, Walk(system, random).all(here), random)
    except TooManyWays:
        return played(here, systems, random, lines)


def _over(e: Encounter, system: InitiativeSystem) -> bool:
    """Whether nothing is left of a round but its end."""
    if not e.running or e.turn or owed(e, system):
        return False
    return [act.kind for act in system.offer(e).acts] == ["round"]


def _told(
    e: Encounter, system: InitiativeSystem, lines: tuple[str, ...], found: Played, random: Random
) -> Odds:
    """What was found, with what a formula says beside the places."""
    race, forecast = found.race, found.forecast
    again = None
    if race and race.later:
        again = _forecast(replace(race, cases=race.later), {k: side_of(e, k) for k in race.rows}, random)
    runs = max(forecast.runs, again.runs if again else 0)
    stands = not ready(e, system)
    given = [*(["no dice are due: this order stands"] if stands else []), *found.given]
    if found.chosen:
        given.append(FREE_CHOICE)
    rows = tuple(_row(e, found, key, again) for key in _by_mean(forecast))
    kept = race.kept if race and not stands else True if stands else None
    return Odds(e, rows, lines, runs, kept, race.beside if race else (), tuple(given))


def _forecast(race: Race, sides: Mapping[str, str], random: Random) -> Forecast:
    """Exact where it can be, else from many runs."""
    return shared(exact(race, sides) or sampled(race, sides, random), race.alike)


def _by_mean(found: Forecast) -> list[str]:
    return sorted(found.rows, key=lambda key: found.rows[key].mean)


def _row(e: Encounter, found: Played, key: str, again: Forecast | None) -> RowOdds:
    later = again.rows.get(key) if again else None
    total = found.race.totals.get(key, {}) if found.race else {}
    people = found.people.get(key, ())
    return RowOdds(key, label(e, key), side_of(e, key), people, found.forecast.rows[key], later, total)


# --- on to the dice


def _prepared(e: Encounter, systems: Systems, random: Random, line: str) -> tuple[Encounter, tuple[str, ...]]:
    """The encounter with the dice due, and the lines that led there."""
    lines, left, refusal = list[str](), line, None
    for _ in range(MOST_LINES):
        if left:
            try:
                e, left = said(e, left, systems, random), ""
                lines.append(line)
                continue
            except RuleError as error:
                refusal = error
        onward = "" if ready(e, running(systems, e)) else _onward(e, systems)
        if not onward:
            break
        e = said(e, onward, systems, random)
        lines.append(onward)
    if left and refusal:
        raise refusal
    return e, tuple(lines)


def _onward(e: Encounter, systems: Systems) -> str:
    system = running(systems, e)
    return system.toward(e) if isinstance(system, Forecasting) else toward_begin(e)


def ready(e: Encounter, system: InitiativeSystem) -> bool:
    """Whether dice are due, and nothing but dice."""
    asks = system.due(e) if e.running else ()
    return bool(asks) and all(isinstance(ask, RollAsk) for ask in asks)


def _must_be_dice(e: Encounter, system: InitiativeSystem) -> None:
    """Raises RuleError where somebody must decide something before the dice."""
    asks = [ask for ask in system.due(e) if not isinstance(ask, RollAsk)] if e.running else []
    if asks:
        raise RuleError(
            f"{label(e, asks[0].who)} must decide something before the dice", "`tocsin show SAVE` says what"
        )


# --- played


def played(
    e: Encounter, systems: Systems, random: Random, lines: tuple[str, ...], most: int = PLAYED
) -> Odds:
    """The odds out of many fights, each played by the rules to the end of its round."""
    system = running(systems, e)
    runs = max(50, min(most, PLAYED_ROWS // max(1, len(system.entries(e)))))
    return _told(e, system, lines, at_random(e, system, random, runs), random)


# --- all systems


class Compared(Struct, frozen=True):
    """How one system orders the same creatures, or `why` it cannot."""

    system: str
    odds: Odds | None = None
    why: str = ""


def compared(e: Encounter, systems: Systems, random: Random) -> list[Compared]:
    """The first fight of these creatures under each system there is."""
    found = []
    for name in systems.ids():
        try:
            found.append(Compared(name, odds(_anew(e, name, systems, random), systems, random)))
        except RuleError as error:
            found.append(Compared(name, None, error.message))
    return found


def _anew(e: Encounter, name: str, systems: Systems, random: Random) -> Encounter:
    """The same creatures before a fight of another system."""
    if e.running:
        e = said(e, "finish", systems, random)
    return e if e.system == name else said(e, f"system {name}", systems, random)


def row_of(found: Odds, who: str) -> RowOdds | None:
    """The row of a creature (id); None where it has none."""
    return next((row for row in found.rows if who == row.key or who in row.members), None)


def named(e: Encounter, word: str) -> Sequence[str]:
    """The ids of the creatures that a word means; none where it means nobody."""
    try:
        return resolve(e, word) if word else ()
    except RuleError:
        return ()


def first_word(line: str) -> str:
    """The first word behind a line's verb: whom most lines are about; "" without one."""
    return next((t.text for t in tokens(line.partition(" ")[2]) if not t.key), "")
