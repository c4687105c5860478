"""One BEL when a turn begins, if it was asked for; a line copied to the clipboard and into a file."""

from __future__ import annotations

import base64
import os
import stat
from pathlib import Path

import pytest

from tests.kit.keyboard import FIGHT, Player, lines
from tests.kit.terminal import tocsin
from tui.ui.desk.ports import Services
from tui.ui.settings.drafts import keep_copy
from tui.ui.state.settings import Settings


def ringing(*, bell: bool = True) -> tuple[Player, list[str]]:
    rung: list[str] = []
    outside = Services(bell=lambda: rung.append("ding"), clip=rung.append)
    return Player(lines=FIGHT, settings=Settings(bell=bell), services=outside), rung


def test_the_bell_rings_once_when_a_turn_begins_and_at_nothing_else() -> None:
    p, rung = ringing()
    p.press("n")
    assert rung == ["ding"]
    p.press("tab", "3", "d", "j", "?", "escape", *lines("end"))
    assert rung == ["ding"]
    p.press("n")
    assert rung == ["ding", "ding"]


def test_going_back_and_forth_rings_nothing() -> None:
    p, rung = ringing()
    p.press("n", "u", "ctrl+r", "u")
    assert rung == ["ding"]


def test_without_asking_nothing_rings() -> None:
    p, rung = ringing(bell=False)
    p.press("n", "n", "n", "n")
    assert rung == []


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("tab", "g", *lines("copy")), "Ana 18/18 heroes mod 3 Mia"),
        (("tab", "tab", *lines("copy")), "6. next: "),
        ((":", "'copy log'", "enter"), "6. next: "),
        ((*lines("copy"),), "acts"),
    ],
    ids=["row", "log", "word", "now"],
)
def test_what_is_copied_is_the_line_that_was_gone_to(keys: tuple[str, ...], text: str) -> None:
    p, clip = ringing(bell=False)
    p.press(*keys)
    assert len(clip) == 1
    assert text in clip[0]
    assert "clipboard" in p.message()


def test_a_row_of_the_track_is_copied_with_its_reason() -> None:
    p, clip = ringing(bell=False)
    p.press("tab", "shift+tab", "g", *lines("copy"))
    first = p.store.system.rows(p.store.encounter)[0]
    assert clip[0].startswith(f"1 {first.value} {p.store.encounter.combatants[first.entry].name} ")
    assert "d20" in clip[0]


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    outside = Services(copy=lambda text: keep_copy(str(tmp_path / "gone" / "x.toml"), text))
    p = Player(lines=FIGHT, services=outside).press(*lines("copy"))
    assert "no file" in p.message()


def test_the_file_is_for_its_owner_alone_and_replaces_what_lies_there(tmp_path: Path) -> None:
    save = str(tmp_path / "mill.toml")
    other = tmp_path / "other"
    other.write_text("untouched", encoding="utf-8")
    (tmp_path / "mill.copy.txt").symlink_to(other)
    told = keep_copy(save, "Ana acts")
    path = tmp_path / "mill.copy.txt"
    assert told.endswith("mill.copy.txt")
    assert path.read_text(encoding="utf-8") == "Ana acts\n"
    assert stat.S_IMODE(os.lstat(path).st_mode) == 0o600
    assert other.read_text(encoding="utf-8") == "untouched"
    assert sorted(x.name for x in tmp_path.iterdir()) == ["mill.copy.txt", "other"]


@pytest.mark.long
def test_the_real_program_rings_and_copies(tmp_path: Path) -> None:
    t = tocsin(tmp_path, "fight", "--bell", "--seed", "1")
    t.wait("Which system for fight")
    t.press("\r", "No creatures yet")
    t.press(":add Ana\r", "Ana joins")
    assert b"\x07" not in t.raw
    t.press("br", "saved")
    t.press("n", "next when done")
    assert t.raw.count(b"\x07") == 1
    t.press(":copy\r", "clipboard")
    sent = t.raw.split(b"\x1b]52;c;")[1].split(b"\x07")[0]
    text = base64.b64decode(sent).decode()
    assert "Ana acts" in text
    assert (tmp_path / "fight.copy.txt").read_text(encoding="utf-8") == text + "\n"
    t.type("q")
    assert t.end() == 0
    t.raw = t.raw.replace(b"\x1b]52;c;" + sent + b"\x07", b"").replace(b"\x07", b"", 1)
    assert t.foreign() == b""
