"""Open the socket on which pages are served, and write its address and QR code."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from itertools import zip_longest
from typing import Final

from tui.core.base.errors import RuleError
from tui.store.problems import make_printable

_BACKLOG = 128
_ANY_HINT = "`0.0.0.0:8080` takes every address of this machine"
_UNUSED_ADDRESSES: Final = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104
"""For each address that means "all interfaces": an unused address to which a route can be asked for.

Sources: RFC 5737, RFC 3849.
"""


def listen(host: str, port: int, *, free: bool = False) -> socket.socket:
    """Return a socket that listens at `host` and `port`; port 0 takes a free one.

    With `free` a free port is taken if this one is in use. Raises RuleError.
    """
    shown = make_printable(host, 64)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise RuleError(f"there is no address {shown}", _ANY_HINT) from None
    listener = socket.socket(found[0], socket.SOCK_STREAM)
    try:
        # Else a server that ended a moment ago would keep the port for a minute.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(found[4])
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if free and port and error.errno == errno.EADDRINUSE:
            return listen(host, 0)
        raise _refusal(error, shown, port) from None
    listener.setblocking(False)
    return listener


def _refusal(error: OSError, host: str, port: int) -> RuleError:
    match error.errno:
        case errno.EADDRINUSE:
            return RuleError(f"port {port} is in use", f"`{host}:0` takes a free port")
        case errno.EADDRNOTAVAIL:
            return RuleError(f"{host} is not an address of this machine", _ANY_HINT)
        case errno.EACCES | errno.EPERM:
            return RuleError(f"this account cannot listen on port {port}", "take a port above 1023")
        case _:
            problem = f"nothing can listen on {host}, port {port}: {error.strerror or 'it is refused'}"
            return RuleError(problem, _ANY_HINT)


def is_local(listener: socket.socket) -> bool:
    """Return whether only this machine can reach the socket."""
    return ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback


def base_url(listener: socket.socket) -> str:
    """Return the beginning of all addresses, such as `http://192.168.1.20:8080/`."""
    host, port = listener.getsockname()[:2]
    if host in _UNUSED_ADDRESSES:
        host = _own_address(listener.family, _UNUSED_ADDRESSES[host])
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address(family: int, elsewhere: str) -> str:
    """Return this machine's own address on the route to `elsewhere`, or its host name without a route."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))  # which sends nothing
        own: str = probe.getsockname()[0]
        return own
    return socket.gethostname()


def qr_rows(address: str, *, inverted: bool) -> Iterator[str]:
    """Yield the rows of a QR code in half blocks; `inverted`: they are drawn in light on a dark ground."""
    import segno  # no other command needs it

    rows = [list(row) for row in segno.make(address, error="l", micro=False).matrix_iter(border=2)]
    blocks = {(0, 0): " ", (0, 1): "\u2584", (1, 0): "\u2580", (1, 1): "\u2588"}
    for top, low in zip_longest(rows[::2], rows[1::2], fillvalue=[0] * len(rows)):
        yield "".join(blocks[bool(a) != inverted, bool(b) != inverted] for a, b in zip(top, low, strict=True))
