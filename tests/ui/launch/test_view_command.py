"""A table belongs to one account: who comes from another one is told how a seat is had."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit.program import Program
from tui.core.base.errors import RuleError
from tui.ui.launch.view_command import require_viewable_table


def test_a_table_of_another_account_is_refused_with_the_line_that_makes_an_invitation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "mill.toml")
    assert require_viewable_table(path, "Mia").path == str(tmp_path / "mill.table")
    (tmp_path / "mill.table").mkdir()
    assert require_viewable_table(path, "Mia").problem is None
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    for name, shown in (("Mia", "Mia"), ("", "NAME")):
        with pytest.raises(RuleError, match="the table of mill belongs to another account") as refused:
            require_viewable_table(path, name)
        assert refused.value.hint == f"ask for an SSH key's line: `tocsin invite {path} {shown}`"


def test_words_that_went_are_refused_in_one_line(tmp_path: Path) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    for words in (("invite", "Mia", "--group"), ("publish", "--once")):
        ended = program.call(*words)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.count("\n") == 1
    assert not (tmp_path / "mill.table").exists()
