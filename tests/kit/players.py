"""Players' terminals beside a writer: real processes, examined from outside."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tests.kit.terminal import Terminal, tocsin


def viewing(folder: Path, *words: str, size: tuple[int, int] = (80, 24)) -> Terminal:
    """Start `tocsin view mill` in a terminal."""
    return tocsin(folder, "view", "mill", *words, size=size)


def holds(pid: int, *markers: bytes) -> list[str]:
    """Return where a process has any of these bytes: regions of its memory, and paths of its open files."""
    found = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            if not (m := re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line)) or line.endswith(
                ("[vvar]", "[vsyscall]")
            ):
                continue
            start, end = int(m[1], 16), int(m[2], 16)
            try:
                memory.seek(start)
                data = memory.read(end - start)
            except (OSError, ValueError, OverflowError):
                continue
            if any(marker in data for marker in markers):
                found.append(line)
    return found + [
        path
        for path in opened(pid)
        if os.path.isfile(path) and any(marker in Path(path).read_bytes() for marker in markers)
    ]


def opened(pid: int) -> list[str]:
    """Return the paths of the files that a process has open."""
    folder = f"/proc/{pid}/fd"
    return [os.path.realpath(f"{folder}/{fd}") for fd in os.listdir(folder)]
