"""Speak HTTP in a thread of its own: one page, its events, and the lines of players.

The thread holds the bytes of finished pages. It never holds an encounter, a store or a system: a line goes to
the writer's loop through a mailbox, and comes back as a reply. h11 reads and writes HTTP, asyncio holds the
connections.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import logging
import re
import resource
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from threading import Thread
from typing import Any, Final

import h11
import msgspec

from tui.serve.letter import SEND_AGAIN, LineReply, Mailbox, Pace, Posted, SentLine

MOST: Final = 128
"""The most connections at the same time."""

MOST_A_VIEWER: Final = 8
"""The most connections of one viewer; the newest stay."""

KEPT_DESCRIPTORS: Final = 64
"""How many descriptors below the process's limit are left to the program for its files."""

ASKING: Final = 5.0
"""How long a browser may take to send its request, in seconds."""

TAKING: Final = 10.0
"""How long a browser may take to receive an answer or one event, in seconds."""

PULSE: Final = 2.0
"""How often a browser gets a sign that the connection lives, in seconds."""

ENDING_TURNS: Final = 20
"""For how many hundredths of a second browsers are told that it is over."""

MOST_BODY: Final = 8_192
"""The most bytes of a request's head, and of its body."""

_TARGET = re.compile(rb"/([a-z2-7]{26})(/events|/line)?")
_FULL = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_REASONS = {200: b"OK", 404: b"Not Found"}
_ENCODE = msgspec.json.Encoder().encode
_SENT = msgspec.json.Decoder(Posted)


class PageServer:
    """Answers on a listening socket. `show`, `admit` and `close` may be called from any thread."""

    def __init__(
        self,
        listener: socket.socket,
        html: bytes,
        headers: Mapping[str, str],
        mailbox: Mailbox,
        looking: Callable[[dict[str, int]], None],
        failed: Callable[[str], None],
    ) -> None:
        """Prepare the thread, which `start` starts.

        `looking` is called with the number of open pages by viewer whenever it changes, `failed` with a fault
        that ended the serving; both on the server's thread.
        """
        self.html, self.mailbox, self.pace = html, mailbox, Pace()
        self.headers = [*headers.items(), ("Connection", "close")]
        self.hosts = {"localhost", (name := socket.gethostname().lower()), f"{name}.local"}
        self.loop = asyncio.new_event_loop()
        self._listener, self._looking, self._failed = listener, looking, failed
        self._keys: dict[bytes, str] = {}
        self._pages: dict[str, bytes] = {}
        self._counts: dict[str, int] = {}
        self._visits: dict[Visit, None] = {}
        self._over = asyncio.Event()
        self._fault: BaseException | None = None
        self._thread = Thread(target=self._run, name="page", daemon=True)

    # --- from other threads

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def admit(self, keys: Mapping[str, str]) -> None:
        """Open the addresses with these keys, by viewer, and end all others and their connections at once."""
        self.soon(partial(self._admit, {key.encode(): viewer for viewer, key in keys.items()}))

    def show(self, viewer: str, page: bytes) -> None:
        """Send a viewer's page to the browsers that show it."""
        self.soon(partial(self._show, viewer, page))

    def close(self) -> None:
        """Tell all browsers that it is over, and end the thread."""
        self.soon(self._over.set)
        self._thread.join(2.0)

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the server's thread."""
        with suppress(RuntimeError):  # the loop is closed: the thread has ended
            self.loop.call_soon_threadsafe(call)

    # --- the thread

    def _run(self) -> None:
        # Without a handler of its own asyncio's logger writes on standard error, which is the screen.
        logger = logging.getLogger("asyncio")
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
        self.loop.set_exception_handler(self._lost)
        try:
            self.loop.run_until_complete(self._serve())
        except Exception as error:  # noqa: BLE001  # a fault ends the serving, never the program
            self._fault = error
        finally:
            self._listener.close()
            self.loop.close()
            if self._fault is not None:
                self._failed(type(self._fault).__name__)

    async def _serve(self) -> None:
        server = await self.loop.create_server(partial(Visit, self), sock=self._listener)
        self._pulse()
        await self._over.wait()
        server.close()
        for visit in list(self._visits):
            visit.end()
        for _ in range(ENDING_TURNS):
            await asyncio.sleep(0.01)
            if not self._visits:
                return
        for visit in list(self._visits):
            visit.abort()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    def _pulse(self) -> None:
        for visit in list(self._visits):
            visit.pulse()
        self.loop.call_later(PULSE, self._pulse)

    def _lost(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End the serving after an error that nothing has caught."""
        error = context.get("exception")
        # Of a browser that has left, or for want of descriptors: asyncio goes on by itself.
        if error is None or (isinstance(error, OSError) and ("transport" in context or error.errno in _FULL)):
            return
        self._fault = error
        self._over.set()

    def _admit(self, keys: dict[bytes, str]) -> None:
        gone = self._keys.keys() - keys.keys()
        self._keys = keys
        for visit in [x for x in self._visits if x.key in gone]:
            visit.abort()

    def _show(self, viewer: str, page: bytes) -> None:
        # Kept only while somebody looks: later it would be an old picture, which a step may have forbidden.
        if viewer in self._counts:
            self._pages[viewer] = page
        for visit in [x for x in self._visits if x.viewer == viewer]:
            visit.show()

    # --- for connections

    def page_of(self, viewer: str) -> bytes:
        """Return the viewer's latest page, b"" before there is one."""
        return self._pages.get(viewer, b"")

    def viewer_of(self, key: bytes) -> str | None:
        """Return the viewer of an address, None for an unknown one.

        The time needed says nothing about a key.
        """
        found = [viewer for known, viewer in self._keys.items() if hmac.compare_digest(known, key)]
        return found[0] if found else None

    def enter(self, visit: Visit, descriptor: int) -> bool:
        """Count a connection; return False if there is no room for it.

        Without room the oldest one without a valid address is ended.
        """
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        is_high = limit != resource.RLIM_INFINITY and descriptor >= limit - KEPT_DESCRIPTORS
        if is_high or len(self._visits) >= MOST:
            oldest = next((x for x in self._visits if x.viewer is None), None)
            if oldest is not None:
                oldest.abort()
                self.leave(oldest)
            if is_high or oldest is None:
                return False
        self._visits[visit] = None
        return True

    def know(self, visit: Visit) -> None:
        """End the oldest connection of a viewer that has too many."""
        same = [x for x in self._visits if x.viewer == visit.viewer]
        for old in same[:-MOST_A_VIEWER]:
            old.abort()
            self.leave(old)

    def leave(self, visit: Visit) -> None:
        """Forget a connection."""
        if self._visits.pop(visit, visit) is None and visit.streams:
            self.count()

    def count(self) -> None:
        """Report how many pages are open."""
        counts: dict[str, int] = {}
        for visit in self._visits:
            if visit.streams and visit.viewer is not None:
                counts[visit.viewer] = counts.get(visit.viewer, 0) + 1
        self._counts = counts
        self._pages = {viewer: page for viewer, page in self._pages.items() if viewer in counts}
        self._looking(counts)


class Visit(asyncio.Protocol):
    """A connection: one request, and its answer."""

    def __init__(self, server: PageServer) -> None:
        self._server = server
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_BODY)
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._body = b""
        self._answered = self._paused = self._waits = False
        self._shown: bytes | None = None
        self.key = b""
        self.viewer: str | None = None
        """The viewer of the address, None before a valid one was sent."""
        self.streams = False
        """Whether the events of the page go over this connection."""

    # --- the connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, or end it if there is no room."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = transport.get_extra_info("socket")
        if not self._server.enter(self, peer.fileno()):
            transport.abort()
            return
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that went away without a word
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(2_000 * TAKING))
        self._limit(ASKING)

    def connection_lost(self, _error: Exception | None) -> None:
        """Forget the connection."""
        if self._timer is not None:
            self._timer.cancel()
        self._transport = None
        self._server.leave(self)

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def end(self) -> None:
        """Tell the browser that the serving is over, and close."""
        if self.streams and not self._paused:
            self._write(h11.Data(b"event: over\ndata: 1\n\n"), h11.EndOfMessage())
        if self._transport is not None:
            self._transport.close()

    def _limit(self, seconds: float) -> None:
        """End the connection after so many seconds, in place of the limit before."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._server.loop.call_later(seconds, self.abort) if seconds else None

    def pause_writing(self) -> None:
        """Write nothing more: the browser does not read."""
        self._paused = True
        self._limit(TAKING)

    def resume_writing(self) -> None:
        """Go on with the latest page."""
        self._paused = False
        if self.streams:
            self._limit(0)
            self.show()

    def _write(self, *parts: h11.Event) -> None:
        data = b"".join(self._http.send(part) or b"" for part in parts)
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    # --- the request

    def data_received(self, data: bytes) -> None:
        """Read the request; what comes after the answer is dropped."""
        if self._answered or self.streams or self._transport is None:
            return
        try:
            self._http.receive_data(data)
            self._read()
        except h11.RemoteProtocolError as error:
            self._answer(error.error_status_hint)

    def eof_received(self) -> bool:
        """Stay open: a browser may close its side after it has asked."""
        return self._waits and not self._answered

    def _read(self) -> None:
        while not self._answered and not self.streams:
            match event := self._http.next_event():
                case h11.Request():
                    self._route(event)
                case h11.Data(data):
                    self._body += data
                    if len(self._body) > MOST_BODY:
                        self._answer(404)
                case h11.EndOfMessage():
                    self._post()
                case _:
                    return

    def _route(self, request: h11.Request) -> None:
        """Answer a GET; a POST is answered when its body is there."""
        found = _TARGET.fullmatch(request.target)
        viewer = self._server.viewer_of(found[1]) if found else None
        if found is None or viewer is None or not self._is_own(request):
            self._answer(404)
            return
        self.key, self.viewer = found[1], viewer
        self._server.know(self)
        what = request.method, found[2]
        if what == (b"GET", None):
            self._answer(200, self._server.html, "text/html; charset=utf-8")
        elif what == (b"GET", b"/events"):
            self._stream()
        elif what != (b"POST", b"/line") or not viewer or not _is_line(request):
            self._answer(404)
        elif self._http.they_are_waiting_for_100_continue:
            self._write(h11.InformationalResponse(status_code=100, headers=[]))

    def _is_own(self, request: h11.Request) -> bool:
        """Return whether a request is for this machine by its own name, and from no other page."""
        hosts = [value.decode("latin-1").lower() for name, value in request.headers if name == b"host"]
        origins = [value.decode("latin-1").lower() for name, value in request.headers if name == b"origin"]
        if len(hosts) != 1 or len(origins) > 1:
            return False
        # A page of another name that a name server points here (DNS rebinding) sends that name.
        host = re.sub(r":[0-9]{1,5}\Z", "", hosts[0])
        if host not in self._server.hosts and not _is_address(host.strip("[]")):
            return False
        return not origins or origins[0] in (f"http://{hosts[0]}", f"https://{hosts[0]}")

    def _post(self) -> None:
        """Hand the line over, or answer why not."""
        server, viewer = self._server, self.viewer
        assert viewer
        try:
            sent = _SENT.decode(self._body)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self._answer(404)
            return
        if seconds := server.pace.wait(viewer, len(self._body)):
            self._reply(
                LineReply("again", "too many lines in so short a time", f"{SEND_AGAIN} in {seconds} s")
            )
            return
        soon = server.loop.call_soon_threadsafe
        letter = SentLine(viewer, self.key.decode(), sent, partial(_call, soon, self._reply))
        if not server.mailbox.put(letter):
            self._reply(LineReply("again", "too many lines wait", SEND_AGAIN))
            return
        self._waits = True
        self._limit(0)
        server.loop.call_later(letter.seconds_left, letter.give_up)

    # --- the answer

    def _reply(self, reply: LineReply) -> None:
        self._answer(200, _ENCODE(reply), "application/json")

    def _answer(self, status: int, body: bytes = b"", kind: str = "") -> None:
        """Answer, and close once the browser has read it: closing with unread bytes could lose the answer."""
        if self._answered or self._transport is None or self._transport.is_closing():
            return
        self._answered = True
        headers = [*self._server.headers, ("Content-Length", str(len(body)))]
        headers += [("Content-Type", kind)] if kind else []
        try:
            answer = h11.Response(status_code=status, headers=headers, reason=_REASONS.get(status, b""))
            self._write(answer, *([h11.Data(body)] if body else []), h11.EndOfMessage())
        except h11.LocalProtocolError:  # the request was such that HTTP allows no answer
            self._transport.abort()
            return
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._limit(TAKING if body else 1.0)

    def _stream(self) -> None:
        """Send the page whenever it changes; states in between may be skipped."""
        self.streams = True
        self._limit(0)
        headers = [*self._server.headers, ("Content-Type", "text/event-stream; charset=utf-8")]
        self._write(h11.Response(status_code=200, headers=headers, reason=b"OK"), h11.Data(b": tocsin\n\n"))
        self.show()
        self._server.count()

    def show(self) -> None:
        """Send the latest page, unless it was sent or the browser does not read."""
        page = self._server.page_of(self.viewer or "")
        if self.streams and not self._paused and page and page is not self._shown:
            self._shown = page
            self._write(h11.Data(b"data: " + page + b"\n\n"))

    def pulse(self) -> None:
        """Send the sign that the connection lives."""
        if self.streams and not self._paused:
            self._write(h11.Data(b"event: alive\ndata: 1\n\n"))


def _call(soon: Callable[..., object], reply: Callable[[LineReply], None], answer: LineReply) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody waits for the answer
        soon(reply, answer)


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        ip_address(host)
        return True
    return False


def _is_line(request: h11.Request) -> bool:
    """Return whether the head of a POST is that of the page: others cannot send its header unasked."""
    headers = dict(request.headers)
    kind = headers.get(b"content-type", b"").lower().partition(b";")[0].strip()
    size = headers.get(b"content-length", b"0")
    return kind == b"application/json" and headers.get(b"x-tocsin") == b"1" and int(size) <= MOST_BODY
