"""`python -m tests.mutation [--room tui/core]…`: how many small mistakes do the tests notice?

A sample of the mutants of each room is tested with the tests beside it. Ends with 1 when one survives that
`equivalent.toml` does not name.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.rooms import ROOMS, answering, files
from tests.mutation.runner import KILLED, SURVIVED, Bench

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def equivalents(path: Path = EQUIVALENT) -> dict[tuple[str, str, str, str, int], str]:
    """The mutants that behave like the program, by name, with the reason why."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    return {(x["path"], x["function"], x["was"], x["now"], x.get("number", 1)): x["why"] for x in rows}


def sampled(room: str, size: int, seed: int, root: Path = ROOT) -> list[Mutant]:
    """The mutants of a room, or so many of them: the same ones for the same seed and the same files."""
    found = [m for path in files(root, room) for m in mutants_of(root, path)]
    if 0 < size < len(found):
        chosen = Random(f"{seed} {room}").sample(range(len(found)), size)
        found = [found[i] for i in sorted(chosen)]
    return found


def examined(
    bench: Bench, room: str, mutants: Sequence[Mutant], known: dict[tuple[str, str, str, str, int], str]
) -> Counter[str]:
    """One room: survivors are told as they are found, then the sum."""
    tests = answering(bench.root, room)
    seconds = bench.baseline(tests)
    print(f"{room}: {len(mutants)} mutants, {' '.join(tests)} in {seconds:.1f} s", flush=True)
    fates: Counter[str] = Counter()
    for verdict in bench.verdicts(mutants, tests):
        fate = verdict.fate
        if fate == SURVIVED and verdict.mutant.name in known:
            fate = "equivalent"
        fates[fate] += 1
        if fate != KILLED:
            print(f"  {fate}: {verdict.mutant.told()}", flush=True)
    rest = len(mutants) - fates["equivalent"]
    noticed = fates[KILLED] + fates["timed out"]
    told = ", ".join(f"{n} {fate}" for fate, n in sorted(fates.items()))
    print(f"{room}: {noticed} of {rest} noticed, {100 * noticed / max(1, rest):.1f} % ({told})", flush=True)
    return fates


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--room", action="append", help=f"a folder or file in: {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=60, help="mutants of each room; 0: all (default 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--examples", type=int, default=15, help="of each law of hypothesis")
    parser.add_argument("--list", action="store_true", help="the mutants, without running anything")
    given = parser.parse_args(arguments)
    rooms = [room.rstrip("/") for room in given.room or ROOMS]
    found = {room: sampled(room, given.sample, given.seed) for room in rooms}
    print(f"seed {given.seed}", flush=True)
    if given.list:
        for mutants in found.values():
            print(*(m.told() for m in mutants), sep="\n")
        return 0
    known, survived = equivalents(), 0
    with tempfile.TemporaryDirectory(prefix="tocsin-mutation-") as folder:
        bench = Bench(ROOT, Path(folder), given.jobs, given.examples)
        for room, mutants in found.items():
            survived += examined(bench, room, mutants, known)[SURVIVED]
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
