"""The terminal's modes: what is set at the start."""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Mapping
from typing import Final

from tui.ui.terminal.giving_back import Attributes

START: Final = "\x1b[?1049h\x1b[?2004h\x1b[?7;25l"
"""Alternate screen, bracketed paste, no wrapping, no cursor. No mouse, no focus events, no kitty keyboard."""


def questions(environ: Mapping[str, str]) -> str:
    """What is asked at the start: synchronized output, the terminal's name, and whether it answers.

    Apple's Terminal prints the first and the Linux console takes the second for a command to its lamps.
    """
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return "\x1b[5n"
    return "\x1b[5n" if environ.get("TERM") == "linux" else "\x1b[?2026$p\x1b[>q\x1b[5n"


def raw(before: Attributes) -> Attributes:
    """A line discipline that hands on every byte unchanged, both ways; ctrl+c and ctrl+z are keys."""
    after = [*before[:6], [*before[6]]]
    after[0] &= ~(
        termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP
    )
    after[1] &= ~termios.OPOST
    # Without ISIG ctrl+c and ctrl+z reach us as keys, so that one in a half-typed line ends nothing.
    after[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    after[6][termios.VMIN], after[6][termios.VTIME] = 1, 0
    return after


def in_foreground(number: int) -> bool:
    """Whether the shell lets us have the terminal; true as well where it is not the one that controls us."""
    try:
        return os.tcgetpgrp(number) == os.getpgrp()
    except OSError:
        return True


def continuable() -> bool:
    """Return whether a shell would continue a program that is stopped here.

    In a process group without a shell that does job control (`ssh -tt host tocsin`, `sh -c`, a window of tmux) the
    system ignores SIGTSTP, for who stopped there would stay so. It is asked by a process of this group that stops.
    """
    if signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN:
        return False
    try:
        child = os.posix_spawn(
            "/bin/sh", ["sh", "-c", "kill -s TSTP $$"], os.environ, setsigdef=[signal.SIGTSTP]
        )
    except OSError:
        return False
    stopped = os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1])
    if stopped:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return stopped


def stop(whom: int) -> None:
    """Stop as the key of the terminal stops any program, until SIGCONT; `whom` is a process, or 0 for our group.

    With the whole group a shell script that waits for us stops as well, or the shell above would not see it.
    """
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        os.kill(whom, signal.SIGTSTP)
    finally:
        signal.signal(signal.SIGTSTP, before)
