"""Promises 1 and 2, through the whole program: killed at random moments, also while recovering."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.scripted_play import TOP, fight, shell, steps, stop
from tests.kit.terminal import logged, tocsin
from tests.reliability.kills import loop


def test_a_play_that_is_killed_and_killed_again(tmp_path: Path) -> None:
    reached = loop(tmp_path, 4, 1, tocsin)
    assert reached.while_recovering >= 2
    assert reached.lost == 0


def many(count: int, seed: int) -> None:
    """Kills in a process of one thread, which may fork."""
    code = [sys.executable, "-m", "tests.reliability.kills", str(count), str(seed)]
    ended = subprocess.run(code, cwd=TOP, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.splitlines()[-1].startswith(f"{count} kills")


def test_a_hundred_kills() -> None:
    many(100, 100)


@pytest.mark.hours
@pytest.mark.parametrize("seed", range(200))
def test_ten_thousand_kills(seed: int) -> None:
    many(50, 1000 + seed)


TAIL = b"[[step]]\nn = 7\nat = 2026-"


def torn(folder: Path) -> bytes:
    """A save whose last record was cut short; its bytes before that."""
    fight(folder)
    path = folder / "mill.toml"
    whole = path.read_bytes()
    path.write_bytes(whole + TAIL)
    return whole


def kept(folder: Path) -> list[bytes]:
    """What lies beside the save, but for the lock."""
    return [p.read_bytes() for p in folder.iterdir() if p.name not in {"mill.toml", "mill.toml.lock"}]


def test_the_screen_says_what_was_cut(tmp_path: Path) -> None:
    whole = torn(tmp_path)
    t = tocsin(tmp_path, "mill")
    t.wait("cut short", logged(6))
    assert (tmp_path / "mill.toml").read_bytes() == whole
    assert kept(tmp_path) == [TAIL]
    t.press("n", logged(7), silent=("cut short",))
    stop(t)
    assert t.foreign() == b""


def test_do_says_it_too(tmp_path: Path) -> None:
    torn(tmp_path)
    ended = shell(tmp_path, "do", "mill", "next")
    assert ended.returncode == 0
    assert b"cut short" in ended.stderr
    assert kept(tmp_path) == [TAIL]
    assert shell(tmp_path, "do", "mill", "next").stderr == b""


def test_a_look_cuts_nothing(tmp_path: Path) -> None:
    whole = torn(tmp_path)
    assert shell(tmp_path, "show", "mill").returncode == 0
    assert shell(tmp_path, "log", "mill").returncode == 0
    assert (tmp_path / "mill.toml").read_bytes() == whole + TAIL
    assert len(steps(tmp_path / "mill.toml")) == 6
