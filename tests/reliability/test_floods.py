"""Floods of input into the whole program: it lives, stays small, and the next key does what it does."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.kit.scripted_play import fight, free, memory, steps, stop
from tests.kit.terminal import PATIENCE, Terminal, tocsin

MOST = 20_000  # kB more than before


class Flooded:
    """A program under a flood, and what must hold after it."""

    def __init__(self, folder: Path) -> None:
        fight(folder)
        self.folder = folder
        self.t: Terminal = tocsin(folder, "mill")
        self.t.wait("saved")
        self.t.press("j", "saved")
        self.settle()
        self.before = memory(self.t.pid)

    def settle(self, seconds: float = 0.3) -> None:
        """Read until it is silent and does nothing more."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            before = len(self.t.raw), worked(self.t.pid)
            self.t._read(seconds)
            if (len(self.t.raw), worked(self.t.pid)) == before:
                return

    def send(self, data: bytes, chunk: int = 4096) -> None:
        """All of it, while what comes back is read."""
        os.set_blocking(self.t._fd, False)
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self.t._fd, rest[:chunk]) :]
            except BlockingIOError:
                self.t._read(0.01)
            self.t._read(0)
        os.set_blocking(self.t._fd, True)

    def alive(self) -> None:
        """It answers, is small, has sent nothing foreign; what it saved is sound."""
        end = time.monotonic() + PATIENCE
        self.t.type("\x1b\x1b")
        self.t._read(0.4)
        number = len(steps(self.folder / "mill.toml"))
        self.t.type(":note alive")
        self.t.type("\r")
        while len(steps(self.folder / "mill.toml")) == number and time.monotonic() < end:
            self.t._read(0.05)  # the log may be out of sight
        self.t.wait("saved", silent=(":note",))
        assert memory(self.t.pid) - self.before < MOST
        assert self.t.foreign() == b""
        assert len(steps(self.folder / "mill.toml")) == number + 1


def worked(pid: int) -> int:
    """Processor time of a process, in ticks of the system."""
    return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))


@pytest.fixture
def flooded(tmp_path: Path) -> Iterator[Flooded]:
    one = Flooded(tmp_path)
    yield one
    stop(one.t)


def records(one: Flooded) -> int:
    return len(steps(one.folder / "mill.toml"))


@pytest.mark.parametrize("prompt", [False, True], ids=["board", "prompt"])
def test_ten_megabytes_of_paste(flooded: Flooded, prompt: bool) -> None:
    before = records(flooded)
    if prompt:
        flooded.t.press(":", ":")
    flooded.send(b"\x1b[200~" + b"quit\rn\x1b" * 1_430_000 + b"\x1b[201~", 65536)
    flooded.settle()
    assert records(flooded) == before
    if prompt:
        flooded.t.type("\x15")
    flooded.alive()


def resizes(one: Flooded, count: int) -> None:
    chance = random.Random(1)
    for number in range(count):
        one.t.resize(chance.randrange(1, 200), chance.randrange(1, 70))
        one.t._read(0.005)
        if number % 50 == 0:
            one.t.type("j")
    one.t.resize(80, 24)
    one.settle()
    one.t.type("\x0c")


def test_two_hundred_resizes(flooded: Flooded) -> None:
    resizes(flooded, 200)
    flooded.alive()


def held(one: Flooded, key: bytes, seconds: float) -> None:
    """A key at thirty times a second."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        os.write(one.t._fd, key)
        one.t._read(0)
        time.sleep(1 / 30)
    one.settle()


def test_a_held_key(flooded: Flooded) -> None:
    for key in (b"j", b"n", b"\x1b[B"):
        held(flooded, key, 2)
        flooded.alive()


def test_no_room_at_all(flooded: Flooded) -> None:
    for size in ((1, 1), (2, 1), (1, 50), (300, 1), (7, 3)):
        before = records(flooded)
        flooded.t.resize(*size)
        flooded.settle(0.2)
        for key in "n?:wvzd":
            flooded.t.type(key)
            flooded.t.type("\x1b")
            flooded.t._read(0.35)
        assert records(flooded) >= before
        flooded.t.resize(80, 24)
        flooded.settle()
        flooded.alive()


def garbage(one: Flooded, kilobytes: int, seed: int) -> None:
    """Yield any bytes but those that leave or stop the program, and counts, which repeat a key."""
    chance = random.Random(seed)
    some = [b for b in range(256) if b not in b"q\x03\x1a\x11\x13:0123456789"]
    for _ in range(kilobytes):
        one.send(bytes(chance.choices(some, k=1_000)))
    one.settle()
    time.sleep(1.2)


def test_garbage(flooded: Flooded) -> None:
    garbage(flooded, 2, 1)
    flooded.alive()


BROKEN = (
    b"\xff\xfe\xc3\xe2\x82\xf0\x9f",
    b"\x1b[200~hello \x1b[A\x1bq and\rq\r more\x1b[201~",
    b"\x1b[201~\x1b[201~",
    b"\x1b[200~\x1b[200~x\x1b[201~",
    b"\x1b]52;c;" + b"A" * 10_000,
    b"\x1b[" + b"9;" * 10_000,
    b"\x1b[0n\x1b[?2026;2$y\x1bP>|XTerm(388)\x1b\\\x1b[0n",
    b"\x1b[<0;1;1M\x1b[M !!",
    b"\x1b[200~never ended",
)


def test_broken_input_presses_no_key(flooded: Flooded) -> None:
    for data in BROKEN:
        before = records(flooded)
        flooded.send(data)
        flooded.settle(1.2 if data == BROKEN[-1] else 0.3)
        assert records(flooded) == before, data
        flooded.alive()


def test_a_flood_of_keys_is_taken_in_order_and_hangs_nothing(flooded: Flooded) -> None:
    """2,000 letters without brackets are as many keys; who sends more than is dealt with has to wait."""
    flooded.send(b"jk" * 1_000)
    flooded.settle(1.0)
    flooded.alive()


def test_a_signal_ends_it_in_the_middle_of_a_flood(flooded: Flooded) -> None:
    os.set_blocking(flooded.t._fd, False)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        with suppress(BlockingIOError):
            os.write(flooded.t._fd, b"jnk:note flooded\r" * 200)
        flooded.t._read(0.001)
    assert memory(flooded.t.pid) - flooded.before < MOST
    os.kill(flooded.t.pid, signal.SIGTERM)
    assert flooded.t.end() == 128 + signal.SIGTERM
    assert free(flooded.folder / "mill.toml")


def test_lines_of_a_paste_are_clean_and_one_after_the_other(flooded: Flooded) -> None:
    flooded.t.press(":", ":")
    flooded.t.press("note ", ":note")
    flooded.send(b"\x1b[200~one\rtwo\x1b[2J\x9b2J [red]three[/]\x1b[201~")
    flooded.t.wait("[red]three[/]")
    assert steps(flooded.folder / "mill.toml")[-1] == "note one"
    flooded.alive()
