"""What is published: a page is what `show` and `log` tell the same viewer, kept up step by step."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import stat
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import plain
from tests.kit.tiers import cases
from tests.kit.two_fights import MIA, Fight, policy
from tui.cli.show import tell_journal
from tui.core.fight.viewer import Viewer
from tui.store.history import History
from tui.store.players.folder import player_file_name, players_folder
from tui.store.players.page_reader import PageReader
from tui.store.players.publisher import MOST_MOMENTS, Publisher, make_page
from tui.store.players.viewers import MOST_EACH, Announcement, TooMany, list_viewers
from tui.store.problems import BadFile
from tui.store.seats.invitation import invite
from tui.systems import Registry

STRANGER = Viewer("", gm=False)


@pytest.mark.parametrize("system", Registry().ids())
@cases(6)
@given(seed=st.integers(0, 10**6))
def test_a_page_is_what_show_and_log_tell_the_viewer(system: str, seed: int) -> None:
    """Also after steps were taken back and others came in their place."""
    fight, chance = Fight(system, seed, 2), Random(seed)
    store = fight.table.store
    for number in range(25):
        fight.stir()
        if chance.random() < 0.2:
            fight.say(f"undo {chance.randint(1, 4)}")
        fight.say(policy(fight.state(), chance))
        for viewer in (MIA, STRANGER):
            page = json.loads(make_page(store, viewer))
            assert page["state"] == plain(store.table(viewer))
            if number % 5 != 4:  # to tell the whole journal again is slow
                continue
            told = tell_journal(History(store.at(0)), fight.table.ledger.steps, viewer, store.systems)
            force = [{"step": c.step, "text": list(c.text)} for c in told if not c.undone]
            assert page["log"] == force[-MOST_MOMENTS:]


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_viewers_file_has_a_harmless_name_of_its_own(one: str, other: str) -> None:
    name = player_file_name(one)
    assert name.isascii()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert 0 < len(name) <= 64
    assert (name == player_file_name(other)) == (one.lower() == other.lower())


def test_names_that_could_be_taken_for_others_are_kept_apart() -> None:
    names = ["", "public", "Public", "mia", "../mia", "mia.json", "a b", "ab", "é", "e", "x" * 64]
    assert len({player_file_name(name) for name in names}) == len({name.lower() for name in names})


# --- publishing


@pytest.fixture
def fight() -> Fight:
    made = Fight("classic", 1, 2)
    made.say("begin")
    return made


def test_only_what_is_looked_at_is_published_and_only_what_is_new(tmp_path: Path, fight: Fight) -> None:
    table = players_folder(str(tmp_path / "mill.toml"))
    table.make()
    publisher, views = Publisher(table), tmp_path / "mill.table" / "views"
    assert publisher.look_around() == ()
    assert publisher.publish(fight.table.store) == 0
    mia, other = Announcement(table, "Mia"), Announcement(table, "")
    assert publisher.look_around() == ("", "Mia")
    assert publisher.publish(fight.table.store) == 2
    assert sorted(path.name for path in views.iterdir()) == ["mia", "public"]
    page = views / "mia" / "page.json"
    before = page.stat().st_ino
    fight.say("condition Lurk prone")  # a hidden creature: nothing that either may know
    assert publisher.publish(fight.table.store) == 0
    assert page.stat().st_ino == before
    other.close()
    assert publisher.look_around() == ("Mia",)
    assert [path.name for path in views.iterdir()] == ["mia"]
    page.unlink()
    publisher.look_around()
    mia.close()
    assert publisher.look_around() == ()
    assert list(views.iterdir()) == []
    publisher.close()


def test_a_terminal_that_looks_while_a_page_is_exchanged_keeps_the_one_it_has(
    tmp_path: Path, fight: Fight
) -> None:
    path = str(tmp_path / "mill.toml")
    Path(path).touch()
    table = players_folder(path)
    table.make()
    reader, publisher = PageReader(path, "Mia"), Publisher(table)
    assert reader.look().page is None
    publisher.look_around()
    assert publisher.publish(fight.table.store) == 1
    page = reader.look().page
    assert page
    os.unlink(table.view("Mia"))  # between the old one and the new one there may be none
    between = reader.look()
    assert (between.standing, between.page) == ("written", None)
    assert publisher.look_around() == ("Mia",)
    assert publisher.publish(fight.table.store) == 1
    assert Path(table.view("Mia")).read_bytes() == page
    reader.close()
    publisher.close()


def test_one_process_publishes_a_table(tmp_path: Path) -> None:
    table = players_folder(str(tmp_path / "mill.toml"))
    table.make()
    first = Publisher(table)
    with pytest.raises(BlockingIOError):
        Publisher(table, patience=0.1)
    first.close()
    Publisher(table, patience=0.1).close()


def test_files_of_strangers_among_those_who_look_are_nobody(tmp_path: Path) -> None:
    table = players_folder(str(tmp_path / "mill.toml"))
    table.make()
    here = tmp_path / "mill.table" / "watching"
    (here / "1-01234567").write_bytes(b'{"viewer":"Mia"}')
    (here / "2-01234567").symlink_to("/etc/passwd")
    (here / "3-01234567").mkdir()
    os.mkfifo(here / "4-01234567")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(here / "5-01234567"))
    looks = Announcement(table, "Mia")
    assert list_viewers(table) == ("Mia",)
    assert sorted(os.listdir(here)) == sorted(["3-01234567", os.path.basename(looks.path)])
    looks.close()
    assert list_viewers(table) == ()


def test_of_72_terminals_of_one_player_four_look_and_take_nobodys_place(tmp_path: Path) -> None:
    table = players_folder(str(tmp_path / "mill.toml"))
    table.make()
    looks = [Announcement(table, "Mia") for _ in range(MOST_EACH)]
    for _ in range(72 - MOST_EACH):
        with pytest.raises(TooMany):
            Announcement(table, "mia")
    looks.append(Announcement(table, "Jon"))
    assert list_viewers(table) == ("Jon", "Mia")
    looks[0].close()
    looks[0] = Announcement(table, "Mia")
    for one in looks:
        one.close()
    assert list_viewers(table) == ()


@pytest.mark.parametrize("what", ["mill.table", "mill.table/watching", "mill.table/views"])
def test_a_folder_that_another_account_has_put_there_is_refused_and_nobody_looks_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    (tmp_path / "mill.toml").touch()
    table = players_folder(str(tmp_path / "mill.toml"))
    table.make()
    looks = Announcement(table, "Mia")
    assert list_viewers(table) == ("Mia",)
    theirs = os.stat(tmp_path / what).st_ino
    lstat, fstat = os.lstat, os.fstat

    def foreign(status: os.stat_result) -> os.stat_result:
        values = list(status)
        values[stat.ST_UID] += status.st_ino == theirs
        return os.stat_result(values)

    monkeypatch.setattr(os, "lstat", lambda path: foreign(lstat(path)))
    monkeypatch.setattr(os, "fstat", lambda fd: foreign(fstat(fd)))
    with pytest.raises(PermissionError, match="belongs to another account"):
        table.make()
    assert list_viewers(table) == (("Mia",) if what == "mill.table/views" else ())
    with pytest.raises(BadFile, match="belongs to another account"):
        invite(str(tmp_path / "mill.toml"), "Jon")
    monkeypatch.undo()
    looks.close()


def test_a_locked_notice_neither_stops_the_publisher_nor_stands_in_for_it(tmp_path: Path) -> None:
    (tmp_path / "mill.toml").touch()
    table = players_folder(str(tmp_path / "mill.toml"))
    table.make()
    Publisher(table).close()
    assert stat.S_IMODE(os.stat(table.lock).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(table.alive).st_mode) == 0o600
    eye = PageReader(str(tmp_path / "mill.toml"), "Mia")
    held = os.open(table.writer, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert eye.look().standing == "unwritten"
    publisher = Publisher(table)
    assert eye.look().standing == "waiting"
    publisher.close()
    assert eye.look().standing == "unwritten"
    os.close(held)
    eye.close()
