"""Compute the odds of a fight by playing it on in memory, and write them as tables and bars.

Lines are the only door here too: assumptions are lines of the grammar, and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from unicodedata import combining, east_asian_width

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clusters
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import Encounter, active, label, side_of
from tui.core.language.grammar import parse
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.core.odds.race import Chance, Forecasting, Race, toward_begin
from tui.core.odds.spread import Forecast, Spread, Standing, error, mean, shared
from tui.core.odds.standings import Random, exact, sampled
from tui.core.rules.decide import Rules, draft
from tui.core.rules.system import InitiativeSystem, Systems, having, running
from tui.core.rules.upkeep import owed, upkeep
from tui.core.views.odds_play import FREE_CHOICE, ChanceDice, Played, TooManyWays, Walk, at_random

MOST_LINES = 400
"""Lines on the way to the dice: one for each of a large party's orders."""

PLAYED = 400
"""Fights that are played by the rules themselves where no formula is known."""

PLAYED_ROWS = 8_000
"""Rows in all of them together."""


class RowOdds(Struct, frozen=True):
    """A row of the order: key, name, side, ids; where it may stand, and what it may throw.

    `later` is its standing in the rounds after the next, where that is another. `total` is empty where it
    throws no number of its own.
    """

    key: str
    name: str
    side: str
    members: tuple[str, ...]
    standing: Standing
    later: Standing | None = None
    total: Spread = {}


class Odds(Struct, frozen=True):
    """Who will stand where. `lines` were run in memory on the way to the dice; `runs`: 0 where all is exact.

    `kept`: later rounds keep the order; None where no one can tell.
    """

    encounter: Encounter
    rows: tuple[RowOdds, ...]
    lines: tuple[str, ...] = ()
    runs: int = 0
    kept: bool | None = None
    beside: tuple[Chance, ...] = ()
    given: tuple[str, ...] = ()


def after_line(e: Encounter, line: str, systems: Systems, random: Random) -> Encounter:
    """Return the encounter after a line. Raises RuleError."""
    verbs = {v.name for v in running(systems, e).verbs}
    action = parse(line, verbs, partial(having, systems))
    return draft(e, action, Rules(systems, ChanceDice(random))).encounter


def odds(e: Encounter, systems: Systems, random: Random, line: str = "") -> Odds:
    """Return the odds of the next order to be rolled; `line` is run as soon as it is accepted.

    Raises RuleError: the line is refused wherever it is tried, or someone must decide something first.
    """
    system, first = running(systems, e), _Prepared(e, line)
    walk = Walk(system, random)
    try:
        starts = _starts(first, systems, random, walk)
        result = walk.all((chance, p.encounter) for chance, p in starts)
    except TooManyWays:
        return _often(first, systems, random)
    begun = starts[0][1].encounter
    lines = tuple(dict.fromkeys(line for _, p in starts for line in p.lines))
    return _result(begun, system, lines, result, random)


def _over(e: Encounter, system: InitiativeSystem) -> bool:
    """Return whether nothing is left of a round but its end."""
    if not e.running or e.turn or owed(e, system):
        return False
    return [act.kind for act in system.offer(e).acts] == ["round"]


def _result(
    e: Encounter, system: InitiativeSystem, lines: tuple[str, ...], result: Played, random: Random
) -> Odds:
    """Return the forecast with what a formula says besides the places."""
    race, forecast = result.race, result.forecast
    again = None
    if race and race.later:
        again = _forecast(replace(race, cases=race.later), {k: side_of(e, k) for k in race.rows}, random)
    runs = max(forecast.runs, again.runs if again else 0)
    stands = not ready(e, system)
    given = [*(["no dice are due: this order stands"] if stands else []), *result.given]
    if result.chosen:
        given.append(FREE_CHOICE)
    by_mean = sorted(forecast.rows, key=lambda key: forecast.rows[key].mean)
    rows = tuple(_row(e, result, key, again) for key in by_mean)
    kept = race.kept if race and not stands else True if stands else None
    return Odds(e, rows, lines, runs, kept, race.beside if race else (), tuple(given))


def _forecast(race: Race, sides: Mapping[str, str], random: Random) -> Forecast:
    """Work the odds out exactly where that can be, else from many runs."""
    return shared(exact(race, sides) or sampled(race, sides, random), race.alike)


def _row(e: Encounter, result: Played, key: str, again: Forecast | None) -> RowOdds:
    later = again.rows.get(key) if again else None
    total = result.race.totals.get(key, {}) if result.race else {}
    people = result.people.get(key, ())
    return RowOdds(key, label(e, key), side_of(e, key), people, result.forecast.rows[key], later, total)


# --- on to the dice


class _Prepared(Struct, frozen=True):
    """A fight on the way to its dice: the line that is still to be accepted, and those that were.

    `held`: saves that are owed must be rolled before the next line. `again`: this is the round after the
    current one.
    """

    encounter: Encounter
    left: str = ""
    lines: tuple[str, ...] = ()
    held: bool = False
    again: bool = False

    def rolled(self, e: Encounter) -> _Prepared:
        """Return the fight after the saves that held it."""
        return replace(self, encounter=e, lines=(*self.lines, "roll"), held=False)


def _starts(first: _Prepared, systems: Systems, random: Random, walk: Walk) -> list[tuple[float, _Prepared]]:
    """Return every state in which the dice of the order may become due, with its chance.

    It is one, unless saves are owed before: how they fall may decide who acts. Raises RuleError, TooManyWays.
    """
    result, layer = [], [(1.0, first)]
    while layer:
        prepared = [(chance, _prepared(p, systems, random)) for chance, p in layer]
        result += [(chance, p) for chance, p in prepared if not p.held]
        layer = [
            (chance * q, p.rolled(e)) for chance, p in prepared if p.held for q, e in walk.saved(p.encounter)
        ]
    return result


def _start(first: _Prepared, systems: Systems, random: Random) -> _Prepared:
    """Return one of those states, by chance. Raises RuleError."""
    p = _prepared(first, systems, random)
    while p.held:
        p = _prepared(p.rolled(after_line(p.encounter, "roll", systems, random)), systems, random)
    return p


def _prepared(p: _Prepared, systems: Systems, random: Random) -> _Prepared:
    """Say lines until the dice of the order are due, or saves hold them up. Raises RuleError."""
    e, lines, left, refusal = p.encounter, list(p.lines), p.left, None
    for _ in range(MOST_LINES):
        if left:
            try:
                e = after_line(e, left, systems, random)
                lines.append(left)
                left = ""
                continue
            except RuleError as error:
                refusal = error
        system = running(systems, e)
        # A whole round without dice: no one rolls any more, and the order stands.
        still = ready(e, system) or e.round > p.encounter.round + 1
        onward = "" if still else _onward(e, systems)
        if not onward:
            break
        try:
            e = after_line(e, onward, systems, random)
        except RuleError:
            if not upkeep(e, system):
                raise
            return replace(p, encounter=e, left=left, lines=tuple(lines), held=True)
        lines.append(onward)
    if left and refusal:
        raise refusal
    p = replace(p, encounter=e, left="", lines=tuple(lines))
    _must_be_dice(e, running(systems, e))
    if p.again or not _over(e, running(systems, e)):
        return p
    # No one is left to act: the next round is what is asked about.
    after = after_line(e, "next", systems, random)
    return _prepared(replace(p, encounter=after, lines=(*p.lines, "next"), again=True), systems, random)


def _onward(e: Encounter, systems: Systems) -> str:
    system = running(systems, e)
    return system.toward(e) if isinstance(system, Forecasting) else toward_begin(e)


def ready(e: Encounter, system: InitiativeSystem) -> bool:
    """Return whether dice are due, and nothing but dice."""
    asks = system.due(e) if e.running else ()
    return bool(asks) and all(isinstance(ask, RollAsk) for ask in asks)


def _must_be_dice(e: Encounter, system: InitiativeSystem) -> None:
    """Raise RuleError where someone must decide something before the dice."""
    asks = [ask for ask in system.due(e) if not isinstance(ask, RollAsk)] if e.running else []
    if asks:
        raise RuleError(
            f"{label(e, asks[0].who)} must decide something before the dice", "`tocsin show SAVE` says what"
        )


# --- played


def played(
    e: Encounter, systems: Systems, random: Random, lines: tuple[str, ...], most: int = PLAYED
) -> Odds:
    """Return the odds from many fights, each played by the rules to the end of its round."""
    system = running(systems, e)
    result = at_random(lambda: e, system, random, _runs(e, system, most))
    return _result(e, system, lines, result, random)


def _often(first: _Prepared, systems: Systems, random: Random) -> Odds:
    """Return the same of fights in which saves may be owed before the dice of the order."""
    p = _start(first, systems, random)
    if "roll" not in p.lines:
        return played(p.encounter, systems, random, p.lines)
    system = running(systems, p.encounter)
    result = at_random(
        lambda: _start(first, systems, random).encounter, system, random, _runs(p.encounter, system, PLAYED)
    )
    return _result(p.encounter, system, p.lines, result, random)


def _runs(e: Encounter, system: InitiativeSystem, most: int) -> int:
    return max(50, min(most, PLAYED_ROWS // max(1, len(system.entries(e)))))


# --- all systems


class Compared(Struct, frozen=True):
    """How one system orders the same creatures, or `why` it cannot."""

    system: str
    odds: Odds | None = None
    why: str = ""


def compared(e: Encounter, systems: Systems, random: Random) -> list[Compared]:
    """Return the first fight of these creatures under each system."""
    comparisons = []
    for name in systems.ids():
        try:
            comparisons.append(Compared(name, odds(_before_fight(e, name, systems, random), systems, random)))
        except RuleError as error:
            comparisons.append(Compared(name, None, error.message))
    return comparisons


def _before_fight(e: Encounter, name: str, systems: Systems, random: Random) -> Encounter:
    """Return the same creatures before a fight of another system."""
    if e.running:
        e = after_line(e, "finish", systems, random)
    return e if e.system == name else after_line(e, f"system {name}", systems, random)


def row_of(result: Odds, who: str) -> RowOdds | None:
    """Return the row of a creature (id); None where it has none."""
    return next((row for row in result.rows if who == row.key or who in row.members), None)


def named(e: Encounter, word: str) -> Sequence[str]:
    """Return the ids of the creatures that a word means, or none."""
    try:
        return resolve(e, word) if word else ()
    except RuleError:
        return ()


def first_word(line: str) -> str:
    """Return the first word behind a line's verb, whom most lines are about; "" without one."""
    return next((t.text for t in tokens(line.partition(" ")[2]) if not t.key), "")


NAME = 20
"""Columns of a name."""


class PlotPens(Struct, frozen=True):
    """What plots are drawn with: `steps` from nothing to a full column, `bar`, the terminal's columns.

    `joint` stands between the parts of a heading.
    """

    steps: str
    bar: str
    width: int
    joint: str


BLOCKS = PlotPens(" ▁▂▃▄▅▆▇█", "█", 80, " · ")
ASCII_ONLY = PlotPens(" .:-=+*#@", "#", 80, " - ")
SPOKEN = PlotPens("", "", 80, ", ")
"""For a screen reader: figures without plots."""


def odds_lines(title: str, line: str, result: Odds, whose: Sequence[RowOdds], pen: PlotPens) -> list[str]:
    """Return one answer: assumptions, the table, the bars of `whose`, what else the dice decide."""
    how = "exact" if not result.runs else f"simulated: {result.runs:,} runs, ±{_most(result):.1%} at the most"
    heading = [title.replace(" · ", pen.joint), f"round {result.encounter.round}", how]
    head = [pen.joint.join(heading)]
    head += [line] if line else []
    others = [x for x in result.lines if x != line]
    head += wrapped(f"as if: {'; '.join(others)}", pen.width) if others else []
    parts = [head, _table(result, pen)]
    parts += [bars(row, pen) for row in whose]
    tail = [f"{x.chance:>7.1%}  {x.text}" for x in result.beside]
    parts += [tail] if tail else []
    parts += [[x for text in result.given for x in wrapped(f"taken for granted: {text}", pen.width)]]
    return [x for part in parts if part for x in (*part, "")][:-1]


def _most(result: Odds) -> float:
    """Return the greatest standard error of all chances that are shown."""
    chances = (p for row in result.rows for p in (*row.standing.places, row.standing.before))
    return max((error(p, result.runs) for p in chances), default=0.0)


def _table(result: Odds, pen: PlotPens) -> list[str]:
    """Return a line for each row: expected place, chance to act before every foe, a strip of all places."""
    later = any(row.later for row in result.rows)
    most = max((len(row.standing.places) for row in result.rows), default=0)
    wide = NAME + 11 + 8 + 13 + (13 if later else 0)
    head = f"{'':<{NAME}} {'':<10} {'place':>7} {'before foes':>12}" + (f" {'later':>12}" if later else "")
    strip = bool(pen.steps) and most <= pen.width - wide - 1
    lines = [head + (f"  1 to {most}" if strip else "")]
    foes = len({row.side for row in result.rows}) > 1
    for row in result.rows:
        before = f"{row.standing.before:.1%}" if foes else "-"
        line = f"{fit(row.name, NAME)} {fit(row.side, 10)} {row.standing.mean:>7.1f} {before:>12}"
        line += f" {row.later.before:>12.1%}" if row.later else " " * 13 if later else ""
        lines.append((line + ("  " + _strip(row.standing.places, pen) if strip else "")).rstrip())
    return lines


def _strip(places: Sequence[float], pen: PlotPens) -> str:
    """Return every place as a column, the most likely one full; one that is possible is never blank."""
    top, last = max(places, default=0) or 1, len(pen.steps) - 1
    return "".join(pen.steps[max(1, round(p / top * last)) if p > 0 else 0] for p in places)


def bars(row: RowOdds, pen: PlotPens) -> list[str]:
    """Return the places of one row as bars, and the number that it throws."""
    lines = [f"{row.name}: the place, {row.standing.mean:.1f} on average"]
    if row.standing.acts < 1 - 1e-6:
        lines[0] += f"; does not act: {1 - row.standing.acts:.1%}"
    lines += _plot(enumerate(row.standing.places, 1), pen)
    if len(row.total) > 1:
        lines += [
            "",
            f"{row.name}: the number, {min(row.total)} to {max(row.total)}, {mean(row.total):.1f} on average",
        ]
        lines += _plot(_filled(row.total), pen)
    return lines


def _filled(total: Spread) -> Iterable[tuple[int, float]]:
    return ((n, total.get(n, 0.0)) for n in range(min(total), max(total) + 1))


def _plot(chances: Iterable[tuple[int, float]], pen: PlotPens) -> list[str]:
    pairs = list(chances)
    top, room = max((p for _, p in pairs), default=0) or 1, min(60, pen.width - 16)
    return [f"{n:>5} {p:>7.1%}  {pen.bar * round(p / top * room)}".rstrip() for n, p in pairs]


# --- systems side by side


def compared_lines(e: Encounter, comparisons: Sequence[Compared], pen: PlotPens) -> list[str]:
    """Return three tables, creatures down, systems across: before every foe, the wait, the swing."""
    computed = [(one.system, one.odds) for one in comparisons if one.odds]
    people = active(e)
    tables: list[tuple[str, Callable[[Odds, RowOdds], str]]] = [
        ("chance to act before every foe, first round", lambda _, row: f"{row.standing.before:.0%}"),
        ("turns of others to wait for, first round", lambda _, row: f"{row.standing.wait:.1f}"),
        ("places that two rounds lie apart", _swing),
    ]
    lines: list[str] = []
    for title, cell in tables:
        lines += [title, _across(name for name, _ in computed)]
        for c in people:
            rows = [(x, row_of(x, c.id)) for _, x in computed]
            lines.append(fit(c.name, NAME) + "".join(f"{cell(x, r) if r else '-':>{WIDE}}" for x, r in rows))
        lines.append("")
    for one in comparisons:
        if one.odds is None:
            lines += wrapped(f"{one.system}: cannot order these: {one.why}", pen.width)
            continue
        how = f"simulated, {one.odds.runs:,} runs, ±{_most(one.odds):.1%}" if one.odds.runs else "exact"
        more = [f"{x.text} {x.chance:.0%}" for x in one.odds.beside]
        words = "; ".join([how, *one.odds.lines, *one.odds.given, *more])
        lines += wrapped(f"{one.system}: {words}", pen.width)
    return lines


WIDE = 10
"""Columns of a figure of one system."""


def _swing(result: Odds, row: RowOdds) -> str:
    return "?" if result.kept is None else "kept" if result.kept else f"{row.standing.swing:.1f}"


def _across(names: Iterable[str]) -> str:
    """Return the systems as a heading; of a long id the last word."""
    short = [name if len(name) < WIDE else name.rsplit("-", 1)[-1] for name in names]
    return " " * NAME + "".join(f"{name[: WIDE - 1]:>{WIDE}}" for name in short)


# --- columns


def columns(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    return sum(0 if combining(x) else 2 if east_asian_width(x) in "WF" else 1 for x in text)


def fit(text: str, width: int) -> str:
    """Return the text in exactly `width` columns, cut at its end."""
    kept = ""
    for one in clusters(text):
        if columns(kept + one) > width:
            break
        kept += one
    return kept + " " * (width - columns(kept))


def wrapped(text: str, width: int) -> list[str]:
    """Return the text in lines of at most `width` columns, broken at blanks; later ones are indented."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1].strip() else lines[-1] + word
        if columns(longer) <= width or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines.append("  " + word)
    return lines
