"""The benchmark of many terminals measures what it says: processes with their children, keys, followers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.benchmarks.bench_screen import Line
from tests.benchmarks.many.processes import called, family, pss, work
from tests.benchmarks.many.table import PLAYERS, pressed, saved
from tui.core.fight.viewer import players
from tui.store.opening import look
from tui.systems import Registry

PARENT = """
import subprocess, sys
reads = [sys.executable, "-c", "import sys; sys.stdin.read()", "publish"]
child = subprocess.Popen(reads, stdin=subprocess.PIPE)
print("ready", flush=True)
sys.stdin.read()
"""
ECHO = """
import os, tty
tty.setraw(0)
os.write(1, b"ready")
while True:
    os.read(0, 1)
    os.write(1, b"answer")
"""


def test_a_family_is_the_process_and_its_children_and_what_they_take_is_told() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"ready\n"
        found = family(parent.pid)
        assert len(found) == 2
        assert found[0] == parent.pid
        # A child is its parent until it has become its own program.
        end = time.monotonic() + 10
        while called(found[1:], "publish") == 0:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert called(found, "nothing of that name") == 0
        assert pss(parent.pid) > 1
        assert work(parent.pid) > 0
        assert parent.stdin
        parent.stdin.close()
    assert (pss(parent.pid), work(parent.pid)) == (0, 0)


def test_a_large_fight_has_a_creature_for_each_player_and_is_made_once(tmp_path: Path) -> None:
    name = saved(tmp_path, 3, 8)
    path = str(tmp_path / f"{name}.toml")
    written = os.stat(path).st_mtime_ns
    assert set(players(look(path, str(tmp_path), Registry()).encounter)) == set(PLAYERS)
    assert saved(tmp_path, 3, 8) == name
    assert os.stat(path).st_mtime_ns == written


@pytest.mark.parametrize("key", ["n", "j"])
def test_a_key_is_measured_where_it_is_pressed_and_a_step_also_where_it_is_watched(key: str) -> None:
    lines = [Line([sys.executable, "-c", ECHO]) for _ in range(2)]
    try:
        for line in lines:
            line.settle(10.0)
        found = pressed(lines[0], key, lines[1:])
        assert 0 < found.first <= found.last
        # Nobody has pressed a key there.
        assert found.seen == ((0.0,) if key == "n" else ())
    finally:
        for line in lines:
            line.close()
