"""A fight in a few words: how it stands, who is there, and that a long one is not read for a line of a
list."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.store import shelf as briefs
from tui.store.checkpoint import sidecar_path
from tui.store.opening import begin
from tui.systems import Registry


def test_a_long_fight_is_told_from_its_checkpoint_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "mill.toml")
    begin(path, "classic", {})
    told = briefs.brief(path, Registry())
    assert (told.system, told.stands, told.round, told.steps) == ("Classic", "nobody is here yet", 0, 0)
    monkeypatch.setattr(briefs, "UNAIDED", 10)
    assert briefs.brief(path, Registry()) == briefs.Brief(stands="long: open it to see")
    Path(sidecar_path(path)).parent.mkdir(exist_ok=True)
    Path(sidecar_path(path)).touch()
    assert briefs.brief(path, Registry()) == told


def test_what_cannot_be_read_is_told_as_a_problem(tmp_path: Path) -> None:
    (tmp_path / "mill.toml").write_bytes(b"no journal")
    assert briefs.brief(str(tmp_path / "mill.toml"), Registry()).problem
    assert briefs.brief(str(tmp_path / "missing.toml"), Registry()).problem
