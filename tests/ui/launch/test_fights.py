"""A save that is written on the screen, and goes on elsewhere by `:saveas`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui.store.follower import Sight
from tui.store.lock import Busy, SaveLock
from tui.store.opening import create_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import Services
from tui.ui.launch.fights import Launch, Written
from tui.ui.launch.looking import Looked
from tui.ui.launch.pages import PageScreen
from tui.ui.screen import Display
from tui.ui.settings.themes import read_theme
from tui.ui.state.settings import Settings
from tui.ui.terminal.guardian import Leaving
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Written]:
    path = create_save("mill", str(tmp_path), Registry(), "classic", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(5))
    found = Written(session, str(tmp_path), Settings(), Services(), PageScreen(AppLoop()))
    yield found
    found.close()


def test_a_save_under_another_name_tells_a_second_writer_each_step_that_follows(
    fight: Written, tmp_path: Path
) -> None:
    store = fight.session.store
    store.run("add Ana")
    fight.desk.services.words["saveas"].does("other")
    for line, step in (("note x", 2), ("note y", 3), ("undo", 2)):
        store.run(line)
        with pytest.raises(Busy, match=f"at step {step};|at step {step}$"):
            SaveLock.acquire(str(tmp_path / "other.toml"))


def test_the_save_that_is_left_is_free_and_the_other_is_free_when_it_is_closed(
    fight: Written, tmp_path: Path
) -> None:
    fight.session.store.run("add Ana")
    fight.desk.services.words["saveas"].does("other")
    SaveLock.acquire(str(tmp_path / "mill.toml")).release()
    fight.close()
    SaveLock.acquire(str(tmp_path / "other.toml")).release()


def test_who_looks_on_reads_no_longer_that_somebody_writes_once_nobody_does(
    fight: Written, tmp_path: Path
) -> None:
    terminal = Terminal(loop := AppLoop())
    display = Display(read_theme("dark"), loop, terminal, Leaving(terminal))
    launch = Launch(argparse.Namespace(saves=str(tmp_path)), Registry(), Settings(), SeededDice(5))
    looked = Looked(launch, fight.path, display, Services())
    looked.on_shown()
    assert "read-only while " in str(looked.desk.view.notice)
    looked.take(Sight("unwritten"))
    assert looked.desk.view.notice is None
    assert "[t] takes over" in looked.desk.scene.watching.line
    looked.close()
