"""Who looks: announcements that live and die with a process, how many, and what their folder may hold."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.store.players.descriptors import descriptors
from tui.store.players import viewers
from tui.store.players.folder import TableFolder, WriterNotice, players_folder
from tui.store.players.page_reader import PageReader
from tui.store.players.publisher import Publisher
from tui.store.players.viewers import Announcement, TooMany, list_viewers


@pytest.fixture
def table(tmp_path: Path) -> TableFolder:
    found = players_folder(str(tmp_path / "mill.toml"))
    found.make()
    return found


# --- announcements


def test_who_looks_is_known_until_it_looks_no_more(table: TableFolder) -> None:
    before = descriptors()
    some = [Announcement(table, name) for name in ("Mia", "", "jon", "MIA")]
    assert [x.lower() for x in list_viewers(table)] == ["", "jon", "mia"]
    assert all(x.stands for x in some)
    assert {os.stat(x.path).st_mode & 0o777 for x in some} == {0o600}
    os.unlink(some[1].path)
    assert not some[1].stands
    for one in some:
        one.close()
    assert not some[0].stands
    assert os.listdir(table.watching) == []
    assert list_viewers(table) == ()
    assert descriptors() == before


def test_a_player_has_four_terminals_and_another_one_more(table: TableFolder) -> None:
    some = [Announcement(table, name) for name in ("Mia", "mia", "MIA", "Mia", "Jon", *[""] * 6)]
    before, there = descriptors(), sorted(os.listdir(table.watching))
    with pytest.raises(TooMany):
        Announcement(table, "Mia")
    assert (descriptors(), sorted(os.listdir(table.watching))) == (before, there)
    Announcement(table, "Jon").close()
    some[0].close()
    again = Announcement(table, "Mia")
    for one in (*some[1:], again):
        one.close()


def test_what_no_living_process_holds_is_deleted_and_what_is_no_announcement_is_none(
    table: TableFolder,
) -> None:
    folder, before = Path(table.watching), descriptors()
    (folder / "1-01234567").write_text('{"viewer": "Mia"}')
    (folder / "2-01234567").symlink_to("/etc/passwd")
    for name in (".hidden", "dead"):
        (folder / name).touch()
    (folder / "inside").mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    with socket.socket(socket.AF_UNIX) as odd:
        odd.bind(str(folder / "3-01234567"))
    living = Announcement(table, "Jon")
    with open(living.path, "r+b") as file:
        file.write(b"no json, whoever it is")
    assert list_viewers(table) == ()
    stays = [".hidden", "dead", "inside", "link", os.path.basename(living.path)]
    assert sorted(os.listdir(folder)) == sorted(stays)
    living.close()
    assert descriptors() == before


def test_of_a_folder_no_more_is_looked_at_than_the_bounds(
    table: TableFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [Announcement(table, name) for name in ("c", "a", "b")]
    monkeypatch.setattr(viewers, "MOST_VIEWERS", 2)
    assert list_viewers(table) == ("a", "b")
    for one in some:
        one.close()


# --- the publisher's place


def test_one_publishes_and_terminals_see_it_while_it_lives(table: TableFolder, tmp_path: Path) -> None:
    before, save = descriptors(), tmp_path / "mill.toml"
    save.touch()
    reader = PageReader(str(save), "Mia")
    assert (reader.look().standing, reader.has_no_page()) == ("unwritten", True)
    Path(table.alive).write_text("no pipe")
    one = Publisher(table)
    with pytest.raises(BlockingIOError):
        Publisher(table, patience=0)
    assert one.stands
    assert (reader.look().standing, reader.has_no_page()) == ("waiting", False)
    for standing in ("gone", "damaged", "written"):
        one.tell(standing)
        assert Path(table.writer).read_bytes() == b'{"standing":"%s","format":1}' % standing.encode()
    Path(table.writer).write_bytes(b"")
    assert reader.look().standing == "waiting", "it is just being written"
    os.unlink(table.writer)
    assert not one.stands
    one.close()
    save.unlink()
    assert reader.look().standing == "gone"
    reader.close()
    assert descriptors() == before


def test_what_a_publisher_makes_is_for_its_owner_alone(table: TableFolder) -> None:
    Publisher(table).close()
    assert os.stat(table.alive).st_mode & 0o777 == 0o600
    assert os.stat(table.writer).st_mode & 0o777 == 0o600
    assert os.stat(table.lock).st_mode & 0o777 == 0o600
    assert WriterNotice().standing == "written"


def test_pages_of_those_who_look_no_more_go_and_foreign_files_stay(table: TableFolder) -> None:
    for name in ("old", "kept"):
        Path(table.views, name).mkdir()
    Path(table.views, "old", "page.json").touch()
    Path(table.views, "old", ".page.json.tmp-7").touch()
    Path(table.views, "kept", "page.json").touch()
    Path(table.views, "kept", "mine").touch()
    Path(table.views, "No viewer").mkdir()
    one = Publisher(table)
    assert one.look_around() == ()
    one.close()
    found = sorted(x.relative_to(table.views).as_posix() for x in Path(table.views).rglob("*"))
    assert found == ["No viewer", "kept", "kept/mine"]


def test_a_page_is_given_once_and_again_when_it_is_another(table: TableFolder, tmp_path: Path) -> None:
    (tmp_path / "mill.toml").touch()
    reader, one = PageReader(str(tmp_path / "mill.toml"), "Mia"), Publisher(table)
    page = Path(table.view("Mia"))
    assert (reader.look().page, reader.look().standing) == (None, "waiting")
    page.parent.mkdir()
    for data in (b"one", b"two", b"one"):
        page.write_bytes(data)
        seen = [reader.look() for _ in range(2)]
        assert [(x.page, x.standing) for x in seen] == [(data, "written"), (None, "written")]
    page.unlink()
    assert reader.look().standing == "written"
    one.close()
    assert reader.look().standing == "unwritten"
    reader.close()
