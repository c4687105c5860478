"""The whole program in a terminal, started quickly, so that tests can end it often."""

from __future__ import annotations

import gc
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from tests.kit.program import Program
from tests.kit.terminal import PATIENCE, Screen, Terminal
from tui.store.lock import Busy, SaveLock

TOP = Path(__file__).parents[2]
STEP = re.compile(r"^[ >] {0,2}(\d+) \S", re.MULTILINE)


class Forked(Terminal):
    """The program in a fork of this process, which starts many times faster than a new process.

    It works only if this process has one thread.
    """

    def __init__(self, words: list[str], size: tuple[int, int] = (80, 24), **environ: str) -> None:
        import pyte

        self.columns, self.rows = size
        self.screen = Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = self._unread = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            _become(words, environ)
        self.resize(*size)


def preload() -> None:
    """Import what a screen needs, before the first fork."""
    import tui.ui.app.app  # noqa: F401


def _become(words: list[str], environ: dict[str, str]) -> NoReturn:
    """Run the program in the forked process, and end the process."""
    code = 70
    try:
        os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", **environ})
        sys.argv = ["tocsin", *words]
        sys.stdin, sys.stdout, sys.stderr = (  # the parent's may be files, which have a place
            os.fdopen(fd, mode, encoding="utf-8", closefd=False) for fd, mode in enumerate("rww")
        )
        gc.enable()
        from tui.__main__ import main

        code = main()
    finally:
        os._exit(code)


def forked(folder: Path, *words: str, size: tuple[int, int] = (80, 24)) -> Forked:
    """Start `tocsin WORDS…` in a fork, with its saves and settings in a folder."""
    return Forked([*words, "--saves", str(folder)], size, TOCSIN_CONFIG=str(folder / "config"))


def fight(folder: Path, name: str = "mill", *more: str) -> Program:
    """Make a save with a running fight, Ana, Bo and three orcs, one of them acting; return its program."""
    program = Program(folder, name)
    assert program.call("new", "--system", "classic").code == 0
    lines = ["add Ana owner=Mia hp=18 mod=3", "add Bo owner=Tom hp=22 mod=1", "add 3 Orc hp=7 mod=1"]
    assert program.call("do", "--seed", "4", *lines, "begin", "roll", "next", *more).code == 0
    return program


def steps(path: Path) -> list[str]:
    """Return the lines of a save's records in order, undone ones too; read without our own reader."""
    return [
        json.loads(m) for m in re.findall(r"^line = (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def drain(terminal: Terminal, seconds: float = 0.02) -> None:
    """Read the output that was sent before the program ended."""
    while select.select([terminal._fd], [], [], seconds)[0]:
        before = len(terminal.raw)
        terminal._read(0)
        if len(terminal.raw) == before:
            return


def shown_step(terminal: Terminal) -> int:
    """Return the number of the newest step in the log, -1 for none."""
    found = STEP.findall(terminal.text.partition("── Log")[2])
    return int(found[-1]) if found else -1


def until(true: Callable[[], Any], pause: float = 0.01) -> None:
    """Wait until `true()` is true; fail after `PATIENCE`."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(pause)


def free(path: Path) -> bool:
    """Return whether no process holds the lock of a save."""
    try:
        SaveLock.acquire(str(path)).release()
    except Busy:
        return False
    return True


def memory(pid: int) -> int:
    """Return the resident memory of a process in kB."""
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0])


def shell(folder: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run `tocsin WORDS…` as a process without a terminal; both streams are bytes."""
    base = {k: v for k, v in os.environ.items() if not k.startswith(("TOCSIN", "XDG_"))}
    return subprocess.run(
        [sys.executable, "-m", "tui", *words, "--saves", str(folder)],
        capture_output=True,
        cwd=TOP,
        env={**base, "TOCSIN_CONFIG": str(folder / "config"), **environ},
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


def stop(terminal: Terminal) -> None:
    """Kill the program and close its pty."""
    terminal.kill()
    os.close(terminal._fd)
