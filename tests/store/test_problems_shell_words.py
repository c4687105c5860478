"""Hints to copy: whatever a file is called, a shell takes it as one word, which names the same save."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.program import Program
from tests.kit.tiers import cases
from tui.store.problems import quote_for_shells, quote_save
from tui.store.saves import find_save_path

NAMES = st.text(st.sampled_from("a;'\"\\`$ &|*~-.(#é"), min_size=1, max_size=12).map(lambda x: f"{x}.toml")


@pytest.mark.law
@cases(200)
@given(name=NAMES, folder=st.sampled_from(["", ".", "theirs", "/tmp/a b"]))
def test_a_save_is_one_word_that_names_it_and_no_option(name: str, folder: str) -> None:
    path = os.path.join(folder, name)
    (word,) = shlex.split(quote_save(path))
    assert not word.startswith("-")
    assert os.path.normpath(word) == os.path.normpath(path)


@pytest.mark.law
@cases(10)
@given(words=st.lists(NAMES, min_size=1, max_size=3))
def test_a_shell_reads_the_words_as_they_are(words: list[str]) -> None:
    said = subprocess.run(
        ["/bin/sh", "-c", f"printf '%s\\n' {quote_for_shells(words)}"], capture_output=True, check=True
    )
    assert said.stdout.decode().splitlines() == words


def test_what_mends_a_damaged_save_can_be_copied(tmp_path: Path) -> None:
    program = Program(tmp_path, str(tmp_path / "a;touch X;.toml"))
    assert program.call("new").code == 0
    path = tmp_path / "a;touch X;.toml"
    path.write_bytes(path.read_bytes().replace(b"classic", b"Classic"))
    shown = program.call("do", "note x").err.split("`")[1]
    words = shlex.split(shown)
    assert words[:3] == ["tocsin", "check", "--repair"]
    assert find_save_path(words[3], "") == str(path)
