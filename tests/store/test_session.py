"""Opening a save for writing: what is said of it, what is left beside it, and what is no encounter."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tui.store.opening import copy_sample, create_save
from tui.store.players.broadcast import Broadcast
from tui.store.problems import JournalError
from tui.store.saves import data_folder
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()


def test_beside_a_save_that_does_not_exist_no_lock_is_left(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        open_session("mill", str(tmp_path), SYSTEMS, SeededDice(1), how="inline")
    assert os.listdir(tmp_path) == []


def test_an_example_is_copied_to_a_free_name(tmp_path: Path) -> None:
    mill = os.path.join(data_folder("examples"), "mill.toml")
    copies = [os.path.basename(copy_sample(mill, str(tmp_path))) for _ in range(3)]
    assert copies == ["mill.toml", "mill-2.toml", "mill-3.toml"]
    assert (tmp_path / "mill-3.toml").read_bytes() == Path(mill).read_bytes()
    other = shutil.copy(mill, tmp_path / "other.toml")
    assert copy_sample(str(other), str(tmp_path)) == str(other)


def test_a_save_that_is_written_no_more_leaves_nothing_open(tmp_path: Path) -> None:
    path = create_save("mill", str(tmp_path), SYSTEMS, "classic", {})
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        Broadcast(path).close()
    assert len(os.listdir("/proc/self/fd")) == before
