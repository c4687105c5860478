"""Bytes that are kept compressed are the same bytes, and every record is found in them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from tests.store.journals import HEADER, Event, journal, step
from tui.store.journal import pressed
from tui.store.journal.pressed import Pressed
from tui.store.journal.reader import parse
from tui.store.journal.records import WORTH, Blocks


@given(st.lists(st.integers(0, 400), min_size=1, max_size=30), st.integers(20, 3000))
def test_every_record_is_found_whatever_the_pieces(sizes: list[int], piece: int) -> None:
    data = journal([step(number, size) for number, size in enumerate(sizes, 1)], HEADER)
    found = parse(data, Event)
    with patch.object(pressed, "PIECE", piece), patch("tui.store.journal.records.WORTH", 0):
        blocks = Blocks(data, Event)
        told = blocks.press()
        assert told is not None
        assert (told[0], told[1].whole(), b"".join(told[1]), len(told[1])) == (data, data, data, len(data))
        # Backwards as well: what is read after another piece is that piece again.
        assert [blocks.record(place) for place in found.places] == found.steps
        assert [blocks.record(place) for place in reversed(found.places)] == found.steps[::-1]
        assert blocks.press() is None


def test_a_short_journal_is_left_as_it_is() -> None:
    assert Blocks(b"x" * WORTH, Event).press() is None


def test_a_long_one_takes_a_seventh() -> None:
    data = journal([step(number) for number in range(1, 9_000)], HEADER)
    kept = Pressed(data)
    assert sum(map(len, kept._pieces)) < len(data) / 5


def test_records_are_read_while_another_thread_compresses_them() -> None:
    data = journal([step(number) for number in range(1, 400)], HEADER)
    found = parse(data, Event)
    with patch.object(pressed, "PIECE", 200), patch("tui.store.journal.records.WORTH", 0):
        for _ in range(5):
            blocks = Blocks(data, Event)
            with ThreadPoolExecutor() as pool:
                told = pool.submit(blocks.press)
                assert [blocks.record(place) for place in found.places] == found.steps
                assert told.result() is not None
