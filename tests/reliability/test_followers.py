"""Promise 11 through the whole program: the screen of who looks on says so, and what becomes of the save."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.kit.scripted_play import fight, stop
from tests.kit.terminal import Terminal, logged, tocsin


def looking(folder: Path) -> Terminal:
    t = tocsin(folder, "mill")
    t.wait("l open read-only")
    t.press("l", logged(6), "read-only")
    return t


def test_the_screen_tells_of_the_writer_the_move_the_copy_and_the_damage(tmp_path: Path) -> None:
    fight(tmp_path)
    path = tmp_path / "mill.toml"
    kept = path.read_bytes()
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    two = looking(tmp_path)
    writer.press("n", logged(7))
    two.wait(logged(7), "read-only")
    stop(writer)
    two.wait("this save is not running now")
    path.rename(tmp_path / "away")
    two.wait("save is gone", "moved or deleted")
    path.write_bytes(kept)
    two.wait(logged(6), "was replaced: step 7 has become step 6")
    two.press("\t", "not running", silent=("was replaced",))
    path.write_bytes(kept[:400] + b"?" + kept[401:])
    two.wait("save damaged")
    shutil.move(tmp_path / "away", path)
    two.wait(logged(7), "not running", silent=("damaged",))
    again = tocsin(tmp_path, "mill")
    again.press("n", logged(8))
    two.wait(logged(8), "read-only")
    two.type("q")
    assert two.end() == 0
    assert two.foreign() == b""
    stop(again)
