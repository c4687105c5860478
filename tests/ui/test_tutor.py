"""Lessons from outside: offered at the first start, opened by a word, gone without a trace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.terminal import Terminal, tocsin

pytestmark = pytest.mark.long

ASKED = "[Enter] plays the lesson on classic"


def at(folder: Path, *words: str) -> Terminal:
    (folder / "tmp").mkdir(exist_ok=True)
    return tocsin(folder, *words, TMPDIR=str(folder / "tmp"))


def test_the_first_start_offers_it_and_asks_again_afterwards(tmp_path: Path) -> None:
    t = at(tmp_path)
    t.wait("New here?", ASKED)
    t.press("\r", "Lesson: the keys", "1 of 18")
    t.press("a", ":add")
    t.press("3 goblin\r\r", "2 of 18", silent=(":add",))
    assert os.listdir(tmp_path / "tmp") != []
    t.press("q", ASKED)
    assert os.listdir(tmp_path / "tmp") == []
    t.type("q")
    assert t.end() == 0
    assert t.foreign() == b""


def test_who_has_a_save_or_settings_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("")
    t = at(tmp_path)
    t.wait("No fight yet", "[Enter] begins a new Classic fight", silent=("New here?",))
    t.type("q")
    assert t.end() == 0


def test_a_word_leaves_the_fight_for_a_lesson_and_comes_back_to_it(tmp_path: Path) -> None:
    program = Program(tmp_path, "gate")
    assert program.call("new", "--system", "chaos").code == 0
    assert program.call("do", "add Brynn").code == 0
    t = at(tmp_path, "gate")
    t.wait("Brynn joins")
    t.press(":", ":")
    t.press("tutor\r", "Lesson: orders before dice")
    t.press(":", ":")
    t.press("tutor unbound\r", "Lesson: factions that choose")
    t.press("q", "gate", "Brynn joins")
    t.type("q")
    assert t.end() == 0
    assert program.state()[0]["step"] == 1


def test_from_the_shell(tmp_path: Path) -> None:
    t = at(tmp_path, "--tutor", "dynamic")
    t.wait(" 1 of ")
    t.press("b", " 2 of ")
    t.type("q")
    assert t.end() == 0
    assert sorted(os.listdir(tmp_path)) == ["tmp"]


def test_what_cannot_be_is_refused_in_a_line(tmp_path: Path) -> None:
    t = at(tmp_path, "--tutor", "zzz")
    t.wait("there is no lesson for zzz")
    assert t.end() == 1
