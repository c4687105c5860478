"""A name behind an alias is read by nobody but the GM, wherever the program words it.

Two fights are alike in all but that name: it comes first of all in one and last in the other. In both a
creature comes unseen, gets the same alias and is revealed; then the GM's lines name it in whatever may be
worded later: conditions, places, groups, contests.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases, third_of
from tests.kit.two_fights import SYSTEMS, Differs, Fight, assert_alike, expect_equal, policy

DEEDS = (
    "condition Orc afraid of=Beast", "condition Ana held of=Beast rounds=2",
    "condition Beast marked of=Bo rounds=1", "condition Beast veil of=Beast conc=yes",
    "move Orc before Beast", "move Beast after Ana", "set Beast value=12", "set Orc value=12",
    "set Bo value=12", "set Ana value=", "damage Beast 2", "area Beast,Orc,Ana damage=2 dc=10",
    "group Beast,Orc Pack", "ungroup Pack", "out Beast", "back Beast", "hold Beast", "act Beast",
    "react Beast", "count Beast luck 1", "set Beast acts_with=", "set Beast rank=leader", "surprised Beast",
    "order Beast intent=waits", "clear Orc afraid of=Beast", "remove Beast",
)  # fmt: skip


TRUE_NAMES = "Aboleth", "Zombie"
"""The first and the last of all names, so that an order by true names differs too."""


class Coins(Random):
    """Dice that show one of their two lowest faces, so that many creatures are tied."""

    def randint(self, a: int, b: int) -> int:
        """Return the lowest number or the next."""
        return min(b, a + self.getrandbits(1))


class Masked(Fight):
    """A fight with somebody whom players call Beast."""

    def __init__(self, system: str, seed: int, true_name: str) -> None:
        self.true_name = true_name
        super().__init__(system, seed, 0)
        self.say(self._fit("add Beast hp=12 side=dark per=2 int=2 kind=monster") + " hidden=yes")
        self.say(f"alias {true_name} Beast")
        self.say("reveal Beast")

    def say(self, line: str) -> bool:
        """Whether a line is accepted, with the true name in it."""
        return super().say(line if line.startswith("alias") else line.replace("Beast", self.true_name))


def compared(system: str, seed: int, steps: int) -> int:
    """Two fights side by side; how many moments were compared."""
    one, two = (Masked(system, seed, name) for name in TRUE_NAMES)
    chance, lines, last = Coins(seed), list[str](), (0, 0)
    for count in range(steps):
        try:
            one.catch_up()
            two.catch_up()
        except Differs:
            steps = count
            break
        assert_alike(one, two, lines)
        assert TRUE_NAMES[0].encode() not in one.page(), lines
        last = one.told, two.told
        line = chance.choice(DEEDS) if chance.random() < 0.5 else policy(one.state(), chance)
        lines.append(line)
        assert one.say(line) == two.say(line), lines
    expect_equal(one.log(last[0]), two.log(last[1]), lines)
    return steps


@pytest.mark.parametrize("system", third_of(SYSTEMS, 2))
@cases(15)
@given(seed=st.integers(0, 10**6))
def test_a_true_name_is_nowhere(system: str, seed: int) -> None:
    compared(system, seed, 30)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_whole_fights_are_compared(system: str) -> None:
    assert any(compared(system, seed, 30) == 30 for seed in range(4))
