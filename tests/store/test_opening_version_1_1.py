"""Saves of 1.1 hold lines, values and senders that 2.0 no longer writes; they open, undo and redo as before.

The `.txt` beside each save is what 1.1 itself found after every step.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.kit.program import Program
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.store.journal.reader import read_journal
from tui.store.opening import open_for_reading
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.systems import Registry

SAVES = Path(__file__).parent / "saves" / "version_1_1"
NAMES = sorted(path.stem for path in SAVES.glob("*.toml"))


def summarize(e: Encounter) -> str:
    """Return the parts of an encounter that old lines left there: system, options, creatures, conditions."""
    parts = [f"{e.system} {e.round} {e.phase}", json.dumps(dict(e.options), sort_keys=True)]
    for c in e.combatants.values():
        held = [f"{x.name} of {x.of}" for x in c.conditions]
        fields = json.dumps(dict(c.fields), sort_keys=True)
        parts.append(" ".join([c.name, c.alias, c.side, c.group, f"{c.hp}/{c.max_hp}", fields, *held]))
    return "; ".join(parts)


def summarize_steps(store: Store) -> str:
    """Return a row for each step, from the empty fight on."""
    rows = [summarize(store.at(0))]
    rows += [f"{store.done(n).line}: {summarize(store.at(n))}" for n in range(1, store.step + 1)]
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_each_step_of_an_old_save_means_what_it_meant(name: str) -> None:
    store = open_for_reading(name, str(SAVES), Registry())
    assert summarize_steps(store) == (SAVES / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_an_old_save_undoes_to_its_start_and_redoes_to_its_end(name: str, tmp_path: Path) -> None:
    shutil.copy(SAVES / f"{name}.toml", tmp_path)
    session = open_session(name, str(tmp_path), Registry(), SeededDice(1), how="inline")
    store = session.store
    while store.step < store.steps:
        store.run("redo")
    states = [store.at(n) for n in range(store.step + 1)]
    while store.step:
        assert store.encounter == states[store.step]
        store.run("undo")
    assert store.encounter == states[0]
    while store.step < store.steps:
        store.run("redo")
        assert store.encounter == states[store.step]
    assert store.step == len(states) - 1
    session.close()


@pytest.mark.parametrize("name", NAMES)
def test_an_old_save_is_whole_and_goes_on(name: str, tmp_path: Path) -> None:
    shutil.copy(SAVES / f"{name}.toml", tmp_path)
    program = Program(tmp_path, name)
    assert program.call("check").code == 0
    assert program.call("log").code == 0
    assert program.do("note still here").code == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_old_save_goes_on_in_records_of_today(name: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAVES / f"{name}.toml", tmp_path))
    program = Program(tmp_path, name)
    assert program.do("note it's on", "undo", "redo").code == 0
    assert b"\nevents = '" in path.read_bytes()
    assert program.call("check").code == 0
    assert "it's on" in program.call("log").out
    program.call("check", "--repair")
    mixed, repaired = (
        read_journal(str(tmp_path / f"{x}.toml"), Event).steps for x in (name, f"{name}-repaired")
    )
    assert mixed == repaired
