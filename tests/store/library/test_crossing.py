"""`split` and `join`: creatures go from save to save as they are, one step in each, and nobody is lost on the
way."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit.disks import FaultyDisk
from tests.kit.program import Program
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.store.journal import writer
from tui.store.opening import create_save, open_for_reading
from tui.store.problems import NotSaved
from tui.store.session import Session, open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Session]:
    create_save("gate", str(tmp_path), SYSTEMS, "classic", {"classic.tie": "mod"})
    session = open_session("gate", str(tmp_path), SYSTEMS, SeededDice(1), how="inline")
    for line in (
        "add Ana owner=Ann hp=18 note=tired card=bold",
        "add 2 Orc hp=7 group=Orcs",
        'damage "Orc 1" 3',
        'condition "Orc 1" prone of=Orcs rounds=2',
        'condition "Orc 2" hexed of=Ana rounds=2',
        "alias Ana Stranger",
    ):
        session.store.run(line)
    yield session
    session.close()


def opened(folder: Path, save: str) -> Session:
    return open_session(save, str(folder), SYSTEMS, SeededDice(1), how="inline")


def bare(people: dict[str, Combatant]) -> dict[str, Combatant]:
    return {c.name: replace(c, id="") for c in people.values()}


def test_who_splits_off_goes_on_in_another_save_as_they_are(gate: Session, tmp_path: Path) -> None:
    before, step = bare(gate.store.encounter.combatants), gate.store.step
    gate.store.run("split Ana cellar")
    assert (gate.store.step, list(bare(gate.store.encounter.combatants))) == (step + 1, ["Orc 1", "Orc 2"])
    cellar = opened(tmp_path, "cellar")
    assert bare(cellar.store.encounter.combatants) == {"Ana": before["Ana"]}
    assert (cellar.store.step, cellar.store.encounter.options) == (1, {"classic.tie": "mod"})
    cellar.close()
    gate.store.run("undo")
    assert bare(gate.store.encounter.combatants) == before


def test_who_joins_again_is_who_left(gate: Session, tmp_path: Path) -> None:
    before = bare(gate.store.encounter.combatants)
    gate.store.run("split orc* cellar")
    gate.store.run("join cellar")
    after = bare(gate.store.encounter.combatants)
    assert after["Orc 1"] == before["Orc 1"]
    assert after["Orc 2"] == before["Orc 2"], "Ana, whose turns it counts, is found again by name"
    cellar = opened(tmp_path, "cellar")
    assert (cellar.store.encounter.combatants, cellar.store.step) == ({}, 2)
    cellar.close()


def test_a_condition_of_whoever_stays_goes_along_and_both_saves_say_so(gate: Session, tmp_path: Path) -> None:
    done = gate.store.run('split "Orc 2" cellar')
    assert any("Orc 2 takes hexed of Ana along, who stays" in x.text for x in done.notices)
    cellar = opened(tmp_path, "cellar")
    (hexed,) = cellar.store.encounter.combatants["c1"].conditions
    assert (hexed.name, hexed.of, hexed.rounds) == ("hexed", "@Ana", 2)
    assert any("hexed of Ana, who is not here" in x.text for x in cellar.store.messages(1))
    for line in ("begin", "roll", "next", "next"):
        cellar.store.run(line)
    assert cellar.store.encounter.combatants["c1"].conditions[0].rounds == 1, "one round has ended"
    cellar.close()
    assert any("are now in both saves" in x.text for x in gate.store.run("undo").notices)
    assert any("redo" in x.text for x in gate.store.run("redo").notices if "step" in x.text)


def test_some_of_them_may_join(gate: Session) -> None:
    gate.store.run("split *orc*,Ana cellar")
    gate.store.run("join cellar Ana")
    assert [c.name for c in gate.store.encounter.combatants.values()] == ["Ana"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("split Ana gate", "this save"),
        ("split Nobody cellar", "Nobody"),
        ("split Ana ../x/y", "slash"),
        ("join nowhere", "no such file"),
        ("join gate", "this save"),
    ],
)
def test_what_cannot_be_changes_nothing_anywhere(gate: Session, tmp_path: Path, line: str, says: str) -> None:
    before, files = gate.store.encounter, sorted(tmp_path.rglob("*"))
    with pytest.raises(RuleError, match=says):
        gate.store.run(line)
    assert gate.store.encounter is before
    assert sorted(tmp_path.rglob("*")) == files


def test_a_save_that_somebody_else_writes_is_left_alone(gate: Session, tmp_path: Path) -> None:
    create_save("cellar", str(tmp_path), SYSTEMS, "classic", {})
    other = opened(tmp_path, "cellar")
    before = gate.store.encounter
    with pytest.raises(RuleError, match="cellar"):
        gate.store.run("split Ana cellar")
    assert (gate.store.encounter, other.store.step) == (before, 0)
    other.close()


def test_a_name_that_is_taken_there_keeps_everybody_here(gate: Session, tmp_path: Path) -> None:
    gate.store.run("split Ana cellar")
    gate.store.run("add Ana")
    before = gate.store.encounter
    with pytest.raises(RuleError, match="Ana is already there"):
        gate.store.run("split Ana cellar")
    assert gate.store.encounter is before
    cellar = opened(tmp_path, "cellar")
    assert cellar.store.step == 1
    cellar.close()


def played(folder: Path, line: str) -> str:
    """Runs a line in `gate`, as a call does; the refusal's words, or ""."""
    try:
        session = opened(folder, "gate")
        try:
            session.store.run(line)
            session.writer.wait()
        finally:
            session.close()
    except NotSaved as error:
        return error.message
    return ""


def names(folder: Path, save: str) -> list[str]:
    if not (folder / f"{save}.toml").exists():
        return []
    return [c.name for c in open_for_reading(save, str(folder), SYSTEMS).encounter.combatants.values()]


def dying(call: int) -> FaultyDisk:
    """A disk in whose call the process is killed."""

    def broken(_name: str, count: int) -> int:
        if count == call:
            os._exit(9)
        return 0

    return FaultyDisk(broken, half=True)


def failing(call: int, *, once: bool) -> FaultyDisk:
    return FaultyDisk(lambda _name, count: errno.EIO if count == call or (count > call and not once) else 0)


def stop(folder: Path, line: str, disk: FaultyDisk) -> tuple[int, str, int]:
    """Runs a line over a disk in a process of its own; its exit code, what it said, and the calls."""
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        setattr(writer, "Disk", lambda: disk)  # noqa: B010 - mypy does not let it be assigned
        try:
            os.write(tell, f"{played(folder, line)}\n{disk.count}".encode())
            os._exit(0)
        finally:
            os._exit(5)
    os.close(tell)
    with os.fdopen(told) as words:
        said, _, calls = words.read().partition("\n")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said, int(calls or 0)


@pytest.mark.parametrize("line", ["split orc* cellar", "join cellar"])
@pytest.mark.parametrize("way", ["kill", "once", "from then on"])
def test_a_line_that_was_cut_short_anywhere_loses_nobody_and_is_ended_by_saying_it_again(
    gate: Session, tmp_path: Path, line: str, way: str
) -> None:
    if line.startswith("join"):
        gate.store.run("split orc* cellar")
    gate.close()
    everybody = sorted({*names(tmp_path, "gate"), *names(tmp_path, "cellar")})
    moved = ["Ana"] if line.startswith("split") else everybody
    in_between = 0
    for call in range(1, 200):
        folder = tmp_path / str(call)
        folder.mkdir()
        for save in tmp_path.glob("*.toml"):
            shutil.copy(save, folder)
        disk = dying(call) if way == "kill" else failing(call, once=way == "once")
        code, said, calls = stop(folder, line, disk)
        assert code in (0, 9), f"call {call}"
        here, there = names(folder, "gate"), names(folder, "cellar")
        assert {*here, *there} == {*everybody}, f"call {call}: {here} {there}"
        if len(here) + len(there) > len(everybody):
            in_between += 1
            assert way == "kill" or "in both gate and cellar" in said, f"call {call}: {said}"
        if sorted(here) != moved or len(here) + len(there) > len(everybody):
            assert played(folder, line) == "", f"call {call}"
        assert sorted(names(folder, "gate")) == moved, f"call {call}"
        assert sorted(names(folder, "gate") + names(folder, "cellar")) == everybody, f"call {call}"
        if code == 0 and calls < call:
            break
    else:
        raise AssertionError("no end of calls")
    assert in_between or way == "once", "a disk that is mended at once lets the line through"


def test_somebody_of_the_same_name_is_not_taken_for_the_half_that_came(gate: Session, tmp_path: Path) -> None:
    gate.store.run('split "Orc 1" cellar')
    gate.store.run("undo")
    with pytest.raises(RuleError, match="Orc 1 is already there"):
        gate.store.run('split "Orc 1" cellar')
    gate.store.run('remove "Orc 1"')
    gate.store.run('add "Orc 1" hp=7 group=Orcs')
    before = gate.store.encounter
    with pytest.raises(RuleError, match="Orc 1 is already there"):
        gate.store.run('split "Orc 1" cellar')
    assert gate.store.encounter is before


def test_both_journals_are_sound_and_read_as_lines_of_the_grammar(gate: Session, tmp_path: Path) -> None:
    gate.store.run("split Ana cellar")
    gate.close()
    here, there = Program(tmp_path, "gate"), Program(tmp_path, "cellar")
    assert (here.call("check").code, there.call("check").code) == (0, 0)
    assert "join gate Ana" in there.call("log").out


def test_newcomers_join_a_fight_that_runs(gate: Session, tmp_path: Path) -> None:
    gate.store.run("split orc* cellar")
    gate.store.run("begin")
    gate.store.run("roll")
    gate.store.run("join cellar")
    assert [a.who for a in gate.store.system.due(gate.store.encounter)] == ["@Orcs"]
    cellar = opened(tmp_path, "cellar")
    assert cellar.store.encounter.combatants == {}
    cellar.close()
