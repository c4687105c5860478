"""Promise 3 at the desk, with the real store, writer and a disk that fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.disks import FaultyDisk
from tests.kit.scripted_play import fight, steps, stop
from tests.kit.terminal import logged, tocsin
from tests.reliability.sick import Sick
from tui.core.fight.events import Event
from tui.store.journal.file import RETRY_SECONDS
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import Writer
from tui.store.problems import NotSaved

CODES = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS, errno.EACCES)
APPENDS = ("write", "lstat", "ftruncate")


@pytest.fixture
def sick(tmp_path: Path) -> Iterator[Sick]:
    one = Sick(tmp_path)
    yield one
    one.broken(0)
    one.end()


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.get)
@pytest.mark.parametrize("call", ["write", "lstat"])
def test_a_step_is_refused_said_kept_and_sent_again(sick: Sick, code: int, call: str) -> None:
    records = sick.kept()
    sick.broken(code, call, "ftruncate")
    before = sick.desk.store.encounter
    sick.press(":", "'note to the mill'", "enter")
    for keys in ([], ["escape"], ["j", "j"], ["?", "escape"], ["'5'"], ["tab"]):
        sick.press(*keys)
        assert "NOT SAVED" in sick.header()
        assert sick.desk.store.encounter is before
    assert ":saveas" in sick.player.text()
    sick.broken(0)
    assert sick.kept() == records
    sick.press(":", "up")
    assert ":note to the mill" in sick.player.text()
    sick.press("enter")
    assert sick.player.asked() == ["note to the mill"]
    assert "NOT SAVED" not in sick.player.text()
    assert sick.header().endswith("saved ")
    assert sick.kept() == records + 1


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.get)
def test_a_fault_behind_the_screen_is_said_until_it_is_mended(sick: Sick, code: int) -> None:
    sick.broken(code, "fdatasync", "fsync", "replace", "open")
    sick.player.press("n")
    sick.player.press(":", "'note one more'", "enter")
    while not sick.writer.fault:
        pass
    for keys in (["escape"], ["j"], ["k"], ["?", "escape"]):
        sick.player.press(*keys)
        assert "NOT SAVED" in sick.header()
        assert ":saveas" in sick.player.picture()["now"][-1]
    sick.broken(0)
    sick.writer.wait(RETRY_SECONDS)
    sick.player.press("escape")
    if sick.desk.view.fault:  # the second line came after the fault, and waits
        sick.press(":", "up", "enter")
    assert "NOT SAVED" not in sick.player.text()
    assert steps(sick.path)[-2:] == ["next", "note one more"]
    sick.kept()


def test_a_fault_behind_the_screen_is_mended_without_a_key(
    sick: Sick, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.store.journal.file.RETRY_SECONDS", 0.05)
    sick.broken(errno.ENOSPC, "fdatasync", "fsync")
    sick.player.press("n")
    while not sick.writer.fault:
        pass
    assert "NOT SAVED" in sick.header()
    sick.broken(0)
    while sick.writer.fault:
        pass
    assert sick.header().endswith("saved ")
    sick.kept()


def any_call(folder: Path, code: int, first: int, length: int) -> bool:
    """Fail calls from the n-th on; send three lines until they are taken. Return whether any was refused."""
    sick = Sick(folder, FaultyDisk(half=first % 2 == 0))
    start, records = sick.disk.count, sick.kept()
    sick.disk.broken = lambda _name, count: code if first <= count - start < first + length else 0
    refused = False
    for number in range(3):
        sick.player.press(":", f"'note line {number}'", "enter")
        for _ in range(3 * length):
            if not sick.desk.view.fault:
                break
            refused = True
            assert "NOT SAVED" in sick.header()
            assert f":note line {number}" in sick.player.text()
            assert read_journal(str(sick.path), Event).end.number == sick.desk.store.record
            sick.player.press("enter")
        assert sick.player.asked() == [f"note line {number}"]
    for _ in range(3 * length):
        if _settled(sick.writer):
            break
        refused = True
    assert sick.kept() == records + 3
    assert steps(sick.path)[-3:] == ["note line 0", "note line 1", "note line 2"]
    assert "NOT SAVED" not in sick.player.text()
    assert sick.header().endswith("saved ")
    sick.end()
    return refused


def _settled(writer: Writer) -> bool:
    try:
        writer.wait(5)
    except NotSaved:
        return False
    return True


def test_the_nth_call_fails(tmp_path: Path) -> None:
    refused = 0
    for first in range(1, 13):
        folder = tmp_path / str(first)
        folder.mkdir()
        refused += any_call(folder, CODES[first % len(CODES)], first, 3)
    assert refused > 6


def test_saveas_goes_on_elsewhere_with_the_line_that_was_refused(sick: Sick) -> None:
    sick.broken(errno.EACCES, *APPENDS)
    sick.press(":", "'note the bridge'", "enter", "ctrl+u")
    old = sick.path.read_bytes()
    sick.disk.broken = lambda name, _: errno.EACCES if name == "lstat" else 0
    sick.press("'saveas other'", "enter")
    sick.broken(0)
    assert ":note the bridge" in sick.player.text()
    assert " other " in sick.header()
    sick.press("enter")
    other = sick.path.with_name("other.toml")
    assert sick.path.read_bytes() == old
    assert steps(other) == [*steps(sick.path), "note the bridge"]
    assert other.stat().st_mode & 0o777 == 0o600
    sick.kept()


@pytest.mark.parametrize(
    "name", ["mill", "../x", "", "-", "a/b", "x" * 65, "/nowhere/x.toml", "/proc/x.toml"]
)
def test_saveas_to_nowhere_is_refused_in_words(sick: Sick, name: str) -> None:
    records = sick.kept()
    sick.press(":", f"'saveas {name}'", "enter")
    assert sick.player.message()
    assert not sick.player.message().startswith("the fight is saved")
    sick.press("escape", "n")
    assert sick.kept() == records + 1


def refused_in_play(folder: Path, harm: str, mend: str) -> None:
    """Harm the save while the program runs, play, mend it, send the line again: nothing is lost."""
    program = fight(folder)
    path, aside = folder / "mill.toml", folder / "aside"
    t = tocsin(folder, "mill")
    t.wait("Ana", "saved")
    records = len(steps(path))
    os.system(harm.format(path=path, aside=aside))
    t.press("n", "NOT SAVED", ":next")
    t.press("\x1b", "NOT SAVED", silent=(":next",))
    os.system(mend.format(path=path, aside=aside))
    t.press(":", ":")
    t.press("\x1b[A", ":next")
    t.press("\r", "saved", silent=("NOT SAVED",))
    assert len(steps(path)) == records + 1
    t.type("q")
    assert t.end() == 0
    assert t.foreign() == b""
    assert program.call("check").code == 0


@pytest.mark.parametrize(
    ("harm", "mend"),
    [
        ("mv {path} {aside}", "mv {aside} {path}"),
        ("cp {path} {aside}; mv {path} {path}.old; mv {aside} {path}", "mv {path}.old {path}"),
        ("cp {path} {aside}; echo '# by hand' >> {path}", "truncate -s $(stat -c %s {aside}) {path}"),
    ],
    ids=["removed", "replaced", "written to"],
)
def test_a_file_harmed_in_play(tmp_path: Path, harm: str, mend: str) -> None:
    refused_in_play(tmp_path, harm, mend)


def test_a_line_that_could_not_be_saved_survives_the_death_of_the_process(tmp_path: Path) -> None:
    program = fight(tmp_path)
    path = tmp_path / "mill.toml"
    t = tocsin(tmp_path, "mill")
    t.wait("saved")
    path.rename(tmp_path / "away")
    t.press(":note ", ":note")
    t.press("over\r", "NOT SAVED")
    t.kill()
    (tmp_path / "away").rename(path)
    again = tocsin(tmp_path, "mill")
    again.wait("saved")
    again.wait(":note over", "was not saved")
    again.press("\r", logged(7)[1:] + "over", silent=(":note over",))
    stop(again)
    assert steps(path)[-1] == "note over"
    assert program.call("check").code == 0


NOBODY = 65534


def test_a_folder_loses_its_rights_in_play(tmp_path: Path) -> None:
    sick = Sick(tmp_path)
    sick.broken(errno.EACCES, "lstat")
    sick.press("n")  # whatever a refusal loads is loaded before we are nobody
    sick.broken(0)
    sick.press("enter")
    records = sick.kept()
    root = os.geteuid() == 0  # rights mean nothing to root
    tmp_path.chmod(0)
    if root:
        os.seteuid(NOBODY)
    try:
        sick.press(":", "'note to the mill'", "enter")
        assert "NOT SAVED" in sick.player.text()
    finally:
        if root:
            os.seteuid(0)
        tmp_path.chmod(0o700)
    assert sick.kept() == records
    sick.press("enter")
    assert "NOT SAVED" not in sick.player.text()
    assert sick.kept() == records + 1
    sick.end()
