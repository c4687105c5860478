"""The publisher beside a save that is written: what changes is published until nobody looks or writes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.kit.seats import SYSTEMS, Hall
from tui.store.players import publisher
from tui.store.players.folder import WriterNotice
from tui.store.players.publisher import Publisher, Server, publish_once, publish_save
from tui.store.players.viewers import Announcement

PATIENCE = 60.0


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.005)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path, "classic")
    made.table.make()
    made.do("add Ana owner=Mia hp=9", "add Orc hp=7")
    made.session.writer.wait()
    yield made
    made.close()


def shown(hall: Hall, viewer: str = "Mia") -> int:
    """Return the step of the page that is published for a viewer; -1 without one."""
    try:
        page = json.loads(Path(hall.table.view(viewer)).read_bytes())
    except (OSError, ValueError):  # there is none, or it is just being written
        return -1
    return int(page["state"]["step"])


def notice(hall: Hall) -> WriterNotice:
    """Return how the save is said to stand."""
    return WriterNotice(**json.loads(Path(hall.table.writer).read_bytes() or b"{}"))


@contextmanager
def serving(hall: Hall) -> Iterator[Thread]:
    """Run the publisher of a save in a thread; at the end its leash is let go, and it leaves."""
    server = Server(hall.path, SYSTEMS)
    leash, end = os.pipe()
    thread = Thread(target=server.serve, args=(leash,))
    thread.start()
    try:
        yield thread
    finally:
        os.close(end)
        thread.join(PATIENCE)
        assert not thread.is_alive()
        server.close()
        os.close(leash)


def test_each_step_is_published_and_so_is_the_last_before_the_writer_leaves(hall: Hall) -> None:
    looks = Announcement(hall.table, "Mia")
    with serving(hall):
        until(lambda: shown(hall) == 2)
        hall.do("begin")
        until(lambda: shown(hall) == 3)
        hall.do("undo 2")
        until(lambda: shown(hall) == 1)
        assert shown(hall, "") == -1
        other = Announcement(hall.table, "")
        until(lambda: shown(hall, "") == 1)
        other.close()
        until(lambda: shown(hall, "") == -1)
        hall.do("damage Ana 1")
        hall.session.writer.wait()
    assert shown(hall) == hall.store.step
    looks.close()


def test_a_save_that_is_moved_damaged_or_put_back_is_said_to_be_so(hall: Hall) -> None:
    looks, save = Announcement(hall.table, "Mia"), Path(hall.path)
    whole = save.read_bytes()
    with serving(hall):
        until(lambda: shown(hall) == 2)
        assert notice(hall).standing == "written"
        save.rename(save.with_name("elsewhere"))
        until(lambda: notice(hall).standing == "gone")
        save.write_bytes(whole)
        until(lambda: notice(hall).standing == "written")
        save.write_bytes(whole.replace(b'"add Orc', b'"add Elf'))
        until(lambda: notice(hall).standing == "damaged")
        assert shown(hall) == 2
    looks.close()


def test_it_leaves_when_nobody_has_looked_for_a_while(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "STAY_WITHOUT_VIEWERS", 0.1)
    looks = Announcement(hall.table, "Mia")
    with serving(hall) as thread:
        until(lambda: shown(hall) == 2)
        time.sleep(0.3)
        assert thread.is_alive()
        looks.close()
        until(lambda: not thread.is_alive())


def test_it_leaves_a_table_that_was_moved_away_to_the_next_one(hall: Hall) -> None:
    looks = Announcement(hall.table, "Mia")
    with serving(hall) as thread:
        until(lambda: shown(hall) == 2)
        os.rename(hall.table.path, f"{hall.table.path}.old")
        hall.table.make()
        until(lambda: not thread.is_alive())
    looks.close()


def test_once_is_for_those_who_look_now_and_beside_no_other_publisher(hall: Hall) -> None:
    publish_once(hall.path, hall.store)
    assert not os.path.lexists(hall.table.lock)
    assert publish_save(hall.path, SYSTEMS, once=True)
    assert os.listdir(hall.table.views) == []
    looks = Announcement(hall.table, "Mia")
    assert publish_save(hall.path, SYSTEMS, once=True)
    assert shown(hall) == 2
    hall.do("begin")
    publish_once(hall.path, hall.store)
    assert shown(hall) == 3
    first = Publisher(hall.table)
    hall.do("damage Ana 1")
    publish_once(hall.path, hall.store)
    assert shown(hall) == 3
    first.close()
    looks.close()
    os.rename(hall.table.path, f"{hall.table.path}.old")
    publish_once(hall.path, hall.store)
    assert not os.path.lexists(hall.table.path)


def test_beside_a_publisher_that_stays_another_gives_up(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Publisher.__init__, "__defaults__", (None, 0.05))
    first = Publisher(hall.table)
    assert not publish_save(hall.path, SYSTEMS, once=True)
    first.close()
    assert publish_save(hall.path, SYSTEMS, once=True)
