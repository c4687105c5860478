"""The table of promises, run in full: `python -m tests.reliability [ROW…]` prints each with its count.

A ROW is the beginning of a row's first word; `--normal` runs the small numbers of every day. The journal's
own half (crash points, power cuts, hostile files, state machine, dice) is in tests/store and runs along.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[2]
HERE = "tests/reliability"


class Row(NamedTuple):
    """A row of the table: what is tested, the number asked for, the test files, how many one test does."""

    what: str
    number: str
    files: tuple[str, ...]
    each: int = 1


ROWS = (
    Row(
        "kills of the program in a pty, half while recovering",
        "0 lost in 10,000",
        (f"{HERE}/test_kills.py",),
        50,
    ),
    Row("a save beside its model: faults, deaths, power cuts", "0 lost", ("tests/store/test_journal.py",)),
    Row("torn tails, kept and said", "all", (f"{HERE}/test_torn.py", "tests/store/test_journal_reader.py")),
    Row(
        "faults at the n-th call, limits, files harmed in play",
        "every one",
        (f"{HERE}/test_faults.py", f"{HERE}/test_mounts.py", "tests/store/test_journal_faults.py"),
    ),
    Row("dropped lines, idle and stalled", "100 + 200", (f"{HERE}/test_dropped.py",)),
    Row("hostile files", ">= 300", ("tests/store/test_journal_hostile.py", "tests/store/test_safetoml.py")),
    Row("evil strings, doors and screens", "0 foreign bytes", (f"{HERE}/test_evil_text.py",)),
    Row("floods: paste, 2,000 resizes, keys held a minute, garbage", "<= 20 MB", (f"{HERE}/test_floods.py",)),
    Row(
        "two terminals, take-over, followers",
        "1 writer of 10",
        (f"{HERE}/test_two_terminals.py", "tests/store/test_lock.py"),
    ),
    Row("followers: truth", "all", (f"{HERE}/test_followers.py", "tests/store/test_follower.py")),
    Row("last handler: one line, no word of the fight", "all", (f"{HERE}/test_last_handler.py",)),
    Row(
        "random lines and inputs, all systems",
        "1,000,000 + 100,000, 0 exceptions",
        (f"{HERE}/test_monkey.py",),
    ),
    Row("systems without /proc, pidfd, fdatasync", "all", ("tests/store/test_lock_without.py",)),
    Row("fuzzing of loader and grammar", "one hour, 0 crashes", (f"{HERE}/test_fuzz.py",)),
    Row("dice", "alarm rate 10^-6", ("tests/store/test_sources.py",)),
    Row("bounds at their edge", "all", (f"{HERE}/test_bounds.py",)),
    Row("permissions and places", "all", (f"{HERE}/test_permissions.py",)),
)


def reached(row: Row, marks: str) -> tuple[str, bool]:
    """What pytest says of a row's tests."""
    start = time.monotonic()
    words = [sys.executable, "-m", "pytest", "-m", marks, "-p", "no:cacheprovider", *row.files]
    ended = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
    count = {
        kind: int(n) for n, kind in re.findall(r"(\d+) (passed|failed|errors?)\b", _summary(ended.stdout))
    }
    good, bad = count.get("passed", 0), sum(n for kind, n in count.items() if kind != "passed")
    times = f" x {row.each}" if row.each > 1 and marks == "hours" else ""
    took = f"{time.monotonic() - start:.0f} s"
    if bad or ended.returncode not in (0, 5):
        print(ended.stdout[-4000:], ended.stderr[-1000:], file=sys.stderr)
        return f"{bad} FAILED, {good} passed, {took}", False
    return (f"{good}{times} passed, {took}" if good else "nothing beyond the normal run"), True


def _summary(told: str) -> str:
    return told.strip().rpartition("\n")[2]


def main(words: list[str]) -> int:
    """Run the rows and print them as they end; 1 when anything failed."""
    normal = "--normal" in words
    wanted = [word for word in words if not word.startswith("-")]
    rows = [row for row in ROWS if not wanted or any(row.what.startswith(word) for word in wanted)]
    whole = True
    print("| what | number | reached |\n|---|---|---|")
    for row in rows:
        told = [reached(row, "not hours")]
        if not normal:
            told.append(reached(row, "hours"))
        whole = whole and all(good for _, good in told)
        print(f"| {row.what} | {row.number} | {'; hours: '.join(text for text, _ in told)} |", flush=True)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
