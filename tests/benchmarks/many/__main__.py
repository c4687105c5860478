"""Many at one table: the writer's keys, everybody's memory, and how soon the players see a step.

    python -m tests.benchmarks.many [--keys 60] [--creatures 1000] [--steps 50000] [--saves FOLDER] [--crowd]

The app with a fight, alone, and the app with a copy of it, four views and four seats beside it, are keyed
in turns on one host, so that a busy machine slows both. Times in milliseconds. Memory is the sum of what all
processes of the table take (PSS), beside a bare Textual app. `--saves` keeps a large fight for the next time:
making it takes a minute or two. With `--crowd` one player's key also has 72 terminals, 10,000 letters that
cannot be read, and 20,000 folders where terminals announce themselves.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.benchmarks.bench_screen import Line
from tests.benchmarks.kept import PEERS
from tests.benchmarks.many.crowd import crowd
from tests.benchmarks.many.processes import called, family, pss, work
from tests.benchmarks.many.table import (
    KEYS,
    PATIENCE,
    PAUSE,
    Key,
    followers,
    must_have_been_taken,
    pressed,
    saved,
    writer,
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--creatures", type=int, default=1_000)
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--saves", type=Path)
    parser.add_argument("--crowd", action="store_true")
    args = parser.parse_args()
    # As it is installed: with its bytecode, whatever the environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir("tui", quiet=2)
    with ExitStack() as stack:
        one = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        many = args.saves or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        name = saved(many, args.creatures, args.steps)
        for part in ("toml", "toml.cache"):
            # A short fight has no checkpoint.
            with suppress(FileNotFoundError):
                shutil.copy2(many / f"{name}.{part}", one)
        alone = stack.enter_context(writer(one, name))
        line = stack.enter_context(writer(many, name))
        players = stack.enter_context(followers(many, name))
        if args.crowd:
            stack.enter_context(crowd(many / f"{name}.toml"))
        before = [_work(alone), _work(line), sum(map(_work, players))]
        keys = list(_played((alone, line), (one / f"{name}.toml", many / f"{name}.toml"), players, args.keys))
        spent = [_work(alone), _work(line), sum(map(_work, players))]
        _keys(keys)
        _processor([now - was for now, was in zip(spent, before, strict=True)], len(keys))
        _memory(line, players)


def _played(
    lines: tuple[Line, Line], saves: tuple[Path, Path], players: Sequence[Line], count: int
) -> Iterator[tuple[Key, Key]]:
    """Each key in the fight alone and in its copy; what was pressed has happened in both."""
    sizes = [path.stat().st_size for path in saves]
    for key in KEYS * (count // len(KEYS)):
        found = pressed(lines[0], key), pressed(lines[1], key, players)
        sizes = [must_have_been_taken(path, key, size) for path, size in zip(saves, sizes, strict=True)]
        yield found


def _keys(keys: Sequence[tuple[Key, Key]]) -> None:
    print(f"{'keys, ms':<44}{'ours':>9}{'floor':>9}{'ratio':>8}  floor is the same fight alone")
    answered = [(a, b) for a, b in keys if a.first and b.first]
    for name, of in (("first byte", "first"), ("last byte, with the saved mark", "last")):
        alone, table = [[getattr(key, of) for key in column] for column in zip(*answered, strict=True)]
        for told, value in (("median", statistics.median), ("worst", max)):
            _row(f"{name}, {told}", value(table), value(alone))
    # Who did not draw within the patience counts as drawing at its end.
    steps = [[ms or 1000 * PATIENCE for ms in key.seen] for _, key in keys if key.seen]
    seen = [ms for step in steps for ms in step]
    assert min(seen) < 1000 * PATIENCE, "no step was seen at any player's terminal"
    missed, lasts = sum(ms > 1000 * PAUSE for ms in seen), [max(step) for step in steps]
    print(
        f"a step to a player's terminal: median {statistics.median(seen):.0f}, worst {max(seen):.0f}; "
        f"the last of eight {statistics.median(lasts):.0f}; "
        f"later than the next key {missed} of {len(seen)}"
    )


def _row(name: str, ours: float, floor: float) -> None:
    print(f"{name:<44}{ours:>9.1f}{floor:>9.1f}{ours / floor:>8.2f}")


def _work(line: Line) -> float:
    return sum(work(pid) for pid in family(line.pid))


def _processor(spent: Sequence[float], keys: int) -> None:
    alone, table, players = (ms / keys for ms in spent)
    print(
        f"processor a key, ms: alone {alone:.1f}, the writer and its publisher {table:.1f}, "
        f"eight terminals {players:.1f}"
    )


def _memory(line: Line, players: Sequence[Line]) -> None:
    bare = Line([*PEERS, "bare"])
    bare.settle()
    with_publisher = family(line.pid)
    publisher = called(with_publisher, "tui.publish")
    floor, ours = pss(bare.pid), sum(pss(pid) for pid in with_publisher)
    theirs = [pss(pid) for player in players for pid in family(player.pid)]
    bare.close()
    print(
        f"memory (PSS), MiB: writer {ours - pss(publisher):.0f}, publisher {pss(publisher):.0f}, "
        f"eight terminals {sum(theirs):.0f}; a bare Textual app {floor:.0f}"
    )
    _row("all of it", ours + sum(theirs), floor)


if __name__ == "__main__":
    main()
