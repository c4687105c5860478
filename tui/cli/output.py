"""Standard output, which is this program's product: what cannot be written is said, and never taken for a refusal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import msgspec


class Unprinted(Exception):  # noqa: N818 - what happened to the output
    """Standard output cannot be written. `why` says so in the system's words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def put(lines: Iterable[str]) -> None:
    """Lines, on standard output now. Raises Unprinted; BrokenPipeError when nobody reads any more."""
    if sys.stdout is None:  # closed by whoever called us, who wants no output
        return
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unprinted(error.strerror or "it cannot be written") from None


def put_json(plain: Any) -> None:
    """One JSON value on a line of its own, as `put`."""
    put([json_line(plain)])


def json_line(plain: Any) -> str:
    """Plain data as JSON."""
    return msgspec.json.encode(plain).decode()
