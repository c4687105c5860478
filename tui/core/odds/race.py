"""A race: what each row may throw for its place, as a system tells it before the dice."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

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
    chooses who of it goes: all of them are of one side. `kin`: tied rows of the throw stay together in a roll-off. `offs` is what
    each throws in one; empty: the same as everybody, so that every order of the tied is as likely.
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

    `cases`: in the next round; `later`: in those after it, empty for the same. `kept`: later rounds keep the order
    and roll no more. `alike`: rows among whom a fair die chooses one; the race is told as if it had chosen the first,
    and what holds for all of them is the mean. `totals`: the number that a row may throw, where it has one. `beside`: what else is decided;
    `given`: what was taken for granted, in words.
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
    """The throw of a single row, from ranks and their chances."""
    outcomes = tuple(Outcome(chance, (rank,)) for rank, chance in ranks)
    return Throw((key,), outcomes, offs=(off,) if off else ())


def apart(case: Case) -> bool:
    """Whether the formula tells every tie of a case.

    It does not where rows of one roll can be tied, who stay together in a roll-off, or where some of the tied throw
    numbers of their own and others do not.
    """
    if any(t.kin and any(len(set(o.ranks)) < len(o.ranks) for o in t.outcomes) for t in case.throws):
        return False
    found: dict[Rank, bool] = {}
    return all(
        found.setdefault(rank, bool(off)) == bool(off)
        for throw in case.throws
        for outcome in throw.outcomes
        for rank, off in zip(outcome.ranks, offs(throw), strict=True)
    )


def kinds(case: Case) -> list[Off]:
    """Everything that somebody may throw in a roll-off, each once."""
    return list(dict.fromkeys(off for throw in case.throws for off in offs(throw)))


def offs(throw: Throw) -> tuple[Off, ...]:
    """What each row of a throw throws in a roll-off."""
    return throw.offs or ((),) * len(throw.rows)
