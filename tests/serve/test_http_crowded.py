"""A crowd of connections: nobody else waits, and the fight keeps its descriptors."""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.scripted_play import fight, stop
from tests.kit.terminal import tocsin
from tests.reliability.sick import Sick
from tests.serve.sockets import KEYS, Served, line, until
from tui.serve.http import KEPT_DESCRIPTORS, MOST, MOST_A_VIEWER, MOST_BODY
from tui.ui.modes.addresses import AddressPage

pytestmark = pytest.mark.long

IDLE = 2_000
MOST_DELAY = 2.0
"""Seconds that a page or an answer may take on a busy machine, far more than it needs."""
TAKE_OVER_SECONDS = 5.0


@pytest.fixture
def descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def open_ones(crowd: list[socket.socket]) -> int:
    """Count the connections that the other side has not ended; none of them was answered."""
    poll = select.poll()
    for one in crowd:
        poll.register(one, select.POLLIN)
    return len(crowd) - len(poll.poll(0))


def occupy(urls: list[str]) -> list[socket.socket]:
    """Take every connection with lines of players whose bodies end one byte before their bound."""
    crowd = []
    for url in urls[: MOST // MOST_A_VIEWER]:
        where, _, key = url.removeprefix("http://").partition("/")
        host, _, port = where.partition(":")
        head = f"POST /{key}/line HTTP/1.1\r\nHost: {where}\r\nContent-Type: application/json\r\n"
        head += f"X-Tocsin: 1\r\nContent-Length: {MOST_BODY}\r\n\r\n"
        for _ in range(MOST_A_VIEWER):
            one = socket.create_connection((host, int(port)), timeout=20)
            one.sendall(head.encode() + b" " * (MOST_BODY - 1))
            crowd.append(one)
    time.sleep(0.5)
    assert open_ones(crowd) == len(crowd) == MOST
    return crowd


@pytest.mark.usefixtures("descriptors")
def test_two_thousand_idle_connections_delay_nobody_and_end_at_the_bound() -> None:
    with Served() as served, served.stream() as page:
        idle: list[socket.socket] = []
        for n in range(IDLE // 100):
            idle += [served.connect() for _ in range(100)]
            end = time.monotonic() + MOST_DELAY
            served.server.show("mia", b'{"moment":%d}' % (n + 1000))
            assert b":%d}" % (n + 1000) in until(page, b":%d}" % (n + 1000))
            assert b"taken" in served.post(KEYS["jon"], line())
            assert time.monotonic() < end, "others were kept waiting"
        time.sleep(0.5)
        # The page keeps its own connection, and each line took that of an idle one.
        assert MOST - MOST_A_VIEWER <= open_ones(idle) <= MOST - 1
        assert not served.faults
        for one in idle:
            one.close()


def test_with_every_connection_taken_a_failed_sync_and_saveas_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("tui.store.journal.file.RETRY_SECONDS", 0.05)
    sick = Sick(tmp_path)
    for n in range(MOST // MOST_A_VIEWER):
        sick.desk.store.run(f"add Guest{n} owner=Guest{n}")
    sick.desk.services.words["serve"].does("")
    mode = sick.desk.view.mode
    assert isinstance(mode, AddressPage)
    crowd = occupy([x.url for x in mode.addresses if x.name.startswith("Guest")])
    highest = max(map(int, os.listdir("/proc/self/fd")))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + KEPT_DESCRIPTORS, hard))
    try:
        sick.press("escape", ":", "'note one'", "enter")
        sick.kept()
        before = sick.path.stat().st_ino
        sick.broken(errno.EIO, "fdatasync")
        sick.player.press(":", "'note two'", "enter")
        while not sick.writer.fault and sick.path.stat().st_ino == before:
            pass
        sick.broken(0)
        while sick.writer.fault:
            pass
        sick.writer.wait(20)
        assert sick.path.stat().st_ino != before
        sick.kept()
        sick.press(":", "'saveas other'", "enter", ":", "'note three'", "enter")
        assert " other " in sick.header()
        assert sick.player.asked() == ["note three"]
        sick.kept()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        sick.end()
        for one in crowd:
            one.close()


def test_with_every_connection_taken_a_take_over_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    program = fight(tmp_path)
    guests = [f"add Guest{n} owner=Guest{n}" for n in range(MOST // MOST_A_VIEWER)]
    assert program.call("do", *guests).code == 0
    one = tocsin(tmp_path, "mill", "--serve", "127.0.0.1:0")
    one.wait("looking", "saved")
    asks = (sys.executable, "-m", "tui", "serve", "mill", "--addresses", "--saves", str(tmp_path))
    shown = subprocess.run(asks, capture_output=True, text=True, check=True).stdout.splitlines()
    crowd = occupy([row.split()[1] for row in shown if row.startswith("Guest")])
    two = tocsin(tmp_path, "mill")
    two.wait("t take over")
    end = time.monotonic() + TAKE_OVER_SECONDS
    two.press("t", "saved", silent=("take over",))
    assert time.monotonic() < end
    assert one.end() == 128 + signal.SIGTERM
    assert open_ones(crowd) == 0
    for each in crowd:
        each.close()
    stop(two)
