"""Promise 4, through the whole program: a torn tail is cut, kept beside, and said, whoever opens the save."""

from __future__ import annotations

from pathlib import Path

from tests.kit.scripted_play import fight, shell, steps, stop
from tests.kit.terminal import logged, tocsin

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
