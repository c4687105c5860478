"""Opening a save for writing: what is said of it, what is left beside it, and what is no encounter."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.store import opening, session
from tui.store.lock import lock_path
from tui.store.opening import create, sample
from tui.store.players.broadcast import Broadcast
from tui.store.problems import JournalError
from tui.store.saves import data_folder
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.store.validation import misshapen
from tui.systems import Registry

SYSTEMS = Registry()


def test_of_a_sound_save_on_a_local_disk_nothing_is_remarked(tmp_path: Path) -> None:
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    played = open_session(path, "", SYSTEMS, SeededDice(1), how="inline")
    assert played.remarks == []
    played.close()
    with Path(path).open("ab") as file:
        file.write(b"[[step]]\nn = 1\nat = 2026")
    played = open_session(path, "", SYSTEMS, SeededDice(1), how="inline")
    assert len(played.remarks) == 1
    kept = re.fullmatch(r"the last write had been cut short: .* is kept in (.*)", played.remarks[0])
    assert kept
    assert (tmp_path / kept[1]).read_bytes() == b"[[step]]\nn = 1\nat = 2026"
    played.close()


def test_beside_a_save_that_does_not_exist_no_lock_is_left(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        open_session("mill", str(tmp_path), SYSTEMS, SeededDice(1), how="inline")
    assert os.listdir(tmp_path) == []


def test_an_example_is_copied_to_a_free_name(tmp_path: Path) -> None:
    mill = os.path.join(data_folder("examples"), "mill.toml")
    copies = [os.path.basename(sample(mill, str(tmp_path))) for _ in range(3)]
    assert copies == ["mill.toml", "mill-2.toml", "mill-3.toml"]
    assert (tmp_path / "mill-3.toml").read_bytes() == Path(mill).read_bytes()
    other = shutil.copy(mill, tmp_path / "other.toml")
    assert sample(str(other), str(tmp_path)) == str(other)


def test_copies_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_COPIES", 1)
    mill = os.path.join(data_folder("examples"), "mill.toml")
    sample(mill, str(tmp_path))
    with pytest.raises(RuleError, match="there are 1 copies of mill already"):
        sample(mill, str(tmp_path))


def test_what_has_another_type_than_it_may_have_is_no_encounter() -> None:
    t = Table("classic")
    t.do("add Ana hp=3", "begin")
    assert misshapen(t.encounter) == ""
    ana: Combatant = t.encounter.combatants["c1"]
    wrong: dict[str, object] = {"hp": "many", "conditions": (3,), "name": None, "out": 1}
    for field, value in wrong.items():
        people = {"c1": replace(ana, **{field: value})}
        assert field in misshapen(replace(t.encounter, combatants=people)), field
    assert "round" in misshapen(replace(t.encounter, round="first"))


def test_a_save_that_is_written_no_more_leaves_nothing_open(tmp_path: Path) -> None:
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        Broadcast(path).close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_save_on_another_machine_is_remarked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    played = open_session(path, "", SYSTEMS, SeededDice(1), how="inline")
    monkeypatch.setattr(session, "network", lambda _: "nfs4")
    assert played.remarks == ["this save lies on a network disk (nfs4): nothing is promised there"]
    played.close()


def test_the_last_step_is_noted_at_the_opening_and_then_no_oftener_than_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = create("mill", str(tmp_path), SYSTEMS, "classic", {})
    waits = list[float]()
    noting = session._noting

    def watched(played: session.Session, between: float) -> Any:
        waits.append(between)
        return noting(played, between)

    monkeypatch.setattr(session, "_noting", watched)
    for how, between in (("inline", session.BETWEEN_NOTES), ("thread", 0.0)):
        played = open_session(path, "", SYSTEMS, SeededDice(1), how=how)  # type: ignore[arg-type]
        assert f"\nstep = {played.store.step}\n" in Path(lock_path(path)).read_text()
        assert waits[-1] == between
        played.store.run("note x")
        played.close()
    now, noted = [5.0], list[int]()
    monkeypatch.setattr(session, "monotonic", lambda: now[0])
    some: Any = SimpleNamespace(lock=SimpleNamespace(note=noted.append), store=SimpleNamespace(step=0))
    note = noting(some, 2.0)
    for at in (6.0, 7.0, 8.0, 9.0, 9.5, 11.5):
        now[0], some.store.step = at, int(at)
        note(0)
    assert noted == [7, 9, 11]
