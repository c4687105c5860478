"""A save that an older version wrote is read as it was written: every kind of outcome, marks and phases of
all."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.kit.program import Program
from tests.kit.table import Table, plain
from tui.core.fight import events as ev
from tui.core.fight.encounter import (
    Encounter,
    OpposedOutcome,
    OrderOutcome,
    Outcome,
    SurpriseOutcome,
    TargetOutcome,
)
from tui.core.fight.events import Event
from tui.store.journal.reader import read_journal
from tui.store.opening import open_for_reading
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.systems import Registry

SAVES = Path(__file__).parent / "saves"


@pytest.fixture
def outcomes() -> Store:
    """Chaos, the dungeon, Unbound and classic one after the other, in a journal of version 1."""
    return open_for_reading(str(SAVES / "outcomes.toml"), str(SAVES), Registry())


def decided(store: Store) -> list[Outcome]:
    return [
        event.outcome
        for step in range(1, store.steps + 1)
        for event in store.done(step).events
        if isinstance(event, ev.Decided)
    ]


def test_every_kind_of_outcome_of_an_older_version_is_read(outcomes: Store) -> None:
    totals = {"c1": 5, "c3": 10}
    assert decided(outcomes) == [
        OrderOutcome(("c3", "c1", "c2")),
        TargetOutcome("c3", "c2"),
        TargetOutcome("c3", "c1", "melee"),
        OpposedOutcome("c3", "c1", "critical", totals),
        OrderOutcome(("@dark", "@heroes")),
        SurpriseOutcome(("c2",)),
        OrderOutcome(("c1", "c2", "c3")),
    ]


def test_the_state_that_an_older_version_left_goes_on(outcomes: Store) -> None:
    state = plain(outcomes.table())
    assert (state["step"], state["system"], state["round"], state["phase"]) == (28, "classic", 1, "turns")
    assert state["outcome"] == {"kind": "order", "order": ["Ana", "Bo", "Orc"]}
    assert next(r["tags"] for r in state["track"] if r["entry"] == "Ana") == ["delays"]


@pytest.mark.parametrize(
    ("plain", "outcome"),
    [
        ({"kind": "surprise"}, SurpriseOutcome()),
        ({"kind": "opposed", "winner": "c1", "loser": "c2"}, OpposedOutcome("c1", "c2")),
        ({"kind": "target", "who": "c1", "style": "lost"}, TargetOutcome("c1", style="lost")),
        ({"kind": "order"}, OrderOutcome()),
    ],
)
def test_what_a_record_leaves_out_is_its_default_and_it_is_written_as_it_was(
    plain: dict[str, str], outcome: Outcome
) -> None:
    record = {"t": "decided", "outcome": plain}
    assert msgspec.convert(record, ev.Event) == ev.Decided(outcome)
    assert msgspec.to_builtins(ev.Decided(outcome)) == record


def test_an_outcome_of_no_kind_is_no_record() -> None:
    with pytest.raises(msgspec.ValidationError, match="kind"):
        msgspec.convert({"t": "decided", "outcome": {"kind": "duel"}}, ev.Event)


def test_an_encounter_with_an_outcome_is_read_again() -> None:
    table = Table("classic")
    table.do("add Ana", "add Bo", "begin")
    table.do("roll", dice=(3, 2))
    assert msgspec.convert(msgspec.to_builtins(table.encounter), Encounter) == table.encounter


VERSIONS = sorted((SAVES / "versions").glob("*.toml"))


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_save_of_every_version_opens_and_goes_on(path: Path, tmp_path: Path) -> None:
    """Each is a fight that an earlier version wrote, and was not written again since."""
    save = tmp_path / path.name
    shutil.copy(path, save)
    program = Program(tmp_path, path.stem)
    assert program.call("check").code == 0
    state, _ = program.state()
    assert (state["system"], state["round"]) == (path.stem.partition("-")[2], 1)
    health = {c["name"]: c["max_hp"] for c in state["combatants"]}
    assert health == {"Ana": 18, "Orc 1": 7, "Orc 2": 7, "Orc 3": 7}
    asked = re.findall(r'^line = "?\'?(\w+)', path.read_text(encoding="utf-8"), re.MULTILINE)
    told = json.loads(program.call("log", "--json").out)
    assert [step["line"].split(" ")[0] for step in told] == asked
    before = path.read_bytes()
    assert program.do("note still here").code == 0
    assert program.do("goto 0").code == 0
    assert program.state()[0]["combatants"] == []
    assert save.read_bytes().startswith(before)


def test_a_track_in_the_middle_of_a_round_stands_as_it_stood_and_goes_on(tmp_path: Path) -> None:
    """Written by 1.0.0: a roll-off, hits, a row that was moved, and a group that was taken apart."""
    shutil.copy(SAVES / "dungeon-track.toml", tmp_path)
    program = Program(tmp_path, "dungeon-track")
    rows = [(r["entry"], r["value"], r["state"]) for r in program.state()[0]["track"]]
    assert rows == [
        ("Ana", 10, "done"),
        ("Bo", 7, "done"),
        ("Orcs", 7, "now"),
        ("Orc 2", 7, "done"),
        ("Wolf", 6, "waits"),
    ]
    why = {r["entry"]: r["why"] for r in program.state()[0]["track"]}
    assert why["Orcs"] == (
        "2d6 (3, 3) + 1 Perception = 7; tied with Bo and Orc 2: higher Intelligence, roll-off 5; "
        "Intelligence 2; put before Wolf by hand"
    )
    assert why["Wolf"] == "2d6 (4, 2) + 1 Perception = 7, 6 after hits and kills"
    assert program.do("kill Wolf by=Ana", "end", "next", "total Bo 9", "group Bo,Ana Pair").code == 0
    rows = [(r["entry"], r["value"], r["state"]) for r in program.state()[0]["track"]]
    assert rows == [("Pair", 11, "now"), ("Orcs", 7, "waits"), ("Orc 2", 7, "waits")]


SAVES_1_1 = Path(__file__).parent / "saves" / "version_1_1"
NAMES = sorted(path.stem for path in SAVES_1_1.glob("*.toml"))


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
    store = open_for_reading(name, str(SAVES_1_1), Registry())
    assert summarize_steps(store) == (SAVES_1_1 / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_an_old_save_undoes_to_its_start_and_redoes_to_its_end(name: str, tmp_path: Path) -> None:
    shutil.copy(SAVES_1_1 / f"{name}.toml", tmp_path)
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
def test_an_old_save_is_whole_and_goes_on_in_records_of_today(name: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAVES_1_1 / f"{name}.toml", tmp_path))
    program = Program(tmp_path, name)
    assert program.call("check").code == program.call("log").code == 0
    assert program.do("note it's on", "undo", "redo").code == 0
    assert b"\nevents = '" in path.read_bytes()
    assert program.call("check").code == 0
    assert "it's on" in program.call("log").out
    program.call("check", "--repair")
    mixed, repaired = (
        read_journal(str(tmp_path / f"{x}.toml"), Event).steps for x in (name, f"{name}-repaired")
    )
    assert mixed == repaired
