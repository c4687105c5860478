"""The size of the terminal is what it says, as far as there are screens."""

from __future__ import annotations

import fcntl
import os
import struct
import termios

import pytest

from tests.kit.loop import TestLoop
from tui.ui.terminal.terminal import MOST_COLUMNS, MOST_LINES, Terminal


@pytest.mark.parametrize(
    ("told", "taken"),
    [((80, 24), (80, 24)), ((1, 1), (1, 1)), ((0, 0), (80, 24)), ((768, 270), (768, 270)),
     ((65_535, 65_535), (MOST_COLUMNS, MOST_LINES))],
)  # fmt: skip
def test_a_size_is_taken_as_far_as_there_are_screens(told: tuple[int, int], taken: tuple[int, int]) -> None:
    master, slave = os.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", told[1], told[0], 0, 0))
        assert Terminal(TestLoop(), slave, slave).size() == taken
    finally:
        os.close(master)
        os.close(slave)
