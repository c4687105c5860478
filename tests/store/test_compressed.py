"""Bytes that are kept compressed are the same bytes, and every record is found in them."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.disks import FaultyDisk
from tests.store.journals import HEADER, Event, journal, step
from tui.store.journal import format as journal_format
from tui.store.journal.format import CompressedBytes
from tui.store.journal.reader import parse, read
from tui.store.journal.records import WORTH, Blocks
from tui.store.journal.writer import Writer


@given(st.lists(st.integers(0, 400), min_size=1, max_size=30), st.integers(20, 3000))
def test_every_record_is_found_whatever_the_pieces(sizes: list[int], piece: int) -> None:
    data = journal([step(number, size) for number, size in enumerate(sizes, 1)], HEADER)
    found = parse(data, Event)
    with patch.object(journal_format, "PIECE", piece), patch("tui.store.journal.records.WORTH", 0):
        blocks = Blocks(data, Event)
        told = blocks.compress()
        assert told is not None
        assert (told[0], told[1].whole(), b"".join(told[1]), len(told[1])) == (data, data, data, len(data))
        # Backwards as well: what is read after another piece is that piece again.
        assert [blocks.record(place) for place in found.places] == found.steps
        assert [blocks.record(place) for place in reversed(found.places)] == found.steps[::-1]
        assert blocks.compress() is None


def test_a_short_journal_is_left_as_it_is() -> None:
    assert Blocks(b"x" * WORTH, Event).compress() is None


def test_a_long_one_takes_a_seventh() -> None:
    data = journal([step(number) for number in range(1, 9_000)], HEADER)
    kept = CompressedBytes(data)
    assert sum(map(len, kept._pieces)) < len(data) / 5


def test_records_are_read_while_another_thread_compresses_them() -> None:
    data = journal([step(number) for number in range(1, 400)], HEADER)
    found = parse(data, Event)
    with patch.object(journal_format, "PIECE", 200), patch("tui.store.journal.records.WORTH", 0):
        for _ in range(5):
            blocks = Blocks(data, Event)
            with ThreadPoolExecutor() as pool:
                told = pool.submit(blocks.compress)
                assert [blocks.record(place) for place in found.places] == found.steps
                assert told.result() is not None


@pytest.mark.parametrize("how", ["as it was", "written anew", "elsewhere", "later"])
def test_what_is_kept_compressed_is_the_same_journal(tmp_path: Path, how: str) -> None:
    path = tmp_path / "mill.toml"
    disk = FaultyDisk()
    first = Writer.create(str(path), HEADER, "inline")
    for number in range(1, 201):
        first.append(step(number, size=1000))
    first.close()
    journal = read(str(path), Event)
    writer = Writer.open(str(path), journal, "inline", disk=disk)
    if how == "elsewhere":
        writer.save_as(str(tmp_path / "hut.toml"))
    before, mark = writer.content(), writer.fingerprint()
    if how == "later":
        writer.append(step(201))
    writer.compress(journal.data, CompressedBytes(journal.data))
    assert (writer.content()[: len(before)], len(writer.content()) > len(before)) == (before, how == "later")
    assert (writer.fingerprint() == mark) is (how != "later")
    if how == "written anew":
        disk.broken = lambda name, _: errno.EIO if name == "fdatasync" else 0
        writer.append(step(201))
        writer.wait()  # a failed sync is healed by a new file
        disk.broken = lambda *_: 0
        assert disk.log.count("replace") == 1
    last = writer.end.number + 1
    writer.append(step(last))
    writer.wait()
    writer.close()
    assert Path(writer.path).read_bytes() == writer.content()
    assert [s.number for s in read(writer.path, Event).steps] == list(range(1, last + 1))
