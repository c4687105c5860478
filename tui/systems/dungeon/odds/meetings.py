"""The odds of an opposed roll: who rolls, how it ends, which side goes first, who may be caught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, label
from tui.core.language.tokens import quote
from tui.core.odds.race import Case, Chance, Race, alone
from tui.systems.dungeon.contest import Side, Verdict, catch, judge
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    entry_of,
    fighting,
    gather,
    notes_of,
    playing,
    reserve,
    team,
)
from tui.systems.dungeon.rollers import rollers
from tui.systems.dungeon.two_sides import TwoSides

ANY_ORDER = "a side that acts in any order takes each as often as another"


class Met(Struct, frozen=True):
    """One way in which an opposed roll can end: who won, the totals of hero and enemy, whether somebody is caught."""

    chance: float
    won: str
    totals: tuple[int, int]
    caught: bool


def toward(e: Encounter) -> str:
    """The line by which the first of the heroes finds whoever is in reserve; "" while a contest or a fight runs."""
    heroes = team(e, HEROES)
    idle = heroes and reserve(e) and not fighting(e) and not notes_of(e).contest
    return f"meet {quote(heroes[0].name)}" if idle else ""


Pair = tuple[Combatant, Combatant]
"""The hero and the enemy who roll against each other."""


def pairs(e: Encounter, system: TwoSides) -> list[tuple[float, Pair]]:
    """Every kind of pair that may have to roll the opposed roll of a meeting, with the chance that a fair die gives it.

    Empty where no such roll is owed.
    """
    n = notes_of(e)
    if n.contest is None or n.contest.stage != "opposed" or n.contest.kind != "meeting":
        return []
    both = [rollers(e, system, side) for side in (HEROES, DARK)]
    kinds = [[(c, len(_like(e, some, c)) / len(some)) for c in _firsts(e, some)] for some in both]
    return [(p * q, (hero, enemy)) for (hero, p), (enemy, q) in product(*kinds)]


def alike(e: Encounter, system: TwoSides) -> tuple[tuple[str, ...], ...]:
    """The rows among whom a fair die chooses who rolls, and whom nothing else tells apart."""
    both = [rollers(e, system, side) for side in (HEROES, DARK)]
    found = (_like(e, some, c) for some in both for c in _firsts(e, some))
    return tuple(keys for some in found if len(keys := tuple(dict.fromkeys(_row(e, c) for c in some))) > 1)


def _firsts(e: Encounter, some: Sequence[Combatant]) -> list[Combatant]:
    """One of each kind of those among whom a die chooses."""
    return list({_kind(e, c): c for c in reversed(some)}.values())[::-1]


def _like(e: Encounter, some: Sequence[Combatant], c: Combatant) -> list[Combatant]:
    return [x for x in some if _kind(e, x) == _kind(e, c)]


def _kind(e: Encounter, c: Combatant) -> tuple[object, ...]:
    """What tells rollers apart: their numbers, and the row that gets them; a row of one's own is like any other."""
    entry = entry_of(gather(e), c.id)
    own_row = entry is not None and entry.members == (c.id,) and c.value is None
    return ("" if own_row else _row(e, c), c.number("per"), c.number("mod"), c.number("int"))


def _row(e: Encounter, c: Combatant) -> str:
    entry = entry_of(gather(e), c.id)
    return entry.key if entry else c.id


def all_meetings(e: Encounter, system: TwoSides) -> list[tuple[Pair, list[Met]]]:
    """Every pair that may meet, with all ends of its opposed roll; the chances of all together sum to 1."""
    return [
        (pair, [replace(x, chance=x.chance * chance) for x in meetings(e, system, pair)])
        for chance, pair in pairs(e, system)
    ]


def meetings(e: Encounter, system: TwoSides, pair: Pair) -> list[Met]:
    """Every end of an opposed roll, with the dice of it that have fallen; where all is equal both roll again."""
    faces = {c.id: tuple(notes_of(e).faces[c.id]) for c in pair if c.id in notes_of(e).faces}
    found, again = _ends(e, system, pair, faces)
    if again:
        # Both roll anew then (DUN-4), also who had rolled already; that ends as a roll without any faces would.
        fresh, rest = _ends(e, system, pair, {})
        for key, chance in fresh.items():
            found[key] = found.get(key, 0.0) + again * chance / (1 - rest)
    return [Met(chance, *key) for key, chance in found.items()]


Ends = dict[tuple[str, tuple[int, int], bool], float]


def _ends(
    e: Encounter, system: TwoSides, pair: Pair, faces: Mapping[str, tuple[int, ...]]
) -> tuple[Ends, float]:
    """The chance of every end of one throw in which these faces are known, and that both have to roll again."""
    fumble = bool(system.option(e, "dun.double_one_loses"))
    hero, enemy = pair
    two = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    ways = [[(known[0], known[1])] if (known := faces.get(c.id)) else two for c in pair]
    found, again, chance = Ends(), 0.0, 1 / (len(ways[0]) * len(ways[1]))
    for one, other in product(*ways):
        sides = (_side(hero, one), _side(enemy, other))
        verdict = judge(*sides, double_one_loses=fumble)
        if verdict is None:
            again += chance
            continue
        won = HEROES if verdict.winner.who == hero.id else DARK
        key = (won, (sides[0].total, sides[1].total), _catches(e, system, verdict, won))
        found[key] = found.get(key, 0.0) + chance
    return found, again


def _side(c: Combatant, faces: tuple[int, int]) -> Side:
    return Side(c.id, c.number("per"), c.number("mod"), c.number("int"), faces)


def _catches(e: Encounter, system: TwoSides, verdict: Verdict, won: str) -> bool:
    contest = notes_of(e).contest or Contest("")
    losers = team(e, DARK if won == HEROES else HEROES)
    each = system.option(e, "dun.surprise_int") == "each"
    return not contest.door and bool(catch(verdict, losers, each=each).why)


def beside(found: Sequence[Met]) -> tuple[Chance, ...]:
    """Who wins, and whom the winner may catch by surprise."""
    won = sum(x.chance for x in found if x.won == HEROES)
    caught = {side: sum(x.chance for x in found if x.caught and x.won != side) for side in (HEROES, DARK)}
    return (
        Chance("the heroes win the opposed roll", won),
        Chance("the heroes can be caught by surprise", caught[HEROES]),
        Chance("the dark side can be caught by surprise", caught[DARK]),
    )


def waits_for_other(e: Encounter) -> bool:
    """Whether anybody in play is kept from acting by something older than this meeting."""
    return any("barred" in c.marks for c in playing(e))


# --- by sides


def by_sides(e: Encounter, system: TwoSides) -> Race | None:
    """The side that wins acts before the other, in any order (DUN-11, DUN-12)."""
    met = all_meetings(e, system)
    if not met or waits_for_other(e) or any("acted" in c.marks for c in team(e, DARK)):
        return None
    found = [x for _, some in met for x in some]
    cases = []
    for side in (HEROES, DARK):
        if chance := sum(x.chance for x in found if x.won == side):
            throws = [alone(x.key, [((int(side_of(e, x) != side),), 1.0)]) for x in gather(e)]
            cases.append(Case(chance, tuple(throws)))
    return Race(tuple(cases), kept=True, beside=beside(found), given=(ANY_ORDER, *against(e, met)))


def side_of(e: Encounter, entry: Entry) -> str:
    """The side of an entry."""
    return e.combatants[entry.members[0]].side


def against(e: Encounter, met: Sequence[tuple[Pair, object]]) -> tuple[str, ...]:
    """Who rolls against whom, in words."""
    return tuple(f"{label(e, hero.id)} may roll against {label(e, enemy.id)}" for (hero, enemy), _ in met[:3])
