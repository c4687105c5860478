"""`tocsin host` as a process of its own: one writer, takes what comes in, ended by a signal with the lock
free."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from tests.kit.seats import DUEL, SYSTEMS, Hall
from tests.kit.table import plain
from tests.store.seats.waiting import PATIENCE, until
from tui.core.fight.viewer import Viewer
from tui.store.lock import SaveLock
from tui.store.opening import open_for_reading
from tui.store.seats.host import SeatInboxThread, auto_play, find_forced_line


@contextmanager
def hosting(hall: Hall) -> Iterator[subprocess.Popen[str]]:
    """The writer of a hall's save as another process, from when it says that it hosts."""
    hall.close()
    words = [sys.executable, "-m", "tui", "host", hall.path, "--seed", "3"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr
        assert "hosts duel" in process.stderr.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


def state(hall: Hall, name: str) -> dict[str, object]:
    seen: dict[str, object] = plain(open_for_reading(hall.path, "", SYSTEMS).table(Viewer(name, gm=False)))
    return seen


@pytest.fixture
def duel(tmp_path: Path) -> Hall:
    hall = Hall(tmp_path, options=DUEL)
    hall.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "begin")
    hall.seat("Mia"), hall.seat("Jon")
    hall.session.writer.wait()
    return hall


def test_orders_stay_sealed_until_both_are_in_and_then_the_writing_is_closed(duel: Hall) -> None:
    with hosting(duel):
        duel.put("Mia", duel.letter("Mia", "order Ana action=zqsecretx"))
        assert until(duel, "Mia", 1) == "taken"
        assert state(duel, "Jon")["phase"] == "orders"
        assert "zqsecretx" not in str(state(duel, "Jon"))
        duel.put("Jon", duel.letter("Jon", "order Bo action=b"))
        assert until(duel, "Jon", 2) == "taken"
        end = time.monotonic() + PATIENCE
        while state(duel, "Jon")["phase"] == "orders" and time.monotonic() < end:
            time.sleep(0.02)
        assert state(duel, "Jon")["phase"] == "rolls"
        assert "zqsecretx" not in str(state(duel, "Jon"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_with_its_own_code_and_the_lock_free(duel: Hall, number: int) -> None:
    with hosting(duel) as process:
        process.send_signal(number)
        assert process.wait(PATIENCE) == 128 + number
    SaveLock.acquire(duel.path).release()


def test_nobody_else_writes_beside_it(duel: Hall) -> None:
    with hosting(duel):
        for words in (["do", duel.path, "note x"], ["host", duel.path]):
            ended = subprocess.run(
                [sys.executable, "-m", "tui", *words], check=False, capture_output=True, text=True
            )
            assert ended.returncode == 4
            assert "is being written by" in ended.stderr


def test_what_waited_while_nobody_wrote_is_taken_in_at_the_start(duel: Hall) -> None:
    duel.put("Mia", duel.letter("Mia", "order Ana action=a"))
    with hosting(duel):
        assert until(duel, "Mia", 1) == "taken"


def test_a_host_that_is_killed_has_lost_nothing_that_it_answered(duel: Hall) -> None:
    with hosting(duel) as process:
        duel.put("Mia", duel.letter("Mia", "order Ana action=zqkeptx"))
        assert until(duel, "Mia", 1) == "taken"
        process.kill()
        process.wait()
    assert "zqkeptx" in str(state(duel, "Mia"))


def test_a_fight_that_is_not_there_is_no_fight(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tui", "host", "nothing", "--saves", str(tmp_path)]
    ended = subprocess.run(words, check=False, capture_output=True, text=True)
    assert ended.returncode == 3


# --- in this process


def test_what_no_player_can_send_is_played_on_without_a_game_master(duel: Hall) -> None:
    duel.do("add Imp side=red", "add Rat side=red")
    store = duel.store
    assert find_forced_line(store.encounter, store.system) == ""
    assert auto_play(store) == 0
    duel.do("order Ana action=a")
    assert find_forced_line(store.encounter, store.system) == ""
    duel.do("order Bo action=b")
    assert find_forced_line(store.encounter, store.system) == "lock missing=empty"
    assert auto_play(store) == 3
    assert sorted(e.removeprefix("init ") for e in store.encounter.rolls) == ["c3", "c4"]
    duel.do("roll")
    assert find_forced_line(store.encounter, store.system) == ""


def test_where_all_have_written_the_writing_is_closed_and_with_a_game_master_nothing_is(duel: Hall) -> None:
    duel.do("order Ana action=a", "order Bo action=b")
    assert find_forced_line(duel.store.encounter, duel.store.system) == "lock"
    duel.do("option cha.mode=gm")
    assert find_forced_line(duel.store.encounter, duel.store.system) == ""


def test_a_thread_takes_lines_in_where_the_store_is_and_leaves_the_rest_when_it_is_closed(duel: Hall) -> None:
    calls = SimpleQueue[Callable[[], None]]()
    thread = SeatInboxThread(duel.session, calls.put, duel.said.append)
    duel.put("Mia", duel.letter("Mia", "order Ana action=a"))
    end = time.monotonic() + PATIENCE
    while duel.reply("Mia").number != 1:
        assert time.monotonic() < end
        try:
            calls.get(timeout=0.02)()
        except Empty:
            continue
    assert duel.reply("Mia").became == "taken"
    assert duel.sees("Mia")["orders"][0]["state"] == "written"
    duel.put("Jon", duel.letter("Jon", "order Bo action=b"))
    kept = calls.get(timeout=PATIENCE)
    thread.close()
    thread.close()
    kept()
    assert duel.reply("Jon").number == 0
    assert len(duel.lying("Jon")) == 1
    duel.intake.look()
    assert duel.reply("Jon").became == "taken"


def test_a_thread_waits_for_the_first_seat_and_ends_without_one(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    thread = SeatInboxThread(hall.session, lambda call: call(), hall.said.append)
    thread.close()
    hall.do("add Ana owner=Mia hp=9", "begin")
    thread = SeatInboxThread(hall.session, lambda call: call(), hall.said.append)
    time.sleep(0.1)
    hall.put("Mia", hall.letter("Mia", "order Ana action=a"))
    assert until(hall, "Mia", 1) == "taken"
    thread.close()
    hall.close()
