"""Serve a fight to browsers from the arguments of a call. Imports neither Textual nor the rules."""

from __future__ import annotations

import argparse
import errno
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from ipaddress import ip_address
from itertools import zip_longest
from threading import Thread
from typing import Final

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name
from tui.store.players.addresses import Addresses, keep_addresses, read_addresses
from tui.store.players.broadcast import read_owners, start_publisher
from tui.store.players.folder import players_folder
from tui.store.players.viewers import MOST_VIEWERS
from tui.store.problems import make_printable
from tui.store.shell_words import quote_for_shells
from tui.ui.launch.view_command import WAIT_SECONDS, fight_to_look_at
from tui.ui.serve.pages import Pages
from tui.ui.serve.web import MOST, PageServer

LOOPBACK: Final = "127.0.0.1"
"""The default address: no other machine can reach it."""

LOOK_INTERVAL: Final = 0.15
"""How often published pages are read, in seconds, so that a page follows a step within half a second."""

_UNUSED_ADDRESSES: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104
"""For each address that means "all interfaces": an unused address to which a route can be asked for.

Sources: RFC 5737, RFC 3849.
"""


def serve(args: argparse.Namespace) -> int:
    """Serve a fight's pages until the process ends. Raises BadName, BadFile, RuleError, OSError."""
    path, table = fight_to_look_at(args)
    addresses = Addresses() if args.new else read_addresses(table)
    host, port = args.listen or (LOOPBACK, 0)
    viewers = tuple(clean_name(name) for name in args.viewers)
    with open_socket(host, port or addresses.port) as listener:
        addresses.port = listener.getsockname()[1]
        pages = Pages(path)
        try:
            reception = Reception(path, listener, pages, addresses)
            reception.admit(("", *(viewers or read_owners(path, WAIT_SECONDS))))
            if is_only_here(listener):
                wider = call_for_network(args, addresses.port)
                put([f"only this machine can open them; for phones in your network: {wider}"])
            Thread(target=reception.follow, args=(not viewers,), name="pages", daemon=True).start()
            reception.server.run()
        except KeyboardInterrupt as stopped:
            stopped.add_note("the fight itself goes on")
            raise
        finally:
            pages.close()
    return 0


def call_for_network(args: argparse.Namespace, port: int) -> str:
    """Return this call with an address that phones can reach, quoted for a shell."""
    viewers = (word for name in args.viewers for word in ("--as", name))
    folder = ("--saves", args.saves) if args.saves else ()
    words = ("tocsin", "serve", args.save, *folder, *viewers, "--listen", f"0.0.0.0:{port}")
    return quote_for_shells(map(make_printable, words))


class Reception:
    """Publishes a page for each viewer and prints its address, also for players who join later."""

    def __init__(self, path: str, listener: socket.socket, pages: Pages, addresses: Addresses) -> None:
        self.server = PageServer(listener, pages)
        self._path, self._pages, self._addresses = path, pages, addresses
        self._base, self._coded = base(listener), not is_only_here(listener) and _is_screen()
        self._admitted = set[str]()

    def admit(self, viewers: Iterable[str]) -> None:
        """Publish and serve the page of each new viewer, and print its address. Raises OSError."""
        new = {v.lower(): v for v in reversed(tuple(viewers)) if v.lower() not in self._admitted}
        new = dict(list(reversed(new.items()))[: MOST_VIEWERS - len(self._admitted)])
        if not new:
            return
        keys = {viewer: self._addresses.key(viewer) for viewer in new.values()}
        keep_addresses(players_folder(self._path), self._addresses)
        self._admitted |= set(new)
        for viewer, key in keys.items():
            self._pages.add(viewer)
            self.server.admit(key, viewer)
        self._pages.look()
        if self._pages.unwritten:
            # All have said that they look: one process publishes for every one of them.
            with suppress(Exception):
                start_publisher(self._path, once=True).wait(WAIT_SECONDS)
            self._pages.look()
        width = max(len(_title(viewer)) for viewer in keys)
        for viewer, key in keys.items():
            address = f"{self._base}/{key}"
            put([f"{_title(viewer):<{width}}  {address}"])
            if self._coded:
                put(qr_code(address))

    def follow(self, joining: bool) -> None:
        """Read the published pages for ever; with `joining`, also admit players who join."""
        while True:
            self._pages.look()
            if joining:
                with suppress(OSError):  # a full disk: they are admitted when there is room
                    self.admit(self._pages.owners)
            time.sleep(LOOK_INTERVAL)


def _is_screen() -> bool:
    """Return whether standard output is a terminal that shows half blocks."""
    return bool(sys.stdout and sys.stdout.isatty()) and sys.stdout.encoding.lower().startswith("utf")


def _title(viewer: str) -> str:
    return make_printable(viewer, 64) or "everybody"


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at `host` and `port`; port 0 takes a free one. Raises RuleError."""
    shown = make_printable(host, 64)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise RuleError(f"there is no address {shown}", _ANY_HINT) from None
    listener = socket.socket(found[0], socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(found[4])
        listener.listen(MOST)
    except OSError as error:
        listener.close()
        raise _refusal(error, shown, port) from None
    return listener


_ANY_HINT = "`--listen 0.0.0.0:8080` takes every address of this machine"


def _refusal(error: OSError, host: str, port: int) -> RuleError:
    match error.errno:
        case errno.EADDRINUSE:
            problem = f"port {port} is in use, perhaps by another `tocsin serve` of this fight"
            return RuleError(problem, f"`--listen {host}:0` takes a free port")
        case errno.EADDRNOTAVAIL:
            return RuleError(f"{host} is not an address of this machine", _ANY_HINT)
        case errno.EACCES | errno.EPERM:
            return RuleError(f"this account cannot listen on port {port}", "take a port above 1023")
        case _:
            problem = f"nothing can listen on {host}, port {port}: {error.strerror or 'the system says no'}"
            return RuleError(problem, _ANY_HINT)


def is_only_here(listener: socket.socket) -> bool:
    """Return whether only this machine can reach the socket."""
    return ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback


def base(listener: socket.socket) -> str:
    """Return the beginning of all addresses, such as `http://192.168.1.20:8080`."""
    host, port = listener.getsockname()[:2]
    if host in _UNUSED_ADDRESSES:
        host = _own_address(listener.family, _UNUSED_ADDRESSES[host])
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address(family: int, elsewhere: str) -> str:
    """Return this machine's own address on the route to `elsewhere`, or its host name without a route."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))  # which sends nothing
        own: str = probe.getsockname()[0]
        return own
    return socket.gethostname()


def put(lines: Iterable[str]) -> None:
    """Print lines and flush them."""
    if sys.stdout is not None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()


def qr_code(address: str) -> Iterator[str]:
    """Yield the rows of a QR code in black and white half blocks; no rows if segno is not installed."""
    try:
        segno = import_module("segno")
    except ImportError:
        return
    rows = [list(row) for row in segno.make(address, error="l", micro=False).matrix_iter(border=2)]
    blocks = {(0, 0): " ", (0, 1): "\u2584", (1, 0): "\u2580", (1, 1): "\u2588"}
    for top, low in zip_longest(rows[::2], rows[1::2], fillvalue=[0] * len(rows)):
        text = "".join(blocks[bool(a), bool(b)] for a, b in zip(top, low, strict=True))
        yield f"\x1b[30;107m{text}\x1b[0m"
