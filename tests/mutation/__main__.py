"""`python -m tests.mutation [--room tui/store]…`: how many small mistakes do the tests notice?

A sample of the mutants of each room is tested with the tests beside it. Ends with 1 when one survives that
`equivalent.toml` does not name.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.mutation.children import ended_when_asked
from tests.mutation.job import SURVIVED, Task
from tests.mutation.mutants import Mutant, Name, mutants_of
from tests.mutation.rooms import ROOMS, answering, files
from tests.mutation.runner import Bench

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
NAMED = "equivalent"


def equivalents(path: Path = EQUIVALENT) -> dict[Name, str]:
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


class Results:
    """What became of mutants, by name; with a file, a run that was ended goes on where it was."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._known = path, equivalents()
        self.fates: dict[Name, str] = {}
        if path and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self.fates[tuple(row["name"])] = row["fate"]

    def add(self, mutant: Mutant, fate: str, seconds: float, by: str) -> None:
        """One verdict more, told when the mutant was not killed."""
        if fate == SURVIVED and mutant.name in self._known:
            fate = NAMED
        self.fates[mutant.name] = fate
        if self._path:
            row = {"name": mutant.name, "fate": fate, "seconds": round(seconds, 2), "by": by}
            with self._path.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")
        if fate == SURVIVED:
            print(f"  {fate}: {mutant.told()}", flush=True)

    def told(self, room: str, mutants: Sequence[Mutant]) -> str:
        """The line of a room; of a run that was ended too early for those that were tested."""
        fates = Counter(self.fates[m.name] for m in mutants if m.name in self.fates)
        tested = sum(fates.values())
        rest = tested - fates[NAMED]
        noticed = rest - fates[SURVIVED]
        told = ", ".join(f"{n} {fate}" for fate, n in sorted(fates.items()))
        left = f"; {len(mutants) - tested} were not tested" if tested < len(mutants) else ""
        return f"{room}: {noticed} of {rest} noticed, {100 * noticed / max(1, rest):.1f} % ({told}){left}"


def examined(found: dict[str, list[Mutant]], results: Results, bounds: tuple[int, int, float]) -> None:
    """Every mutant that has no result yet."""
    tasks = [
        Task(mutant, answering(ROOT, room))
        for room, mutants in found.items()
        for mutant in mutants
        if mutant.name not in results.fates
    ]
    if not tasks:
        return
    with tempfile.TemporaryDirectory(prefix="tocsin-mutation-") as folder:
        bench = Bench(ROOT, Path(folder), *bounds)
        places = sorted({place for task in tasks for place in task.places})
        print(
            f"{len(tasks)} mutants, {' '.join(places)} in {bench.baseline(places):.0f} s, watched", flush=True
        )
        began = time.monotonic()
        for done, verdict in enumerate(bench.verdicts(tasks), 1):
            results.add(tasks[verdict.number].mutant, verdict.fate, verdict.seconds, verdict.by)
            if done % 50 == 0:
                print(f"  {done} in {time.monotonic() - began:.0f} s", flush=True)


def main(arguments: Sequence[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--room", action="append", help=f"a folder or file in: {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=60, help="mutants of each room; 0: all (default 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--examples", type=int, default=15, help="of each law of hypothesis")
    parser.add_argument("--seconds", type=float, default=60, help="of work for each mutant (default 60)")
    parser.add_argument("--results", type=Path, help="a file of results: what is in it is not tested again")
    parser.add_argument("--list", action="store_true", help="the mutants, without running anything")
    given = parser.parse_args(arguments)
    rooms = [room.rstrip("/") for room in given.room or ROOMS]
    found = {room: sampled(room, given.sample, given.seed) for room in rooms}
    if empty := [room for room, mutants in found.items() if not mutants]:
        parser.error(f"nothing to change in {', '.join(empty)}; rooms are {', '.join(ROOMS)}")
    print(f"seed {given.seed}", flush=True)
    if given.list:
        for mutants in found.values():
            print(*(m.told() for m in mutants), sep="\n")
        return 0
    results = Results(given.results)
    ended_when_asked()
    try:
        examined(found, results, (given.jobs, given.examples, given.seconds))
    finally:
        # Also when it was ended by a signal: what was learnt is not lost.
        print(*(results.told(room, mutants) for room, mutants in found.items()), sep="\n", flush=True)
    return 1 if SURVIVED in results.fates.values() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
