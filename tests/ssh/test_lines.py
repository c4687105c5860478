"""The line for `authorized_keys` opens one seat at a real sshd, whatever the saves' folder is called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.ssh import Sshd

pytestmark = pytest.mark.sshd


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    found = Sshd(tmp_path_factory.mktemp("lines"))
    try:
        yield found
    finally:
        found.close()


def fight(folder: Path) -> Program:
    folder.mkdir()
    program = Program(folder, "mill")
    assert program.call("new", "--system", "chaos").code == 0
    assert program.do("add Ana owner=José hp=9", "begin").code == 0
    return program


@pytest.mark.parametrize(
    "name",
    ["a b", "it's", 'q"q', "back\\slash", 'both\\"', "two\\\\", "$(touch owned)", "`touch owned`; é #%h"],
)
def test_a_folder_of_any_printable_name_is_found(server: Sshd, tmp_path: Path, name: str) -> None:
    program = fight(tmp_path / name)
    key = server.key(f"key{len(list((server.folder / 'pairs').iterdir()))}")
    ended = program.call("invite", "Jose\u0301", "--public-key", f"{key}.pub")
    assert (ended.code, ended.out.count("\n")) == (0, 1), ended.err
    server.authorize(ended.out)
    opened = server.run(key, "plain")
    assert opened.returncode == 0, opened.stderr
    assert "You write for Ana" in opened.stdout
    assert "owned" not in os.listdir(Path.home())


@pytest.mark.parametrize("odd", ["\n", "\r", "\t", "\x1b", "\x7f", "\u202e", "\u2028", "\udcff"])
def test_a_folder_whose_name_would_leave_the_line_gets_none(tmp_path: Path, odd: str) -> None:
    program = fight(tmp_path / f"a{odd}ssh-ed25519 AAAA")
    ended = program.call("invite", "Mia")
    assert (ended.code, ended.out) == (1, ""), ended.err
    assert ended.err.count("\n") == 1
    assert not (program.folder / "mill.table").exists()
