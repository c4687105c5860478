"""Promises 1 to 3: a save on a disk that fails at any call, in a process that dies at any, beside a model.

The model is a list of all states of the branch, kept for each record that was ever written.
"""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.kit.disks import CALLS, Died, LoggedDisk
from tests.kit.table import NOON
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.store.dependencies import StoreEffects
from tui.store.journal.format import Header
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import Writer
from tui.store.opening import load_save
from tui.store.problems import NotSaved
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.systems import Registry

SYSTEMS = Registry()
LINES = [
    "add Ana kind=pc mod=2 hp=12", "add 3 Orc hp=7", "add Bo owner=Lia", "begin", "roll", "next", "end",
    "damage Orc* 2d4", "heal Ana 1", "condition Ana Prone rounds=2", "clear Ana Prone", "out Ana", "back Ana",
    "group Orc* Orcs", "ungroup Orcs", "hide Ana", "rename Bo Cy", "remove Cy", "hold Ana", "act Ana",
    "reroll", "temp Ana 5", "set Ana mod=4 note=x", "option classic.tie=mod", "turn Ana", "roll Ana 12",
    "note short", "note " + "long " * 300,
]  # fmt: skip
CODES = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS, errno.EACCES)
SEVERAL = st.lists(st.sampled_from(LINES), min_size=1, max_size=4)
How = Literal["thread", "inline"]
Calls = tuple[str, ...]


class Past(NamedTuple):
    """The states of the branch after a record, and which of them is in force."""

    states: tuple[Encounter, ...]
    at: int

    def done(self, state: Encounter) -> Past:
        """Return what a new line makes of it."""
        return Past((*self.states[: self.at + 1], state), self.at + 1)


class Saves(RuleBasedStateMachine):
    """A store and its journal beside the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.path = str(self.folder / "mill.toml")
        self.disk = LoggedDisk(str(self.folder))
        Writer.create(self.path, Header("mill", "classic", NOON, "0.1.0"), "inline", disk=self.disk).close()
        self.past = [Past((Encounter(system="classic"),), 0)]  # by the number of the record
        self.line = ""

    @initialize(how=st.sampled_from(["thread", "inline"]))
    def begins(self, how: How) -> None:
        self.how = how
        self.reopen(0)

    # --- what the store says

    @property
    def model(self) -> Past:
        return self.past[-1]

    def reopen(self, least: int) -> None:
        """A process opens what lies there: a state that was, no earlier than the last that was safe."""
        self.mend()
        loaded = load_save(self.path, SYSTEMS)
        number = loaded.journal.end.number
        assert least <= number <= len(self.past)
        if number == len(self.past):  # the step on which the process died had been written whole
            assert loaded.journal.steps[-1].line == self.line
            told = tuple(loaded.history.at(n) for n in range(len(loaded.history) + 1))
            self.past.append(Past(told, loaded.history.position))
        del self.past[number + 1 :]
        assert self.model == Past(
            tuple(loaded.history.at(n) for n in range(len(loaded.history) + 1)), loaded.history.position
        )
        self.writer = Writer.open(self.path, loaded.journal, self.how, disk=self.disk)
        tail = loaded.journal.data[loaded.journal.end.offset :]
        assert (Path(self.writer.torn_copy).read_bytes() if self.writer.torn_copy else b"") == tail
        effects = StoreEffects(self.writer, SeededDice(number), lambda: NOON)
        self.store = Store("mill", loaded.history, SYSTEMS, effects, number)

    def attempt(self, work: Callable[[], object]) -> bool:
        """Whether it was done; a refusal by the disk says why and changes nothing that was told of."""
        before = self.store.encounter, self.store.step, self.writer.end.number
        try:
            work()
        except NotSaved as error:
            refused = error
        else:
            return True
        assert refused.message
        assert refused.hint
        assert (self.store.encounter, self.store.step) == before[:2]
        if self.how == "inline":  # a call of one line ends here: what it could not keep is taken back
            assert self.writer.durable <= self.writer.end.number <= before[2]
            end = self.writer.end.number
            self.writer.close()
            self.reopen(self.writer.durable)
            assert len(self.past) - 1 <= max(end, self.writer.durable)
        else:
            assert self.writer.end.number == before[2]
        return False

    # --- what a game master does

    @rule(lines=SEVERAL)
    def play(self, lines: list[str]) -> None:
        """Lines one after the other."""
        for line in lines:
            self.do(line)

    def do(self, line: str) -> None:
        """A line is accepted whole, or changes nothing."""
        before, self.line = self.store.encounter, line.strip()
        try:
            done = self.attempt(lambda: self.store.run(line))
        except RuleError:
            assert self.store.encounter is before
            return
        if done:
            self.past.append(self.model.done(self.store.encounter))

    @rule(to=st.integers(-6, 6))
    def travel(self, to: int) -> None:
        """Any number of steps back or forward, with the same dice, or refused whole."""
        there, words = self.model.at + to, f"undo {-to}" if to < 0 else f"redo {to}" if to else "goto 0"
        there = there if to else 0
        self.line = words
        if 0 <= there < len(self.model.states) and there != self.model.at:
            if self.attempt(lambda: self.store.run(words)):
                self.past.append(Past(self.model.states, there))
        else:
            with pytest.raises(RuleError, match=r"undo|redo|already"):
                self.store.run(words)

    @rule()
    def keep(self) -> None:
        """All that was told of is on the disk, or it is said that it is not."""
        if self.attempt(lambda: self.writer.wait(30)):
            assert self.writer.durable == self.writer.end.number == len(self.past) - 1

    @rule(name=st.sampled_from(["hall", "barn", "mill"]))
    def save_as(self, name: str) -> None:
        """The fight goes on under another name; the file that was there stays as it was."""
        target = self.folder / f"{name}.toml"
        there = target.read_bytes() if target.exists() else None
        old = Path(self.path).read_bytes()
        if self.attempt(lambda: self.writer.save_as(str(target))):
            assert there is None
            assert Path(self.path).read_bytes() == old
            self.path = str(target)
        elif there is not None:
            assert target.read_bytes() == there

    @rule()
    def opens_again(self) -> None:
        """The process ends and another begins."""
        if self.attempt(lambda: self.writer.wait(30)):
            self.writer.close()
            self.reopen(len(self.past) - 1)

    # --- what befalls it

    @rule(
        after=st.integers(1, 14),
        times=st.integers(1, 4),
        code=st.sampled_from(CODES),
        half=st.booleans(),
        only=st.sampled_from([CALLS, ("fdatasync",), ("write", "ftruncate"), ("replace",)]),
        lines=SEVERAL,
    )
    def fail(self, after: int, times: int, code: int, half: bool, only: Calls, lines: list[str]) -> None:
        """The disk refuses some calls."""
        self.disk.only, self.disk.half = only, half
        first = self.disk.count + (after if only == CALLS else 1)
        self.disk.broken = lambda _, count: code if first <= count < first + times else 0
        self.play(lines)
        self.keep()
        self.mend()
        self.line = "note mended"
        assert self.attempt(lambda: self.store.run(self.line))
        self.past.append(self.model.done(self.store.encounter))

    def mend(self) -> None:
        """The disk is sound again."""
        self.disk.broken, self.disk.only = (lambda _name, _count: 0), CALLS

    @precondition(lambda self: self.how == "inline")
    @rule(after=st.integers(1, 20), half=st.booleans(), lines=SEVERAL, anew=st.booleans())
    def die(self, after: int, half: bool, lines: list[str], anew: bool) -> None:
        """The process dies at any call of a step, of a sync, or of writing the journal anew."""
        self.mend()
        self.play(lines[1:])
        safe, first, self.line = self.writer.durable, self.disk.count + after, lines[0].strip()

        def broken(name: str, count: int) -> int:
            if count >= first:
                raise Died
            return errno.EIO if anew and name == "fdatasync" else 0

        self.disk.broken, self.disk.half = broken, half
        with suppress(Died, RuleError, NotSaved):
            self.store.run(self.line)
            self.writer.wait()
            safe = self.writer.durable
        self.disk = LoggedDisk(str(self.folder))
        self.reopen(safe)

    @precondition(lambda self: self.how == "inline")
    @rule(seed=st.integers(0, 2**32), lines=SEVERAL)
    def lose_power(self, seed: int, lines: list[str]) -> None:
        """Whatever the disk had not been told to keep may be gone, in part or whole."""
        self.play(lines)
        left = self.disk.after_cut(random.Random(seed))
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        for name, data in left.items():
            (self.folder / name).write_bytes(data)
            (self.folder / name).chmod(0o600)
        self.disk = LoggedDisk(str(self.folder))
        self.reopen(self.writer.durable)

    @rule(how=st.sampled_from(["add", "edit", "move", "replace", "touch"]))
    def meddle(self, how: str) -> None:
        """What another program does to the file is noticed before anything is written to it."""
        self.mend()
        self.writer.wait(30)
        path, aside, data = Path(self.path), self.folder / "aside", Path(self.path).read_bytes()
        match how:
            case "add":
                with path.open("ab") as file:
                    file.write(b"# mine\n")
            case "edit":
                with path.open("r+b") as file:
                    file.write(data[:-3] + b"x" + data[-2:])
            case "move":
                path.rename(aside)
            case "replace":
                path.rename(aside)
                path.write_bytes(data)
            case _:
                os.utime(path, (1, 1))
        self.line = "note mine"
        if how == "touch":
            assert self.attempt(lambda: self.store.run(self.line))
            self.past.append(self.model.done(self.store.encounter))
            return
        with pytest.raises(NotSaved, match="changed outside"):
            self.store.run(self.line)
        if how in ("move", "replace"):
            aside.rename(path)
        else:
            with path.open("r+b") as file:
                file.write(data)
                file.truncate(len(data))

    # --- what holds always

    @invariant()
    def same(self) -> None:
        """The store stands where the model stands, and so does the file."""
        if not hasattr(self, "store"):
            return
        assert self.store.encounter == self.model.states[self.model.at]
        assert (self.store.step, self.store.steps) == (self.model.at, len(self.model.states) - 1)
        found = read_journal(self.path, Event)
        assert found.end.number == self.writer.end.number == self.store.record
        assert os.stat(self.path).st_mode & 0o777 == 0o600

    def teardown(self) -> None:
        """Beside the save lie only others, tails that were cut off, and what others' openings sweep."""
        try:
            if hasattr(self, "store"):
                self.mend()
                self.opens_again()
                self.writer.close()
                mine = re.escape(Path(self.path).name)
                stray = re.compile(rf"(?!.*\.toml$|.*\.torn-\d+$|\.(?!{mine}).*\.tmp-\d+$)")
                assert [name for name in os.listdir(self.folder) if stray.match(name)] == []
        finally:
            shutil.rmtree(self.folder)


@pytest.mark.law
def test_every_step_that_was_told_of_is_kept_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.journal.file.APPEND_SECONDS", 30.0)
    run_state_machine_as_test(Saves, settings=cases(200, stateful_step_count=30))
