"""Types random scripts one by one and in packets: `python -m tests.typeahead SCRIPTS [--seed N] [--session N]
[--jobs N]`.

Prints every difference with what plays it again, and how many scripts were typed; 1 after a difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from multiprocessing import Pool

from tests.typeahead.law import EACH, Difference, Session


def _session(told: tuple[int, int, int]) -> tuple[int, list[Difference]]:
    seed, number, count = told
    found = list(Session(seed, number).play(count))
    return len(found), [one for one in found if one is not None]


def _sessions(seed: int, scripts: int) -> Iterator[tuple[int, int, int]]:
    for number in range(-(-scripts // EACH)):
        yield seed, number, min(EACH, scripts - number * EACH)


def main(arguments: list[str]) -> int:
    """Type, and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.typeahead", description=__doc__)
    parser.add_argument("scripts", type=int, nargs="?", default=1_000)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    parser.add_argument("--session", type=int, help="only this one, as a difference names it")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}", flush=True)
    wanted = (
        [(asked.seed, asked.session, EACH)]
        if asked.session is not None
        else _sessions(asked.seed, asked.scripts)
    )
    typed, wrong, told = 0, 0, 0
    with Pool(asked.jobs) as pool:
        for count, differences in pool.imap_unordered(_session, wanted):
            typed, wrong = typed + count, wrong + len(differences)
            for difference in differences:
                print(f"\n{difference}", flush=True)
            if typed // 500 > told:
                told = typed // 500
                print(f"{typed:,} scripts, {wrong} differences", flush=True)
    print(f"seed {asked.seed}: {typed:,} scripts typed, {wrong} differences")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
