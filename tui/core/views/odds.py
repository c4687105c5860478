"""The odds of a fight before its dice: in memory it is played on to them, and told who will stand where.

Lines are the only door here too: what is taken for granted is said by lines of the grammar, and shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import PickAsk, RollAsk
from tui.core.fight.encounter import Encounter, label, members, side_of
from tui.core.fight.errors import RuleError
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.odds.exact import exact
from tui.core.odds.forecasting import Forecasting, toward_begin
from tui.core.odds.race import Chance, Race
from tui.core.odds.sample import Random, sampled, tally
from tui.core.odds.spread import Spread
from tui.core.odds.standing import Forecast, Standing, shared
from tui.core.rules.decide import Rules, draft
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Systems, having, running

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


class _Faces:
    """Dice out of a source of chance."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def roll(self, sides: int) -> int:
        """One face, 1 to `sides`."""
        return int(self._random() * sides) + 1


def said(e: Encounter, line: str, systems: Systems, random: Random) -> Encounter:
    """The encounter after a line. Raises RuleError."""
    verbs = {v.name for v in running(systems, e).verbs}
    action = parse(line, verbs, partial(having, systems))
    return draft(e, action, Rules(systems, _Faces(random))).encounter


def odds(e: Encounter, systems: Systems, random: Random, line: str = "") -> Odds:
    """The odds of the next order to be rolled, `line` being said as soon as it is accepted on the way there.

    Raises RuleError: the line is refused wherever it is tried, or somebody must decide something first.
    """
    here, lines = _prepared(e, systems, random, line)
    system = running(systems, here)
    _must_be_dice(here, system)
    race = system.race(here) if isinstance(system, Forecasting) else None
    if race is None:
        return played(here, systems, random, lines)
    side = {key: side_of(here, key) for key in race.rows}
    found = _forecast(race, side, random)
    again = _forecast(replace(race, cases=race.later), side, random) if race.later else None
    rows = tuple(_row(here, system, key, found, again, race.totals.get(key, {})) for key in _by_mean(found))
    runs = max(found.runs, again.runs if again else 0)
    return Odds(here, rows, lines, runs, race.kept, race.beside, race.given)


def _forecast(race: Race, sides: Mapping[str, str], random: Random) -> Forecast:
    """Exact where it can be, else from many runs."""
    return shared(exact(race, sides) or sampled(race, sides, random), race.alike)


def _by_mean(found: Forecast) -> list[str]:
    return sorted(found.rows, key=lambda key: found.rows[key].mean)


def _row(
    e: Encounter, system: InitiativeSystem, key: str, found: Forecast, again: Forecast | None, total: Spread
) -> RowOdds:
    ids = next((x.members for x in system.entries(e) if x.key == key), tuple(c.id for c in members(e, key)))
    later = again.rows[key] if again else None
    return RowOdds(key, label(e, key), side_of(e, key), ids, found.rows[key], later, total)


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
    """The odds out of many fights, each played by the rules up to its order."""
    system = running(systems, e)
    if not ready(e, system):
        return _standing(e, system, lines)
    first = _rolled(e, systems, random)
    keys = [row.entry for row in system.rows(first)]
    runs = max(50, min(most, PLAYED_ROWS // max(1, len(keys))))
    orders = ([r.entry for r in system.rows(_rolled(e, systems, random))] for _ in range(runs))
    found = tally(orders, keys, {key: side_of(first, key) for key in keys}, runs)
    return Odds(e, _rows(first, system, found), lines, runs)


def _standing(e: Encounter, system: InitiativeSystem, lines: tuple[str, ...]) -> Odds:
    """The order that stands, where no dice are due."""
    order = [row.entry for row in system.rows(e)]
    found = tally(iter([order]), order, {key: side_of(e, key) for key in order}, 1)
    said_ = ("no dice are due: this order stands",)
    return Odds(e, _rows(e, system, found), lines, kept=True, given=said_)


def _rows(e: Encounter, system: InitiativeSystem, found: Forecast) -> tuple[RowOdds, ...]:
    return tuple(_row(e, system, key, found, None, {}) for key in _by_mean(found))


def _rolled(e: Encounter, systems: Systems, random: Random) -> Encounter:
    """The encounter once nothing is rolled any more; choices that come up between are made by chance."""
    for _ in range(MOST_LINES):
        asks = running(systems, e).due(e)
        if not asks or not isinstance(asks[0], RollAsk | PickAsk):
            break
        e = said(e, "roll" if isinstance(asks[0], RollAsk) else _picked(e, asks[0], random), systems, random)
    return e


def _picked(e: Encounter, ask: PickAsk, random: Random) -> str:
    keys = [key for _, key in sorted((random(), key) for key in ask.names)][: ask.least]
    return "pick " + (",".join(quote(label(e, key)) for key in keys) or "none")


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
    from tui.core.language.select import resolve

    try:
        return resolve(e, word) if word else ()
    except RuleError:
        return ()


def first_word(line: str) -> str:
    """The first word behind a line's verb: whom most lines are about; "" without one."""
    from tui.core.language.tokens import tokens

    return next((t.text for t in tokens(line.partition(" ")[2]) if not t.key), "")
