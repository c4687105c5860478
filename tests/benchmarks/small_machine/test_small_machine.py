"""The small machine is as small as it says: the line, the cage, the disk, and what is measured on them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.keystrokes import PLANS
from tests.benchmarks.small_machine import cage as cages
from tests.benchmarks.small_machine.cage import Cage, cage
from tests.benchmarks.small_machine.fights import bytes_of, session
from tests.benchmarks.small_machine.line import Way
from tests.benchmarks.small_machine.rig import Rig, Speed
from tests.benchmarks.small_machine.slow_disk import slow_disk

pytestmark = pytest.mark.long

SENT = st.lists(st.tuples(st.floats(0, 5), st.integers(1, 2_000)), min_size=1, max_size=20)
ECHO = """
import os, sys, termios, time, tty
tty.setraw(0)
print("ready", end="", flush=True)
while True:
    key = os.read(0, 1)
    if key == b"q":
        os.write(1, b"\\x1b[5n")
        assert os.read(0, 4) == b"\\x1b[0n"
        os.write(1, b"heard")
    elif key != b"-":
        time.sleep(0.05)
        os.write(1, b"x" * 100)
"""


@given(SENT, st.floats(10, 10_000), st.floats(0, 1))
def test_bytes_arrive_in_order_and_never_faster_than_the_line(
    sent: list[tuple[float, int]], rate: float, delay: float
) -> None:
    way, now, total, last = Way(rate, delay), 0.0, 0, 0.0
    for wait, size in sent:
        now += wait
        total += size
        there = way.send(size, now)
        assert there.first >= max(now, last - delay) + delay
        assert there.last >= there.first - 1e-9
        assert there.last >= total / rate + delay - 1e-6
        last = there.last
    assert way.send(1, last + 1).last == pytest.approx(last + 1 + 1 / rate + delay)


@pytest.fixture
def echo() -> Iterator[Rig]:
    rig = Rig(["-c", ECHO], Cage(), Speed(1_000, 0.2), {})
    try:
        rig.until(lambda: b"ready" in rig.text)
        rig.settle()
        yield rig
    finally:
        rig.close()


def test_what_is_the_programs_and_what_the_lines_is_told_apart(echo: Rig) -> None:
    answer = echo.ask(b"k")
    assert answer
    assert answer.bytes == 100
    assert answer.own >= 0.05
    assert answer.first >= answer.own + 0.2
    assert answer.whole >= answer.first + 0.09
    assert answer.last == answer.whole


def test_a_key_without_an_answer_has_none(echo: Rig) -> None:
    assert echo.ask(b"-") is None
    assert echo.ask(b"k")


def test_the_terminal_answers_over_the_line(echo: Rig) -> None:
    answer = echo.ask(b"q")
    assert answer
    assert b"heard" in echo.text
    assert answer.last >= answer.first + 0.2


def test_a_cage_holds_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("cpu", "memory"):
        (tmp_path / kind).mkdir()
    monkeypatch.setattr(cages, "ROOT", tmp_path)
    with cage(0.25, 1000) as made:
        assert made.missing == ()
        told = {f.name: f.read_text() for folder in made.folders for f in folder.iterdir()}
        assert int(told["cpu.cfs_quota_us"]) * 4 == int(told["cpu.cfs_period_us"])
        assert told["memory.limit_in_bytes"] == "1000"
        made.enter()
        assert all((f / "cgroup.procs").read_text() == str(os.getpid()) for f in made.folders)
        for folder in made.folders:
            for file in folder.iterdir():
                file.unlink()
    assert [*tmp_path.glob("*/*")] == []


def test_where_there_is_no_cage_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cages, "ROOT", tmp_path / "nowhere")
    with cage(0.25, 1000) as made:
        made.enter()
        assert (made.missing, made.peak()) == (("the processor", "the memory"), 0)


def test_a_slow_disk_is_slow_or_said_to_be_missing(tmp_path: Path) -> None:
    environ = slow_disk(tmp_path, 120)
    folder, file = str(tmp_path), str(tmp_path / "f")
    script = (
        f"import os; fd = os.open({folder!r}, 0); os.fsync(fd); fd = os.open({file!r}, 66); os.fdatasync(fd)"
    )
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", script], env={**os.environ, **environ}, check=True)
    assert (time.monotonic() - begun >= 0.24) is bool(environ)


@pytest.mark.parametrize("system", PLANS)
def test_a_session_leaves_its_save_at_the_beginning_and_has_a_byte_for_every_key(system: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        commands, end = session(system, Path(folder))
        assert (Path(folder) / "fight.toml").exists()
    assert end.round > 1
    assert all(key in bytes_of(key).decode() or len(key) > 1 for command in commands for key in command)
    assert all(len(bytes_of(key)) == 1 or bytes_of(key)[0] == 27 for command in commands for key in command)
