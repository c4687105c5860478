"""The user's editor: it gets a private file, and whatever fails, nothing that was written is lost."""

from __future__ import annotations

import os
import re
import stat
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.kit.keyboard import Player, lines
from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT
from tui.store.problems import NotSaved
from tui.ui.desk.ports import Services
from tui.ui.launch.services import UserEditor

here = nullcontext


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.delenv("VISUAL", raising=False)
    return folder


def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> UserEditor:
    path = tmp_path / "my editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    monkeypatch.setenv("EDITOR", f"'{path}' -x")
    return UserEditor(here)


def test_the_file_is_private_and_gone_afterwards(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    found = editor(tmp_path, monkeypatch, f'stat -c %a "$2" > {log}; cat "$2" >> {log}; echo more >> "$2"')
    taken: list[str] = []
    found.edit("first\nsecond", "card.md", taken.append)
    assert log.read_text() == "600\nfirst\nsecond\n"
    assert taken == ["first\nsecond\nmore"]
    assert list(temporary.iterdir()) == []


def test_what_was_not_changed_is_not_taken(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    editor(tmp_path, monkeypatch, "true").edit("as it was", "card.md", taken.append)
    assert (taken, list(temporary.iterdir())) == ([], [])


@pytest.mark.parametrize("script", ['echo new >> "$2"; exit 3', 'echo new >> "$2"; kill -9 $$'])
def test_when_the_editor_fails_the_text_is_kept_and_said_where(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    taken: list[str] = []
    with pytest.raises(RuleError) as refused:
        editor(tmp_path, monkeypatch, script).edit("old", "card.md", taken.append)
    (kept,) = temporary.iterdir()
    assert (taken, str(kept) in refused.value.hint) == ([], True)
    assert kept.read_text() == "old\nnew\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_text_that_is_refused_is_kept_too(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_text: str) -> None:
        raise NotSaved("the disk is full")

    with pytest.raises(RuleError, match="the disk is full") as refused:
        editor(tmp_path, monkeypatch, 'echo new > "$2"').edit("old", "card.md", full)
    assert "your text is kept in" in refused.value.hint
    assert len(list(temporary.iterdir())) == 1


@pytest.mark.parametrize("told", ["/nowhere/at/all", "'", " "])
def test_without_an_editor_it_is_said_what_would_work(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv("EDITOR", told)
    with pytest.raises(RuleError) as refused:
        UserEditor(here).edit("old", "card.md", lambda _: None)
    assert "set EDITOR" in refused.value.hint
    assert list(temporary.iterdir()) == []


def test_text_that_is_no_utf8_is_refused_and_kept(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuleError, match="UTF-8"):
        editor(tmp_path, monkeypatch, "printf '\\377\\376' > \"$2\"").edit("old", "card.md", lambda _: None)
    assert len(list(temporary.iterdir())) == 1


def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, *lines: str) -> Player:
    return Player(lines=lines, services=Services(editor=editor(tmp_path, monkeypatch, script)))


@pytest.mark.usefixtures("temporary")
def test_a_card_is_written_in_lines_and_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    p = player(tmp_path, monkeypatch, "printf 'Bite: +4.\\n\\nKeen smell.\\n' > \"$2\"", "add Wolf")
    p.press(*lines("card"))
    (wolf,) = p.store.encounter.combatants.values()
    assert wolf.card == "Bite: +4.\n\nKeen smell."
    assert "Keen smell." in p.text()
    p.press("u")
    assert [c.card for c in p.store.encounter.combatants.values()] == [""]


def test_a_card_that_is_too_long_changes_nothing(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = player(tmp_path, monkeypatch, f'head -c {PAGE_LIMIT + 9} /dev/zero | tr "\\0" a > "$2"', "add Wolf")
    before = p.store.step
    p.press(*lines("card"))
    assert p.store.step == before
    path = re.search(r"kept in (\S+)", p.message())
    assert path
    assert os.path.dirname(path[1]) == str(temporary)


@pytest.mark.usefixtures("temporary")
def test_a_line_and_an_order_are_written_on_and_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = player(tmp_path, monkeypatch, 'echo " the door is\nopen" >> "$2"', "add Ana")
    p.press(":", "'note'", "ctrl+x")
    assert p.desk.view.mode.editor.text == "note the door is open"  # type: ignore[union-attr]
    p.press("enter")
    assert p.asked() == ["note the door is open"]


@pytest.mark.usefixtures("temporary")
def test_a_stat_block_is_pasted_there_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    p = player(tmp_path, monkeypatch, "true").press(":", "'import -'", "enter")
    assert p.desk.view.mode is None
    assert "nothing" in p.message() or not p.message()
