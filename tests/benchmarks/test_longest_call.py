"""The longest single call at the bounds: while one call of C runs, no signal is answered.

A second thread ticks every millisecond: the most processor time between two of its ticks is the longest call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag
from threading import Thread

import pytest

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


def filled(before: bytes, piece: bytes, size: int, after: bytes = b"") -> bytes:
    return before + piece * ((size - len(before) - len(after)) // len(piece)) + after


FILES = {
    "numbers": lambda: filled(b"[", b"1,", 2 * MOST_VALUES - 9, b"1]"),
    "one text": lambda: filled(b'[{"name":"', "é".encode(), MOST_BYTES, b'"}]'),
    "rows": lambda: filled(b"name,hp,ac\n", b"Orc,15,13\n", MOST_BYTES),
    "marks": lambda: filled(b"Armor Class 13\n", "\u0301".encode(), MOST_TEXT_BYTES),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", FILES)
def test_an_imported_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "creatures"
    path.write_bytes(FILES[kind]())

    def take() -> None:
        with suppress(BadFile, RuleError):
            read_files([str(path)], lambda _: None)

    assert longest(take) <= MOST


@pytest.mark.long
@pytest.mark.parametrize("piece", [b"\n# 1 1 0000000 ", b"x\0"])
def test_a_save(piece: bytes) -> None:
    data = filled(journal([step(n) for n in range(1, 60)], HEADER), piece, SAVE_CAP)

    def take() -> None:
        with suppress(BadFile):
            parse_journal(data, Event, "x.toml")

    assert longest(take) <= MOST


@pytest.mark.long
@pytest.mark.parametrize(("before", "piece"), [(b"", b"a."), (b"a = ", b"["), (b"a = ", b"'")])
def test_toml_from_elsewhere(before: bytes, piece: bytes) -> None:
    def take() -> None:
        with suppress(BadFile):
            parse_toml(filled(before, piece, CAP), "x")

    assert longest(take) <= MOST


@pytest.mark.long
@pytest.mark.parametrize("piece", ["*a", "Orc*,", "1d6+", "\u0301"])
def test_a_line_in_a_fight_of_a_thousand(piece: str) -> None:
    table = Table("classic")
    table.do("add 1000 Orc hp=9")
    words = (piece * LONGEST_LINE)[: LONGEST_LINE - 20]

    def take() -> None:
        for line in (words, f"add {words}", f"damage {words} 1", f'condition Orc* "{words}'):
            with suppress(RuleError):
                table.store.run(line)

    assert longest(take) <= MOST


@pytest.mark.long
def test_a_paste() -> None:
    assert longest(lambda: clean_page("\n" * MOST_BYTES)) <= MOST
