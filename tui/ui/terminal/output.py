"""Bytes to the terminal, from a thread of their own: a terminal that nobody reads must not stop the program."""

from __future__ import annotations

import os
from queue import SimpleQueue
from threading import Thread


class Output:
    """A queue and a thread that writes it. `write` never waits, and may be called from a signal handler."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._writing = False
        self._gone = False
        self._thread = Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Queue text to be written in order."""
        self._queue.put(text.encode("utf-8", "replace"))

    def busy(self) -> bool:
        """Whether a write is under way and another one waits behind it."""
        return self._writing and not self._queue.empty()

    def stop(self, patience: float) -> bool:
        """Write what is queued, for at most `patience` seconds; return whether all of it went out."""
        self._queue.put(None)
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            self._writing = True
            while data and not self._gone:
                try:
                    data = data[os.write(self._number, data) :]
                except InterruptedError:
                    continue
                except OSError:
                    self._gone = True
            self._writing = False
