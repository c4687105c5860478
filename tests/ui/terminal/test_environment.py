"""What is settled before Textual is imported."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
import sys
import termios

import pytest

from tests.kit.loop import TestLoop
from tui.ui.terminal.environment import prepare_environment
from tui.ui.terminal.terminal import MOST_COLUMNS, MOST_LINES, Terminal


@pytest.mark.parametrize(
    ("before", "delay"), [({}, "50"), ({"SSH_TTY": "/dev/pts/1"}, "300"), ({"ESCDELAY": "80"}, "80")]
)
def test_escape_waits_longer_over_ssh_unless_the_user_says_otherwise(
    before: dict[str, str], delay: str
) -> None:
    prepare_environment(before)
    assert before["ESCDELAY"] == delay


def test_what_textual_would_end_with_is_not_handed_on() -> None:
    environ = {"TEXTUAL_COLOR_SYSTEM": "zz", "TEXTUAL_FPS": "fast"}
    prepare_environment(environ)
    assert not {"TEXTUAL_COLOR_SYSTEM", "TEXTUAL_FPS"} & set(environ)


def test_what_the_user_has_set_stays() -> None:
    environ = {"TEXTUAL_ANIMATIONS": "full", "COLORTERM": "no", "TERM": "xterm-kitty"}
    prepare_environment(environ)
    assert environ["TEXTUAL_ANIMATIONS"] == "full"
    assert environ["COLORTERM"] == "no"


@pytest.mark.parametrize(("value", "there"), [("", False), ("1", True)])
def test_an_empty_no_color_means_colours(value: str, there: bool) -> None:
    environ = {"NO_COLOR": value}
    prepare_environment(environ)
    assert ("NO_COLOR" in environ) == there


@pytest.mark.parametrize(("term", "colours"), [("xterm-kitty", "truecolor"), ("xterm-256color", None)])
def test_true_colour_is_known_by_name_where_ssh_has_lost_it(term: str, colours: str | None) -> None:
    environ = {"TERM": term}
    prepare_environment(environ)
    assert environ.get("COLORTERM") == colours


@pytest.mark.parametrize(("closed", "name"), [(0, "standard input"), (2, "standard error")])
def test_no_screen_without_a_terminal(closed: int, name: str) -> None:
    """Runs in a process with one stream of its own replaced; the other is a terminal."""
    master, slave = os.openpty()
    pipe, end = os.pipe()
    streams = [slave, slave, slave]
    streams[closed] = end
    program = (
        "import sys; from tui.ui.terminal import environment; "
        "sys.stdout.write(environment.explain_unusable())"
    )
    out, into = os.pipe()
    process = subprocess.run(
        [sys.executable, "-c", program],
        stdin=streams[0],
        stdout=into,
        stderr=streams[2],
        env={**os.environ, "TERM": "xterm"},
        check=True,
    )
    assert process.returncode == 0
    assert name in os.read(out, 1000).decode()
    for number in (master, slave, pipe, end, out, into):
        os.close(number)


def test_textual_is_not_imported_on_the_way() -> None:
    program = "import sys, tui.ui.terminal.environment; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("told", "taken"),
    [((80, 24), (80, 24)), ((1, 1), (1, 1)), ((0, 0), (80, 24)), ((768, 270), (768, 270)),
     ((65_535, 65_535), (MOST_COLUMNS, MOST_LINES))],
)  # fmt: skip
def test_a_size_is_taken_as_far_as_there_are_screens(told: tuple[int, int], taken: tuple[int, int]) -> None:
    master, slave = os.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", told[1], told[0], 0, 0))
        assert Terminal(TestLoop(), slave, slave).size() == taken
    finally:
        os.close(master)
        os.close(slave)
