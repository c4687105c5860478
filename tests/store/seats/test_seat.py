"""The folder of the seats: names, keys, rights, what a closed seat leaves, and what is swept away."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from tui.core.base.text import NAME_LIMIT
from tui.store.players.folder import TableFolder, player_file_name, players_folder
from tui.store.problems import BadFile, BadSeat
from tui.store.seats.seat import (
    check_seat,
    close_seat,
    delete_stale,
    find_seat,
    key_path,
    list_seats,
    make_seat,
    read_seat,
)


@pytest.fixture
def table(tmp_path: Path) -> TableFolder:
    return players_folder(str(tmp_path / "mill.toml"))


def mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def below(path: str) -> list[str]:
    """All names in a folder and in the folders of it, from there."""
    return sorted(x.relative_to(path).as_posix() for x in Path(path).rglob("*"))


# --- names


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "it is empty, or begins or ends with a space"),
        ("Mia ", "it is empty, or begins or ends with a space"),
        ("x" * (NAME_LIMIT + 1), f"it is longer than {NAME_LIMIT} characters"),
        ("a\u202eb", "it contains a character that cannot be shown"),
        ("a/b", "it contains a slash"),
        ("a\\b", "it contains a slash"),
        (".Mia", "it begins with a dot or a dash"),
        ("-Mia", "it begins with a dot or a dash"),
    ],
)
def test_a_name_that_no_seat_may_have_is_refused_with_its_reason(name: str, why: str) -> None:
    with pytest.raises(BadSeat) as refused:
        check_seat(name)
    assert refused.value.message.endswith(f" cannot be a seat's name: {why}")
    assert "owner=Mia" in refused.value.hint


def test_a_file_is_called_after_a_plain_name_and_after_the_fingerprint_of_any_other() -> None:
    assert [player_file_name(x) for x in ("Mia", "a" * 32, "")] == ["mia", "a" * 32, "public"]
    for name, begins in (("Public", "public-"), ("a" * 33, "a" * 16 + "-"), ("J. Bo", "jbo-"), ("é", "-")):
        found = player_file_name(name)
        assert found == player_file_name(name.upper())
        assert found.startswith(begins)
        assert len(found) == len(begins) + 24
    table = players_folder("/saves/mill.toml")
    assert [os.path.relpath(x, table.path) for x in (table.writer, table.lock, table.alive)] == [
        "writer",
        "publishing",
        "alive",
    ]
    assert table.path == players_folder("/saves/mill").path == "/saves/mill.table"


# --- making, finding, closing


def test_a_seat_is_made_for_its_owner_alone_and_found_again_with_the_same_key(table: TableFolder) -> None:
    assert find_seat(table, "Mia") is None
    seat = make_seat(table, "Mia")
    assert (seat.name, len(seat.key), seat.file) == ("Mia", 32, "mia")
    assert make_seat(table, "Mia") == find_seat(table, "mia") == seat
    assert {mode(os.path.join(table.path, x)) for x in below(table.path) if "." not in x} == {0o700}
    boxes = [os.path.relpath(x, table.path) for x in (seat.inbox, os.path.dirname(seat.reply))]
    made = ["answers", "inbox", "seats", "seats/mia.key", "views", "watching", *boxes]
    assert below(table.path) == sorted(made)
    key = Path(key_path(table, "Mia"))
    assert mode(str(key)) == 0o600
    assert json.loads(key.read_bytes()) == {"seat": "Mia", "key": seat.key.hex(), "format": 1}
    assert key.read_bytes().endswith(b"}\n")


def test_a_closed_seat_takes_with_it_all_that_was_its_own_and_nothing_else(table: TableFolder) -> None:
    mia = make_seat(table, "Mia")
    before = below(table.path)
    jon = make_seat(table, "Jon")
    for folder in (jon.inbox, os.path.dirname(jon.reply)):
        os.makedirs(folder, exist_ok=True)
        Path(folder, "reply.json").touch()
    assert jon.stands
    close_seat(jon)
    assert (jon.stands, mia.stands) == (False, True)
    assert below(table.path) == before
    with pytest.raises(FileNotFoundError):
        close_seat(jon)


def test_what_stands_where_a_folder_must_be_is_refused(table: TableFolder, tmp_path: Path) -> None:
    table.make()
    for made in ("link", "file"):
        path = Path(table.path, "inbox")
        if made == "link":
            path.symlink_to(tmp_path)
        else:
            path.touch()
        with pytest.raises(NotADirectoryError, match="this is not a folder") as refused:
            make_seat(table, "Mia")
        assert (refused.value.errno, refused.value.filename) == (20, str(path))
        path.unlink()


# --- keys


def test_a_key_of_another_seat_or_with_wider_rights_opens_nothing(
    table: TableFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_seat(table, "Mia")
    path = key_path(table, "Mia")
    for rights in (0o640, 0o604, 0o610, 0o601, 0o620, 0o602):
        os.chmod(path, rights)
        with pytest.raises(BadFile) as refused:
            read_seat(table, path)
        assert (refused.value.line, refused.value.message) == (0, "the seat's key is not yours alone")
        assert refused.value.hint == f"`chmod 600 {path}`, or invite again"
    os.chmod(path, 0o400)
    assert read_seat(table, path).name == "Mia"
    other = os.path.join(table.seats, "jon.key")
    shutil.copy2(path, other)
    with pytest.raises(BadFile) as refused:
        read_seat(table, other)
    assert (refused.value.line, refused.value.message) == (0, "this is another seat's key")
    assert refused.value.hint == "remove it, and invite again"
    owner = os.stat(path).st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(BadFile, match="belongs to another account"):
        read_seat(table, path)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "this is not a seat's key"),
        (b"[" * 900, "this is not a seat's key"),
        (b'{"seat": "Mia"}', "this is not a seat's key"),
        (b'{"seat": "Mia", "key": "zz"}', "this is not a seat's key"),
        (b'{"seat": "Mia", "key": "%s"}' % (b"ab" * 31), "this is not a seat's key"),
        (b'{"seat": "Mia", "key": "%s"}' % (b"ab" * 33), "this is not a seat's key"),
        (b'{"seat": "Mia", "key": "%s", "more": 1}' % (b"ab" * 32), "this is not a seat's key"),
        (b'{"seat": "../Mia", "key": "%s"}' % (b"ab" * 32), "this is not a seat's key"),
        ((b'{"seat": "Mia", "key": "%s"}' % (b"ab" * 32)).ljust(1_001), "the file is larger than 0 MB"),
        ((b'{"seat": "Mia", "key": "%s"}' % (b"ab" * 32)).ljust(1_000), ""),
    ],
)
def test_bytes_that_are_no_key_open_nothing(table: TableFolder, data: bytes, why: str) -> None:
    make_seat(table, "Mia")
    path = key_path(table, "Mia")
    Path(path).write_bytes(data)
    if not why:
        assert read_seat(table, path).key == b"\xab" * 32
        return
    with pytest.raises(BadFile) as refused:
        read_seat(table, path)
    assert (refused.value.line, refused.value.message) == (0, why)
    assert refused.value.hint == ("remove it, and invite again" if "a seat's key" in why else "")


def test_all_seats_are_listed_by_name_and_a_bad_key_hides_no_other(table: TableFolder) -> None:
    assert list_seats(table) == ([], [])
    mia, jon = make_seat(table, "Mia"), make_seat(table, "Jon")
    for name in (".hidden.key", "note.txt", "bad.key"):
        Path(table.seats, name).touch(mode=0o600)
    found, bad = list_seats(table)
    assert found == [jon, mia]
    assert [str(x) for x in bad] == ["bad.key: this is not a seat's key"]


# --- the table


def test_a_table_that_was_shared_with_a_group_is_its_owners_alone_again(table: TableFolder) -> None:
    """Its seat keeps its key and what it sent."""
    seat = make_seat(table, "Mia")
    Path(seat.inbox, "1.json").touch()
    shared = (table.path, table.views, table.watching, os.path.dirname(seat.inbox), seat.inbox)
    for folder in shared:
        os.chmod(folder, 0o2710)
    assert make_seat(table, "Mia") == seat
    assert {mode(folder) & 0o777 for folder in shared} == {0o700}
    assert os.listdir(seat.inbox) == ["1.json"]


def test_a_table_that_another_account_has_made_is_refused(
    table: TableFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(table.path).symlink_to(tmp_path)
    with pytest.raises(NotADirectoryError, match="this is not a folder"):
        table.make()
    os.unlink(table.path)
    table.make()
    table.make()
    assert {mode(x) for x in (table.path, table.views, table.watching)} == {0o700}
    owner = os.stat(table.path).st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert table.problem
    with pytest.raises(PermissionError, match="belongs to another account"):
        table.make()


# --- sweeping


def test_folders_of_no_seat_are_swept_and_all_else_stays(table: TableFolder, tmp_path: Path) -> None:
    seat = make_seat(table, "Mia")
    kept, old = tmp_path / "kept", "0123456789abcdef" * 2
    kept.mkdir()
    for folder in (os.path.dirname(seat.inbox), os.path.dirname(os.path.dirname(seat.reply)), table.watching):
        Path(folder, "f" * 32).symlink_to(kept)
        Path(folder, "file").touch()
        Path(folder, "old", "deep").mkdir(parents=True)
    Path(seat.inbox, "1.json").touch()
    before = below(table.path)
    for folder in ("inbox", "answers"):
        Path(table.path, folder, old).mkdir(parents=True)
    Path(table.path, "inbox", old, "7-0123456789abcdef.json").touch()
    Path(table.path, "answers", old, "reply.json").touch()
    links = sorted(os.path.join(table.path, x, "f" * 32) for x in ("inbox", "answers"))
    assert sorted(delete_stale(table, [seat])) == links
    assert below(table.path) == before
    assert delete_stale(players_folder(str(tmp_path / "none.toml")), []) == []
