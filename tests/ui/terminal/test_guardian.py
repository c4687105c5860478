"""Lines that drop at any moment, idle and with output stalled: the process is gone, every time."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from tests.kit.ptyrun import SAMPLE, Pty

GONE = 60.0
"""Seconds after which a process counts as hung."""


def drop(chance: random.Random, *, stalled: bool, arguments: list[str]) -> None:
    """Start, wait a while, stall the line or not, cut it or send a signal: the process ends."""
    with Pty([*SAMPLE, *arguments]) as one:
        end = time.monotonic() + chance.choice([chance.random(), 1.0])
        while time.monotonic() < end:
            one.pump(0.02)
        if stalled:
            one.stuff()
        for key in chance.choices(b"nnd\x0c", k=chance.randrange(4)):
            os.write(one.master, bytes([key]))
        time.sleep(chance.random() / 5)
        begun = time.monotonic()
        if chance.random() < 0.7:
            os.close(one.master)
        else:
            os.kill(one.process.pid, chance.choice([signal.SIGHUP, signal.SIGTERM]))
        while not one.gone():
            assert time.monotonic() < begun + GONE, "hung"
            time.sleep(0.01)
        assert one.process.returncode in {129, 143, -signal.SIGHUP, -signal.SIGTERM}


@pytest.mark.hours
@pytest.mark.parametrize(("stalled", "times"), [(False, 100), (True, 200)])
def test_no_process_outlives_its_line(stalled: bool, times: int) -> None:
    chance = random.Random(times)
    for _ in range(times):
        drop(chance, stalled=stalled, arguments=chance.choice([[], [], ["--stock"]]))
