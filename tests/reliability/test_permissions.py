"""Promise 6: who may read what is written, and that nothing is written elsewhere."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.kit.scripted_play import shell, stop
from tests.kit.terminal import tocsin

FOLDERS = {
    "HOME": "home",
    "TMPDIR": "tmp",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "XDG_CACHE_HOME": "cache",
    "XDG_RUNTIME_DIR": "run",
}


def modes(folder: Path) -> dict[str, int]:
    """Every file and folder below, with its permissions."""
    return {str(p.relative_to(folder)): stat.S_IMODE(p.lstat().st_mode) for p in sorted(folder.rglob("*"))}


@pytest.fixture
def homes(tmp_path: Path) -> dict[str, str]:
    for name in FOLDERS.values():
        (tmp_path / name).mkdir()
    return {key: str(tmp_path / name) for key, name in FOLDERS.items()} | {"PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.parametrize("mask", [0o022, 0o000])
def test_an_evening_writes_its_save_and_nothing_else(
    tmp_path: Path, homes: dict[str, str], mask: int
) -> None:
    saves = tmp_path / "saves"
    top = modes(Path(__file__).parents[2] / "saves")
    before = os.umask(mask)
    try:
        assert shell(saves, "new", "mill", **homes).returncode == 0
        assert (
            shell(saves, "do", "mill", "add Ana hp=9", "add 3 Orc hp=7", "begin", "roll", **homes).returncode
            == 0
        )
        for words in (
            ["show", "mill"],
            ["log", "mill"],
            ["check", "mill"],
            ["systems"],
            ["themes"],
            ["keys", "--man"],
        ):
            assert shell(saves, *words, **homes).returncode == 0
        play(saves, homes)
    finally:
        os.umask(before)
    found = modes(saves)
    assert set(found) == {
        "mill.toml",
        "mill.toml.lock",
        "mill.toml.drafts",
        "other.toml",
        "other.toml.lock",
    } & set(found)
    assert {"mill.toml", "mill.toml.lock", "other.toml", "other.toml.lock"} <= set(found)
    assert set(found.values()) == {0o600}
    assert stat.S_IMODE(saves.stat().st_mode) == 0o700
    assert modes(Path(__file__).parents[2] / "saves") == top
    elsewhere = modes(tmp_path)
    assert {name for name in elsewhere if not name.startswith("saves")} == set(FOLDERS.values())


def play(saves: Path, homes: dict[str, str]) -> None:
    """A screen with a step, a draft, a resize, another name, and a quit."""
    t = tocsin(saves, "mill", size=(80, 24), **homes, TOCSIN_CONFIG="")
    t.wait("saved")
    t.press("n", " acts")
    t.press(":", ":")
    t.press("note half", ":note half")
    t.press("\x15", silent=(":note half",))
    t.press("saveas other\r", "is saved in", "other")
    t.type("n")
    t.wait("saved")
    t.type("q")
    assert t.end() == 0
    assert t.foreign() == b""


def test_a_sample_is_copied_into_the_saves_and_stays_as_it_is(tmp_path: Path, homes: dict[str, str]) -> None:
    examples = Path(__file__).parents[2] / "saves" / "examples"
    before = {p.name: p.read_bytes() for p in examples.iterdir()}
    name = next(n for n in sorted(before) if n.endswith(".toml"))
    t = tocsin(tmp_path / "saves", str(examples / name), size=(80, 24), **homes)
    t.wait("saved")
    stop(t)
    assert {p.name: p.read_bytes() for p in examples.iterdir()} == before
    assert modes(tmp_path / "saves")[name] == 0o600


def test_a_killed_program_leaves_nothing_that_the_next_start_does_not_take_away(tmp_path: Path) -> None:
    assert shell(tmp_path, "new", "mill").returncode == 0
    (tmp_path / ".mill.toml.tmp-12345").write_text("half a journal")
    (tmp_path / ".mill.toml.drafts.tmp-12345").write_text("half a dr")
    t = tocsin(tmp_path, "mill")
    t.wait("saved")
    t.type("q")
    assert t.end() == 0
    assert sorted(modes(tmp_path)) == ["mill.toml", "mill.toml.lock"]


def test_a_name_never_leaves_the_folder(tmp_path: Path) -> None:
    saves = tmp_path / "in" / "saves"
    for name in ("../out", "/tmp/x", "..", ".hidden", "a/b", "-x", "", "~root", "x\ny"):
        assert shell(saves, "new", name).returncode in (0, 2)
    assert {p for p in modes(tmp_path) if p not in {"in", "in/saves"}} <= {
        "in/saves/~root.toml",
        "in/saves/~root.toml.lock",
    }
