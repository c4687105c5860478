"""The laws of non-interference in any number: moments of two fights compared, in all systems.

    python -m tests.core.views MOMENTS [SEED [SYSTEM…]]

Where one breaks, what makes it break again is printed: one call of `compared`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from itertools import count

from tests.kit.two_fights import SYSTEMS, compared

PAIRS = ((2, 2), (0, 1), (1, 2))
"""How many unseen creatures each of the two fights has."""


def main(moments: int, seed: int, systems: Sequence[str]) -> None:
    """Compare so many moments of each of the systems, and say every few seconds how far it is."""
    told = time.monotonic()
    for system in systems:
        found = 0
        for number in count(seed):
            unseen = PAIRS[number % len(PAIRS)]
            try:
                found += compared(system, number, 60, unseen)
            except BaseException:
                print(f"compared({system!r}, {number}, 60, {unseen})", flush=True)
                raise
            if found >= moments:
                break
            if time.monotonic() > told + 20:
                told = time.monotonic()
                print(f"{system}: {found:,} moments", flush=True)
        print(f"{system}: {found:,} moments of {number - seed + 1:,} fights, 0 differences", flush=True)


if __name__ == "__main__":
    wanted, chosen = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    main(wanted, chosen, sys.argv[3:] or SYSTEMS)
