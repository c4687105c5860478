"""What a sample is played with: a clock of its own, and a name that nobody has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.samples import clock, samples
from tui.core.base.errors import RuleError
from tui.store.lock import SaveLock
from tui.store.opening import load_save, store_for_reading
from tui.store.problems import BadFile
from tui.store.script import play_sample, read_sample
from tui.systems import Registry


def test_a_sample_is_played_into_a_free_name_and_stands_where_it_says(tmp_path: Path) -> None:
    systems = Registry()
    assert "classic" in samples(systems)
    wanted = read_sample("classic", systems)
    first, second = (play_sample("classic", str(tmp_path), systems, clock()) for _ in range(2))
    assert [os.path.basename(path) for path in (first, second)] == [
        f"{wanted.name}{x}.toml" for x in ("", "-2")
    ]
    loaded = load_save(first, systems)
    assert wanted.now in store_for_reading(first, loaded, systems).table().now
    assert loaded.journal.end.number == len(list(filter(None, wanted.lines.splitlines())))
    SaveLock.acquire(first).release()


def test_of_a_system_without_a_sample_those_that_have_one_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = Registry()
    monkeypatch.setattr(
        systems, "find_bundled", lambda name, kind: "" if name == "classic" else f"{name}.{kind}"
    )
    with pytest.raises(RuleError, match="there is no sample for classic") as refused:
        read_sample("classic", systems)
    assert refused.value.hint == f"there are: {', '.join(x for x in systems.ids() if x != 'classic')}"
    assert "classic" not in samples(systems)
    with pytest.raises(BadFile, match="this is not a sample"):
        read_sample("chaos", systems)
    bad = tmp_path / "bad.toml"
    monkeypatch.setattr(systems, "find_bundled", lambda *_: str(bad))
    for text in ("name =", 'name = "x"\nseed = 1\nlines = ""\nmore = 1\n', 'name = "x"\n'):
        bad.write_text(text, encoding="utf-8")
        with pytest.raises(BadFile, match=r"^bad\.toml: this is not a sample"):
            read_sample("chaos", systems)
