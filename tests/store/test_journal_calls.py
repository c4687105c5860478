"""What a journal asks of the disk, call by call: a step reads nothing unless its file may have changed."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.store.disks import FaultyDisk
from tests.store.journals import Event, fight, journal, marks
from tui.store.disk import Disk
from tui.store.journal import check, file
from tui.store.journal.check import Finding, survey
from tui.store.journal.file import InlineSync, JournalFile, fits, reach, refusal
from tui.store.journal.format import Offset
from tui.store.problems import NotSaved

WHOLE = journal(fight(4))
MARKS = marks(WHOLE)
STEP = ["lstat", "write", "fstat"]
FIRST = ["lstat", "read", "write", "fstat"]
"""The first step of a file that has just been given its name, which changes its times."""


def piece(number: int) -> bytes:
    """A record with its seal."""
    return WHOLE[MARKS[number - 1].offset : MARKS[number].offset]


class Written:
    """A journal of two steps on a disk whose calls are counted and fail as a test says."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "mill.toml"
        self.broken: dict[str, int] = {}
        self.disk = FaultyDisk(lambda name, _: self.broken.get(name, 0))
        self.file = JournalFile.create(self.disk, str(self.path), WHOLE[: MARKS[1].offset], MARKS[1])
        assert self.append(2) == FIRST
        self.file.sync()

    def append(self, number: int) -> list[str]:
        """Append a step; the calls it took."""
        self.disk.log.clear()
        self.file.append(piece(number), MARKS[number])
        return list(self.disk.log)


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path)


def test_a_step_is_one_look_one_write_and_one_stamp(written: Written) -> None:
    assert written.append(3) == STEP
    assert written.append(4) == STEP
    assert written.path.read_bytes() == WHOLE == written.file.content()
    assert (written.file.end, written.file.durable) == (MARKS[4], MARKS[2])
    assert written.file.unsynced == MARKS[4].offset - MARKS[2].offset
    written.file.sync()
    assert (written.file.durable, written.file.unsynced) == (MARKS[4], 0)


def test_after_a_cut_nothing_is_read_and_what_was_cut_is_gone(written: Written) -> None:
    written.append(3)
    written.append(4)
    written.file.cut(MARKS[3])
    assert written.file.content() == WHOLE[: MARKS[3].offset] == written.path.read_bytes()
    assert written.append(4) == STEP
    written.file.cut(MARKS[1])
    assert written.file.content() == WHOLE[: MARKS[1].offset] == written.path.read_bytes()
    assert (written.file.end, written.append(2)) == (MARKS[1], STEP)
    written.file.cut(MARKS[2])
    assert (written.file.end, written.file.content()) == (MARKS[2], WHOLE[: MARKS[2].offset])


def test_a_file_that_was_read_in_one_piece_may_be_cut_anywhere_in_it(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    opened = JournalFile.open(FaultyDisk(), str(path), WHOLE, MARKS[4], inode=(0, 0), size=len(WHOLE))
    for number in (3, 1):
        opened.cut(MARKS[number])
        assert (opened.end, opened.content()) == (MARKS[number], WHOLE[: MARKS[number].offset])
        assert path.read_bytes() == opened.content()
    for number in (2, 3, 4):
        opened.append(piece(number), MARKS[number])
    assert path.read_bytes() == WHOLE == opened.content()
    opened.close()


def test_a_write_that_failed_is_cut_off_at_once_or_before_the_next(written: Written) -> None:
    written.broken = {"write": errno.ENOSPC}
    written.disk.half = True
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        written.append(3)
    assert written.disk.log == ["lstat", "write", "ftruncate", "fstat"]
    written.broken = {"write": errno.ENOSPC, "ftruncate": errno.EIO}
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        written.append(3)
    assert written.path.stat().st_size > MARKS[2].offset
    written.broken = {}
    assert written.append(3) == ["lstat", "ftruncate", "fstat", *STEP[1:]]
    assert written.append(4) == STEP
    assert written.path.read_bytes() == WHOLE


def test_a_file_that_was_only_touched_is_read_once(written: Written) -> None:
    os.utime(written.path, (1, 1))
    assert written.append(3) == ["lstat", "read", "write", "fstat"]
    assert written.append(4) == STEP
    written.broken = {"fstat": errno.EIO}
    written.file.cut(MARKS[3])
    written.broken = {}
    assert written.append(4) == ["lstat", "read", "write", "fstat"], "its times could not be had"


def test_an_edit_in_place_and_another_file_are_refused_with_what_would_work(written: Written) -> None:
    def refused() -> str:
        with pytest.raises(NotSaved) as error:
            written.append(3)
        assert error.value.hint.startswith("put the file back and send the line again, or ")
        assert error.value.code == errno.ESTALE
        return error.value.message

    data = written.path.read_bytes()
    written.path.write_bytes(data[:-9] + b"?" + data[-8:])
    assert refused() == "the save was changed outside: it was edited in place"
    written.path.write_bytes(data + b"\n")
    assert refused() == "the save was changed outside: another program has written to it"
    written.path.write_bytes(data)
    assert written.append(3)[-2:] == ["write", "fstat"]
    written.path.rename(written.path.with_name("away"))
    assert refused() == "the save was changed outside: it was moved or deleted"
    written.path.write_bytes(data)
    assert refused() == "the save was changed outside: another file has taken its place"


def test_a_journal_is_written_anew_with_the_rights_it_had_and_goes_on(written: Written) -> None:
    written.append(3)
    os.chmod(written.path, 0o640)
    before, number = len(os.listdir("/proc/self/fd")), written.file.inode
    written.disk.log.clear()
    written.file.rewrite()
    assert " ".join(written.disk.log) == (
        "lstat open write fchmod fsync fstat lstat replace close open fsync close"
    )
    assert (written.path.stat().st_mode & 0o777, written.file.durable) == (0o640, MARKS[3])
    assert written.file.inode != number
    assert written.append(4) == FIRST
    assert written.path.read_bytes() == WHOLE
    written.broken = {"replace": errno.EIO}
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        written.file.rewrite()
    assert len(os.listdir("/proc/self/fd")) == before
    assert [x.name for x in written.path.parent.iterdir()] == ["mill.toml"]


def test_a_rewrite_whose_folder_is_not_synced_is_not_durable_and_stands(written: Written) -> None:
    written.append(3)
    count = [0]

    def second(name: str, _: int) -> int:
        count[0] += name == "fsync"
        return errno.EIO if name == "fsync" and count[0] == 2 else 0

    written.disk.broken = second
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        written.file.rewrite()
    assert written.file.durable == MARKS[2]
    assert written.append(4) == FIRST
    assert written.path.read_bytes() == WHOLE


def test_a_move_leaves_the_old_file_and_goes_on_in_the_new(written: Written, tmp_path: Path) -> None:
    written.append(3)
    written.file.move(str(tmp_path / "hall.toml"), WHOLE[: MARKS[3].offset], MARKS[3])
    assert (written.file.path, written.file.end, written.file.durable) == (
        str(tmp_path / "hall.toml"),
        MARKS[3],
        MARKS[3],
    )
    assert written.append(4) == FIRST
    assert written.path.read_bytes() == WHOLE[: MARKS[3].offset]
    assert (tmp_path / "hall.toml").read_bytes() == WHOLE
    written.file.doubt()
    assert (written.file.durable, written.file.unsynced) == (Offset(0, 0, 0), len(WHOLE))


def test_a_missing_line_feed_is_written_and_the_next_step_reads_nothing(tmp_path: Path) -> None:
    path, data = tmp_path / "mill.toml", WHOLE[: MARKS[3].offset]
    path.write_bytes(data[:-1])
    disk = FaultyDisk()
    opened = JournalFile.open(disk, str(path), data, MARKS[3], inode=(0, 0), size=len(data) - 1)
    opened.end_line()
    disk.log.clear()
    opened.append(piece(4), MARKS[4])
    assert (disk.log, path.read_bytes()) == (STEP, WHOLE)
    opened.close()


def test_room_is_what_may_be_lost_and_a_large_record_waits_alone(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fits(written.file, 10**9)
    written.append(3)
    waiting = written.file.unsynced
    monkeypatch.setattr(file, "WINDOW", waiting + 10)
    assert fits(written.file, 10)
    assert not fits(written.file, 11)
    sync = InlineSync(written.file)
    with sync.hold(10):
        assert written.file.unsynced == waiting
    with sync.hold(11):
        assert written.file.unsynced == 0


def test_a_failed_sync_is_mended_by_a_new_file_and_else_what_waits_is_taken_back(written: Written) -> None:
    written.append(3)
    written.disk.log.clear()
    assert reach(written.file) is None
    assert (written.disk.log, written.file.unsynced) == (["fdatasync"], 0)
    written.file.doubt()
    written.broken = {"fdatasync": errno.EIO}
    assert reach(written.file) is None
    assert "replace" in written.disk.log
    assert written.file.unsynced == 0
    written.append(4)
    written.disk.log.clear()
    assert reach(written.file, sound=False) is None
    assert "fdatasync" not in written.disk.log
    written.file.cut(MARKS[3])
    written.file.durable = MARKS[3]
    written.append(4)
    written.broken |= {"fsync": errno.ENOSPC}
    sync = InlineSync(written.file)
    with pytest.raises(NotSaved, match="the disk is full") as refused:
        sync.wait()
    assert sync.fault is refused.value
    assert written.path.read_bytes() == WHOLE[: MARKS[3].offset]
    written.broken = {}
    written.disk.log.clear()
    sync.wait()
    assert sync.fault is None
    assert "replace" in written.disk.log
    written.disk.log.clear()
    sync.wait()
    assert written.disk.log == []
    own = NotSaved("x")
    assert refusal(own) is own
    assert refusal(OSError(errno.ENOSPC, "x")).message == "the disk is full"


def test_bytes_that_another_hand_laid_out_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    data = WHOLE.replace(b"[[step]]\n", b"[[ step ]]\n")
    foreign = [f for f in survey(data, Event).findings if "another hand" in f.message]
    assert foreign == []
    monkeypatch.setattr(check, "FOREIGN_CAP", 10)
    (found,) = [f for f in survey(data, Event).findings if "another hand" in f.message]
    assert (found.line, found.step, found.kind) == (1, 0, "layout")
    assert isinstance(found, Finding)
    assert found.message.endswith(" bytes are laid out by another hand, too many to open")


def test_a_journal_that_is_opened_is_the_file_that_was_read(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    before = len(os.listdir("/proc/self/fd"))
    disk = FaultyDisk(lambda *_: errno.EIO, ("fstat",))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        JournalFile.open(disk, str(path), WHOLE, MARKS[4], inode=(0, 0), size=len(WHOLE))
    for size, inode in ((len(WHOLE) + 1, (0, 0)), (len(WHOLE), (1, 1))):
        with pytest.raises(NotSaved):
            JournalFile.open(Disk(), str(path), WHOLE, MARKS[4], inode=inode, size=size)
    assert len(os.listdir("/proc/self/fd")) == before
