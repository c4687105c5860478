"""Describe the race of a system's rows: what each may still throw for its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import factorial, prod

from msgspec import Struct

from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import Encounter
from tui.core.odds.spread import Spread

Rank = tuple[int, ...]
"""What orders rows before any roll-off: the lower acts first, equals are tied."""

Off = tuple[tuple[int, float], ...]
"""What a row throws in a roll-off, the higher the better, with the chance of each number."""


class Outcome(Struct, frozen=True):
    """One way in which a throw can fall: its chance, and the rank of each of its rows."""

    chance: float
    ranks: tuple[Rank, ...]


class Throw(Struct, frozen=True):
    """Rows (keys) that one roll gives their ranks; different throws are independent of each other.

    `shuffled`: the rows share the ranks among them in any order, each as likely as the other, as where a side
    chooses who of it goes: all of them are of one side. `kin`: tied rows of the throw stay together in a
    roll-off. `offs` is what each throws in one; empty: the same as everybody, so that every order of the tied
    is as likely.
    """

    rows: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    shuffled: bool = False
    kin: bool = False
    offs: tuple[Off, ...] = ()


class Case(Struct, frozen=True):
    """What may happen once something else is decided: the chance of that, and the throws then."""

    chance: float
    throws: tuple[Throw, ...]


class Chance(Struct, frozen=True):
    """Something else that the same dice decide, in words, and how likely it is."""

    text: str
    chance: float


class Race(Struct, frozen=True):
    """The order that some dice will make.

    `cases`: in the next round; `later`: in those after it, empty for the same. `kept`: later rounds keep the
    order and roll no more. `alike`: rows among whom a fair die chooses one; the race is computed as if it
    had chosen the first, and what holds for all of them is the mean. `totals`: the number that a row may
    throw, where it has one. `beside`: what else is decided; `given`: what was taken for granted, in words.
    """

    cases: tuple[Case, ...]
    kept: bool = False
    later: tuple[Case, ...] = ()
    totals: dict[str, Spread] = {}
    alike: tuple[tuple[str, ...], ...] = ()
    beside: tuple[Chance, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """Every row there is, in the order of the first case."""
        return tuple(key for throw in self.cases[0].throws for key in throw.rows) if self.cases else ()


def alone(key: str, ranks: Iterable[tuple[Rank, float]], off: Off = ()) -> Throw:
    """Return the throw of a single row, from ranks and their chances."""
    outcomes = tuple(Outcome(chance, (rank,)) for rank, chance in ranks)
    return Throw((key,), outcomes, offs=(off,) if off else ())


def apart(case: Case) -> bool:
    """Return whether the formula tells every tie of a case.

    It does not where rows of one roll can be tied, who stay together in a roll-off, or where some of the tied
    throw numbers of their own and others do not.
    """
    if any(t.kin and any(len(set(o.ranks)) < len(o.ranks) for o in t.outcomes) for t in case.throws):
        return False
    split: dict[Rank, bool] = {}
    return all(
        split.setdefault(rank, bool(off)) == bool(off)
        for throw in case.throws
        for outcome in throw.outcomes
        for rank, off in zip(outcome.ranks, offs(throw), strict=True)
    )


def kinds(case: Case) -> list[Off]:
    """Return everything that someone may throw in a roll-off, each once."""
    return list(dict.fromkeys(off for throw in case.throws for off in offs(throw)))


def offs(throw: Throw) -> tuple[Off, ...]:
    """Return what each row of a throw throws in a roll-off."""
    return throw.offs or ((),) * len(throw.rows)


class Forecasting:
    """A system that knows the way to its dice, and what they can give. All questions are pure."""

    def toward(self, e: Encounter) -> str:
        """Return the next line on the way to the dice of the order; "" when they are due, or none are rolled.

        Choices on this way are made as most tables would make them; the line is shown with the odds.
        """
        return toward_begin(e)

    def race(self, e: Encounter) -> Race | None:  # noqa: ARG002
        """Return the order of the turns that are left in this round, while none runs.

        Its rows are those who still act, and no others. None where no formula says it.
        """
        return None

    def possible_faces(self, e: Encounter, ask: RollAsk) -> Iterable[tuple[float, tuple[int, ...]]]:  # noqa: ARG002
        """Return every way in which a roll may fall, with its chance; one set may stand for equal ones."""
        return all_faces(ask.dice)


def all_faces(dice: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Return every set of faces, all of them as likely."""
    chance = 1 / prod(dice)
    return ((chance, faces) for faces in product(*(range(1, sides + 1) for sides in dice)))


def unordered(dice: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yield every way in which equal dice may fall whose order means nothing, with its chance."""
    sides, many = dice[0], len(dice)
    for faces in combinations_with_replacement(range(1, sides + 1), many):
        same = prod(factorial(n) for n in Counter(faces).values())
        yield factorial(many) / same / sides**many, faces


def sums(dice: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yield one set of faces for each sum of dice that counts alone, with the chance of that sum."""
    totals: dict[int, tuple[float, tuple[int, ...]]] = {}
    for chance, faces in all_faces(dice):
        so_far, first = totals.get(sum(faces), (0.0, faces))
        totals[sum(faces)] = (so_far + chance, first)
    yield from totals.values()


def toward_begin(e: Encounter) -> str:
    """Return `begin`, the way to the dice of a system that declares no other, or "" in a running fight."""
    return "" if e.running else "begin"
