"""`tocsin serve` as a process of its own, and browsers that are no more than a socket."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

PATIENCE = 60.0


def called(folder: Path, *words: str, save: str = "mill") -> subprocess.Popen[str]:
    """Start `tocsin serve` on a save of a folder."""
    words = (sys.executable, "-m", "tui", "serve", save, "--saves", str(folder), *words)
    return subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
    )


class Serving:
    """A server that runs: `addresses` are what it printed, by viewer; use `with`."""

    def __init__(self, folder: Path, *words: str, save: str = "mill") -> None:
        self._process = called(folder, *words, save=save)
        self.addresses: dict[str, str] = {}
        self.pid = self._process.pid
        while not self.line().startswith("only this machine"):
            pass

    def line(self) -> str:
        """Return the next line that it prints, and keep an address in it."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            assert self._process.stderr
            raise AssertionError(self._process.stderr.read())
        if found := re.fullmatch(r"(.+?) +(http://127\.0\.0\.1:[0-9]+/[a-z2-7]{26})\n", line):
            self.addresses[found[1]] = found[2]
        return line

    @property
    def port(self) -> int:
        """The port at which it answers."""
        return int(re.search(r":([0-9]+)/", self.addresses["everybody"])[1])  # type: ignore[index]

    def path(self, viewer: str = "everybody") -> str:
        """Return the path of a viewer's address."""
        return "/" + self.addresses[viewer].rpartition("/")[2]

    def connect(self) -> socket.socket:
        """Return a connection that has said nothing."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, request: bytes) -> bytes:
        """Return all that is answered to these bytes."""
        with self.connect() as one:
            with suppress(OSError):  # refused before all of it was sent
                one.sendall(request)
                one.shutdown(socket.SHUT_WR)
            return b"".join(read(one))

    def get(self, path: str) -> bytes:
        """Return all that is answered to a GET."""
        return self.ask(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    def watch(self, viewer: str = "everybody") -> Events:
        """Return the events of a viewer's page."""
        return Events(self.connect(), self.path(viewer))

    def interrupt(self) -> str:
        """Press ctrl+c; return what it wrote on standard error."""
        self._process.send_signal(signal.SIGINT)
        _, err = self._process.communicate(timeout=PATIENCE)
        assert self._process.returncode == 130
        return err

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is not None:
            return
        self._process.terminate()
        self._process.communicate()


def read(one: socket.socket) -> Iterator[bytes]:
    """Yield what comes until the other side closes."""
    with suppress(ConnectionError):
        while part := one.recv(65_536):
            yield part


class Events:
    """What a page is told; `raw` is every byte of it. Use `with`."""

    def __init__(self, connection: socket.socket, path: str) -> None:
        self.socket, self.raw, self._at = connection, b"", 0
        connection.sendall(f"GET {path}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def next(self) -> dict[str, Any]:
        """Return what is shown next. Raises AssertionError if the server closes before."""
        while True:
            while (end := self.raw.find(b"\n\n", self._at)) < 0:
                part = self.socket.recv(65_536)
                assert part, self.raw
                self.raw += part
            event, self._at = self.raw[self._at : end], end + 2
            # The head of the answer stands before the first one.
            if b"alive" not in event:
                found: dict[str, Any] = json.loads(event.rpartition(b"data: ")[2])
                return found

    def alive(self) -> bool:
        """Wait for the sign that the connection lives; return whether it came."""
        while part := self.socket.recv(65_536):
            if b"event: alive" in part:
                return True
        return False

    def until(self, standing: str, says: str = "") -> dict[str, Any]:
        """Return the first of what is shown that stands so and says this."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            shown = self.next()
            if shown["standing"] == standing and says in json.dumps(shown):
                return shown
        raise AssertionError(f"never {standing} with {says}")
