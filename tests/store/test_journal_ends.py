"""Ends of journals, byte by byte: which of them a power cut may leave, and which only a hand or damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.disks import FaultyDisk
from tests.store.journals import AT, fight, journal, marks, step
from tui.store.journal import recovery
from tui.store.journal.format import Offset, seal, step_block
from tui.store.journal.recovery import Piece, Torn, judge, keep_tail, looks_whole, pieces_from, unfinished
from tui.store.problems import DamagedSave, Edited, JournalError

WHOLE = journal(fight(4))
GOOD = marks(WHOLE)[-1]
LINES = WHOLE.count(b"\n")
BLOCK = step_block(step(1))
CUT = f"[[step]]\nn = 5\nat = {AT}\nline = ".encode()


def zeroed(data: bytes, *spans: tuple[int, int]) -> bytes:
    """The same bytes, some of which never reached the disk."""
    left = bytearray(data)
    for start, stop in spans:
        left[start:stop] = bytes(stop - start)
    return bytes(left)


def verdict(data: bytes, good: Offset) -> int | type[JournalError]:
    """How many whole steps stand behind a torn end, or as what it is refused."""
    found = judge(data, good, "mill.toml")
    return found.behind if isinstance(found, Torn) else type(found)


# --- what a lost step takes with it


@pytest.mark.parametrize("lost", [5, 6, 7])
@pytest.mark.parametrize("ahead", range(8))
def test_a_step_behind_a_lost_one_must_say_that_it_was_written_ahead(lost: int, ahead: int) -> None:
    whole = journal(fight(8), pending={6: 5, 7: 6, 8: ahead})
    places = [mark.offset for mark in marks(whole)]
    good, begins = marks(whole)[lost - 1], places[lost - 1] + 20
    excused = 8 - 1 - ahead < lost
    for stop, behind in (
        (begins + 16, 8 - lost),  # its seal is there
        (places[lost] - 3, 7 - lost),  # its seal went too: the next one is not known by itself
        (places[7] - 3, 0),  # all seals but the last
        (places[7], 0),
    ):
        found = verdict(zeroed(whole, (begins, stop)), good)
        assert found == (behind if excused else DamagedSave), stop


def test_behind_a_lost_step_everything_else_must_be_as_it_was_written() -> None:
    whole = journal(fight(7), pending={6: 1, 7: 2})
    places = [mark.offset for mark in marks(whole)]
    good, lost = marks(whole)[4], (places[4] + 20, places[4] + 36)
    assert verdict(zeroed(whole, lost), good) == 2
    for place in (places[5] + 40, places[6] + 40):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        longer = whole[:place] + b"x" + whole[place:]
        for data in (changed, longer):
            assert verdict(zeroed(data, lost), good) is DamagedSave
    # The last of several without seals between them: its length is all that its own seal can still prove.
    merged = (places[4] + 20, places[6] - 3)
    assert verdict(zeroed(whole, merged), good) == 0
    assert verdict(zeroed(whole[:-30] + b"x" + whole[-30:], merged), good) is DamagedSave


@pytest.mark.parametrize(("number", "torn"), [(0, False), (4, False), (5, True), (6, True)])
def test_a_lost_step_has_no_seal_of_an_earlier_one(number: int, torn: bool) -> None:
    piece, _ = seal(number, step_block(step(5)), GOOD.crc)
    data = zeroed(WHOLE + piece, (GOOD.offset + 20, GOOD.offset + 36))
    assert verdict(data, GOOD) == (0 if torn else DamagedSave)


def test_behind_a_lost_step_the_next_one_may_have_been_cut_short() -> None:
    whole = journal(fight(6), pending={6: 1})
    places = [mark.offset for mark in marks(whole)]
    good, lost = marks(whole)[4], (places[4] + 20, places[4] + 36)
    for cut in range(places[5] + 1, places[6] - 1):
        assert verdict(zeroed(whole[:cut], lost), good) == 0, cut
    for number in (4, 5, 7):
        other = whole[: places[5]] + b"[[step]]\nn = %d\nat" % number
        assert verdict(zeroed(other, lost), good) is DamagedSave


def test_what_stands_behind_is_split_at_the_seals() -> None:
    whole = journal(fight(6))
    places = marks(whole)
    found = pieces_from(whole + b"xyz", places[4])
    assert [(p.start, p.end, p.number, p.fits) for p in found] == [
        (places[4].offset, places[5].offset, 5, True),
        (places[5].offset, places[6].offset, 6, True),
        (len(whole), len(whole) + 3, -1, False),
    ]
    assert [(p.stop, p.length, p.crc) for p in found[:2]] == [
        (whole.rindex(b"# %d " % p.number), p.stop - p.start, places[p.number].crc) for p in found[:2]
    ]


# --- zeros


def ending_at(place: int) -> tuple[bytes, list[Offset]]:
    """A journal whose fifth record ends at this byte of a sector; the sixth was written ahead of the disk."""
    size = 600
    while True:
        whole = journal([*fight(4), step(5, size), step(6, 600)], pending={6: 1})
        if marks(whole)[5].offset % 512 == place:
            return whole, marks(whole)
        size += 1


@pytest.mark.parametrize("place", [1, 7, 505, 511])
def test_few_zeros_are_lost_only_between_edges_of_a_write(place: int) -> None:
    whole, places = ending_at(place)
    good, edge = places[4], places[5].offset
    sector = edge - place if place < 9 else edge - place + 512
    few = (min(sector, edge), max(sector, edge))
    lost = (good.offset + 30, good.offset + 46)
    assert isinstance(verdict(zeroed(whole, lost, few), good), int)
    # One byte more or less on either side, and a power cut cannot have been it.
    for start, stop in (
        (few[0] - 1, few[1]), (few[0] + 1, few[1]), (few[0], few[1] + 1), (few[0], few[1] - 1),
    ):  # fmt: skip
        if start < stop:
            assert verdict(zeroed(whole, lost, (start, stop)), good) is DamagedSave, (start, stop)


def test_few_zeros_right_behind_the_last_good_seal_are_lost_up_to_the_sector() -> None:
    whole, places = ending_at(505)
    good, sector = places[5], places[5].offset + 7
    assert verdict(zeroed(whole, (good.offset, sector)), good) == 0
    assert verdict(zeroed(whole, (good.offset, sector - 1)), good) is DamagedSave
    assert verdict(zeroed(whole, (good.offset + 1, sector)), good) is DamagedSave


def test_few_zeros_at_the_very_end_are_lost_from_a_sector_on() -> None:
    whole, places = ending_at(7)
    good, sector = places[4], places[5].offset - 7
    assert verdict(whole[:sector] + bytes(5), good) == 0
    assert verdict(whole[: sector - 1] + bytes(6), good) is DamagedSave


def test_sixteen_zeros_are_lost_wherever_they_are() -> None:
    whole = journal([*fight(4), step(5, 600)])
    good = marks(whole)[4]
    for start in (good.offset + 20, good.offset + 101):
        assert verdict(zeroed(whole, (start, start + 16)), good) == 0
        assert verdict(zeroed(whole, (start, start + 15)), good) is DamagedSave


# --- how much


def test_of_a_large_record_no_more_may_be_lost_than_one_and_what_waits() -> None:
    most = 1_000_000 + 64_000
    for begin in (CUT + b'"', bytes(16)):
        tail = begin + b"x" * (most - len(begin))
        assert verdict(WHOLE + tail, GOOD) == 0
        assert verdict(WHOLE + tail + b"x", GOOD) is DamagedSave
    other = CUT.replace(b"n = 5", b"n = 3") + b'"'
    assert verdict(WHOLE + other + b"x" * 64_000, GOOD) is DamagedSave


# --- whole records, and what is none


@pytest.mark.parametrize(
    ("block", "number", "whole"),
    [
        (BLOCK, 3, True),
        (BLOCK, 0, True),
        (BLOCK, -1, False),
        (BLOCK + b"# 1 2 deadbeef\n", -1, True),
        (BLOCK + b"# 1 2 deadbe", -1, False),
        (BLOCK + b"# pending 2\n", -1, False),
        (BLOCK + b"# pending 2\n", 3, True),
        (BLOCK + b"x\n", -1, False),
        (BLOCK + b"x\n", 3, False),
        (b"# 1 2 deadbeef\n", -1, False),
        (b"a = 1\n", 3, False),
    ],
)
def test_a_record_is_whole_when_it_reads_well_and_was_closed(block: bytes, number: int, whole: bool) -> None:
    assert looks_whole(block, Piece(0, len(block), len(block), number, 0, 0, fits=False), "x") is whole


def test_a_record_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    piece = Piece(0, len(BLOCK), len(BLOCK), 1, 0, 0, fits=False)
    monkeypatch.setattr(recovery, "RECORD_CAP", len(BLOCK))
    assert looks_whole(BLOCK, piece, "x")
    monkeypatch.setattr(recovery, "RECORD_CAP", len(BLOCK) - 1)
    assert not looks_whole(BLOCK, piece, "x")


@pytest.mark.parametrize(
    ("tail", "kind", "words"),
    [
        (b"a remark\n", Edited, "something after the last step was not written by tocsin: "),
        (b"# a remark", Edited, "something after the last step was not written by tocsin: "),
        (b"  # a remark", Edited, "something after the last step was not written by tocsin: "),
        (b"\t\r\n ", Edited, "something after the last step was not written by tocsin: "),
        (b"a remark", Torn, ""),
        (b"a re\x07mark\n", Torn, ""),
        (b"a re\xffmark\n", Torn, ""),
        (BLOCK.replace(b"n = 1", b"n = 5") + b"# 5 1 deadbeef\n", Edited, "it does not fit its seal: "),
        (
            WHOLE[: WHOLE.index(b"[[step]]")],
            DamagedSave,
            "the journal is damaged: there is more or less than",
        ),
        (BLOCK, DamagedSave, "the journal is damaged: it calls itself step 1"),
        (BLOCK.replace(b"n = 1", b"n=5"), DamagedSave, "the journal is damaged from here on"),
    ],
)
def test_what_stands_behind_the_last_step_is_named_with_its_line(tail: bytes, kind: type, words: str) -> None:
    found = judge(WHOLE + tail, GOOD, "mill.toml")
    assert (type(found), found.line) == (kind, LINES + 1)
    if isinstance(found, JournalError):
        assert (found.step, found.path) == (5, "mill.toml")
        assert found.message.startswith(words)
        assert found.hint == "`tocsin check --repair mill.toml` writes a repaired copy, mill-repaired.toml"


def test_damage_is_named_by_the_line_on_which_it_stands() -> None:
    found = judge(WHOLE + CUT + b"what\n", GOOD, "mill.toml")
    assert isinstance(found, DamagedSave)
    assert (found.line, found.message) == (LINES + 4, "the journal is damaged: Invalid value")


FULL = (
    f"[[step]]\nn = 5\nat = {AT}\n".encode(),
    b'line = "add \\"\\u00fc\\" x"\n',
    b'by = "mia-2 17"\n',
    b'events = [{\tt =\t"a"}]\n',
    b"to = 12\n",
    b"# pending 3\n",
    b"# 5 123 0a1b2c3d",
)


def test_every_beginning_of_a_record_with_all_its_lines_is_unfinished() -> None:
    whole = b"".join(FULL)
    assert [n for n in range(len(whole)) if not unfinished(whole[:n], 5)] == []
    # Each of the optional lines may be missing, and each can be the one in which it was cut.
    for left_out in range(2, 6):
        short = b"".join(FULL[:left_out] + FULL[left_out + 1 :])
        assert [n for n in range(len(short)) if not unfinished(short[:n], 5)] == []


@pytest.mark.parametrize("line", range(1, 7))
def test_a_record_with_a_line_that_none_of_ours_begins_with_is_not_unfinished(line: int) -> None:
    before = b"".join(FULL[:line])
    assert not unfinished(before + b"x", 5)
    assert not unfinished(before + b"x\n" + FULL[line], 5)
    assert not unfinished(before + FULL[line].rstrip() + b"\x07", 5)


# --- the copy of a torn tail


def test_a_tail_is_on_the_disk_with_its_name_before_its_path_is_given(tmp_path: Path) -> None:
    disk = FaultyDisk()
    keep_tail(disk, str(tmp_path / "mill.toml"), b"the end")
    assert disk.log == ["open", "write", "fsync", "close", "open", "fsync", "close"]
    for name in ("write", "fsync"):
        failing = FaultyDisk(lambda *_: 5, (name,))
        with pytest.raises(OSError, match="error"):
            keep_tail(failing, str(tmp_path / "mill.toml"), b"the end")
        assert failing.log[-1] == "close"
