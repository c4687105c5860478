"""Promise 6: a stranger's save may be refused but can never harm.

Named kinds of broken and malicious files.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests.kit.journals import AT, EVIL, HEADER, HOUSE, Event, fight, journal, marks
from tui.store.journal.format import seal_block, write_header
from tui.store.journal.reader import parse_journal, read_journal
from tui.store.journal.verification import check_journal, repair_journal
from tui.store.problems import JournalError

Kind = Callable[[random.Random, bytes], bytes]

WHOLE = journal(fight(12), HOUSE)


def sealed(*blocks: bytes, header: bytes | None = None) -> bytes:
    """A journal of any blocks, with seals that fit: what an attacker can always make."""
    data, crc = seal_block(0, write_header(HEADER) if header is None else header, 0)
    for number, block in enumerate(blocks, 1):
        piece, crc = seal_block(number, block, crc)
        data += piece
    return data


def record(events: str = "", number: str = "1", at: str = AT, line: str = '"x"', more: str = "") -> bytes:
    told = f"events = {events}\n" if events else ""
    return f"[[step]]\nn = {number}\nat = {at}\nline = {line}\n{told}{more}".encode()


def tail(rng: random.Random, data: bytes) -> bytes:
    return data + rng.randbytes(rng.choice([1, 9, 700, 70_000]))


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def hole(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data) - 600)
    return data[:start] + bytes(rng.choice([1, 64, 512])) + data[start + rng.choice([0, 64, 512]) :]


def flip(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def places(data: bytes) -> list[int]:
    return [mark.offset for mark in marks(data)]


def swapped(rng: random.Random, data: bytes) -> bytes:
    at = places(data)
    i = rng.randrange(len(at) - 2)
    return data[: at[i]] + data[at[i + 1] : at[i + 2]] + data[at[i] : at[i + 1]] + data[at[i + 2] :]


def doubled(rng: random.Random, data: bytes) -> bytes:
    at = places(data)
    i = rng.randrange(len(at) - 1)
    return data[: at[i + 1]] + data[at[i] :]


def dropped(rng: random.Random, data: bytes) -> bytes:
    at = places(data)
    i = rng.randrange(len(at) - 2)
    return data[: at[i]] + data[at[i + 1] :]


def spliced(rng: random.Random, data: bytes) -> bytes:
    other = journal(fight(20))
    return data[: rng.choice(places(data))] + other[rng.choice(places(other)) :]


def noise(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + rng.choice(EVIL).encode() + data[place:]


def encoded(rng: random.Random, data: bytes) -> bytes:
    codec = rng.choice(["utf-16", "utf-32", "utf-16-le", "utf-8-sig", "crlf", "cr"])
    text = data.decode()
    if codec in {"crlf", "cr"}:
        return text.replace("\n", "\r\n" if codec == "crlf" else "\r").encode()
    return text.encode(codec)


MUTATIONS: list[Kind] = [tail, cut, hole, flip, swapped, doubled, dropped, spliced, noise, encoded]

NUMBERS = [
    "0", "-1", "2", "1.5", "true", '"1"', "[1]", "1979-05-27", "9" * 30, "9" * 5000, "0x" + "f" * 90, "nan",
    "inf",
]  # fmt: skip
DATES = [
    "2026-02-30T00:00:00Z", "2026-11-20", "12:00:00", '"today"', "5", "2026-11-20T20:44:33",
    "9999-12-31T23:59:59-23:59",
]  # fmt: skip
LINES = [
    "5", "[]", "'a", '"\\ud800"', '"\\u0000"', '"\\q"', '"\x07"', "true", '"""a\nb"""',
    '"' + "x" * 999_999 + '"',
]  # fmt: skip
EVENTS = [
    "[1]",
    "{}",
    "[{}]",
    "[[]]",
    '["added"]',
    '[{t = "unknown"}]',
    "[{t = 1}]",
    '[{t = "added"}]',
    '[{t = "added", who = 1, name = "O"}]',
    '[{t = "added", who = "c1", name = ["O"]}]',
    '[{t = "added", who = "c1", name = "O", hp = "7"}]',
    '[{t = "added", who = "c1", name = "O", hp = 1.5}]',
    '[{t = "added", who = "c1", name = "O", hp = inf}]',
    f'[{{t = "added", who = "c1", name = "O", hp = {"9" * 5000}}}]',
    '[{t = "added", who = "c1", name = "O", colour = "red"}]',
    '[{t = "added", who = "c1", who = "c2", name = "O"}]',
    '[{t = "rolled", who = "c1", faces = [1, "2"]}]',
    '[{t = "rolled", who = "c1", faces = 3}]',
    '[{t = "rolled", who = "c1", faces = [], typed = 1}]',
    '[{t = "noted", key = "k", value = ' + "[" * 500 + "]" * 500 + "}]",
    '[{t = "noted", key = "k", value = ' + "{a=" * 40 + "1" + "}" * 40 + "}]",
    '[{t = "noted", key = "k", ' + ".".join("a" * 9000) + " = 1}]",
    "[" * 100_000,
    "[{\tt =\t" * 1000,
    '[{"t":"added","who":"c1","name":null}]',
    '[{t = "\\u001b]52;c;aGk=\\u0007", "\\u001b[2J" = 1}]',
]
MORE = [
    "to = -1\n", "to = 1.5\n", 'to = "3"\n', "to = true\n", "extra = 1\n", "[[step]]\nn = 2\n",
    "[other]\nx = 1\n",
]  # fmt: skip
MORE += [
    "n = 1\n",
    "[step.x]\ny = 1\n",
    "# pending 99999999999\n",
    "events = [1]\n",
    f"{'a.' * 20}a = 1\n",
    "to = 1\nto = 2\n",
]

HEADS = [
    "format = 0",
    "format = 2",
    "format = 99999999999999999999",
    'format = "1"',
    "format = 1.0",
    "format = 1\ncreated = 5",
    f"format = 1\ncreated = {AT}\nsave = 1",
    f"format = 1\ncreated = {AT}\nsave = 'm'\nsystem = []",
    f"format = 1\ncreated = {AT}\nsave = 'm'\nsystem = 's'\ntocsin = 'x'\noptions = [1]",
    f"format = 1\ncreated = {AT}\nsave = 'm'\nsystem = 's'\ntocsin = 'x'\n[options]\na = [1]",
    f"format = 1\ncreated = {AT}\nsave = 'm'\nsystem = 's'\ntocsin = 'x'\n[options]\na = {AT}",
    "format = 1\n" + "a." * 5000 + "b = 1",
    "format = 1\nx = " + "[" * 5000,
    "format = 1\nx = '\udcff'",
    "format = 1\n\x00",
]


def files() -> Iterator[tuple[str, bytes]]:
    """Every hostile file with the name of its kind."""
    for kind in MUTATIONS:
        for seed in range(26):
            yield kind.__name__, kind(random.Random(seed), WHOLE)
    for text in NUMBERS:
        yield "number", sealed(record(number=text))
    for text in DATES:
        yield "date", sealed(record(at=text))
    for text in LINES:
        yield "line", sealed(record(line=text))
    for text in EVENTS:
        yield "event", sealed(record(text))
        yield "later event", sealed(record(), record(text, "2"), record(number="3"))
    for text in MORE:
        yield "key", sealed(record(more=text))
    for text in HEADS:
        head = f"# tocsin journal\n{text}\n".encode(errors="surrogateescape")
        yield "header", sealed(record(), header=head)
    for evil in EVIL:
        yield "evil", sealed(record(line=f'"{evil}"'))
        yield "evil raw", sealed(evil.encode() + b"\n")
    yield "empty", b""
    yield "zeros", bytes(5000)
    yield "seals only", b"".join(b"\n# %d 0 00000000" % n for n in range(9000)) + b"\n"
    yield "long line", WHOLE + b"#" * 5_000_000
    yield "many records", WHOLE + b"[[step]]\n" * 400_000
    yield "many seals", WHOLE + b"\n# 13 1 00000000\n" * 200_000
    yield "other layout", sealed(*[record("[ ]", str(n)) + b"\n" for n in range(1, 8000)])


ALL = list(files())


def tried(work: Callable[[], Any]) -> JournalError | None:
    """What it refused; any other exception is a failure of the test."""
    try:
        work()
    except JournalError as error:
        return error
    return None


def test_no_hostile_file_does_more_than_be_refused(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    named = refused = 0
    for kind, data in ALL:
        path.write_bytes(data)
        problem = tried(lambda: read_journal(str(path), Event))
        tried(lambda: read_journal(str(path), Event, lenient=True))
        assert path.read_bytes() == data
        if problem:
            refused += 1
            assert str(problem).isprintable(), kind
            assert problem.path == str(path)
            named += problem.line > 0
    assert refused > 250
    assert named >= 0.9 * refused
    assert os.listdir(tmp_path) == ["mill.toml"]


@pytest.mark.parametrize("part", range(4))
def test_a_check_never_fails_and_a_repair_can_be_opened(tmp_path: Path, part: int) -> None:
    path = tmp_path / "mill.toml"
    for kind, data in ALL[part::4]:
        if len(data) > 300_000:
            continue
        path.write_bytes(data)
        opens = tried(lambda: read_journal(str(path), Event)) is None
        if tried(lambda: check_journal(str(path), Event)):
            assert tried(lambda: repair_journal(str(path), Event))
            continue
        survey = check_journal(str(path), Event)
        assert survey.sound <= opens, kind
        assert all(finding.message.isprintable() for finding in survey.findings)
        mended = repair_journal(str(path), Event)
        assert path.read_bytes() == data
        again = read_journal(mended.path, Event)
        assert again.steps == survey.steps, kind
        assert check_journal(mended.path, Event).findings == []
        Path(mended.path).unlink()


def test_files_that_are_none(tmp_path: Path) -> None:
    good = tmp_path / "good.toml"
    good.write_bytes(WHOLE)
    (tmp_path / "link.toml").symlink_to(good)
    (tmp_path / "dangling.toml").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    with (tmp_path / "huge.toml").open("wb") as file:
        file.write(WHOLE)
        file.truncate(1 << 30)
    for name in ("link", "dangling", "pipe", "folder", "huge", "none", "a\0b", "x" * 300, "good.toml/x"):
        with pytest.raises(JournalError) as caught:
            read_journal(str(tmp_path / f"{name}.toml"), Event)
        assert str(caught.value).isprintable()
    for name in ("/dev/zero", "/dev/null", "/dev/tty", "/proc/self/mem", ""):
        with pytest.raises(JournalError):
            read_journal(name, Event)


def test_memory_stays_bounded_by_the_file(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE + b"x" * 10_000_000)
    tracemalloc.start()
    problem = tried(lambda: read_journal(str(path), Event))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert problem
    assert problem.step == 13
    assert peak < 50_000_000


def test_every_number_of_a_seal_counts() -> None:
    for number, length, crc in ((0, -1, 0), (1, 0, 0), (0, 0, 1)):
        block = record()
        head, start = seal_block(0, write_header(HEADER), 0)
        line = b"# %d %d %08x\n" % (1 + number, len(block) + length, crc32(block, start) ^ crc)
        assert tried(lambda head=head, block=block, line=line: parse_journal(head + block + line, Event))  # type: ignore[misc]
