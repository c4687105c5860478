"""What the system does not give is said in one line with its cause, and nothing is lost by it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit.program import Program
from tui.cli.output import FILE, Complaint, complain_of_errors
from tui.store import opening
from tui.store.journal.writer import Writer
from tui.store.opening import create_save
from tui.store.problems import NotSaved
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry


def called(*words: str, before: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, behind some words of a shell."""
    words_ = " ".join(words)
    return subprocess.run(
        ["sh", "-c", f"{before} exec {sys.executable} -m tui {words_}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environ,
    )


def test_a_system_without_locks_or_terminals_is_told_in_one_sentence(tmp_path: Path) -> None:
    for name in ("fcntl", "termios"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.py").write_text(f"raise ModuleNotFoundError('no', name='{name}')\n")
        ended = called("show", "mill", PYTHONPATH=f"{folder}:{Path.cwd()}")
        assert ended.returncode == 5
        assert ended.stderr.count("\n") == 1
        assert "POSIX" in ended.stderr
        assert name in ended.stderr
        assert "fault" not in ended.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["mill", "<&-"], 1, "standard input is not one; `tocsin do SAVE -` takes lines"),
        (["mill", "--plain"], 2, "--plain was removed in tocsin 2.0; `tocsin do SAVE -` takes lines"),
        (["--plain"], 2, "`--a11y` is the screen for screen readers"),
    ],
)
def test_a_call_without_a_terminal_or_with_plain_names_what_takes_lines(
    tmp_path: Path, words: list[str], code: int, says: str
) -> None:
    create_save("mill", str(tmp_path), Registry(), "classic", {})
    ended = called("--saves", str(tmp_path), *words)
    assert (ended.returncode, ended.stderr.count("\n")) == (code, 1)
    assert says in ended.stderr


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOENT, errno.ENOSPC])
def test_a_folder_in_which_nothing_can_be_made_is_named(
    tmp_path: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: str) -> None:
        raise OSError(code, os.strerror(code), folder)

    monkeypatch.setattr(opening, "make_folder", refuse)
    ended = Program(tmp_path / "none", "mill").call("new")
    assert ended.code == FILE
    assert str(tmp_path / "none") in ended.err
    assert "--saves" in ended.err
    assert "put it back" not in ended.err


def test_a_read_only_folder_is_named_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Writer:
        raise NotSaved("the file system is read-only", "mount it", errno.EROFS)

    monkeypatch.setattr(Writer, "create", refuse)
    ended = Program(tmp_path, "mill").call("new")
    assert (ended.code, str(tmp_path) in ended.err, "--saves" in ended.err) == (FILE, True, True)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("can't start new thread"), "ulimit -u"),
        (OSError(errno.EMFILE, "many", "mill.toml"), "mill.toml: many"),
    ],
)
def test_a_limit_of_the_system_is_told(error: Exception, words: str) -> None:
    def run() -> int:
        raise error

    with pytest.raises(Complaint) as caught:
        complain_of_errors(run)
    assert caught.value.code == FILE
    assert words in caught.value.message


def test_other_errors_at_run_time_pass() -> None:
    def run() -> int:
        raise RuntimeError("something else")

    with pytest.raises(RuntimeError, match="something else"):
        complain_of_errors(run)


class Starved:
    """Dice for which no descriptor is left."""

    def roll(self, sides: int) -> int:
        raise OSError(errno.EMFILE, f"Too many open files for a d{sides}")


def test_a_line_that_finds_no_descriptor_is_refused_and_the_next_is_taken(tmp_path: Path) -> None:
    path = create_save("mill", str(tmp_path), Registry(), "classic", {})
    session = open_session(path, "", Registry(), SeededDice(5), how="inline")
    session.store.run("add Ana hp=5")
    effects = session.store.effects
    session.store.effects = replace(effects, dice=Starved())
    with pytest.raises(NotSaved, match="Too many open files"):
        session.store.run("damage Ana 1d4")
    assert (session.store.step, session.writer.end.number) == (1, 1)
    session.store.effects = effects
    session.store.run("damage Ana 1")
    assert session.store.step == 2

    # A step that was written is never told as refused, whatever fails behind it.
    def failing(_: int) -> None:
        Starved().roll(6)

    session.store.watch(failing)
    with pytest.raises(OSError, match="Too many"):
        session.store.run("damage Ana 1")
    assert session.store.record == 3
    session.close()
