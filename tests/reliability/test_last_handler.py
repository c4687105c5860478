"""Promise 10: whatever escapes ends in one line, and no word of the fight is in it or in the details."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.scripted_play import TOP, drain, fight, shell, steps
from tests.kit.terminal import Terminal, tocsin
from tui import crash

SECRET = "SECRETWORD"
BROKEN = f"""
from tui.systems.classic import Classic

class Broken(Classic):
    id = "broken"
    title = "Broken"

    def due(self, e):
        if any(c.note == "{SECRET}" for c in e.combatants.values()):
            word = "{SECRET}"
            raise LookupError("{SECRET}", word)
        return super().due(e)
"""


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which a system fails over one creature, and a save with that creature."""
    systems = tmp_path / "systems"
    systems.mkdir()
    (systems / "broken.py").write_text(BROKEN)
    environ = {"TOCSIN_SYSTEMS": str(systems), "XDG_STATE_HOME": str(tmp_path / "state")}
    assert shell(tmp_path, "new", "mill", "--system", "broken", **environ).returncode == 0
    assert shell(tmp_path, "do", "mill", f"add Ana note={SECRET}", "add Bo hp=9", **environ).returncode == 0
    return environ


def kept(folder: Path) -> str:
    """The details, which are private, short and silent about the fight."""
    (path,) = (folder / "state" / "tocsin").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    said = path.read_text()
    assert SECRET not in said
    assert str(folder) not in said
    assert "builtins.LookupError" in said
    assert "broken Broken.due:" in said
    return said


def test_the_screen_ends_in_one_line(tmp_path: Path, broken: dict[str, str]) -> None:
    t = tocsin(tmp_path, "mill", **broken)  # type: ignore[arg-type]
    t.wait("saved")
    t.type("b")
    assert t.end() == 5
    drain(t)
    assert b"tocsin failed, which is a bug (LookupError in broken.py, line 11)" in t.raw
    assert SECRET.encode() not in t.raw.split(b"\x1b[?1049l")[-1]
    assert b"Traceback" not in t.raw
    assert t.raw.index(b"\x1b[?1049l") < t.raw.index(b"tocsin failed")
    kept(tmp_path)


@pytest.mark.parametrize("words", [["do", "mill", "note a", "begin", "note b"], ["do", "mill", "-"]])
def test_so_do_lines(tmp_path: Path, broken: dict[str, str], words: list[str]) -> None:
    called = subprocess.run(
        [sys.executable, "-m", "tui", *words, "--saves", str(tmp_path)],
        input=b"note a\nbegin\nnote b\n",
        capture_output=True,
        cwd=TOP,
        env={**os.environ, **broken},
        check=False,
    )
    assert called.returncode == 5
    assert called.stderr.count(b"\n") == 1
    assert SECRET.encode() not in called.stderr + called.stdout
    assert b"1 of 3 lines accepted and saved" in called.stderr
    assert called.stdout == b"a\n"
    assert steps(tmp_path / "mill.toml")[2:] == ["note a"]
    kept(tmp_path)


def test_ctrl_c_says_which_lines_are_saved(tmp_path: Path, broken: dict[str, str]) -> None:
    file = tmp_path / "systems" / "broken.py"
    file.write_text(file.read_text().replace("LookupError", "KeyboardInterrupt"))
    called = shell(tmp_path, "do", "mill", "note a", "begin", "note b", **broken)
    assert (called.returncode, called.stderr.count(b"\n")) == (130, 1)
    assert b"stopped by ctrl+c; 1 of 3 lines accepted and saved" in called.stderr


def test_with_json_it_is_one_object(tmp_path: Path, broken: dict[str, str]) -> None:
    called = shell(tmp_path, "do", "mill", "begin", "--json", **broken)
    error = json.loads(called.stderr)["error"]
    assert (called.returncode, called.stdout, error["kind"]) == (5, b"", "failed")
    assert "0 of 1 line accepted" in error["hint"]


def test_details_that_cannot_be_kept_are_no_second_failure(tmp_path: Path, broken: dict[str, str]) -> None:
    (tmp_path / "file").write_text("")
    called = shell(
        tmp_path,
        "do",
        "mill",
        "begin",
        **{**broken, "XDG_STATE_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path / "file")},
    )
    assert (called.returncode, called.stderr.count(b"\n")) == (5, 1)
    assert b"details could not be kept" in called.stderr


def test_a_thread_that_fails_ends_the_program_in_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    hook, unraisable = threading.excepthook, sys.unraisablehook

    def fail() -> None:
        raise ValueError(SECRET)

    def run() -> int:
        threading.Thread(target=fail).start()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            time.sleep(0.01)
        return 0

    try:
        assert crash.run_guarded(run) == 5
    finally:
        threading.excepthook, sys.unraisablehook = hook, unraisable
    told = capsys.readouterr().err
    assert "ValueError" in told
    assert SECRET not in told
    Path(told.split("are in ")[1].strip()).unlink()


@pytest.mark.parametrize(
    ("typed", "code", "says"), [("\x03", 130, b"stopped by ctrl+c"), ("\x04", 0, b""), ("", 143, b"")]
)
def test_a_program_that_waits_for_a_line_ends_without_a_traceback(
    tmp_path: Path, typed: str, code: int, says: bytes
) -> None:
    """By ctrl+c, at the end of the input, or by a signal."""
    fight(tmp_path)
    t = tocsin(tmp_path, "do", "mill", "-")
    t.wait("Now:")
    if typed:
        t.type(typed)
    else:
        os.kill(t.pid, signal.SIGTERM)
    assert t.end() == code
    drain(t)
    assert says in t.raw
    assert b"Traceback" not in t.raw


@pytest.mark.parametrize(
    "words", [["do", "mill", "next"], ["show", "mill"], ["log", "mill"], ["check", "mill"], ["keys"]]
)
def test_output_that_cannot_be_written_is_no_refusal(tmp_path: Path, words: list[str]) -> None:
    """A script that tries again after 1 would play the step twice."""
    fight(tmp_path)
    with Path("/dev/full").open("w") as full:
        called = subprocess.run(
            [sys.executable, "-m", "tui", *words, "--saves", str(tmp_path)],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=TOP,
            check=False,
        )
    assert called.returncode == 5
    assert called.stderr.count(b"\n") == 1
    assert b"cannot be written" in called.stderr
    if words[0] == "do":
        assert b"1 of 1 line accepted and saved" in called.stderr
        assert len(steps(tmp_path / "mill.toml")) == 7


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_closed_streams_are_the_callers_right(tmp_path: Path, stream: str) -> None:
    fight(tmp_path)
    number = {"stdout": 1, "stderr": 2}[stream]
    line = f'exec "$0" -m tui do mill next --saves "$1" {number}>&-'
    called = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, str(tmp_path)], capture_output=True, cwd=TOP, check=False
    )
    assert called.returncode == 0
    assert called.stderr == b""
    assert len(steps(tmp_path / "mill.toml")) == 7


def limited(folder: Path, descriptors: int, *words: str) -> Terminal:
    """The program in a terminal, with so many descriptors from its first moment on."""
    t = tocsin(folder, *words, XDG_STATE_HOME=str(folder / "state"))
    resource.prlimit(t.pid, resource.RLIMIT_NOFILE, (descriptors, descriptors))
    return t


@pytest.mark.parametrize("count", [8, 10, 12, 14, 16, 20])
@pytest.mark.parametrize("words", [["mill"], ["do", "mill", "-"], ["show", "mill"], ["do", "mill", "next"]])
def test_few_descriptors_are_enough_or_end_in_one_line(tmp_path: Path, count: int, words: list[str]) -> None:
    fight(tmp_path)
    t = limited(tmp_path, count, *words)
    t._read(1.5)
    if not t._gone():
        t.type("q\r\x04")
    t.end()
    assert b"Traceback" not in t.raw


def test_a_refusal_in_a_shell_names_what_a_shell_can_do(tmp_path: Path) -> None:
    program = Program(tmp_path / "none" / "x")
    (tmp_path / "none").write_text("")
    ended = program.call("new")
    assert ended.code == 3
    assert "saveas" not in ended.err


SWALLOWED = """
import gc, os, signal, sys, time, weakref
from tui.crash import run_guarded

class Thing:
    pass

class Destroyed:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

def run():
    if sys.argv[1] == "destructor":
        thing = Destroyed()
    else:
        thing = Thing()
        kept = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
    del thing
    if sys.argv[2] == "goes on":
        while True:
            time.sleep(0.001)
    return 0

sys.exit(run_guarded(run))
"""


@pytest.mark.parametrize("place", ["destructor", "callback"])
@pytest.mark.parametrize("then", ["goes on", "ends"])
def test_ctrl_c_is_not_swallowed_where_an_object_is_destroyed(place: str, then: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SWALLOWED, place, then],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == f"tocsin: stopped by ctrl+c; {crash.SAVED_LINES_HINT}\n"


STOPPED = """
import builtins, sys

before = builtins.__import__

def stop(name, *more):
    if name.startswith("tui.crash"):
        raise KeyboardInterrupt
    return before(name, *more)

builtins.__import__ = stop
from tui.__main__ import main
sys.exit(main())
"""


def test_ctrl_c_before_the_handler_is_loaded_prints_one_line() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", STOPPED], cwd=TOP, capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (130, "tocsin: stopped by ctrl+c\n")
