"""The writer's side of publishing, with a child, a clock and a pause of the test's own: none is started."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.store.players.descriptors import descriptors
from tui.store.opening import create_save, open_for_reading
from tui.store.players import publisher
from tui.store.players.broadcast import start_publisher
from tui.store.players.folder import make_private, players_folder
from tui.store.players.publisher import publish_once
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
    create_save("mill", str(tmp_path), Registry(), "classic", {})
    make_private(players_folder(str(tmp_path / "mill.toml")).path)
    child = start_publisher(str(tmp_path / "mill.toml"), once=True)
    assert child.stdin
    child.stdin.close()
    assert child.wait(20) == 0
    assert not ran.exists()


# --- once


def test_a_call_that_ends_at_once_publishes_for_those_who_look_and_leaves_nothing_open(
    tmp_path: Path,
) -> None:
    path = create_save("mill", str(tmp_path), SYSTEMS, "classic", {})
    table, before = players_folder(path), descriptors()
    store = open_for_reading(path, "", SYSTEMS)
    publish_once(path, store)
    assert not Path(table.path).exists()
    table.make()
    publish_once(path, store)
    assert sorted(os.listdir(table.path)) == ["views", "watching"]
    assert publisher.publish_save(path, SYSTEMS, once=True)
    one = Announcement(table, "Mia")
    there = descriptors()
    publish_once(path, store)
    assert json.loads(Path(table.view("Mia")).read_bytes())["state"]["save"] == "mill"
    Path(table.view("Mia")).unlink()
    assert publisher.publish_save(path, SYSTEMS, once=True)
    assert Path(table.view("Mia")).exists()
    assert descriptors() == there
    one.close()
    assert descriptors() == before
