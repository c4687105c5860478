"""Promise 3 on real file systems: a small one that fills, one mounted over the folder, no rights.

A file system with an open save cannot be remounted read-only; EROFS is among the faults of test_faults.py."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.scripted_play import fight, steps, stop, until
from tests.kit.terminal import Terminal, logged, tocsin
from tests.reliability.sick import Sick

NOBODY = 65534


def _mount(*words: str) -> bool:
    return subprocess.run(["mount", *words], capture_output=True, check=False).returncode == 0


def _unmount(place: Path) -> bool:
    return subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False).returncode == 0


@pytest.fixture
def small() -> Iterator[Path]:
    """A file system of 256 kB."""
    place = Path(tempfile.mkdtemp(prefix="tocsin-small."))
    assert _mount("-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)), "this needs the right to mount"
    yield place
    while _unmount(place):
        pass
    place.rmdir()


def saved(folder: Path) -> tuple[Program, Terminal]:
    """A fight on the screen, its save in this folder."""
    program = fight(folder)
    t = tocsin(folder, "mill")
    t.wait("Ana", "saved")
    return program, t


def taken_again(program: Program, t: Terminal, records: int) -> None:
    """The line that was refused is sent by Enter, and everything is as if nothing had been."""
    t.press("\r", "saved", silent=("NOT SAVED",))
    assert len(steps(program.folder / "mill.toml")) == records + 1
    t.type("q")
    assert t.end() == 0
    stop(t)
    assert t.foreign() == b""
    assert program.call("check").code == 0


def _answered(t: Terminal, step: int) -> bool:
    shown = t.wait()
    return "NOT SAVED" in shown or logged(step) in shown


@pytest.mark.hours
def test_a_small_file_system_fills_in_play(small: Path) -> None:
    program, t = saved(small)
    path = small / "mill.toml"
    with suppress(OSError), (small / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(b"x" * 512)
    records = len(steps(path))
    while "NOT SAVED" not in t.text:  # what is left of the save's last page
        t.press(":note ", ":note")
        t.type("x" * 50 + "\r")
        until(partial(_answered, t, records + 1))
        records = len(steps(path))
    (small / "ballast").unlink()
    taken_again(program, t, records)


@pytest.mark.hours
def test_another_file_system_is_mounted_over_the_folder_in_play(small: Path) -> None:
    program, t = saved(small)
    records = len(steps(small / "mill.toml"))
    assert _mount("-t", "tmpfs", "tmpfs", str(small))
    t.press("n", "NOT SAVED", ":next")
    assert not (small / "mill.toml").exists()
    assert _unmount(small)
    taken_again(program, t, records)


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
