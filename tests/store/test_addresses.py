"""The addresses of a fight's pages: whose they are, and when they end."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, fight, journal
from tui.store.addresses import (
    Addresses,
    end_addresses,
    is_served,
    is_valid,
    move_addresses,
    read_kept,
)
from tui.store.shelf import rename_save, trash_save


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "mill.toml"
    path.write_bytes(journal(fight(3)))
    return str(path)


def kept(save: str) -> dict[str, str]:
    """Return the keys that a server of the save would open."""
    found = read_kept(save)
    return dict(found.keys) if is_valid(found, save) else {}


def served(save: str, *names: str, new: bool = False) -> Addresses:
    addresses = Addresses(save, new=new)
    addresses.admit(("", *names))
    addresses.announce("http://127.0.0.1:8080/", 8080)
    return addresses


def test_addresses_are_secret_random_and_the_same_the_next_time(save: str, tmp_path: Path) -> None:
    first = served(save, "Mia", "Jon")
    assert is_served(save)
    assert len({*first.keys.values()}) == 3
    assert all(len(key) == 26 for key in first.keys.values())
    first.withdraw()
    assert not is_served(save)
    assert served(save).keys == first.keys
    files = [x for x in (tmp_path / "state").rglob("*") if x.is_file()]
    assert files
    assert all(stat.S_IMODE(x.stat().st_mode) == 0o600 for x in files)
    assert not any(key in (tmp_path / "mill.toml").read_text() for key in first.keys.values())


def test_a_copy_a_restored_and_a_new_save_bring_no_address(save: str, tmp_path: Path) -> None:
    old = served(save, "Mia").keys
    shutil.copy(save, tmp_path / "copy.toml")
    assert kept(str(tmp_path / "copy.toml")) == {}
    os.rename(save, tmp_path / "away.toml")
    shutil.copy(tmp_path / "away.toml", save)
    again = Addresses(save)
    assert again.changed
    assert again.keys == {}
    os.unlink(save)
    os.rename(tmp_path / "away.toml", save)
    assert kept(save) == old
    made_anew = HEADER.__class__("mill", "classic", "2026-12-20T20:44:33Z", "0.1.0")
    with open(save, "wb") as file:  # the same inode
        file.write(journal(fight(3), made_anew))
    assert kept(save) == {}


def test_a_renamed_save_takes_its_addresses_along_and_a_trashed_one_loses_them(
    save: str, tmp_path: Path
) -> None:
    keys = served(save, "Mia").keys
    new = rename_save(save, str(tmp_path), "bridge")
    assert kept(new) == keys
    assert read_kept(save).keys == {}
    bin_ = trash_save(new, str(tmp_path))
    assert kept(new) == kept(bin_) == {}
    os.rename(bin_, new)
    assert kept(new) == {}


def test_addresses_move_with_saveas_and_end_one_by_one_or_all(save: str, tmp_path: Path) -> None:
    addresses = served(save, "Mia", "Jon")
    before = dict(addresses.keys)
    assert not addresses.renew("Cy")
    assert addresses.renew("mia")
    assert {k for k in before if addresses.keys[k] != before[k]} == {"mia"}
    shutil.copy(save, tmp_path / "next.toml")
    addresses.move(str(tmp_path / "next.toml"))
    assert kept(save) == {}
    assert kept(str(tmp_path / "next.toml")) == addresses.keys
    assert addresses.renew(None)
    assert not {*before.values()} & {*addresses.keys.values()}
    assert not {*addresses.keys.values()} & {*served(str(tmp_path / "next.toml"), new=True).keys.values()}


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"a":' * 3_000, b"\xff\xfe", b'{"keys":{"mia":"short"}}', b'{"port":99999}']
)
def test_a_file_that_is_not_ours_gives_new_addresses(save: str, tmp_path: Path, content: bytes) -> None:
    served(save, "Mia")
    (file,) = (tmp_path / "state").rglob("*.json")
    file.write_bytes(content)
    assert read_kept(save).keys == {}
    assert served(save, "Mia").keys


def test_a_file_that_others_may_read_is_not_believed(save: str, tmp_path: Path) -> None:
    served(save, "Mia")
    (file,) = (tmp_path / "state").rglob("*.json")
    file.chmod(0o644)
    assert read_kept(save).keys == {}


def test_a_folder_that_cannot_be_written_is_said(save: str, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    assert served(save, "Mia").unkept
    end_addresses(save)
    move_addresses(save, str(tmp_path / "x.toml"))
