"""Random fights of Chaos in any number: under the laws, or beside the oracle. The seed is printed and may be given.

    python -m tests.systems.chaos laws|oracle FIGHTS [SEED]

Fight N of a seed is the same again: the number at which a law breaks is printed with it.
"""

from __future__ import annotations

import sys
import time
from secrets import token_hex

from tests.systems.chaos.test_laws import random_fight
from tests.systems.chaos.test_oracle import Duel


def main(kind: str, fights: int, seed: str) -> None:
    """Play, and say every few seconds how far it is."""
    print(f"{fights} fights, {kind}, seed {seed}", flush=True)
    rounds = compared = 0
    told = time.monotonic()
    for number in range(fights):
        try:
            if kind == "oracle":
                compared += Duel(f"{seed} {number}").play(100)
            else:
                rounds += random_fight(f"{seed} {number}", 60).rounds
        except BaseException:
            print(f"fight {number} of seed {seed}", flush=True)
            raise
        if time.monotonic() > told + 20:
            told = time.monotonic()
            print(f"{number + 1} fights, {rounds} rounds, {compared} states compared", flush=True)
    print(f"done: {fights} fights, {rounds} rounds, {compared} states compared", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else token_hex(4))
