"""The writer's side of publishing, with a child, a clock and a waker of the test's own: none is started."""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest

from tests.store.players.test_looking import descriptors
from tui.store.follower import RECHECK, Sight
from tui.store.inotify import Place
from tui.store.journal.format import Offset
from tui.store.opening import create, look
from tui.store.players import broadcast, publisher
from tui.store.players.broadcast import AGAIN, FAREWELL, PAUSE, Broadcast, publisher_process
from tui.store.players.folder import table_of
from tui.store.players.publisher import HOLD, LINGER, Server, publish_once
from tui.store.players.viewers import Announcement
from tui.systems import Registry

SYSTEMS = Registry()


class Running:
    """A process that runs until a test ends it."""

    def __init__(self) -> None:
        self.code: int | None = None
        self.stdin: IO[bytes] | None = io.BytesIO()
        self.waited: list[float | None] = []

    def poll(self) -> int | None:
        """Its exit code."""
        return self.code

    def wait(self, timeout: float | None = None) -> int:
        """Fail, as one that does not end in time."""
        self.waited.append(timeout)
        raise subprocess.TimeoutExpired("publisher", 1.0)


class Tended:
    """A broadcast whose thread does nothing, and the processes that it has started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.now, self.looked, self.full = 100.0, True, False
        self.started: list[Running] = []
        self.path = str(folder / "mill.toml")
        monkeypatch.setattr(Broadcast, "_run", lambda _: None)
        monkeypatch.setattr(broadcast, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(broadcast, "watched", lambda _: ("Mia",) if self.looked else ())
        self.broadcast = Broadcast(self.path, self.start)

    def start(self, path: str) -> Running:
        """Start one more, if that can be."""
        assert path == self.path
        if self.full:
            raise OSError
        self.started.append(Running())
        return self.started[-1]

    def tend(self) -> float | None:
        """When to look again."""
        return self.broadcast._tend(table_of(self.path))


def test_one_publisher_is_started_for_whoever_looks_and_another_when_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = descriptors()
    some = Tended(monkeypatch, tmp_path)
    some.looked = False
    assert (some.tend(), some.started) == (None, [])
    some.looked = True
    assert (some.tend(), len(some.started)) == (AGAIN, 1)
    assert (some.tend(), len(some.started)) == (AGAIN, 1), "it runs"
    some.started[0].code = 0
    some.now += 0.5
    assert (some.tend(), len(some.started)) == (1.5, 1), "not in a loop"
    some.now += 1.5
    assert (some.tend(), len(some.started)) == (AGAIN, 2)
    some.started[1].code = 1
    some.now += 2
    some.full = True
    assert (some.tend(), len(some.started)) == (AGAIN, 2)
    some.full = False
    some.now += 2
    assert (some.tend(), len(some.started)) == (AGAIN, 3)
    last = some.started[2]
    some.broadcast.close()
    some.broadcast.close()
    assert last.waited == [FAREWELL]
    assert last.stdin
    assert last.stdin.closed
    assert descriptors() == before


def test_a_broadcast_that_started_nobody_just_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, some = descriptors(), Tended(monkeypatch, tmp_path)
    assert some.broadcast._thread.daemon
    some.broadcast.close()
    assert descriptors() == before
    assert Broadcast("x", some.start)._start == some.start


@pytest.mark.parametrize(("once", "more"), [(False, []), (True, ["--once"])])
def test_a_publisher_is_our_own_program_in_a_session_of_its_own(
    monkeypatch: pytest.MonkeyPatch, once: bool, more: list[str]
) -> None:
    called: list[Any] = []
    child: Any = Running()

    def start(words: list[str], **given: object) -> Any:
        called.append((words, given))
        return child

    monkeypatch.setattr(subprocess, "Popen", start)
    assert publisher_process("/x/mill.toml", once=once) is child
    ((words, given),) = called
    assert words == [sys.executable, "-m", "tui.publish", "/x/mill.toml", *more]
    assert given == {"stdin": -1, "stdout": -3, "stderr": -3, "start_new_session": True}


class Waking:
    """Wakers that answer as a test says."""

    def __init__(self, *answers: tuple[set[int], list[int]]) -> None:
        self.answers, self.places = list(answers), list[tuple[Place, ...]]()
        self.waits: list[float | None] = []
        self.closed = 0

    def __call__(self, *places: Place, polled: bool) -> Waking:
        """Make one."""
        assert not polled
        self.places.append(places)
        return self

    def wait(self, _: list[int], most: float | None) -> tuple[set[int], list[int]]:
        """Answer at once."""
        self.waits.append(most)
        return self.answers.pop(0)

    def close(self) -> None:
        """Count."""
        self.closed += 1


@pytest.mark.parametrize("ending", [2, 3])
def test_it_looks_with_a_pause_between_and_ends_when_it_is_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: int
) -> None:
    waker = Waking(*[({0}, [])] * 3, (set(), [9]))
    rests, run = list[float](), Broadcast._run
    with monkeypatch.context() as patch:
        some = Tended(patch, tmp_path)
        patch.setattr(some.broadcast, "_tend", lambda _: 1.0)
        patch.setattr(broadcast, "Waker", waker)

        def select(
            reading: list[int], _: list[int], __: list[int], most: float
        ) -> tuple[list[int], list[int], list[int]]:
            rests.append(most)
            return (reading if len(rests) == ending == 2 else [], [], [])

        patch.setattr(broadcast, "select", SimpleNamespace(select=select))
        run(some.broadcast)
        some.broadcast.close()
    assert rests == [PAUSE] * ending
    assert waker.waits == ([None, 1.0] if ending == 2 else [None, 1.0, 1.0, 1.0])
    assert waker.closed == 1


# --- the publisher's rounds


class Rounds:
    """A server whose parts say what was asked of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: tuple[set[int], list[int]]) -> None:
        self.asked: list[object] = []
        self.viewers: list[tuple[str, ...]] = []
        self.stands = True
        self.waker = Waking(*answers)
        monkeypatch.setattr(publisher, "Waker", self.waker)
        self.server = Server.__new__(Server)
        self.server._publisher = self  # type: ignore[assignment]
        self.server._store = "store"  # type: ignore[assignment]
        self.server._follower = SimpleNamespace(look=lambda: "sight")  # type: ignore[assignment]
        monkeypatch.setattr(Server, "_take", lambda _, sight: self.asked.append(sight))

    def look_around(self) -> tuple[str, ...]:
        """Who looks now."""
        self.asked.append("around")
        return self.viewers.pop(0)

    def publish(self, store: object, hold: float = 0.0) -> int:
        """Publish."""
        assert store == "store"
        self.asked.append(hold)
        return 0


def test_a_publisher_follows_the_save_looks_around_and_says_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, ({0, 1}, []), ({0}, []), ({1}, []), (set(), []), (set(), [9]))
    rounds.viewers = [("Mia",), ("Mia",)]
    rounds.server.serve(9, "/nowhere/mill.toml")
    one = ["sight", HOLD]
    assert rounds.asked == [*["sight", "around", HOLD], *one, *["sight", "around", HOLD], *one, "sight", 0.0]
    assert rounds.waker.waits == [0.0] + [RECHECK] * 4
    assert len(rounds.waker.places) == 1


def test_a_publisher_without_viewers_stays_a_while_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, ({0, 1}, []), ({0}, []), (set(), []))
    rounds.viewers = [()]
    rounds.server.serve(9, "/nowhere/mill.toml")
    assert rounds.asked == ["sight", "around", HOLD, "sight", HOLD]
    assert rounds.waker.waits == [0.0, LINGER, LINGER]


def test_a_publisher_whose_folder_is_gone_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = Rounds(monkeypatch)
    rounds.stands = False
    rounds.waker.answers = [(set(), [])]
    rounds.server.serve(9, "/nowhere/mill.toml")
    assert rounds.asked == ["sight"]


def test_what_a_look_saw_is_taken_in_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    why = [""]
    loaded = SimpleNamespace(history="history", journal=SimpleNamespace(end=Offset(1, 7, 2)))
    server = Server.__new__(Server)

    def absorb(given: object) -> str:
        done.append(given)
        return why[0]

    store = SimpleNamespace(restart=lambda *given: done.append(given), absorb=absorb)
    server._store = store  # type: ignore[assignment]
    server._publisher = SimpleNamespace(tell=done.append)  # type: ignore[assignment]
    server._follower = SimpleNamespace(refuse=lambda _: Sight("damaged"))  # type: ignore[assignment]
    steps: Any = ("step",)
    for sight in (Sight("written", reloaded=loaded), Sight("unwritten", steps), Sight("gone")):  # type: ignore[arg-type]
        server._take(sight)
    why[0] = "it cannot be"
    server._take(Sight("written", steps))
    assert done == [("history", 7), "written", steps, "written", "gone", steps, "damaged"]


# --- once


def test_a_call_that_ends_at_once_publishes_for_those_who_look_and_leaves_nothing_open(
    tmp_path: Path,
) -> None:
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    table, before = table_of(path), descriptors()
    store = look(path, "", SYSTEMS)
    publish_once(path, store)
    assert not Path(table.path).exists()
    table.make()
    publish_once(path, store)
    assert sorted(os.listdir(table.path)) == ["views", "watching"]
    assert publisher.serve(path, SYSTEMS, once=True)
    one = Announcement(table, "Mia")
    there = descriptors()
    publish_once(path, store)
    assert json.loads(Path(table.view("Mia")).read_bytes())["state"]["save"] == "mill"
    Path(table.view("Mia")).unlink()
    assert publisher.serve(path, SYSTEMS, once=True)
    assert Path(table.view("Mia")).exists()
    assert descriptors() == there
    one.close()
    assert descriptors() == before


def test_where_another_publishes_nothing_is_published_and_that_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(publisher, "Publisher", busy)
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    table_of(path).make()
    one = Announcement(table_of(path), "Mia")
    assert not publisher.serve(path, SYSTEMS, once=True)
    publish_once(path, look(path, "", SYSTEMS))
    one.close()


def test_a_publisher_that_serves_is_nicer_than_the_writer_and_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[object] = []
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    table_of(path).make()
    before = descriptors()
    monkeypatch.setattr(os, "nice", lambda steps: called.append(("nice", steps)))
    monkeypatch.setattr(gc, "freeze", lambda: called.append("freeze"))
    monkeypatch.setattr(Server, "serve", lambda _, leash, save: called.append((leash, save)))
    assert publisher.serve(path, SYSTEMS, once=False)
    assert called == ["freeze", ("nice", 5), (0, path)]
    assert descriptors() == before
