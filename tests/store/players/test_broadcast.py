"""The writer's side of publishing, with a child, a clock and a pause of the test's own: none is started."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.store.players.test_looking import descriptors
from tui.store.opening import create, look
from tui.store.players import publisher
from tui.store.players.broadcast import publisher_process
from tui.store.players.folder import make_private, table_of
from tui.store.players.publisher import HOLD, LINGER, REPEAT, Server, publish_once
from tui.store.players.viewers import Announcement
from tui.systems import Registry

SYSTEMS = Registry()


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
