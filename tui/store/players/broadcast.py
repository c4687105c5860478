"""The writer's side of publishing: a thread that starts the publisher's process for the first viewer."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from threading import Thread
from typing import Final

import msgspec

from tui.store.interpreter import python_command
from tui.store.players.folder import TableFolder, players_folder
from tui.store.players.viewers import list_viewers
from tui.store.sources import wait_for_next_look

RESTART_SECONDS: Final = 2.0
"""How long to wait between two starts of a publisher, in seconds, so that a dying one is not started in a
loop.
"""

FAREWELL_SECONDS: Final = 2.0
"""How long a publisher may take to publish the last step after the writer leaves, in seconds."""


class Broadcast:
    """Publishes a save that this process writes, while there are viewers, until `close`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._woken, self._wake = os.pipe()
        self._child: subprocess.Popen[bytes] | None = None
        self._started = -RESTART_SECONDS
        self._thread = Thread(target=self._run, name="players", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let the publisher publish the last step, then end it."""
        if self._wake < 0:
            return
        os.write(self._wake, b"!")
        self._thread.join()
        for fd in (self._wake, self._woken):
            os.close(fd)
        self._wake = -1
        if (child := self._child) is not None:
            self._child = None
            if child.stdin:
                child.stdin.close()
            with suppress(Exception):  # a child that does not end in time ends with this process
                child.wait(FAREWELL_SECONDS)

    def _run(self) -> None:
        table = players_folder(self._path)
        while True:
            self._start_if_needed(table)
            if wait_for_next_look([self._woken]):
                break

    def _start_if_needed(self, table: TableFolder) -> None:
        """Start the publisher if there are viewers and none is running."""
        running = self._child is not None and self._child.poll() is None
        now = time.monotonic()
        if running or now < self._started + RESTART_SECONDS or not list_viewers(table):
            return
        self._started = now
        with suppress(OSError):  # no process could be started: players wait, and the fight goes on
            self._child = start_publisher(self._path)


def read_owners(path: str, patience: float) -> tuple[str, ...]:
    """Return the owners of creatures in a save; another process reads it, because this one must not.

    Return () if the save cannot be read within `patience` seconds.
    """
    with suppress(OSError, subprocess.SubprocessError, msgspec.MsgspecError):
        done = subprocess.run(  # noqa: S603  # our own program, on the save that is served
            python_command("tui.publish", path, "--owners"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=patience,
            check=True,
        )
        return msgspec.json.decode(done.stdout, type=tuple[str, ...])
    return ()


def start_publisher(path: str, *, once: bool = False) -> subprocess.Popen[bytes]:
    """Start a publisher of a save; it lives while its standard input is open. Raises OSError."""
    # A session of its own: ctrl+c at the writer's terminal is not meant for this process. It shares no memory
    # with the writer and gets none of its descriptors: not the lock, not the journal.
    return subprocess.Popen(  # noqa: S603  # our own program, on the save that it writes
        python_command("tui.publish", path, *(["--once"] if once else [])),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
