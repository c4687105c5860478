"""Random fights of every system under the laws of `random_play`.

    python -m tests.kit.random_fights FIGHTS [SYSTEM…] [--from SEED]

The number of a fight that breaks a law is printed; the same number repeats it.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from random import Random

from tests.kit.random_play import Game, Habits
from tests.systems.chaos.habits import HABITS as CHAOS
from tests.systems.classic_habits import HABITS as CLASSIC
from tests.systems.custom_habits import ALTERNATE, CARDS, POPCORN, SIDE_INITIATIVE
from tests.systems.dungeon.habits import HABITS as DUNGEON
from tests.systems.dungeon.habits import Dungeon
from tests.systems.dynamic.habits import HABITS as DYNAMIC
from tests.systems.unbound.habits import HABITS as UNBOUND
from tests.systems.unbound.habits import play as play_unbound
from tui.systems import Registry

STEPS = 60
HABITS: dict[str, Habits] = {
    "chaos": CHAOS, "classic": CLASSIC, "dynamic": DYNAMIC, "unbound": UNBOUND, **DUNGEON,
    "side-initiative": SIDE_INITIATIVE, "popcorn": POPCORN, "alternate": ALTERNATE, "cards": CARDS,
}  # fmt: skip
"""How each system is played at random; other systems are played with the default `Habits`."""


def fight(system: str, seed: int, steps: int = STEPS) -> Game:
    """Play the fight with this number. Raises AssertionError if a law is broken."""
    random = Random(f"{system} {seed}")
    habits = HABITS.get(system, Habits())
    options = habits.options(random) if random.random() < 0.7 else {}
    if system == "unbound":
        return play_unbound(random, options, steps)
    game = (Dungeon if system in DUNGEON else Game)(system, habits, random, options)
    game.play(steps)
    return game


def main(words: Sequence[str]) -> int:
    """Play the fights named in the arguments; return 1 if a law was broken, else 0."""
    asked = argparse.ArgumentParser(prog="python -m tests.kit.random_fights")
    asked.add_argument("fights", type=int)
    asked.add_argument("systems", nargs="*", default=Registry().ids())
    asked.add_argument("--from", type=int, default=0, dest="first")
    given = asked.parse_args(words)
    failed = 0
    for system in given.systems:
        broken = 0
        for seed in range(given.first, given.first + given.fights):
            try:
                fight(system, seed)
            except Exception:  # noqa: BLE001  # every fight is played, whatever one of them does
                broken += 1
                print(f"{system} {seed}\n{traceback.format_exc()}", flush=True)
        print(f"{system}: {given.fights} fights, {broken} failures", flush=True)
        failed += broken
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
