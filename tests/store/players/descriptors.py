"""How many files a process holds open."""

from __future__ import annotations

import os


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
