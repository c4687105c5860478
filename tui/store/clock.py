"""The time of day: it comes in here and nowhere else."""

from __future__ import annotations

import time


def utc_now() -> str:
    """The moment in RFC 3339, UTC, in seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
