"""The laws of non-interference in any number: moments of two fights compared, in all systems, and refusals.

    python -m tests.core.views MOMENTS [SEED [SYSTEM…]]
    python -m tests.core.views refusals PAIRS [SEED]

Where one breaks, what makes it break again is printed: one call of `compared`, or of `refusals`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from itertools import count

from tests.core.views.room import KINDS, refusals
from tests.kit.two_fights import compared
from tui.systems import Registry

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


def main_refusals(pairs: int, seed: int) -> None:
    """Compare so many pairs of refusals, shared out among the systems and play without a GM."""
    for system, options in KINDS:
        found, number = 0, seed
        while found < pairs / len(KINDS):
            unseen = PAIRS[number % len(PAIRS)]
            try:
                found += refusals(system, number, 40, unseen, options)
            except BaseException:
                print(f"refusals({system!r}, {number}, 40, {unseen}, {options})", flush=True)
                raise
            number += 1
        print(
            f"{system} {options or ''}: {found:,} pairs of {number - seed:,} fights, 0 differences",
            flush=True,
        )


if __name__ == "__main__" and sys.argv[1] == "refusals":
    main_refusals(int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
elif __name__ == "__main__":
    wanted, chosen = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    main(wanted, chosen, sys.argv[3:] or Registry().ids())
