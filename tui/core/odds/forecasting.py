"""What a system may say of its dice before they fall; one that says nothing is played again and again instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import factorial, prod

from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import Encounter
from tui.core.odds.race import Race


class Forecasting:
    """A system that knows the way to its dice, and what they can give. All questions are pure."""

    def toward(self, e: Encounter) -> str:
        """The next line on the way to the dice of the order; "" when they are due, or none are rolled any more.

        Whatever people would choose on this way is chosen as most tables would; the line is shown with the odds.
        """
        return toward_begin(e)

    def race(self, e: Encounter) -> Race | None:  # noqa: ARG002
        """The order of the turns that are left in this round, while none runs: that the dice which are due will make, or that stands.

        Its rows are those who still act, and no others. None where no formula says it.
        """
        return None

    def ways(self, e: Encounter, ask: RollAsk) -> Iterable[tuple[float, tuple[int, ...]]]:  # noqa: ARG002
        """Every way in which a roll may fall, with its chance; of faces that mean the same one set may stand for all."""
        return all_faces(ask.dice)


def all_faces(dice: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every set of faces, all of them as likely."""
    chance = 1 / prod(dice)
    return ((chance, faces) for faces in product(*(range(1, sides + 1) for sides in dice)))


def unordered(dice: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every way in which equal dice may fall whose order means nothing, with its chance."""
    sides, many = dice[0], len(dice)
    for faces in combinations_with_replacement(range(1, sides + 1), many):
        same = prod(factorial(n) for n in Counter(faces).values())
        yield factorial(many) / same / sides**many, faces


def sums(dice: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """One set of faces for each sum of dice of which nothing else counts, with the chance of that sum."""
    found: dict[int, tuple[float, tuple[int, ...]]] = {}
    for chance, faces in all_faces(dice):
        so_far, first = found.get(sum(faces), (0.0, faces))
        found[sum(faces)] = (so_far + chance, first)
    yield from found.values()


def toward_begin(e: Encounter) -> str:
    """The way to the dice of a system that says nothing of it: the fight begins."""
    return "" if e.running else "begin"
