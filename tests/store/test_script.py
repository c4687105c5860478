"""What a sample is played with: a clock of its own, and a name that nobody has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tui.core.base.errors import RuleError
from tui.store.opening import MOST_COPIES, sample
from tui.store.saves import data_folder
from tui.store.script import clock


def test_the_clock_begins_in_the_evening_and_goes_on_by_the_same_pause() -> None:
    tick, other = clock(), clock()
    assert [tick() for _ in range(4)] == [f"2026-01-01T19:0{at}Z" for at in ("0:00", "0:20", "0:40", "1:00")]
    assert other() == "2026-01-01T19:00:00Z"


def test_a_sample_is_copied_as_often_as_there_are_names_and_a_link_to_nothing_is_one(
    tmp_path: Path,
) -> None:
    example = os.path.join(data_folder("examples"), "gate.toml")
    (tmp_path / "gate-2.toml").symlink_to("nowhere")
    for number in {*range(1, MOST_COPIES)} - {2}:
        (tmp_path / f"gate{'' if number == 1 else f'-{number}'}.toml").touch()
    assert os.path.basename(sample(example, str(tmp_path))) == f"gate-{MOST_COPIES}.toml"
    with pytest.raises(RuleError, match=f"there are {MOST_COPIES} copies of gate already"):
        sample(example, str(tmp_path))
