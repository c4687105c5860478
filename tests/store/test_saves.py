from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.disks import FaultyDisk
from tests.kit.journals import EVIL, HEADER, fight, journal
from tests.kit.strategies import any_text
from tui.homes import user_folder
from tui.store.problems import BadName
from tui.store.saves import config_folder, list_saves, make_folder, save_name, save_path, saves_folder


@given(st.one_of(any_text(max_size=80), st.sampled_from(EVIL)))
def test_a_name_never_leaves_the_folder(name: str) -> None:
    if name.endswith(".toml"):
        return
    path = taken(name)
    if path is None:
        return
    assert os.path.dirname(os.path.abspath(path)) == "/saves"
    assert name.isprintable()
    assert len(os.path.basename(path).encode()) < 240
    assert save_name(path) == name


def taken(name: str) -> str | None:
    """The path of a name in /saves, None when it is refused, which is said in printable words."""
    try:
        return save_path(name, "/saves")
    except BadName as error:
        return None if error.message.isprintable() and error.hint else error.message


def test_a_path_is_taken_as_it_is() -> None:
    for path in ("mill.toml", "./mill.toml", "/tmp/a b/mill.toml", "../mill.toml"):
        assert save_path(path, "/saves") == path
    assert save_path("~/mill.toml", "/s") == os.path.expanduser("~/mill.toml")
    with pytest.raises(BadName):
        save_path("/tmp/\x1b]0;x\x07.toml", "/saves")


def test_where_files_of_each_kind_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    kinds: tuple[Literal["config", "data", "state"], ...] = ("config", "data", "state")
    usual = ["/home/ann/.config/tocsin", "/home/ann/.local/share/tocsin", "/home/ann/.local/state/tocsin"]
    assert [user_folder(kind, {}, "linux") for kind in kinds] == usual
    mac = "/home/ann/Library/Application Support/tocsin"
    assert {user_folder(kind, {}, "darwin") for kind in kinds} == {mac}
    assert user_folder("state", {"XDG_STATE_HOME": "/s"}, "darwin") == "/s/tocsin"
    environ = {"TOCSIN_SAVES": "~/mine", "TOCSIN_CONFIG": "~/set", "XDG_DATA_HOME": "/d"}
    assert [saves_folder(x, environ) for x in ("~/x", "", None)] == [
        "/home/ann/x", "/home/ann/mine", "/home/ann/mine"
    ]  # fmt: skip
    assert config_folder(environ) == "/home/ann/set"
    assert saves_folder("", {"XDG_DATA_HOME": "/d"}) == "/d/tocsin/saves"
    # The specification of these folders: a relative path is ignored.
    assert user_folder("state", {"XDG_STATE_HOME": "s"}, "linux") == usual[2]


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
    found = list_saves(str(tmp_path))
    assert [one.name for one in found[:3]] == ["mill", "long", "new"]
    assert all(one.system == HEADER.system and not one.problem for one in found[:3])
    assert found[0].modified == 9e9
    assert {one.name for one in found if one.problem} == {"broken", "link", "folder", "pipe", "empty"}
    assert {one.name for one in found[3:] if not one.problem} == {"evil\ufffd"}
    assert all(one.name.isprintable() and one.problem.isprintable() for one in found)
    assert list_saves(str(tmp_path / "nowhere")) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "it is empty"),
        ("x" * 65, "it is longer than 64 characters"),
        ("🜲" * 51, "it is longer than 64 characters"),
        ("a\x1b", "it contains a character that cannot be shown"),
        ("a/b", "it contains a slash"),
        ("a\\b", "it contains a slash"),
        (".a", "it begins with a dot or a dash, or ends in a space"),
        ("-a", "it begins with a dot or a dash, or ends in a space"),
        ("a ", "it begins with a dot or a dash, or ends in a space"),
        ("\x1b.toml", "it contains a character that cannot be shown"),
        ("/.toml", "the file's name is empty or too long"),
        (".toml", "the file's name is empty or too long"),
        ("/" + "x" * 196 + ".toml", "the file's name is empty or too long"),
    ],
)
def test_a_name_that_is_refused_says_why(name: str, why: str) -> None:
    with pytest.raises(BadName) as refused:
        save_path(name, "/s")
    assert refused.value.message.endswith(f" cannot be a save's name: {why}")


def test_a_file_of_the_folder_is_ours_by_its_beginning_alone(tmp_path: Path) -> None:
    whole = journal(fight(2))
    files = {
        "a.b": whole,
        "newer": whole.replace(b"format = 2", b"format = 9"),
        "other": b"x = 1\n",
        "edited": whole.replace(b"mill", b"hall"),
        "party": b"# x\n[[combatant]]\n",
        "named": whole.replace(b"# tocsin journal", b"# my own journal"),
    }
    for name, data in files.items():
        (tmp_path / f"{name}.toml").write_bytes(data)
        os.utime(tmp_path / f"{name}.toml", (7, 7))
    found = {x.name: x for x in list_saves(str(tmp_path))}
    assert list(found) == ["a.b", "edited", "named", "newer", "other"]
    assert {x.modified for x in found.values()} == {7.0}
    assert found["a.b"].problem == ""
    assert found["other"].problem == "this file is not a fight of tocsin"
    assert not [x for x in ("newer", "edited", "named") if found[x].problem in ("", found["other"].problem)]
    assert found["other"].path == str(tmp_path / "other.toml")


def test_a_file_that_cannot_be_read_is_listed_with_what_the_system_says(tmp_path: Path) -> None:
    (tmp_path / "mill.toml").write_bytes(journal([]))
    disk = FaultyDisk(lambda *_: errno.EIO, ("read",))
    before = len(os.listdir("/proc/self/fd"))
    assert [(x.name, x.problem) for x in list_saves(str(tmp_path), disk)] == [
        ("mill", os.strerror(errno.EIO))
    ]
    assert len(os.listdir("/proc/self/fd")) == before
