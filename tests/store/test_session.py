"""Opening a save for writing: what is said of it, what is left beside it, and what is no encounter."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tui.store.problems import JournalError
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()


def test_beside_a_save_that_does_not_exist_no_lock_is_left(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        open_session("mill", str(tmp_path), SYSTEMS, SeededDice(1), how="inline")
    assert os.listdir(tmp_path) == []
