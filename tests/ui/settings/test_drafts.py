"""Half-written texts survive; a disk that refuses them is no fault."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given

from tests.kit.strategies import any_text
from tui.core.base.text import LONGEST_LINE, clean
from tui.ui.settings.drafts import DraftFile


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


def test_drafts_go_on_with_the_save_under_its_new_name(tmp_path: Path) -> None:
    old, new = (str(tmp_path / name) for name in ("mill.toml", "bridge.toml"))
    drafts = DraftFile(old)
    drafts.save("line", "damage Orc")
    drafts.move(new)
    assert DraftFile(new).load() == {"line": "damage Orc"}
    assert DraftFile(old).load() == {}


def test_a_form_of_many_full_fields_comes_back_whole_and_what_is_too_long_leaves_the_rest(
    tmp_path: Path,
) -> None:
    save = str(tmp_path / "mill.toml")
    form = json.dumps({f"field{n}": "west " * (LONGEST_LINE // 5) for n in range(30)})
    drafts = DraftFile(save)
    drafts.save("order c1", form)
    assert DraftFile(save).load() == {"order c1": form}
    drafts.save("line", "x" * 1_000_000)
    assert DraftFile(save).load() == {"order c1": form}
    drafts.save("order c1", "")
    for n in range(210):
        drafts.save(f"order d{n}", "hold")
    assert len(DraftFile(save).load()) == 200


def test_a_broken_or_foreign_file_is_no_draft(tmp_path: Path) -> None:
    save = str(tmp_path / "mill.toml")
    for text in ("drafts = 3", "[drafts]\nline = 4", "[[", "\x00"):
        Path(save + ".drafts").write_text(text, encoding="utf-8")
        assert DraftFile(save).load() == {}


def test_a_disk_that_refuses_is_no_fault(tmp_path: Path) -> None:
    drafts = DraftFile(str(tmp_path / "nowhere" / "mill.toml"))
    drafts.save("line", "x")
    assert drafts.load() == {"line": "x"}


@given(any_text(max_size=60))
def test_any_text_comes_back_clean(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        save = f"{folder}/mill.toml"
        DraftFile(save).save("line", text)
        found = DraftFile(save).load()
    assert found.get("line", "") == clean(text, 8000)


def planted(folder: Path, kind: str, name: str) -> Path:
    """What somebody with write access puts where we are about to write.

    A file of ours that must stay as it is.
    """
    ours, place = folder / "ours", folder / name
    ours.write_text("ours")
    match kind:
        case "fifo":
            os.mkfifo(place)
        case "link":
            place.symlink_to(ours)
        case "hard link":
            place.hardlink_to(ours)
        case _:
            place.write_text("theirs")
            place.chmod(0o666)
    return ours


KINDS = ["fifo", "link", "hard link", "file"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["mill.toml.drafts", ".mill.toml.drafts.tmp-{pid}", "mill.toml.drafts.new"])
def test_nothing_that_was_planted_is_opened(tmp_path: Path, kind: str, name: str) -> None:
    ours = planted(tmp_path, kind, name.format(pid=os.getpid()))
    drafts = DraftFile(str(tmp_path / "mill.toml"))
    theirs = (tmp_path / name).stat().st_ino if kind == "file" and "{" not in name else -1
    drafts.save("order c1", "SECRET")
    kept = tmp_path / "mill.toml.drafts"
    assert ours.read_text() == "ours"
    assert (kept.is_file(), kept.is_symlink(), kept.stat().st_mode & 0o777) == (True, False, 0o600)
    assert kept.stat().st_ino != theirs
    assert DraftFile(str(tmp_path / "mill.toml")).load() == {"order c1": "SECRET"}
