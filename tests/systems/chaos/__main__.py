"""Random fights of Chaos next to its oracle, in any number: `python -m tests.systems.chaos FIGHTS [SEED]`.

Fight N of a seed is the same again: the number at which they differ is printed with it.
"""

from __future__ import annotations

import sys
from secrets import token_hex

from tests.systems.chaos.duel import Duel


def main(fights: int, seed: str) -> None:
    """Play, and print how many states were compared."""
    compared = 0
    for number in range(fights):
        try:
            compared += Duel(f"{seed} {number}").play(100)
        except BaseException:
            print(f"fight {number} of seed {seed}", flush=True)
            raise
    print(f"{fights} fights of seed {seed}, {compared} states compared", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else token_hex(4))
