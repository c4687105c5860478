"""The writer's side of publishing, with a child, a clock and a pause of the test's own: none is started."""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest

from tests.store.players.test_looking import descriptors
from tui.store.follower import Sight
from tui.store.journal.format import Offset
from tui.store.opening import create, look
from tui.store.players import broadcast, publisher
from tui.store.players.broadcast import FAREWELL, Broadcast, publisher_process
from tui.store.players.folder import make_private, table_of
from tui.store.players.publisher import HOLD, LINGER, REPEAT, Server, publish_once
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

    def tend(self) -> int:
        """Tend once; how many were started by now."""
        self.broadcast._tend(table_of(self.path))
        return len(self.started)


def test_one_publisher_is_started_for_whoever_looks_and_another_when_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = descriptors()
    some = Tended(monkeypatch, tmp_path)
    some.looked = False
    assert some.tend() == 0
    some.looked = True
    assert some.tend() == 1
    some.now += 5
    assert some.tend() == 1, "it runs"
    some.started[0].code = 0
    assert some.tend() == 2
    some.started[1].code = 1
    some.now += 1.5
    assert some.tend() == 2, "not in a loop"
    some.now += 0.5
    some.full = True
    assert some.tend() == 2
    some.full = False
    some.now += 2
    assert some.tend() == 3
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
    assert words == [sys.executable, "-P", "-m", "tui.publish", "/x/mill.toml", *more]
    assert given.pop("env")["PATH"] == os.environ["PATH"]
    assert given == {"stdin": -1, "stdout": -3, "stderr": -3, "start_new_session": True}


def test_no_module_of_the_present_folder_is_run_by_a_publisher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    for name in ("tui.py", "json.py", "msgspec.py", "sitecustomize.py"):
        (tmp_path / name).write_text(f"open({str(ran)!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    create("mill", str(tmp_path), Registry(), "classic", {})
    make_private(table_of(str(tmp_path / "mill.toml")).path)
    child = publisher_process(str(tmp_path / "mill.toml"), once=True)
    assert child.stdin
    child.stdin.close()
    assert child.wait(20) == 0
    assert not ran.exists()


# --- the publisher's rounds


class Rounds:
    """A server whose parts say what was asked of them, a look each tenth of a second."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, viewers: Callable[[float], bool], end: float) -> None:
        self.now, self.viewers, self.end = 0.0, viewers, end
        self.published: list[tuple[float, float]] = []
        self.news: tuple[float, ...] = ()
        self.stands = True
        monkeypatch.setattr(publisher, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(publisher, "pause", self.pause)
        self.server = Server.__new__(Server)
        self.server._publisher = self  # type: ignore[assignment]
        self.server._store = "store"  # type: ignore[assignment]
        self.server._follower = SimpleNamespace(look=lambda: "sight")  # type: ignore[assignment]
        monkeypatch.setattr(Server, "_take", lambda _, sight: sight == "sight" and self.now in self.news)

    def pause(self, others: Sequence[int]) -> list[int]:
        """Wait for the next look."""
        assert others == [9]
        self.now = round(self.now + 0.1, 1)
        return [9] if self.now >= self.end else []

    def look_around(self) -> tuple[str, ...]:
        """Who looks now."""
        return ("Mia",) if self.viewers(self.now) else ()

    def publish(self, store: object, hold: float = 0.0) -> int:
        """Publish."""
        assert store == "store"
        self.published.append((self.now, hold))
        return 0


def test_a_publisher_publishes_news_to_who_comes_and_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, lambda now: now >= 0.5, 2.0)
    rounds.news = (0.3, 1.0)
    rounds.server.serve(9)
    assert rounds.published == [(0.3, HOLD), (0.5, HOLD), (1.0, HOLD), (2.0, 0.0)]


def test_a_publisher_publishes_again_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, lambda _: True, 2 * REPEAT + 1)
    rounds.server.serve(9)
    assert [at for at, _ in rounds.published] == [0.0, REPEAT, 2 * REPEAT, 2 * REPEAT + 1]


def test_a_publisher_without_viewers_stays_a_while_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, lambda now: now < 1.0, 1000.0)
    rounds.server.serve(9)
    assert rounds.now == pytest.approx(0.9 + LINGER)


def test_a_publisher_whose_folder_is_gone_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(monkeypatch, lambda _: True, 1000.0)
    rounds.stands = False
    rounds.server.serve(9)
    assert rounds.published == []


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
    monkeypatch.setattr(Server, "serve", lambda _, leash: called.append(leash))
    assert publisher.serve(path, SYSTEMS, once=False)
    assert called == ["freeze", ("nice", 5), 0]
    assert descriptors() == before
