"""A checkpoint is a shorter way to the same fight: with it, without it, with a wrong one, after every kind of
session."""

from __future__ import annotations

import errno
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.disks import FaultyDisk
from tests.table import Table
from tests.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.core.fight.events import Added, Changed, Event
from tui.core.rules.system import InitiativeSystem
from tui.store import checkpoint, opening, session
from tui.store import store as stores
from tui.store.checkpoint import sidecar_path
from tui.store.history import History
from tui.store.journal import records
from tui.store.journal.format import Record
from tui.store.opening import create, load, look
from tui.store.problems import NotSaved
from tui.store.session import Session, open_session, written
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.store.validation import nonsense_since, state_error
from tui.systems import Registry

BEGUN = ("add 12 Orc hp=30 mod=1", "add Ana owner=Mia hp=20 mod=3", "begin", "roll")
LINES = (
    "next", "damage Orc* 1", "note hello", "heal Ana 1", "condition Ana Prone rounds=2", "undo", "undo 3",
    "redo",
    "goto 4", "add Bo hp=4", "remove Bo", "out Ana", "back Ana", "system classic", "option classic.tie=mod",
    "end",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small fights are worth a checkpoint here."""
    monkeypatch.setattr(opening, "CHECKPOINT_WORTH", 0)
    monkeypatch.setattr(session, "CHECKPOINT_WORTH", 0)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A new save."""
    return create("mill", str(tmp_path), Registry(), "classic", {})


@contextmanager
def playing(path: str, *lines: str) -> Iterator[Session]:
    """A session in which these lines were played, those that are refused left out, that keeps a checkpoint at
    its end."""
    played = open_session(path, "", Registry(), SeededDice(5), how="inline")
    try:
        for line in lines:
            try:
                played.store.run(line)
            except RuleError:
                continue
        yield played
        played.writer.wait()
        played.checkpoint()
    finally:
        played.close()


def same(one: Store, other: Store) -> bool:
    """Whether both stores tell one fight, every state and every line of it."""
    assert (one.step, one.steps, one.record) == (other.step, other.steps, other.record)
    assert one.encounter == other.encounter
    for step in range(one.steps + 1):
        assert one.at(step) == other.at(step)
    return [*map(one.done, range(1, one.steps + 1))] == [*map(other.done, range(1, other.steps + 1))]


def without(path: str) -> Store:
    """The save as it is read from its first record on."""
    kept = Path(sidecar_path(path))
    content = kept.read_bytes()
    kept.unlink()
    found = look(path, "", Registry())
    kept.write_bytes(content)
    kept.chmod(0o600)
    return found


@cases(25)
@given(
    st.lists(st.lists(st.sampled_from(LINES), max_size=25), min_size=1, max_size=3),
    st.lists(st.sampled_from(LINES), max_size=6),
)
def test_with_a_checkpoint_and_without_it_is_one_fight(
    tmp_path_factory: pytest.TempPathFactory, sessions: list[list[str]], last: list[str]
) -> None:
    path = create("mill", str(tmp_path_factory.mktemp("m")), Registry(), "classic", {})
    for lines in [list(BEGUN), *sessions]:
        with playing(path, *lines):
            pass
    with playing(path, *last) as played:
        assert same(look(path, "", Registry()), played.store)
    assert load(path, Registry()).fresh == 0
    assert same(look(path, "", Registry()), without(path))


def test_after_a_move_to_another_name_the_checkpoint_tells_of_the_new_file(path: str, tmp_path: Path) -> None:
    with playing(path, *BEGUN, *LINES):
        pass
    elsewhere = str(tmp_path / "a mill of a much longer name.toml")
    with playing(path, "next", "note before") as played:
        played.writer.save_as(elsewhere)
        played.store.run("note after")
        played.store.run("add Cy hp=3")
    assert load(elsewhere, Registry()).fresh == 0
    assert same(look(elsewhere, "", Registry()), without(elsewhere))


def test_a_checkpoint_is_no_larger_after_a_journey_to_what_was_packed(path: str) -> None:
    with playing(path, *BEGUN, *["damage Orc* 1"] * 200):
        pass
    size = Path(sidecar_path(path)).stat().st_size
    with playing(path, "goto 60", f"goto {len(BEGUN) + 199}", "note x") as played:
        played.store.at(played.store.step - 32)
    assert Path(sidecar_path(path)).stat().st_size < size + 200


def test_a_journey_to_long_ago_and_back_is_not_made_again_when_the_save_is_opened(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(path, *BEGUN, *["damage Orc* 1"] * 200):
        pass
    kept = Path(sidecar_path(path)).read_bytes()
    with playing(path, "note a", "goto 60", "goto 203", "note b") as played:
        told = played.store
    Path(sidecar_path(path)).write_bytes(kept)
    read: list[int] = []
    record = records.Blocks.record

    def counted(blocks: records.Blocks, place: int) -> Record[Event]:
        read.append(place)
        return record(blocks, place)

    monkeypatch.setattr(records.Blocks, "record", counted)
    found = load(path, Registry())
    assert (found.fresh, found.history.encounter) == (4, told.encounter)
    assert len(read) <= 32


def test_calls_keep_a_checkpoint_now_and_then(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_TAIL", {"inline": 3, "thread": 99})
    kept, fresh = [], []
    for n in range(12):
        fresh.append(load(path, Registry()).fresh)
        with written(path, "", Registry(), SeededDice(5), lambda _: None) as played:
            played.store.run(f"note {n}")
            played.writer.wait()
        cache = Path(sidecar_path(path))
        kept.append(cache.read_bytes() if cache.exists() else b"")
    assert fresh == [0, 1, 2, 3] * 3
    assert len(set(kept)) == 4  # none at first, then one with every fourth call


@pytest.mark.parametrize("kept", [False, True])
def test_lines_written_over_a_torn_end_are_those_that_were_typed(path: str, *, kept: bool) -> None:
    with playing(path, *BEGUN):
        pass
    if not kept:
        Path(sidecar_path(path)).unlink()
    with open(path, "ab") as file:
        file.write(b'[[step]]\nn = 5\nat = 2026-01-01T12:00:00Z\nline = "' + b"x" * 4_000)
    with playing(path, *(f"note {n}" for n in range(20))) as played:
        assert [played.store.done(n + 5).line for n in range(20)] == [f"note {n}" for n in range(20)]
    assert same(look(path, "", Registry()), without(path))


def test_lines_that_the_disk_has_refused_are_in_no_checkpoint(path: str) -> None:
    with playing(path, *BEGUN):
        pass
    kept = Path(sidecar_path(path)).read_bytes()
    played = open_session(path, "", Registry(), SeededDice(5), how="inline")
    disk = FaultyDisk(lambda name, _: errno.EIO if name in ("fdatasync", "write", "fsync") else 0)
    played.store.run("note a")
    played.writer._file._disk = disk
    with pytest.raises(NotSaved):
        played.writer.wait()
    played.writer._file._disk = FaultyDisk()
    assert played.writer.durable == played.writer.end.number < played.store.record
    played.checkpoint()
    played.close()
    assert Path(sidecar_path(path)).read_bytes() == kept


def test_a_long_fight_opens_without_reading_what_lies_far_back(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(path, *BEGUN, *(f"damage Orc* {n % 2}" for n in range(200))) as played:
        told = played.store
    shortly, long_ago = told.at(told.step - 16), told.at(150)
    read, unpacked = [0], [0]

    def counted(*args: object) -> object:
        read[0] += 1
        return record(*args)  # type: ignore[arg-type]

    def unpacking(state: bytes) -> object:
        unpacked[0] += 1
        return state_of(state)

    record, state_of = records.Records.step, checkpoint.unpacked
    monkeypatch.setattr(records.Records, "step", counted)
    monkeypatch.setattr(checkpoint, "unpacked", unpacking)
    found = look(path, "", Registry())
    assert found.encounter == told.encounter
    assert (read, unpacked) == ([0], [0])
    assert found.at(found.step - 16) == shortly
    assert (read[0] <= 32, unpacked) == (True, [0])
    assert found.at(150) == long_ago
    assert unpacked == [1]


def test_a_kept_state_that_cannot_be_read_is_passed_over(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(path, *BEGUN, *["damage Orc* 1"] * 200) as played:
        told = played.store
    found = look(path, "", Registry())
    monkeypatch.setattr(checkpoint, "unpacked", lambda _: None)
    assert found.at(150) == told.at(150)


@pytest.mark.parametrize("state", [b"", b"x", zlib.compress(b"\xc1"), zlib.compress(b"\x81\xa5round\xa1x")])
def test_a_state_that_is_none_is_not_unpacked(state: bytes) -> None:
    assert checkpoint.unpacked(state) is None


def test_a_checkpoint_of_another_version_is_as_if_it_were_not_there(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(path, *BEGUN):
        pass
    assert load(path, Registry()).fresh == 0
    monkeypatch.setattr(checkpoint, "VERSION", "0.0.9")
    found = load(path, Registry())
    assert (found.fresh, found.history.position) == (len(BEGUN), len(BEGUN))


@pytest.mark.parametrize("payload", [b"", b"\x00", msgspec.msgpack.encode([1, [b"x"], 1, {}, {}])])
def test_the_checkpoint_of_an_older_shape_is_none(payload: bytes) -> None:
    assert checkpoint.read(payload) is None


def test_what_stands_in_no_journal_is_not_packed() -> None:
    table = Table("classic")
    table.do("add Ana")
    history = History(table.store.at(0))
    assert history.pack() is not None
    history.push(table.store.done(1))
    assert history.pack() is None


# --- what a stranger may have written behind a checkpoint


@given(st.lists(st.sampled_from(LINES), max_size=20), st.integers(0, 20))
def test_what_made_sense_before_is_looked_at_only_where_it_has_changed(lines: list[str], cut: int) -> None:
    table = Table("classic", dice=SeededDice(3))
    for line in (*BEGUN, *lines):
        try:
            table.do(line)
        except RuleError:
            continue
    steps = table.ledger.steps
    cut = min(cut + len(BEGUN), len(steps))
    history = stores.replay(History(table.store.at(0)), steps[:cut])
    before = history.encounter
    stores.replay(history, steps[cut:])
    assert nonsense_since(before, steps[cut:], history.encounter, table.store.systems) == ""
    assert state_error(history.encounter, table.store.systems) == ""
    wrong = (Added(Combatant("c999", "Cy", "dark")), Changed("c999", "hp", "many"))
    crafted: list[Record[Event]] = [Record(len(steps) + 1, "2026-01-01T12:00:00Z", "x", wrong)]
    stores.replay(history, crafted)
    told = nonsense_since(before, [*steps[cut:], *crafted], history.encounter, table.store.systems)
    assert told == state_error(history.encounter, table.store.systems) != ""


def test_the_system_is_asked_again_where_a_record_wrote_what_it_alone_can_read(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [0]
    system = type(Registry().get("classic"))
    due = system.due

    def counted(self: InitiativeSystem, e: object) -> object:
        asked[0] += 1
        return due(self, e)  # type: ignore[arg-type]

    with playing(path, *BEGUN):
        pass
    monkeypatch.setattr(system, "due", counted)
    load(path, Registry())
    assert asked == [0]
    with playing(path, "option classic.tie=mod") as played:
        played.writer.wait()
        asked[0] = 0
        load(path, Registry())
        assert asked[0] > 0


def test_who_wrote_a_long_save_leaves_a_checkpoint(path: str) -> None:
    beside = Path(sidecar_path(path))
    for lines, kept in ((200, False), (60, True)):
        with written(path, "", Registry(), SeededDice(5), print) as call:
            for number in range(lines):
                call.store.run(f"note {number}")
            call.writer.wait()
        assert beside.exists() == kept
    assert load(path, Registry()).fresh == 0
    before = beside.read_bytes()
    with written(path, "", Registry(), SeededDice(5), print) as call:
        call.store.run("note one more")
    # One line more is read in no time: it is not worth a new one.
    assert beside.read_bytes() == before
    assert load(path, Registry()).fresh == 1


@pytest.mark.parametrize("lines", [("damage Orc* 1",), ("add Bo hp=4",), ("remove Ana",), ("note x",), ()])
def test_a_state_shortly_before_comes_back_whole(lines: tuple[str, ...]) -> None:
    t = Table("classic", dice=SeededDice(1))
    t.do(*BEGUN)
    before = t.encounter
    for line in lines:
        t.do(line)
    found = checkpoint.read(checkpoint.written(7, t.encounter, (3, before), b"", {}))
    assert found
    assert (found.position, found.encounter, found.near) == (7, t.encounter, {3: before})
    assert list(found.near[3].combatants) == list(before.combatants)
