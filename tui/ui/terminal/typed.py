"""Waiting for a typed line so that ctrl+c is never missed."""

from __future__ import annotations

import os
import select
import signal
import threading
from typing import TextIO


def until_typed(source: TextIO) -> None:
    """Until a terminal has a line to read; at once for anything else. Raises KeyboardInterrupt.

    A signal that comes between Python's last look for one and the call that reads would only be noticed after
    the next line. The descriptor that Python writes to at every signal wakes us in that moment, too.
    """
    if threading.current_thread() is not threading.main_thread() or not source.isatty():
        return
    heard, told = os.pipe()
    # A signal handler writes here, and must never wait.
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        select.select([source.fileno(), heard], [], [])
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)
        os.close(heard)
