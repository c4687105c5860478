"""Hostile and broken input, in a real pty: the app lives, and nothing that is no key acts as one."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kit.ptyrun import SAMPLE, Pty

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def one() -> Iterator[Pty]:
    with Pty(SAMPLE) as one:
        one.sees("READY")
        yield one


def handled(one: Pty) -> int:
    """How many commands the app has carried out: the last word on its screen."""
    return int(one.terminal.lines_of_text()[-1].split()[-1])


def alive(one: Pty) -> None:
    """A key still does what it does, once."""
    one.quiet(0.1)
    before = handled(one)
    one.press("n")
    one.until(lambda: handled(one) == before + 1)


def test_invalid_utf8(one: Pty) -> None:
    one.send(b"\xff\xc3\xe2\x82\xf0\x9f")
    one.pump(0.2)
    alive(one)


def test_ten_megabytes_of_paste(one: Pty) -> None:
    before = memory(one)
    one.send(b"\x1b[200~" + b"q\x1b" * 5_000_000 + b"\x1b[201~")
    one.sees("paste: 65536")
    assert memory(one) - before < 20_000
    alive(one)


def memory(one: Pty) -> int:
    """Resident memory in kB."""
    status = Path(f"/proc/{one.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_megabytes_without_brackets_are_keys_and_hang_nothing(one: Pty) -> None:
    """They are taken in order, and no more of them is read than is dealt with.

    The rest waits with who sends it.
    """
    before = memory(one)
    one.answers = False  # there is no room for answers on a line that is full
    os.set_blocking(one.master, False)
    flood, sent, end = b"n\x1b[B" * 2_500_000, 0, time.monotonic() + 2
    while sent < len(flood) and time.monotonic() < end:
        with contextlib.suppress(BlockingIOError):
            sent += os.write(one.master, flood[sent : sent + 4096])
        one.pump(0.001)
    one.until(lambda: handled(one) > 50)
    assert memory(one) - before < 20_000
    os.kill(one.process.pid, signal.SIGTERM)
    one.until(one.gone)
    one.quiet(0.05)
    assert one.process.returncode == 128 + signal.SIGTERM
    assert one.given_back()


def test_garbage(one: Pty) -> None:
    before = memory(one)
    chance = random.Random(1)
    for _ in range(20):
        one.send(bytes(chance.choices([b for b in range(256) if b not in b"qx\x11\x03\x1a"], k=300)))
        one.pump(0.01)
    one.quiet(1.5)
    assert not one.gone()
    assert memory(one) - before < 20_000


def test_modes_are_few(one: Pty) -> None:
    assert one.terminal.modes == {"1049", "2004"}
