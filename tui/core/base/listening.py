"""Read where browsers reach the pages: ADDRESS:PORT."""

from __future__ import annotations

import re

from tui.core.base.errors import RuleError

LISTEN_EXAMPLE = "0.0.0.0:8080"
LOOPBACK = "127.0.0.1"
"""The default address: no other machine can reach it."""


def read_listen(text: str) -> tuple[str, int]:
    """Return an address and a port; port 0 means a free one. Raises RuleError."""
    found = re.fullmatch(r"\[?([^\s\[\]]{1,255}?)\]?:([0-9]{1,5})", text)
    if not found or int(found[2]) > 65_535:
        raise RuleError(f"not ADDRESS:PORT: {text[:40]}", f"such as {LISTEN_EXAMPLE}")
    return found[1], int(found[2])
