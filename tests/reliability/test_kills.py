"""Promises 1 and 2, through the whole program: killed at random moments, also while recovering."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.scripted_play import TOP
from tests.kit.terminal import tocsin
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
