"""Answer browsers: one page of HTML, and its contents as server-sent events. Only GET.

Every connection has a thread and a time limit, so that none waits for another. A connection without a valid
address has the shortest limit, and is closed first.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Final

from msgspec import Struct

from tui.ui.serve.pages import Pages

MOST: Final = 64
"""The most connections at the same time."""

ASKING: Final = 5.0
"""How long a browser may take to send its request, in seconds."""

TAKING: Final = 10.0
"""How long a browser may take to receive an answer or one event, in seconds."""

PULSE: Final = 5.0
"""How long after the last event a browser gets a sign that the connection lives, in seconds."""

_HEAD = 8_192  # bytes of a request that are read
_REST = 65_536  # bytes after the request that are read and dropped
_GET = re.compile(rb"GET /([a-z2-7]{26})(/events)? HTTP/1\.[01]\r?\n")
_PAUSE = 0.1  # seconds to wait if the process has no free descriptor


def page() -> bytes:
    """Return the HTML page."""
    with open(os.path.join(os.path.dirname(__file__), "page.html"), "rb") as file:
        return file.read()


def write_policy(html: bytes) -> str:
    """Return the Content-Security-Policy: only the page's style and script, by their hashes."""
    hashes = {}
    for tag in ("style", "script"):
        found = re.search(rf"<{tag}>(.*?)</{tag}>".encode(), html, re.DOTALL)
        assert found
        hashes[tag] = base64.b64encode(hashlib.sha256(found[1]).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class _Visit(Struct):
    """A connection; `known` says that it has sent a valid address."""

    socket: socket.socket
    known: bool = False


class PageServer:
    """Answers on a listening socket. `admit` opens an address; `run` answers for ever."""

    def __init__(self, listener: socket.socket, pages: Pages) -> None:
        self._listener, self._pages = listener, pages
        self._keys: dict[bytes, str] = {}
        self._visits: dict[int, _Visit] = {}
        self._lock = Lock()
        self._html = page()
        headers = {
            "Content-Security-Policy": write_policy(self._html),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    def admit(self, key: str, viewer: str) -> None:
        """Open the address with this key, which shows a viewer's page."""
        self._keys = {**self._keys, key.encode(): viewer}

    def run(self) -> None:
        """Answer until the process ends."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # a browser that left at once, or no free descriptor
                time.sleep(_PAUSE)
                continue
            self._receive(_Visit(connection))

    def _receive(self, visit: _Visit) -> None:
        """Answer a connection in a thread; if there are `MOST`, close the oldest one without a valid address.

        If all have one, the new connection is closed.
        """
        with self._lock:
            if len(self._visits) >= MOST:
                oldest = next((number for number, v in self._visits.items() if not v.known), None)
                if oldest is None:
                    visit.socket.close()
                    return
                _end(self._visits.pop(oldest).socket)
            self._visits[id(visit)] = visit
        try:
            Thread(target=self._visit, args=(visit,), daemon=True).start()
        except RuntimeError:  # no free thread
            self._leave(visit)

    def _visit(self, visit: _Visit) -> None:
        with suppress(OSError):
            self._answer(visit)
        self._leave(visit)

    def _leave(self, visit: _Visit) -> None:
        with self._lock:
            self._visits.pop(id(visit), None)
        visit.socket.close()

    def _answer(self, visit: _Visit) -> None:
        request = _GET.match(_head(visit.socket))
        viewer = self._viewer(request[1]) if request else None
        if request is None or viewer is None:
            self._send(visit.socket, "404 Not Found", "Content-Length: 0\r\n")
        elif request[2]:
            visit.known = True
            self._send(visit.socket, "200 OK", "Content-Type: text/event-stream; charset=utf-8\r\n")
            self._tell(visit.socket, viewer)
        else:
            visit.known = True
            length = f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(self._html)}\r\n"
            self._send(visit.socket, "200 OK", length, self._html)
        _part(visit.socket)

    def _viewer(self, key: bytes) -> str | None:
        """Return the viewer of an address, None for an unknown one.

        The time needed says nothing about a key.
        """
        return next((v for known, v in self._keys.items() if hmac.compare_digest(known, key)), None)

    def _send(self, to: socket.socket, status: str, more: str, body: bytes = b"") -> None:
        to.settimeout(TAKING)
        to.sendall(f"HTTP/1.1 {status}\r\n{self._headers}{more}\r\n".encode() + body)

    def _tell(self, to: socket.socket, viewer: str) -> None:
        """Send a viewer's JSON whenever it changes; states in between may be skipped."""
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that went away without a word
            to.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(2_000 * TAKING))
        seen = b""
        while not _is_gone(to):
            data = self._pages.wait(viewer, seen, PULSE)
            to.settimeout(TAKING)
            to.sendall(b"event: alive\ndata: 1\n\n" if data == seen else b"data: %b\n\n" % data)
            seen = data


def _reader_until(to: socket.socket, seconds: float) -> Callable[[int], bytes]:
    """Return a function that reads up to the given number of bytes.

    All its calls share one time limit in seconds; after it they raise TimeoutError.
    """
    end = time.monotonic() + seconds

    def read(most: int) -> bytes:
        to.settimeout(max(0.001, end - time.monotonic()))
        return to.recv(most)

    return read


def _head(connection: socket.socket) -> bytes:
    """Return a request up to its empty line, at most `_HEAD` bytes. Raises OSError."""
    read, head = _reader_until(connection, ASKING), b""
    while b"\r\n\r\n" not in head and len(head) < _HEAD:
        if not (more := read(_HEAD - len(head))):
            break
        head += more
    return head


def _part(from_: socket.socket) -> None:
    """Close a connection for writing and read until the browser closes it, at most a second.

    Closing with unread bytes could lose the answer.
    """
    from_.shutdown(socket.SHUT_WR)
    read, bytes_left = _reader_until(from_, 1.0), _REST
    while bytes_left > 0 and (more := read(bytes_left)):
        bytes_left -= len(more)


def _is_gone(peer: socket.socket) -> bool:
    """Return whether the browser has closed its end."""
    peer.settimeout(0)
    try:
        return not peer.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False


def _end(connection: socket.socket) -> None:
    """Shut a connection down, so that the thread waiting there wakes and closes it."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
