"""Somebody who types at the real program in a terminal of their own, and knows when it has done all it was
told."""

from __future__ import annotations

import array
import fcntl
import os
import re
import select
import sys
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tests.kit.terminal import Terminal
from tests.typeahead.scripts import ESCAPE, Packet, Script

TIOCGPTN: Final = 0x80045430
"""Asks a pseudo terminal for its number (Linux); `os.ptsname` came with Python 3.13."""

START: Final = b"\x1b[?1049h"
PATIENCE: Final = 30.0
GLANCE: Final = 0.002
"""Seconds between two looks at a program that seems to be idle."""

GROUND: Final = ("default", "121212")
"""The background of the theme, and what this emulator fills lines with that are scrolled in."""

_PASSING: Final = re.compile(r"^(?:at = |created = |# |tocsin = ).*\n", re.MULTILINE)
"""What differs from one run to the next: times, and the seals that cover them."""

_TIMES: Final = re.compile(r"\d\d:\d\d(?::\d\d)?|just now|\d+ (?:s|min|seconds?|minutes?)( ago)?")


class Typist(Terminal):
    """The program in a folder of its own. Its saves, settings and errors are there, by relative paths."""

    def __init__(self, folder: Path, words: Sequence[str], escape_delay: float) -> None:
        self.folder = folder
        self.escape_delay = escape_delay
        self._torn = False
        self._held: list[re.Match[bytes]] = []
        self.program = ("/usr/bin/env", "-C", str(folder), sys.executable, "-m", "tui")
        super().__init__(
            [*words, "--saves", "saves"],
            ESCDELAY=str(int(escape_delay * 1000)),
            TOCSIN_CONFIG="config",
            XDG_STATE_HOME="state",
            PYTHONPATH=str(Path(__file__).parents[2]),
        )
        # Held open: it tells what has not been read yet, and no byte is lost when the program ends.
        number = array.array("I", [0])
        fcntl.ioctl(self._fd, TIOCGPTN, number)
        self._slave = os.open(f"/dev/pts/{number[0]}", os.O_RDWR | os.O_NOCTTY)
        os.set_blocking(self._fd, False)

    def close(self) -> None:
        """Ends the program, whatever it does."""
        self.kill()
        os.close(self._slave)
        os.close(self._fd)

    # --- typing

    def send(self, data: bytes) -> None:
        """All of it, while what comes back is read."""
        rest = memoryview(data)
        end = time.monotonic() + PATIENCE
        while rest:
            assert time.monotonic() < end, f"the program reads nothing more:\n{self.text}"
            with suppress(BlockingIOError):
                rest = rest[os.write(self._fd, rest) :]
            if rest:
                self._read(0.01)

    def one_by_one(self, script: Script, rests: Sequence[float]) -> None:
        """Each key when the one before is done with, and after its rest in seconds."""
        for key, seconds in zip(script, rests, strict=True):
            self.send(key)
            # On a busy machine the program is woken late: what follows must never join an Escape.
            self.watch(10 * self.escape_delay if key == ESCAPE else seconds)
            self.idle()

    def in_packets(self, parts: Sequence[Packet]) -> float:
        """The packets, each its delay after the one before; the most seconds that one was late."""
        late, due = 0.0, time.monotonic()
        for part in parts:
            late = max(late, time.monotonic() - due)
            self._torn = part.torn
            self.send(part.data)
            if not part.torn:
                self._let_answers_go()
            due = time.monotonic() + part.delay
            self.watch(part.delay)
        return late

    def watch(self, seconds: float) -> None:
        """Take in what comes for a time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)

    def _answer(self, query: re.Match[bytes]) -> None:
        # A terminal never answers in the middle of a key.
        if self._torn:
            self._held.append(query)
        else:
            super()._answer(query)

    def _let_answers_go(self) -> None:
        held, self._held = self._held, []
        for query in held:
            super()._answer(query)

    # --- waiting

    def started(self) -> None:
        """Until the first picture stands and nothing more is loaded."""
        end = time.monotonic() + PATIENCE
        while START not in self.raw and not self._gone():
            assert time.monotonic() < end, "never started"
            self._read(0.05)
        self.idle(25)

    def idle(self, looks: int = 2) -> None:
        """Until the program has read all that was typed and sleeps, seen in this many looks one after the
        other."""
        end, same = time.monotonic() + PATIENCE, 0
        before: tuple[int, ...] = ()
        while same < looks and not self._gone():
            assert time.monotonic() < end, f"never at rest:\n{self.text}"
            now = self._worked()
            came = len(self.raw)
            self._read(GLANCE)
            same = same + 1 if now and now == before and came == len(self.raw) else 0
            before = now
        if self._ended:
            self.watch(0.05)

    def _worked(self) -> tuple[int, ...]:
        """How long each thread of the program has run, in nanoseconds.

        Nothing while one runs or keys wait to be read.
        """
        waiting = array.array("i", [0])
        fcntl.ioctl(self._slave, termios.FIONREAD, waiting)
        if waiting[0] or select.select([self._fd], [], [], 0)[0]:
            return ()
        worked: list[int] = []
        with suppress(OSError):
            for task in sorted(os.listdir(f"/proc/{self.pid}/task")):
                at = f"/proc/{self.pid}/task/{task}"
                if _read(f"{at}/stat").rpartition(")")[2].split()[0] != "S":
                    return ()
                worked.append(int(_read(f"{at}/schedstat").split()[0]))
            return tuple(worked)
        return ()

    # --- what became of it

    def outcome(self) -> dict[str, str]:
        """What must be the same however it was typed: the screen, every file, the exit code."""
        files = {
            str(path.relative_to(self.folder)): _PASSING.sub("", path.read_text(encoding="utf-8"))
            for path in sorted(self.folder.rglob("*"))
            if path.suffix in {".toml", ".drafts"} and path.is_file()
        }
        if self._ended:
            return {**files, "exit code": str(self._code)}
        rows = [[self.screen.buffer[y][x] for x in range(self.columns)] for y in range(self.rows)]
        letters = "\n".join("".join(cell.data for cell in row) for row in rows).replace(
            str(self.folder), "FOLDER"
        )
        pens = "\n".join(" ".join(map(_pen, row)) for row in rows)
        if _TIMES.search(letters):
            return {**files, "screen": _TIMES.sub("·", letters)}
        return {**files, "screen": letters, "colours": pens}


def _pen(cell: Any) -> str:
    """What is seen of a cell beside its letter; of a blank the colour of its letter is not."""
    seen = cell.data != " " or cell.reverse
    ground = "" if cell.bg in GROUND else cell.bg
    modes = f"{'r' * cell.reverse}{'b' * (cell.bold and seen)}{'u' * cell.underscore}"
    return f"{cell.fg if seen else ''}/{ground}{modes}"


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
