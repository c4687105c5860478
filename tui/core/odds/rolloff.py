"""Roll-offs: how likely each place among the tied is, where they throw alike and where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb

from tui.core.odds.race import Off

Tied = tuple[int, ...]
"""How many of each kind are tied with somebody; kinds are told apart by what they throw."""


class RollOffs:
    """The chances among the tied of one race; `kinds` is what each kind throws, () for all alike."""

    def __init__(self, kinds: Sequence[Off]) -> None:
        self._kinds = [dict(off) for off in kinds]
        self.places = cache(self._places)
        # The same for whoever of the tied is asked about: twelve creatures with five modifiers took 9 s without, now 1.
        self._fallen = cache(self._all_fallen)
        self._split = cache(self._one_split)

    def _places(self, own: int, tied: Tied) -> tuple[float, ...]:
        """The chance of each place, the best first, of one of kind `own` among so many others."""
        many = sum(tied)
        if not many or (len([n for n in tied if n]) <= 1 and tied[own] == many):
            return (1 / (many + 1),) * (many + 1)
        found, again = [0.0] * (many + 1), 0.0
        for face, chance in self._kinds[own].items():
            for (ahead, level), p in self._fallen(face, tied):
                if level == tied:
                    again += chance * p
                    continue
                for place, q in enumerate(self.places(own, level), ahead):
                    found[place] += chance * p * q
        # Where all are tied once more everything begins anew.
        return tuple(p / (1 - again) for p in found)

    def _all_fallen(self, face: int, tied: Tied) -> list[tuple[tuple[int, Tied], float]]:
        """How many of the tied throw more than a face, and how many of each kind the same, with the chance."""
        states: dict[tuple[int, Tied], float] = {(0, ()): 1.0}
        for kind, many in enumerate(tied):
            after: dict[tuple[int, Tied], float] = {}
            split = self._split(kind, face, many)
            for (ahead, level), p in states.items():
                for (more, same), q in split:
                    key = (ahead + more, (*level, same))
                    after[key] = after.get(key, 0.0) + p * q
            states = after
        return list(states.items())

    def _one_split(self, kind: int, face: int, many: int) -> list[tuple[tuple[int, int], float]]:
        return list(_split(self._kinds[kind], face, many))


def _split(off: Mapping[int, float], face: int, many: int) -> Iterator[tuple[tuple[int, int], float]]:
    """How many of so many that throw alike throw more than a face, and how many the same."""
    same = off.get(face, 0.0)
    more = sum(chance for number, chance in off.items() if number > face)
    less = max(0.0, 1 - same - more)
    for a in range(many + 1):
        for b in range(many - a + 1):
            chance = comb(many, a) * comb(many - a, b) * more**a * same**b * less ** (many - a - b)
            if chance:
                yield (a, b), chance
