"""The longest single call at the bounds: while one call of C runs, no signal is answered.

    python -m tests.benchmarks.longest_call

Ends with 1 when a call takes longer than `MOST`, which grows on machines slower than the reference.
A second thread ticks every millisecond: the most processor time between two of its ticks is the longest call.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event as Flag
from threading import Thread

from tests.kit.journals import HEADER, journal, step
from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean_page
from tui.core.fight.events import Event
from tui.exchange.document import MOST_BYTES, MOST_TEXT_BYTES, MOST_VALUES
from tui.store.journal.format import SAVE_CAP
from tui.store.journal.reader import parse_journal
from tui.store.library.importing import read_files
from tui.store.problems import BadFile
from tui.store.safetoml import CAP, parse_toml

MOST = 0.3
"""Seconds of one call on the reference machine."""
YARDSTICK = 0.1
"""Seconds that `measure_yardstick` takes on the reference machine."""
TRIES = 3
"""How often a case that is too long is tried; the best counts, because the machine has other work."""


def longest(work: Callable[[], object]) -> float:
    """Return the processor time of the longest call while this is done, in seconds."""
    done, gaps = Flag(), [0.0]

    def tick() -> None:
        last = time.process_time()
        while not done.wait(0.001):
            gaps.append((now := time.process_time()) - last)
            last = now
        gaps.append(time.process_time() - last)

    ticking = Thread(target=tick)
    ticking.start()
    try:
        work()
    finally:
        done.set()
        ticking.join()
    return max(gaps)


def measure_yardstick() -> float:
    """Return the processor time of a fixed call of C on this machine, in seconds."""
    start = time.process_time()
    sum(range(5_000_000))
    return time.process_time() - start


def filled(before: bytes, piece: bytes, size: int, after: bytes = b"") -> bytes:
    return before + piece * ((size - len(before) - len(after)) // len(piece)) + after


def take_file(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, suppress(BadFile, RuleError):
        path = Path(folder, "creatures")
        path.write_bytes(data)
        read_files([str(path)], lambda _: None)


def take_save(piece: bytes) -> None:
    with suppress(BadFile):
        data = filled(journal([step(n) for n in range(1, 60)], HEADER), piece, SAVE_CAP)
        parse_journal(data, Event, "x.toml")


def take_toml(data: bytes) -> None:
    with suppress(BadFile):
        parse_toml(data, "x")


def take_line(piece: str) -> None:
    """Run lines in a fight of a thousand."""
    table = Table("classic")
    table.do("add 1000 Orc hp=9")
    words = (piece * LONGEST_LINE)[: LONGEST_LINE - 20]
    for line in (words, f"add {words}", f"damage {words} 1", f'condition Orc* "{words}'):
        with suppress(RuleError):
            table.store.run(line)


CASES: dict[str, Callable[[], object]] = {
    "import: numbers": lambda: take_file(filled(b"[", b"1,", 2 * MOST_VALUES - 9, b"1]")),
    "import: one text": lambda: take_file(filled(b'[{"name":"', "é".encode(), MOST_BYTES, b'"}]')),
    "import: rows": lambda: take_file(filled(b"name,hp,ac\n", b"Orc,15,13\n", MOST_BYTES)),
    "import: marks": lambda: take_file(filled(b"AC 13\n", "\u0301".encode(), MOST_TEXT_BYTES)),
    "save: nearly seals": lambda: take_save(b"\n# 1 1 0000000 "),
    "save: zeros": lambda: take_save(b"x\0"),
    "TOML: dots": lambda: take_toml(filled(b"", b"a.", CAP)),
    "TOML: brackets": lambda: take_toml(filled(b"a = ", b"[", CAP)),
    "TOML: quotes": lambda: take_toml(filled(b"a = ", b"'", CAP)),
    **{f"line: {piece!a}": partial(take_line, piece) for piece in ("*a", "Orc*,", "1d6+", "\u0301")},
    "paste: lines": lambda: clean_page("\n" * MOST_BYTES),
}
"""What is taken at its bound, in its worst known shape."""


def main() -> int:
    """Print a row for each case; 1 when one has a call that is too long."""
    most = MOST * max(1.0, min(measure_yardstick() for _ in range(TRIES)) / YARDSTICK)
    print(f"limit: {1000 * most:.0f} ms")
    too_long = False
    for name, work in CASES.items():
        seconds = longest(work)
        for _ in range(TRIES - 1):
            seconds = min(seconds, longest(work)) if seconds > most else seconds
        print(f"{name}: {1000 * seconds:.0f} ms")
        too_long |= seconds > most
    return int(too_long)


if __name__ == "__main__":
    sys.exit(main())
