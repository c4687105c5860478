from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.disks import FaultyDisk
from tests.kit.journals import Event, fight, journal
from tui.cli.check import check_save as cli_check
from tui.store.journal.reader import read_journal
from tui.store.journal.verification import (
    MOST_FINDINGS,
    Repaired,
    check_journal,
    repair_journal,
    survey_journal,
)
from tui.store.problems import NotSaved
from tui.systems import Registry

WHOLE = journal(fight(12))


def test_a_repair_writes_beside_and_never_over(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    data = WHOLE.replace(b'"Orc 5"', b'"Elf 5"')[:-4]
    path.write_bytes(data)
    names = ["mill-repaired.toml", "mill-repaired-2.toml", "mill-repaired-3.toml"]
    for name in names:
        mended = repair_journal(str(path), Event)
        assert mended == Repaired(str(tmp_path / name), check_journal(str(path), Event))
        again = read_journal(mended.path, Event)
        assert again.torn is None
        assert [one.number for one in again.steps] == list(range(1, 12))
        assert again.steps[4].events[0].name == "Elf 5"
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == data
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["mill.toml", *names])


def test_a_repair_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(WHOLE)
    for name in ("open", "write", "fsync"):
        reading = 1 if name == "open" else 0
        disk = FaultyDisk(_full_after(reading), only=(name,))
        with pytest.raises(NotSaved):
            repair_journal(str(path), Event, disk=disk)
        assert [one.name for one in tmp_path.iterdir()] == ["mill.toml"]


def _full_after(reading: int) -> Callable[[str, int], int]:
    return lambda _, count: errno.ENOSPC if count > reading else 0


@pytest.mark.parametrize("spoilt", [(b'line = "', b'line = "x'), (b"at = ", b"at ")])
def test_a_check_stops_after_a_hundred_findings_and_says_so_and_a_repair_reads_all(
    tmp_path: Path, spoilt: tuple[bytes, bytes]
) -> None:
    path = tmp_path / "mill.toml"
    whole = journal(fight(300))
    first = whole.index(b"[[step]]")
    half = whole.index(b"\n# 150 ")
    path.write_bytes(whole[:first] + whole[first:half].replace(*spoilt) + whole[half:])
    found = check_journal(str(path), Event)
    assert len(found.findings) == MOST_FINDINGS
    assert not found.sound
    assert whole.splitlines()[found.stop_line - 1] == b"[[step]]"
    words, sound = cli_check("mill", str(tmp_path), Registry())
    assert not sound
    assert "the check stopped before line" in words[-1]
    read_whole = repair_journal(str(path), Event).survey
    assert len(read_whole.findings) >= 149
    assert not read_whole.stop_line
    assert read_whole.steps == survey_journal(path.read_bytes(), Event).steps
