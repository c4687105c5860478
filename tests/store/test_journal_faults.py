"""Promise 3: a disk that refuses.

The step is refused and changes nothing; the next one after the fault is saved.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.kit.disks import ShortDisk
from tests.kit.journals import HEADER, Event, fight, step
from tui.store.journal.format import SAVE_CAP
from tui.store.journal.reader import parse_journal, read_journal, read_journal_bytes
from tui.store.journal.writer import Writer
from tui.store.problems import JournalError, NotSaved


def test_a_disk_that_takes_a_few_bytes_at_a_time(tmp_path: Path) -> None:
    for most in (1, 7, 100):
        path = tmp_path / f"mill{most}.toml"
        writer = Writer.create(str(path), HEADER, "inline", disk=ShortDisk(most))
        for one in fight(4):
            writer.append(one)
        writer.wait()
        assert parse_journal(read_journal_bytes(str(path), ShortDisk(most))[0], Event).steps == fight(4)


def test_a_full_disk_by_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    code = f"""
        import resource
        from tests.kit.journals import HEADER, Event, fight, step
        from tui.store.journal.reader import read_journal
        from tui.store.journal.writer import Writer
        from tui.store.problems import NotSaved
        writer = Writer.create({str(path)!r}, HEADER, "inline")
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, {resource.RLIM_INFINITY}))
        refused = 0
        for _ in range(9):
            try:
                writer.append(step(writer.end.number + 1))
                writer.wait()
            except NotSaved as error:
                refused += 1
                assert "large" in error.message
        reached = writer.end.number
        assert refused > 3 and reached > 0
        assert read_journal({str(path)!r}, Event).steps == fight(reached)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        writer.append(step(reached + 1))
        writer.wait()
        assert read_journal({str(path)!r}, Event).steps == fight(reached + 1)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, cwd=Path(__file__).parents[2])


def test_a_save_stays_below_its_bounds(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    writer = Writer.create(str(path), HEADER, "inline")
    with pytest.raises(NotSaved) as caught:
        writer.append(step(1, size=1_000_001))
    assert "1 MB" in caught.value.message
    assert writer.end.number == 0
    while writer.end.offset + 990_000 < SAVE_CAP:
        writer.append(step(writer.end.number + 1, size=980_000))
    with pytest.raises(NotSaved) as caught:
        writer.append(step(writer.end.number + 1, size=980_000))
    assert "64 MB" in caught.value.message
    number = writer.end.number
    writer.close()
    assert read_journal(str(path), Event).end.number == number
    with path.open("ab") as file:
        file.write(b"#" * (SAVE_CAP - path.stat().st_size + 1))
    with pytest.raises(JournalError) as large:
        read_journal(str(path), Event)
    assert "64 MB" in large.value.message
