"""Promise 7: the terminal comes back as it was, whatever ends or interrupts the program."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.kit.ptyrun import DEADLINE, SAMPLE, Pty
from tests.ui.terminal.shell import STOPPED
from tui.ui.terminal.terminal import RESTORE

pytestmark = pytest.mark.long

SHELL = [sys.executable, "-m", "tests.ui.terminal.shell"]


def ready(one: Pty) -> Pty:
    one.sees("READY")
    return one


def state(pid: int) -> str:
    """The process state as Linux tells it: T is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def job(one: Pty) -> int:
    """The program itself, below whatever shells there are: their command lines name another one first."""
    pid = one.process.pid
    while SAMPLE[-1].encode() not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[2:3]:
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


def ended(one: Pty, code: int) -> None:
    one.until(one.gone)
    one.quiet(0.05)
    assert one.process.returncode == code
    assert one.given_back()


def test_quitting() -> None:
    with Pty(SAMPLE) as one:
        assert ready(one).terminal.modes == {"1049", "2004"}, "few modes have to be undone"
        one.press("n", "q")
        ended(one, 0)
        assert b"\x1b[?1049l" in one.raw
        assert b"\x1b[?25h" in one.raw


def ending() -> list[int]:
    """The signals that end a program by default (signal(7)), without SIGKILL and faults."""
    names = (
        "HUP INT QUIT TRAP ABRT USR1 USR2 ALRM TERM STKFLT XCPU VTALRM PROF IO POLL PWR SYS EMT INFO "
        "RTMIN RTMAX"
    )
    return sorted({getattr(signal, f"SIG{name}") for name in names.split() if hasattr(signal, f"SIG{name}")})


@pytest.mark.parametrize(
    ("number", "arguments"), [*((x, []) for x in ending()), (signal.SIGTERM, ["--stock"])]
)
def test_every_signal_that_ends_a_program_gives_the_terminal_back(number: int, arguments: list[str]) -> None:
    with Pty([*SAMPLE, *arguments]) as one:
        os.kill(ready(one).process.pid, number)
        ended(one, 128 + number)


def test_a_signal_that_was_ignored_stays_so() -> None:
    with Pty(["sh", "-c", 'trap "" USR1; exec "$@"', "sh", *SAMPLE]) as one:
        os.kill(ready(one).process.pid, signal.SIGUSR1)
        one.press("n")
        one.sees("READY 1")
        one.press("q")
        ended(one, 0)


def test_an_exception() -> None:
    with Pty(SAMPLE) as one:
        ready(one).press("x")
        one.until(one.gone)
        one.pump(0.1)
        assert one.given_back()
        assert b"RuntimeError ended it" in one.raw
        assert b"the sample was told to crash" not in one.raw
        assert one.process.returncode == 5


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_that_hangs_is_ended_and_the_terminal_restored(number: signal.Signals) -> None:
    with Pty(SAMPLE) as one:
        ready(one).press("h")
        one.pump(0.3)
        os.kill(one.process.pid, number)
        ended(one, 128 + number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("arguments", [[], ["--stock"]])
def test_a_terminal_nobody_reads_does_not_keep_it(number: signal.Signals, arguments: list[str]) -> None:
    with Pty([*SAMPLE, *arguments]) as one:
        ready(one)
        one.stuff()
        for key in b"nnndd\x0c":
            os.write(one.master, bytes([key]))
            time.sleep(0.1)
        os.kill(one.process.pid, number)
        assert one.ends() == 128 + number
        assert one.attributes() == one.before
        assert one.rest().endswith(RESTORE.encode())


@pytest.mark.parametrize("controlling", [True, False])
def test_a_line_that_drops(controlling: bool) -> None:
    """Of a terminal that is not the controlling one only the end of input tells."""
    with Pty(SAMPLE, controlling=controlling) as one:
        ready(one)
        os.close(one.master)
        assert one.ends() == 129


@pytest.mark.parametrize("how", ["signal", "key"])
@pytest.mark.parametrize("arguments", [[], ["--stock"]])
def test_suspending_and_coming_back(how: str, arguments: list[str]) -> None:
    with Pty([*SHELL, *SAMPLE, *arguments]) as one:
        ready(one).press("n")
        one.sees("READY 1")
        one.quiet()
        before = one.terminal.cells()
        for _ in range(2):
            one.raw = b""
            if how == "key":
                one.press("ctrl+z")
            else:
                os.kill(job(one), signal.SIGTSTP)
            one.until(lambda: STOPPED.encode() in one.raw)
            assert state(job(one)) == "T"
            one.quiet(0.05)
            assert one.given_back()
            one.terminal.scribble("$")
            one.send("fg\n")
            one.until(lambda: one.terminal.cells() == before)
        one.press("n")
        one.sees("READY 2")
        one.press("q")
        ended(one, 0)


ALONE = {
    "leader of its session": [],
    "sh -c": ["sh", "-c", '"$@"; exit $?', "sh"],
    "bash -c": ["bash", "-c", '"$@"; exit $?', "bash"],
    "a shell that does no job control": [
        "bash",
        "--norc",
        "--noprofile",
        "+m",
        "-c",
        '"$@"; exit $?',
        "bash",
    ],
}
"""Ways to be started in which no shell would continue what stops."""


@pytest.mark.parametrize("how", ["signal", "key"])
@pytest.mark.parametrize("words", ALONE.values(), ids=ALONE)
def test_where_no_shell_would_continue_it_it_never_stops(words: list[str], how: str) -> None:
    with Pty([*words, *SAMPLE]) as one:
        ready(one).quiet()
        program = job(one) if words else one.process.pid
        if how == "key":
            one.press("ctrl+z")
            one.sees("NO SHELL")
        else:
            os.kill(program, signal.SIGTSTP)
            one.pump(0.3)
        assert state(program) != "T"
        one.press("n")
        one.sees("1 ")
        assert b"\x1b[?1049l" not in one.raw
        one.press("q")
        ended(one, 0)


def test_a_script_between_stops_with_it_and_the_shell_above_continues_both() -> None:
    """Stopped alone it would leave the script waiting, and the shell would not see that anything stopped."""
    with Pty([*SHELL, *ALONE["sh -c"], *SAMPLE]) as one:
        ready(one).quiet()
        before = one.terminal.cells()
        one.press("ctrl+z")
        one.until(lambda: STOPPED.encode() in one.raw)
        one.quiet(0.05)
        assert one.given_back()
        one.terminal.scribble("$")
        one.send("fg\n")
        one.until(lambda: one.terminal.cells() == before)
        one.press("n")
        one.sees("READY 1")
        one.press("q")
        ended(one, 0)


def test_being_stopped_from_outside_and_continued() -> None:
    with Pty(SAMPLE) as one:
        ready(one).quiet()
        before = one.terminal.cells()
        os.kill(one.process.pid, signal.SIGSTOP)
        one.until(lambda: state(one.process.pid) == "T")
        one.terminal.scribble("$")
        one.cook()
        os.kill(one.process.pid, signal.SIGCONT)
        one.until(lambda: one.terminal.cells() == before)
        one.press("n")
        one.sees("READY 1")
        one.press("q")
        ended(one, 0)


@pytest.mark.parametrize("arguments", [[], ["--stock"]])
def test_the_smallest_window_and_back(arguments: list[str]) -> None:
    with Pty([*SAMPLE, *arguments]) as one:
        ready(one).resize(1, 1)
        one.pump(0.5)
        one.press("n")
        one.pump(0.5)
        one.resize(80, 24)
        one.sees("READY 1")
        one.press("q")
        ended(one, 0)


@pytest.mark.parametrize(("word", "says"), [("kill %1", "Exit 143"), ("kill -HUP %1", "Exit 129")])
def test_a_shell_ends_who_waits_in_the_background(word: str, says: str) -> None:
    with Pty(["bash", "--norc", "--noprofile", "--noediting", "-i"], environ={"PS1": "$ "}) as one:
        one.send(" ".join(SAMPLE) + "\n")
        ready(one).press("n")
        one.sees("READY 1")
        one.press("ctrl+z")
        one.until(lambda: b"Stopped" in one.raw)
        one.raw = b""
        one.send(f"{word}\n")
        deadline = time.monotonic() + DEADLINE
        while says.encode() not in one.raw and time.monotonic() < deadline:
            one.quiet()
            one.send("jobs\n")
        assert says.encode() in one.raw
