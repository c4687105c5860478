"""A page server without a fight, and browsers that are no more than a socket."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Self

from tui.serve.http import PageServer
from tui.serve.letter import LineReply, Mailbox, SentLine
from tui.serve.listening import listen

KEYS = {"": "a" * 26, "mia": "b" * 26, "jon": "c" * 26}
PATIENCE = 20.0


class Served:
    """A server that answers each line with `taken`; use `with`."""

    def __init__(self, *, answers: bool = True) -> None:
        listener = listen("127.0.0.1", 0)
        self.port: int = listener.getsockname()[1]
        self.letters: list[SentLine] = []
        self.looking: list[dict[str, int]] = []
        self.faults: list[str] = []
        self.ended = threading.Event()
        self.answers = answers
        self.mailbox = Mailbox(self._take)
        self.server = PageServer(
            listener, b"<html>", {"X-Own": "yes"}, self.mailbox, self.looking.append, self._fail
        )
        self.server.admit(KEYS)
        self.server.start()

    def _take(self) -> None:
        if self.answers and (letter := self.mailbox.take()):
            self.letters.append(letter)
            if letter.begin():
                letter.reply(LineReply("taken"))

    def _fail(self, name: str) -> None:
        self.faults.append(name)
        self.ended.set()

    def connect(self) -> socket.socket:
        """Return a connection that has said nothing."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, request: bytes) -> bytes:
        """Return all that is answered to these bytes."""
        with self.connect() as one:
            with suppress(OSError):  # refused before all of it was sent
                one.sendall(request)
            return b"".join(read(one))

    def get(self, path: str, *headers: str, host: str = "") -> bytes:
        """Return all that is answered to a GET."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", *headers, "", ""]
        return self.ask("\r\n".join(lines).encode())

    def post(self, key: str, body: bytes, *headers: str, path: str = "line", origin: str = "") -> bytes:
        """Return all that is answered to a POST of the page."""
        usual = ["Content-Type: application/json", "X-Tocsin: 1"]
        lines = [f"POST /{key}/{path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *(headers or usual)]
        lines += [f"Origin: {origin}"] if origin else []
        head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""])
        return self.ask(head.encode() + body)

    def stream(self, viewer: str = "mia") -> socket.socket:
        """Return a connection over which the events of a page go."""
        one = self.connect()
        one.sendall(f"GET /{KEYS[viewer]}/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        assert b": tocsin" in until(one, b": tocsin")
        return one

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()


def line(text: str = "end", id_: str = "abcdefgh", moment: int = 1, **more: Any) -> bytes:
    """Return the body of a line."""
    return json.dumps({"id": id_, "moment": moment, "line": text, **more}).encode()


def read(one: socket.socket) -> Iterator[bytes]:
    """Yield what comes until the other side closes; after `PATIENCE` seconds the test fails."""
    end = time.monotonic() + PATIENCE
    with suppress(ConnectionError):
        while part := one.recv(65_536):
            yield part
            assert time.monotonic() < end, "it is not closed"


def until(one: socket.socket, words: bytes) -> bytes:
    """Return what comes until these words are in it, or the other side closes.

    The signs of life alone do not count as an answer: after `PATIENCE` seconds the test fails.
    """
    got, end = b"", time.monotonic() + PATIENCE
    with suppress(ConnectionError):
        while words not in got and (part := one.recv(65_536)):
            got += part
            assert time.monotonic() < end, f"{words!r} did not come"
    return got
