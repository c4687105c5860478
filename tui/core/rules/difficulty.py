"""Work out how hard a fight is for its heroes, by the tables of 2024 (a budget) or of 2014 (thresholds).

The figures of 2024 are those of the System Reference Document 5.2.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tui.core.fight.combatant import is_pc
from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import house_rule

XP: Mapping[str, int] = dict(
    zip(
        ("0", "1/8", "1/4", "1/2", *map(str, range(1, 31))),
        (
            10, 25, 50, 100, 200, 450, 700, 1100, 1800, 2300, 2900, 3900, 5000, 5900, 7200, 8400, 10000,
            11500, 13000, 15000, 18000, 20000, 22000, 25000, 33000, 41000, 50000, 62000, 75000, 90000,
            105000, 120000, 135000, 155000,
        ),
        strict=True,
    )
)  # fmt: skip
"""The experience points of a foe, by challenge rating."""

STEPS: Mapping[str, Mapping[str, Sequence[int]]] = {
    "2024": {
        "low": (50, 100, 150, 250, 500, 600, 750, 1000, 1300, 1600, 1900, 2200, 2600, 2900, 3300, 3800, 4500,
                5000, 5500, 6400),
        "moderate": (75, 150, 225, 375, 750, 1000, 1300, 1700, 2000, 2300, 2900, 3700, 4200, 4900, 5400, 6100,
                     7200, 8700, 10700, 13200),
        "high": (100, 200, 400, 500, 1100, 1400, 1700, 2100, 2600, 3100, 4100, 4700, 5400, 6200, 7800, 9800,
                 11700, 14200, 17200, 22000),
    },
    "2014": {
        "easy": (25, 50, 75, 125, 250, 300, 350, 450, 550, 600, 800, 1000, 1100, 1250, 1400, 1600, 2000, 2100,
                 2400, 2800),
        "medium": (50, 100, 150, 250, 500, 600, 750, 900, 1100, 1200, 1600, 2000, 2200, 2500, 2800, 3200,
                   3900, 4200, 4900, 5700),
        "hard": (75, 150, 225, 375, 750, 900, 1100, 1400, 1600, 1900, 2400, 3000, 3400, 3800, 4300, 4800,
                 5900, 6300, 7300, 8500),
        "deadly": (100, 200, 400, 500, 1100, 1400, 1700, 2100, 2400, 2800, 3600, 4500, 5100, 5700, 6400, 7200,
                   8800, 9500, 10900, 12700),
    },
}  # fmt: skip
"""The points of each step for one hero, by edition of the tables and by level from 1."""

TRIVIAL, DEADLY = "trivial", "deadly"
_TIMES = (0.5, 1, 1.5, 2, 2.5, 3, 4, 5)
"""The multipliers of 2014, smallest first."""
_MANY = (2, 3, 7, 11, 15)
"""The numbers of foes from which the next multiplier counts."""
_FEW_HEROES, _MANY_HEROES = 3, 6


class Difficulty(Struct, frozen=True):
    """How hard a fight is."""

    word: str
    """The highest step that is reached, `trivial` if it is none; "" if no hero has a level."""
    xp: int
    """The points of the foes, in 2014 with the multiplier."""
    steps: Mapping[str, int]
    """The points from which each step is reached."""
    heroes: int
    foes: int
    no_level: tuple[str, ...]
    """The names of the heroes without a level, which are not counted."""
    no_rating: tuple[str, ...]
    """The names of the foes without a challenge rating, which are not counted."""

    def words(self) -> str:
        """Return it in one line."""
        steps = ", ".join(f"{step} {points}" for step, points in self.steps.items())
        texts = [f"{self.xp} XP, {_count_foes(self.foes)}"]
        if self.word:
            told = f"{self.word}, {self.xp} XP: {steps}"
            texts = [told, f"{_count_foes(self.foes)}, {_count_heroes(self.heroes)}"]
        texts += [f"{_count_heroes(len(self.no_level))} without level="] * bool(self.no_level)
        texts += [f"{_count_foes(len(self.no_rating))} without cr="] * bool(self.no_rating)
        return "; ".join(texts)


def _count_heroes(count: int) -> str:
    return f"{count} hero{'es' * (count != 1)}"


def _count_foes(count: int) -> str:
    return f"{count} foe{'s' * (count != 1)}"


def measure(e: Encounter, system: InitiativeSystem) -> Difficulty | None:
    """Return how hard the fight is; None without a foe that has a challenge rating, or for other systems.

    Foes are all creatures on sides without a hero, also those that are out, hidden or in reserve.
    """
    if not system.is_d20:
        return None
    heroes = [c for c in e.combatants.values() if is_pc(c)]
    ours = {c.side for c in heroes}
    foes = [c for c in e.combatants.values() if c.side not in ours]
    levels = [c.number("level") for c in heroes if c.number("level")]
    ratings = [c.word("cr") for c in foes if c.word("cr") in XP]
    if not ratings:
        return None
    edition = str(house_rule(e, "xp"))
    xp, steps = weigh(ratings, len(levels), edition), sum_steps(levels, edition)
    word = name_step(xp, steps) if levels else ""
    no_level = tuple(c.name for c in heroes if not c.number("level"))
    no_rating = tuple(c.name for c in foes if c.word("cr") not in XP)
    return Difficulty(word, xp, steps, len(levels), len(ratings), no_level, no_rating)


def weigh(ratings: Sequence[str], heroes: int, edition: str) -> int:
    """Return the points of foes; in 2014 multiplied by their number, for few or many heroes one step off."""
    points = sum(XP[rating] for rating in ratings)
    if edition != "2014":
        return points
    step = 1 + sum(len(ratings) >= least for least in _MANY)
    step += heroes < _FEW_HEROES
    step -= heroes >= _MANY_HEROES
    return int(points * _TIMES[step])


def sum_steps(levels: Sequence[int], edition: str) -> dict[str, int]:
    """Return the points from which each step is reached by heroes of these levels."""
    steps = {step: sum(row[n - 1] for n in levels) for step, row in STEPS[edition].items()}
    return steps if DEADLY in steps else {**steps, DEADLY: steps["high"] * 3 // 2}


def name_step(xp: int, steps: Mapping[str, int]) -> str:
    """Return the highest step that these points reach; `trivial` if they reach none."""
    return next((step for step, least in reversed(list(steps.items())) if xp >= least), TRIVIAL)
