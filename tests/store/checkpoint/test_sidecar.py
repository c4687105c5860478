from __future__ import annotations

import errno
from pathlib import Path
from zlib import crc32

import pytest

from tests.store.disks import FaultyDisk
from tests.store.journals import HEADER, Event, fight, marks, step
from tui.store.checkpoint import CAP, Checkpoint, keep, load, sidecar_path
from tui.store.journal.format import Offset
from tui.store.journal.reader import parse, read
from tui.store.journal.writer import Writer


def played(path: Path, count: int = 8) -> Writer:
    writer = Writer.create(str(path), HEADER, "inline")
    for one in fight(count):
        writer.append(one)
    writer.wait()
    return writer


def test_what_was_kept_is_found_while_the_journal_grows(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    writer = played(path)
    inode = read(str(path), Event).inode
    assert keep(str(path), inode, writer.end, writer.fingerprint(), b"\0payload\n")
    at = writer.end
    for number in (9, 10):
        found = read(str(path), Event)
        checkpoint = load(str(path), found.data, found.inode)
        assert checkpoint == Checkpoint(at, b"\0payload\n")
        assert parse(found.data, Event, since=checkpoint.mark).steps == fight(number - 1)[8:]
        writer.append(step(number))
    assert Path(sidecar_path(str(path))).stat().st_mode & 0o777 == 0o600
    assert sorted(name.name for name in tmp_path.iterdir()) == ["mill.toml", "mill.toml.cache"]
    assert keep(str(path), inode, writer.end, writer.fingerprint(), b"newer")
    found = read(str(path), Event)
    assert load(str(path), found.data, found.inode) == Checkpoint(writer.end, b"newer")


def test_whatever_does_not_fit_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    writer = played(path)
    found = read(str(path), Event)
    data, inode = found.data, found.inode
    assert load(str(path), data, inode) is None
    keep(str(path), inode, writer.end, writer.fingerprint(), b"payload")
    cache = Path(sidecar_path(str(path)))
    good = cache.read_bytes()
    assert load(str(path), data, inode) is not None
    assert load(str(path), data, (inode[0], inode[1] + 1)) is None
    assert load(str(path), data[:-1], inode) is None
    assert load(str(path), data.replace(b"Orc 5", b"Elf 5"), inode) is None
    for place in range(len(good)):
        for size in (good[:place], good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :]):
            cache.write_bytes(size)
            assert load(str(path), data, inode) is None
    cache.write_bytes(good)
    cache.chmod(0o644)
    assert load(str(path), data, inode) is None
    cache.unlink()
    cache.symlink_to(tmp_path / "mill.toml")
    assert load(str(path), data, inode) is None


def test_a_mark_between_two_places_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    writer = played(path)
    found = read(str(path), Event)
    for mark in marks(found.data):
        for offset in (mark.offset - 1, mark.offset, mark.offset + 1):
            for number in (mark.number, mark.number + 1):
                place = Offset(offset, number, mark.crc)
                keep(str(path), found.inode, place, crc32(found.data[:offset]), b"x")
                fits = (offset, number) == (mark.offset, mark.number)
                assert (load(str(path), found.data, found.inode) is not None) is fits
    writer.close()


@pytest.mark.parametrize("n", range(1, 8))
def test_a_cache_that_cannot_be_written_is_no_fault(tmp_path: Path, n: int) -> None:
    path = tmp_path / "mill.toml"
    writer = played(path)
    found = read(str(path), Event)
    disk = FaultyDisk(lambda _, count: errno.ENOSPC if count == n else 0)
    kept = keep(str(path), found.inode, writer.end, writer.fingerprint(), b"x" * 9000, disk=disk)
    assert kept is (load(str(path), found.data, found.inode) is not None)
    assert not [name for name in tmp_path.iterdir() if ".tmp-" in name.name]
    assert "fsync" not in disk.log
    assert not keep(str(path), found.inode, writer.end, 0, bytes(CAP))
