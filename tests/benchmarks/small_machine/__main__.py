"""A small machine, imitated: starts, and a whole fight in each system, key by key.

    python -m tests.benchmarks.small_machine [SYSTEM…] [--commands] [--every]

A quarter of a core, 128 MB, a disk whose sync takes 200 ms, a line of 9600 baud with 300 ms there and back.
Times in milliseconds, medians and worst. `program`: from the key at the program to its first byte; `answer`:
from the finger to the first byte on the user's terminal; `whole`: to the last byte of that frame; `last`: of
all that followed, the *saved* mark. `line`: what the line alone takes of `whole` at the median, there and
back and byte after byte; `>1 s`: keys whose whole frame took longer. MiB: the most memory of the program, and
of all that ran, with the system's files.

Each key comes when all is quiet; with `--commands` the keys of a command come as fast as fingers go, and its
last key is measured, by `last`: the frame that answers it may be an earlier key's.

The systems are played beside each other, which needs one core: a quarter each, and seldom at the same time.
"""

from __future__ import annotations

import argparse
import compileall
import os
import statistics
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.benchmarks.keystrokes import PLANS
from tests.benchmarks.small_machine.fights import Played, played
from tests.benchmarks.small_machine.machine import Machine
from tests.benchmarks.small_machine.rig import Answer
from tests.benchmarks.small_machine.starting import started

SLOW = 1.0
"""Seconds that the answer to no key may take."""


def start(machine: Machine) -> None:
    """The start, and the keys in it."""
    found = started(machine)
    line = machine.line.round_trip / 2 + found.bytes / machine.line.rate
    bare = found.bare_shown - found.bare_written
    print(f"{'start, 20 creatures, 300 steps':<44}{'ms':>8}{'floor':>8}  floor is")
    _row("first picture written", found.written, found.bare_written, "a bare Textual app on this machine")
    _row(
        "first picture on the terminal",
        found.shown,
        found.bare_shown,
        f"the same; the line alone {1000 * bare:.0f}",
    )
    print(f"  {found.bytes} bytes; the line alone takes {1000 * line:.0f} ms for them")
    _row("first key, pressed then: answer", found.first.first, machine.line.round_trip, "the line alone")
    _row("worst key while Textual is loaded, no line", max(a.own for a in found.loading), 0.0, "nothing")
    _row(
        "next turn to its saved mark, median",
        statistics.median(found.marked),
        machine.line.round_trip + machine.sync / 1000,
        "line and sync",
    )
    print(
        f"memory: {found.peak:.0f} MiB, {found.all_peak:.0f} with files; of {machine.memory >> 20}\n",
        flush=True,
    )


def _row(name: str, ours: float, floor: float, of: str) -> None:
    print(f"{name:<44}{1000 * ours:>8.0f}{1000 * floor:>8.0f}  {of}")


def fight(system: str, found: Played, machine: Machine, *, every: bool) -> bool:
    """Two lines for a fight; whether no key was slower than it may be."""
    answers = [one.answer for one in found.answered if one.answer]
    sizes = [a.bytes for a in answers]
    line = machine.line.round_trip + statistics.median(sizes) / machine.line.rate
    times = [_spread([getattr(a, of) for a in answers]) for of in ("own", "first", "whole", "last")]
    late = sum(a.whole > SLOW for a in answers)
    print(
        f"{system:<20}{len(found.asked):>5}"
        + "".join(f"{a:>8.0f}{b:>6.0f}" for a, b in times)
        + f"{1000 * line:>7.0f}{late:>6}{statistics.median(sizes):>7.0f}{max(sizes):>6}"
        + f"{found.peak:>5.0f}{found.all_peak:>5.0f}"
    )
    if every:
        for one in found.asked:
            print("      " + (_told(one.keys, one.answer) if one.answer else " ".join(one.keys)))
    slowest = sorted(found.answered, key=lambda one: -one.answer.first if one.answer else 0.0)[:3]
    print(
        "    slowest: " + ", ".join(_told(one.keys, one.answer) for one in slowest if one.answer), flush=True
    )
    return max(a.first for a in answers) <= SLOW


def _spread(seconds: Sequence[float]) -> tuple[float, float]:
    return 1000 * statistics.median(seconds), 1000 * max(seconds)


def _told(keys: Sequence[str], a: Answer) -> str:
    times = f"{1000 * a.first:.0f} to {1000 * a.whole:.0f} (program {1000 * a.own:.0f}, {a.bytes} B)"
    return f"{' '.join(keys)[-24:]} {times}"


def main() -> int:
    """Prints the tables; 1 when a key of a fight was slower than it may be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("systems", nargs="*", choices=[[], *PLANS], help="those to play, all unless named")
    parser.add_argument("--commands", action="store_true", help="a command's keys as fast as fingers go")
    parser.add_argument("--every", action="store_true", help="tell of every key")
    args = parser.parse_args()
    # As it is installed: with its bytecode, whatever the environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir("tui", quiet=2)
    machine = Machine()
    print("not imitated here:", ", ".join(machine.missing()) or "nothing is left out")
    start(machine)
    print(
        f"{'a whole fight':<20}{'keys':>5}"
        + "".join(f"{name:>8}{'worst':>6}" for name in ("program", "answer", "whole", "last"))
        + f"{'line':>7}{'>1 s':>6}{'bytes':>7}{'most':>6}{'MiB':>5}{'all':>5}"
    )
    systems = args.systems or [*PLANS]
    with ProcessPoolExecutor(len(systems)) as pool:
        fights = pool.map(partial(played, machine=machine, fluent=args.commands), systems)
        held = [
            fight(name, found, machine, every=args.every) for name, found in zip(systems, fights, strict=True)
        ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
