"""The longest single call at each bound: `python -m tests.benchmarks.longest_call [WORD]`.

While one call of C runs no other thread of the interpreter does, and no signal is answered. So a second
thread ticks every millisecond: the longest stretch of processor time between two of its ticks is the longest
call. The largest inputs that are taken are made here, each in its worst known shape. Ends with 1 when a call
takes longer than MOST.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import NamedTuple

from tests.kit.journals import HEADER, journal, step
from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean, clean_page
from tui.core.fight.events import Event
from tui.exchange.document import MOST_BYTES, MOST_LISTS, MOST_TEXT_BYTES, MOST_VALUES, Unreadable
from tui.exchange.registry import understand
from tui.store.journal.format import RECORD_CAP, SAVE_CAP, seal_block, write_header, write_step
from tui.store.journal.reader import parse_journal
from tui.store.journal.verification import survey_journal
from tui.store.library.importing import read_files
from tui.store.problems import BadFile, NotSaved
from tui.store.safetoml import CAP, read_toml
from tui.store.sources import SeededDice

MOST = 0.3
"""Seconds of one call on the reference machine."""


class Case(NamedTuple):
    """What is taken at its bound, and how."""

    name: str
    data: Callable[[], bytes]
    take: Callable[[bytes], object]


def longest(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of processor time of the longest call while this is done, and of all of it."""
    done, gaps = Flag(), [0.0]

    def tick() -> None:
        last = time.process_time()
        while not done.is_set():
            time.sleep(0.001)
            now = time.process_time()
            gaps[0] = max(gaps[0], now - last)
            last = now

    ticking = Thread(target=tick)
    ticking.start()
    start = time.process_time()
    try:
        work()
    finally:
        spent = time.process_time() - start
        done.set()
        ticking.join()
    return gaps[0], spent


def _imported(data: bytes) -> object:
    """As an import reads a file, cards and all."""
    with tempfile.TemporaryDirectory() as folder, suppress(BadFile, RuleError):
        path = Path(folder, "creatures")
        path.write_bytes(data)
        return read_files([str(path)], lambda _: None)
    return None


def _opened(data: bytes) -> object:
    with suppress(BadFile):
        return parse_journal(data, Event, "x.toml")
    return None


def _checked(data: bytes) -> object:
    with suppress(BadFile):
        return survey_journal(data, Event, "x.toml")
    return None


def _toml(data: bytes) -> object:
    with suppress(BadFile):
        return read_toml(data, "x")
    return None


def _filled(piece: bytes, size: int, before: bytes = b"", after: bytes = b"") -> Callable[[], bytes]:
    return lambda: before + piece * ((size - len(before) - len(after)) // len(piece)) + after


def _filled_text(piece: str) -> Callable[[], bytes]:
    return (piece * LONGEST_LINE)[:LONGEST_LINE].encode


def _creatures() -> bytes:
    text = "+5 to hit, reach 5 ft., one target. " * 170
    one = (
        '{"name":"Orc %06d","size":"Medium","hit_points":15,"armor_class":13,'
        '"actions":[{"name":"Axe","desc":"%s"}]},'
    )
    count = MOST_BYTES // len(one % (0, text)) - 1
    return ("[" + "".join(one % (number, text) for number in range(count))[:-1] + "]").encode()


WHOLE = journal([step(number) for number in range(1, 60)], HEADER)


def cases() -> Iterator[Case]:
    """All of them."""
    yield Case("JSON of 64 MB: numbers", _filled(b"1,", MOST_BYTES, b"[", b"1]"), _imported)
    yield Case("JSON of 64 MB: empty lists", _filled(b"[],", MOST_BYTES, b"[", b"[]]"), _imported)
    yield Case(
        "JSON of 64 MB: lists in tables", _filled(b'{"a":[]},', MOST_BYTES, b'{"x":[', b"1]}"), _imported
    )
    yield Case("JSON of 64 MB: creatures", _creatures, _imported)
    yield Case("JSON of 64 MB: one text", _filled("é".encode(), MOST_BYTES, b'[{"name":"', b'"}]'), _imported)
    yield Case("JSON of 64 MB: escapes", _filled(b"\\u00e9", MOST_BYTES, b'[{"name":"', b'"}]'), _imported)
    yield Case("JSON at its bound: numbers", _filled(b"1,", 2 * MOST_VALUES - 9, b"[", b"1]"), _imported)
    yield Case("JSON at its bound: empty lists", _filled(b"[],", 3 * MOST_LISTS - 9, b"[", b"[]]"), _imported)
    yield Case("JSON of 64 MB: lines", _filled(b'{"a":1}\n', MOST_BYTES), _imported)
    yield Case("JSON of 64 MB: cut short", _filled(b"[1,2],", MOST_BYTES, b"["), _imported)
    yield Case("JSON of 64 MB: blanks", _filled(b" ", MOST_BYTES, b"["), _imported)
    yield Case("JSON of 64 MB: one deep table", _filled(b'{"a":', MOST_BYTES), _imported)
    yield Case("table of 64 MB: rows", _filled(b"Orc,15,13\n", MOST_BYTES, b"name,hp,ac\n"), _imported)
    yield Case(
        "table of 64 MB: one cell", _filled("é".encode(), MOST_BYTES, b'name,hp\n"', b'",1\n'), _imported
    )
    yield Case("table of 64 MB: one row", _filled(b"1,", MOST_BYTES, b"name,hp\n"), _imported)
    yield Case("text of 5 MB: one line", _filled(b"Armor Class ", MOST_TEXT_BYTES), _imported)
    yield Case("text of 5 MB: fences", _filled(b"```statblock\n", MOST_TEXT_BYTES), _imported)
    yield Case(
        "text of 5 MB: fences of all lengths", _filled(b"````statblock\nx\n```\n", MOST_TEXT_BYTES), _imported
    )
    yield Case("text of 5 MB: blanks", _filled(b" \n", MOST_TEXT_BYTES, b"a", b"b"), _imported)
    yield Case(
        "text of 5 MB: marks", _filled("\u0301".encode(), MOST_TEXT_BYTES, b"Armor Class 13\n"), _imported
    )
    yield Case("YAML of 5 MB: lists", _filled(b"- a: 1\n", MOST_TEXT_BYTES), _imported)
    yield Case("YAML of 5 MB: one text", _filled(b"x ", MOST_TEXT_BYTES, b"name: "), _imported)
    yield Case("TOML of 5 MB: one text", _filled(b"x", CAP, b'a = "', b'"'), _toml)
    yield Case("TOML of 5 MB: dots", _filled(b"a.", CAP, b"", b"a = 1"), _toml)
    yield Case("TOML of 5 MB: digits", _filled(b"1", CAP, b"a = ", b""), _toml)
    yield Case("TOML of 5 MB: brackets", _filled(b"[", CAP, b"a = "), _toml)
    yield Case("TOML of 5 MB: quotes", _filled(b"'", CAP, b"a = "), _toml)
    yield Case("TOML of 5 MB: lines", _filled(b"\n", CAP, b"a = 1"), _toml)
    yield Case("TOML of 5 MB: blanks", _filled(b" ", CAP, b"a"), _toml)
    yield Case("save of 64 MB: steps", _save, _opened)
    yield Case("save of 64 MB: no seal", _filled(b"#", SAVE_CAP, WHOLE), _opened)
    yield Case("save of 64 MB: nearly seals", _filled(b"\n# 1 1 0000000 ", SAVE_CAP, WHOLE), _opened)
    yield Case("save of 64 MB: zeros", _filled(b"\0", SAVE_CAP, WHOLE), _opened)
    yield Case("save of 64 MB: zeros here and there", _filled(b"x\0", SAVE_CAP, WHOLE), _opened)
    yield Case("save with a step of 1 MB", lambda: journal([step(1, RECORD_CAP - 500)], HEADER), _opened)
    yield Case("save of 64 MB: no seal, checked", _filled(b"#", SAVE_CAP, WHOLE), _checked)
    for name, piece in {
        "letters": "é", "marks": "\u0301", "pictures": "\U0001f9d9\u200d", "globs": "*a", "names": "Orc*,",
        "quotes": '"', "backslashes": "\\", "keys": "a=1 ", "blanks": "x ", "digits": "9", "dice": "1d6+",
        "brackets": "[", "joined": "\u1160",
    }.items():  # fmt: skip
        yield Case(f"line of 8,000: {name}", _filled_text(piece), _line)
    yield Case("paste of 64 MB: letters", _filled("é".encode(), MOST_BYTES), lambda d: clean(d.decode()))
    yield Case("paste of 64 MB: blanks", _filled(b" ", MOST_BYTES), lambda d: clean(d.decode()))
    yield Case("paste of 64 MB: lines", _filled(b"\n", MOST_BYTES), lambda d: clean_page(d.decode()))
    yield Case(
        "paste of 64 MB: marks, as creatures", _filled("\u0301".encode(), MOST_TEXT_BYTES, b"a"), _pasted
    )


def _line(data: bytes) -> object:
    """A line in a fight of 1,000 creatures."""
    table = Table("classic", dice=SeededDice(1))
    table.store.run("add 1000 Orc hp=9")
    line = data.decode()

    for words in (
        line,
        f"note {line[:-5]}",
        f"add {line[:-4]}",
        f"damage {line[:-9]} 1",
        f'condition Orc* "{line[:-16]}',
    ):
        with suppress(RuleError, NotSaved):
            table.store.run(words)
    return None


def _pasted(data: bytes) -> object:
    with suppress(Unreadable):
        return understand(data, lambda _: {})
    return None


def _save() -> bytes:
    block, crc = seal_block(0, write_header(HEADER), 0)
    pieces = [block]
    for number in range(1, SAVE_CAP // 100_200):
        piece, crc = seal_block(number, write_step(step(number, 100_000)), crc)
        pieces.append(piece)
    return b"".join(pieces)


def main(words: list[str]) -> int:
    """Prints each bound with its time; 1 when a call takes too long."""
    wanted = words[0] if words else ""
    worst = 0.0
    for case in cases():
        if wanted not in case.name:
            continue
        data = case.data()
        call, whole = longest(lambda data=data, case=case: case.take(data))  # type: ignore[misc]
        del data
        worst = max(worst, call)
        print(f"{case.name:<44} {call:7.3f} s of {whole:7.2f}{'  TOO LONG' * (call > MOST)}", flush=True)
    print(f"the longest takes {worst:.3f} s, at most {MOST} are wanted ({os.cpu_count()} processors)")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
