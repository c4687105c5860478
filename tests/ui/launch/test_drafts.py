"""Half-written texts survive; a disk that refuses them is no fault."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tui.core.fight.text import clean
from tui.ui.launch.drafts import DraftFile


def test_drafts_come_back_and_leave_nothing_behind(tmp_path: Path) -> None:
    save = str(tmp_path / "mill.toml")
    drafts = DraftFile(save)
    drafts.save("line", "damage Orc ")
    drafts.save("order c1", 'movement="to the')
    assert DraftFile(save).load() == {"line": "damage Orc ".strip(), "order c1": 'movement="to the'}
    assert os.stat(save + ".drafts").st_mode & 0o777 == 0o600
    drafts.save("line", "")
    drafts.save("order c1", "")
    assert os.listdir(tmp_path) == []


def test_a_broken_or_foreign_file_is_no_draft(tmp_path: Path) -> None:
    save = str(tmp_path / "mill.toml")
    for text in ("drafts = 3", "[drafts]\nline = 4", "[[", "\x00"):
        Path(save + ".drafts").write_text(text, encoding="utf-8")
        assert DraftFile(save).load() == {}


def test_a_disk_that_refuses_is_no_fault(tmp_path: Path) -> None:
    drafts = DraftFile(str(tmp_path / "nowhere" / "mill.toml"))
    drafts.save("line", "x")
    assert drafts.load() == {"line": "x"}


@given(st.text(max_size=60))
def test_any_text_comes_back_clean(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        save = f"{folder}/mill.toml"
        DraftFile(save).save("line", text)
        found = DraftFile(save).load()
    assert found.get("line", "") == clean(text, 8000)
