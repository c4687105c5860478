from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.journals import EVIL, HEADER, fight, journal
from tui.store import saves
from tui.store.problems import BadName
from tui.store.saves import (
    NAME_CAP,
    checkout,
    data_folder,
    listed,
    make_folder,
    name_of,
    path_of,
    saves_folder,
)

TOP = Path(__file__).parents[2]


@given(st.one_of(st.text(max_size=80), st.sampled_from(EVIL)))
def test_a_name_never_leaves_the_folder(name: str) -> None:
    if name.endswith(".toml"):
        return
    path = taken(name)
    if path is None:
        return
    assert os.path.dirname(os.path.abspath(path)) == "/saves"
    assert name.isprintable()
    assert len(os.path.basename(path).encode()) < 240
    assert name_of(path) == name


def taken(name: str) -> str | None:
    """The path of a name in /saves, None when it is refused, which is said in printable words."""
    try:
        return path_of(name, "/saves")
    except BadName as error:
        return None if error.message.isprintable() and error.hint else error.message


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".hidden", "-rf", "a/b", "a\\b", "../x", "a\n", "a\x1b[", " a", "a "]
)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        path_of(name, "/saves")


def test_a_name_at_its_longest() -> None:
    assert path_of("x" * NAME_CAP, "/s") == f"/s/{'x' * NAME_CAP}.toml"
    for name in (
        "x" * (NAME_CAP + 1),
        "🜲" * (NAME_CAP - 1),
        "/tmp/" + "x" * 250 + ".toml",
        ".toml",
        "a/.toml",
    ):
        with pytest.raises(BadName):
            path_of(name, "/s")


def test_a_path_is_taken_as_it_is() -> None:
    for path in ("mill.toml", "./mill.toml", "/tmp/a b/mill.toml", "../mill.toml"):
        assert path_of(path, "/saves") == path
    assert path_of("~/mill.toml", "/s") == os.path.expanduser("~/mill.toml")
    with pytest.raises(BadName):
        path_of("/tmp/\x1b]0;x\x07.toml", "/saves")


def test_where_saves_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    assert saves_folder("/given", {"TOCSIN_SAVES": "/env"}) == "/given"
    assert saves_folder("", {"TOCSIN_SAVES": "/env"}) == "/env"
    # The tests may run against an installed program.
    monkeypatch.setattr(saves, "_package", lambda: str(TOP / "tui"))
    assert saves_folder(None, {}) == str(TOP / "saves")
    monkeypatch.setattr(saves, "checkout", lambda: "")
    assert saves_folder(None, {}).endswith(os.path.join("tocsin", "saves"))


def test_shipped_data_of_a_checkout_and_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "_package", lambda: str(TOP / "tui"))
    assert data_folder("themes") == str(TOP / "themes")
    assert data_folder("examples") == str(TOP / "saves" / "examples")
    package = tmp_path / "site-packages" / "tui"
    (package / "_data" / "themes").mkdir(parents=True)
    monkeypatch.setattr(saves, "_package", lambda: str(package))
    assert data_folder("themes") == str(package / "_data" / "themes")
    assert checkout() == ""


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "saves"
    make_folder(str(folder))
    make_folder(str(folder))
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_list_names_what_is_sound_and_what_is_not(tmp_path: Path) -> None:
    whole = journal(fight(900))
    assert len(whole) > 128_000
    (tmp_path / "long.toml").write_bytes(whole)
    (tmp_path / "mill.toml").write_bytes(journal(fight(3)) + b"[[step]]\nn = 4\n")
    (tmp_path / "new.toml").write_bytes(journal([]))
    (tmp_path / "broken.toml").write_bytes(journal(fight(3)).replace(b"classic", b"dynamic"))
    (tmp_path / "evil\x1b.toml").write_bytes(journal([]))
    (tmp_path / "party.toml").write_bytes(b"[[combatant]]\nname = 'Ana'\n")
    (tmp_path / "empty.toml").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(journal([]))
    (tmp_path / ".mill.toml.tmp-7").write_bytes(journal([]))
    (tmp_path / "link.toml").symlink_to(tmp_path / "mill.toml")
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    for age, name in enumerate(("mill.toml", "long.toml", "new.toml")):
        os.utime(tmp_path / name, (9e9 - age, 9e9 - age))
    found = listed(str(tmp_path))
    assert [one.name for one in found[:3]] == ["mill", "long", "new"]
    assert all(one.system == HEADER.system and not one.problem for one in found[:3])
    assert found[0].modified == 9e9
    assert {one.name for one in found if one.problem} == {"broken", "link", "folder", "pipe", "empty"}
    assert {one.name for one in found[3:] if not one.problem} == {"evil\ufffd"}
    assert all(one.name.isprintable() and one.problem.isprintable() for one in found)
    assert listed(str(tmp_path / "nowhere")) == []
