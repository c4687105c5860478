"""Refusals of files: one line that says where and what, fit for a terminal, and what would work."""

from __future__ import annotations

import errno
import os

import pytest

from tui.store.problems import (
    FAULTS,
    BadFile,
    BadName,
    BadSeat,
    JournalError,
    NotSaved,
    not_saved,
    plain,
    refused,
)


def test_text_is_fit_for_a_terminal_and_cut_at_its_bound() -> None:
    assert plain("a\x1bb\nc") == "a\ufffdb\ufffdc"
    assert [plain("x" * n, 3) for n in (2, 3, 4)] == ["xx", "xxx", "xxx…"]
    assert plain("x" * 301) == "x" * 300 + "…"


def test_a_bad_file_says_where_and_what() -> None:
    error = BadFile("/saves/mill.toml", 12, "one\ntwo", "try")
    assert str(error) == error.args[0] == "mill.toml, line 12: one\ufffdtwo"
    assert (error.path, error.line, error.message, error.hint) == (
        "/saves/mill.toml",
        12,
        "one\ufffdtwo",
        "try",
    )
    assert str(BadFile("mill.toml", 0, "x")) == "mill.toml: x"
    assert BadFile("mill.toml", 0, "x").hint == ""
    assert BadFile("/saves/", 0, "x").where() == "the file"
    line = refused(error)
    assert (line.message, line.hint) == (str(error), "try")


@pytest.mark.parametrize(
    ("line", "step", "where", "summary"),
    [
        (12, 3, "mill.toml, line 12, step 3", "step 3 is damaged (line 12)"),
        (12, 1, "mill.toml, line 12, step 1", "step 1 is damaged (line 12)"),
        (12, 0, "mill.toml, line 12", "what"),
        (12, -1, "mill.toml, line 12", "what"),
        (0, 3, "mill.toml, step 3", "what"),
    ],
)
def test_a_journal_that_is_damaged_says_at_which_step(line: int, step: int, where: str, summary: str) -> None:
    error = JournalError("mill.toml", line, step, "what", "hint")
    assert (error.where(), error.summary, str(error)) == (where, summary, f"{where}: what")
    assert (error.line, error.step, error.hint) == (line, step, "hint")


def test_a_name_that_cannot_be_is_shown_short_with_what_would_fit() -> None:
    assert str(BadName("x" * 41, "why")).startswith(f"'{'x' * 40}…' cannot be a save's name: why")
    assert BadName("x" * 40, "why").message == f"'{'x' * 40}' cannot be a save's name: why"
    assert BadName("x", "why").hint == BadName.fitting
    assert (BadSeat("x", "why").message, BadSeat("x", "why").hint) == (
        "'x' cannot be a seat's name: why",
        BadSeat.fitting,
    )


def test_what_the_disk_refuses_is_said_in_our_words_or_in_those_of_the_system() -> None:
    for code, (why, hint) in FAULTS.items():
        error = not_saved(OSError(code, "x"))
        assert (error.message, error.hint, error.code) == (why, hint, code)
        assert str(error) == f"not saved: {why}"
    error = not_saved(OSError(errno.EPIPE, "x"))
    assert (error.message, error.code) == (os.strerror(errno.EPIPE), errno.EPIPE)
    assert error.hint == "try again, or :saveas NAME writes the whole fight to another place"
    error = not_saved(OSError("odd"))
    assert (error.message, error.code) == ("odd", 0)
    assert (NotSaved("x").hint, NotSaved("x").code) == ("", 0)
