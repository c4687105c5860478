"""A fight served without a screen, whose game master types lines; use `with`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Self

PATIENCE = 60.0
LAST = "the pages stay open until the input ends"


class Serving:
    """`tocsin do SAVE - --serve`: `addresses` are what it printed, by viewer."""

    def __init__(self, folder: Path, where: str = "127.0.0.1:0", save: str = "mill") -> None:
        words = ("-m", "tui", "do", save, "-", "--serve", where, "--saves", str(folder))
        self._process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
        )
        self.addresses: dict[str, str] = {}
        assert self._process.stderr
        while f"{LAST}\n" not in (line := self._process.stderr.readline()):
            found = re.search(r"(\S+)  (http://127\.0\.0\.1:([0-9]+)/[a-z2-7]{26})\n", line)
            assert found, line
            self.addresses[found[1]], self.port = found[2], int(found[3])

    def say(self, *lines: str) -> None:
        """Type lines as the game master."""
        assert self._process.stdin
        self._process.stdin.writelines(f"{line}\n" for line in lines)
        self._process.stdin.flush()

    def end(self) -> None:
        """End the input, and the program with it."""
        assert self._process.stdin
        self._process.stdin.close()
        assert self._process.wait(PATIENCE) == 0

    def kill(self) -> None:
        """Kill the program."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
