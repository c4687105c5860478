"""Bytes to the terminal, from a thread of their own: a terminal that nobody reads must not stop the program."""

from __future__ import annotations

import contextlib
import os
import select
from queue import SimpleQueue
from threading import Thread

from tui.ui.terminal.giving_back import own_descriptor


class Output:
    """A queue and a thread that writes it. `write` never waits, and may be called from a signal handler."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._own = own_descriptor(number)
        self._stop, self._stopper = os.pipe()
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._writing = False
        self._gone = self._lost = False
        self._thread = Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Queues text to be written in order."""
        self._queue.put(text.encode("utf-8", "replace"))

    def busy(self) -> bool:
        """Whether a write is under way and another one waits behind it."""
        return self._writing and not self._queue.empty()

    def stop(self, patience: float) -> bool:
        """Writes what is queued, for at most `patience` seconds; whether all of it went out."""
        self._queue.put(None)
        self._thread.join(patience)
        done = not self._thread.is_alive() and not self._lost
        self.abandon()
        for number in (self._stopper, self._stop, *([self._own] if self._own != self.number else [])):
            with contextlib.suppress(OSError):
                os.close(number)
        return done

    def abandon(self) -> None:
        """Writes nothing more, but for what the system has taken already."""
        self._gone = True
        with contextlib.suppress(OSError):
            os.write(self._stopper, b"!")
        # Bounded: the thread may be inside a write that the kernel does not end.
        self._thread.join(0.1)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            self._writing = True
            while data and not self._gone:
                data = self._write(data)
            self._lost |= bool(data)
            self._writing = False

    def _write(self, data: bytes) -> bytes:
        """Writes what the terminal takes at once, waiting until it takes anything; the rest."""
        try:
            return data[os.write(self._own, data) :]
        except BlockingIOError:
            with contextlib.suppress(OSError, ValueError):
                # Waits for either: room in the terminal, or the order to give up.
                select.select([self._stop], [self._own], [])
        except OSError:
            self._gone = True
        return data
