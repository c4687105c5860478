"""Promise 11: whoever looks on is told the truth about the file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.journals import HOLD, append, marks
from tests.kit.program import Program
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.fight.viewer import Viewer
from tui.store.follower import Follower, Sight
from tui.store.journal.format import Record, seal_block, write_step
from tui.store.journal.reader import read_journal
from tui.store.lock import SaveLock, find_writer, lock_path
from tui.store.opening import load_save, open_for_reading
from tui.store.store import Store
from tui.store.validation import can_happen


class Looked:
    """A save, a store that follows it, and a follower."""

    def __init__(self, folder: Path) -> None:
        self.program = Program(folder)
        assert self.program.call("new", "--system", "classic").code == 0
        assert self.program.do("add Ana hp=9", "add Bo hp=9", "begin", dice=[]).code == 0
        self.path = folder / "fight.toml"
        self.store: Store = open_for_reading(str(self.path), str(folder), self.program.systems)
        self.follower = Follower(
            str(self.path), read_journal(str(self.path), Event).end, self.program.systems
        )

    def seen(self) -> Sight:
        """One look, taken in as the screen takes it."""
        sight = self.follower.look()
        if sight.new_save:
            self.store.restart(sight.new_save.history, sight.new_save.journal.end.number)
        elif sight.steps and (why := self.store.absorb(sight.steps)):
            return self.follower.refuse(why)
        return sight


@pytest.fixture
def looked(tmp_path: Path) -> Looked:
    made = Looked(tmp_path)
    assert made.seen().standing == "unwritten"
    return made


def test_a_writer_is_seen_while_it_holds_the_lock(looked: Looked) -> None:
    lock = SaveLock.acquire(str(looked.path))
    assert looked.seen().standing == "written"
    lock.release()
    assert looked.seen().standing == "unwritten"


def test_the_death_of_a_writer_is_seen(looked: Looked) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(looked.path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        writer.stdout.readline()
        assert looked.seen().standing == "written"
        writer.kill()
        writer.wait()
        assert looked.seen().standing == "unwritten"


def test_a_writer_on_another_machine_is_believed(looked: Looked) -> None:
    Path(lock_path(str(looked.path))).write_text('host = "elsewhere"\npid = 4\n')
    assert looked.seen().standing == "written"
    assert find_writer(lock_path(str(looked.path)))


def test_what_is_written_is_followed(looked: Looked) -> None:
    looked.program.do("note a", "undo", "note b")
    sight = looked.seen()
    assert (len(sight.steps), looked.store.done(4).line) == (3, "note b")
    assert looked.seen().steps == ()


@pytest.mark.parametrize("words", [[], ["--json"], ["--dice"], ["--as", "Ann"]])
def test_a_log_with_a_step_that_cannot_have_happened_is_refused_whole(
    looked: Looked, words: list[str]
) -> None:
    append(looked.path, '[{\tt =\t"changed",\twho =\t"c1",\tkey =\t"conditions",\tvalue =\t3}]')
    append(looked.path, '[{\tt =\t"ticked",\twho =\t"c1",\tname =\t"Prone",\trounds =\t1}]')
    ended = looked.program.call("log", *words)
    assert (ended.code, ended.out) == (3, "")
    assert "cannot have happened" in ended.err


def test_a_save_that_goes_and_comes_back_is_followed_again(looked: Looked) -> None:
    looked.path.rename(looked.path.with_name("away"))
    assert looked.seen().standing == "gone"
    assert looked.seen().standing == "gone"
    looked.path.with_name("away").rename(looked.path)
    looked.program.do("note back")
    assert looked.seen().standing == "unwritten"
    assert looked.store.done(4).line == "note back"
    looked.program.do("note on")
    looked.seen()
    assert looked.store.done(5).line == "note on"


def test_an_older_copy_in_its_place_is_read_from_the_start(looked: Looked) -> None:
    old = looked.path.read_bytes()
    looked.program.do("note new")
    looked.seen()
    looked.path.unlink()
    looked.path.write_bytes(old)
    since: list[int] = []
    looked.store.watch(since.append)
    sight = looked.seen()
    assert sight.new_save is not None
    assert looked.store.step == 3
    assert since == [0]  # whoever keeps what was said of steps forgets all of them
    looked.program.do("note other")
    looked.seen()
    assert looked.store.done(4).line == "note other"


def test_the_file_that_a_failed_sync_asks_for_is_the_same_save(looked: Looked) -> None:
    old = looked.path.with_name("old")
    looked.path.rename(old)
    looked.path.write_bytes(old.read_bytes())
    assert looked.program.do("note in the new one").code == 0
    looked.seen()
    assert looked.store.done(4).line == "note in the new one"


def test_damage_is_said_and_passes(looked: Looked) -> None:
    good = looked.path.read_bytes()
    looked.path.write_bytes(good[:300] + b"?" + good[301:])
    sight = looked.seen()
    assert (sight.standing, bool(sight.problem)) == ("damaged", True)
    assert looked.seen().standing == "damaged"
    assert looked.store.step == 3
    looked.path.write_bytes(good)
    assert looked.seen().standing == "unwritten"


@pytest.mark.parametrize(
    "events",
    [
        '[{\tt =\t"noted",\tkey =\t"values",\tvalue =\t"x"}]',
        '[{\tt =\t"changed",\twho =\t"c1",\tkey =\t"hp",\tvalue =\t"x"}]',
        '[{\tt =\t"changed",\twho =\t"c1",\tkey =\t"wings",\tvalue =\t"x"}]',
        '[{\tt =\t"rolled",\task =\t"x",\twho =\t"c1",\tdice =\t[6],\tfaces =\t[7]}]',
    ],
)
def test_a_record_that_cannot_have_happened_ends_no_follower(looked: Looked, events: str) -> None:
    good = looked.path.read_bytes()
    before = looked.store.encounter
    append(looked.path, events)
    assert looked.seen().standing == "damaged"
    assert looked.store.encounter == before
    assert looked.seen().standing == "damaged"
    looked.path.write_bytes(good)
    assert looked.seen().standing == "unwritten"


def test_a_mark_beyond_the_last_step_is_damage_too(looked: Looked) -> None:
    data = looked.path.read_bytes()
    end = marks(data)[-1]
    block = write_step(Record(end.number + 1, "2026-01-01T00:00:00Z", "goto 99", (), 99))
    looked.path.write_bytes(data + seal_block(end.number + 1, block, end.crc)[0])
    assert looked.seen().standing == "damaged"


@pytest.mark.parametrize(
    ("event", "possible"),
    [
        (ev.Added(Combatant("Orc", "x", "foes")), False),
        (ev.Added(Combatant("c1", "Orc", "foes")), False),
        (ev.Changed("c1", "nonsense", 1), False),
        (ev.Changed("c1", "id", "c9"), False),
        (ev.Rolled("c1", "x", (20,), (21,)), False),
        (ev.Rolled("c1", "x", (20, 20), (3,)), False),
        (ev.Noted("k", 1, "c1"), False),
        (ev.Forgot("k", "c1"), False),
        (ev.Added(Combatant("c9", "Orc", "foes")), True),
        (ev.Changed("c1", "hp", 3), True),
        (ev.Rolled("c1", "x", (20,), (20,)), True),
        (ev.Noted("k", 1, ""), True),
        (ev.Noted("new", 1, "c1"), True),
    ],
)
def test_what_cannot_have_happened(event: ev.Event, *, possible: bool) -> None:
    e = Encounter(system="classic", combatants={"c1": Combatant("c1", "Ana", "heroes")}, notes={"k": 3})
    assert can_happen(e, event) is possible


def test_a_player_is_told_the_steps_of_the_fight_that_is_there_now(tmp_path: Path) -> None:
    stores = []
    for name in ("Ana", "Bo"):
        (tmp_path / name).mkdir()
        found = Looked(tmp_path / name)
        found.program.do("undo 3", f"add {name}la hp=9 owner=Mia", "note x")
        loaded = load_save(str(found.path), found.program.systems)
        stores.append((open_for_reading(str(found.path), "", found.program.systems), loaded.history))
    (store, _), (other, history) = stores
    mia = Viewer("Mia", gm=False)
    before = store.heard(mia, 99)
    store.restart(history, 9)
    assert store.heard(mia, 99) == other.heard(mia, 99) != before
