"""A desk on a real save, on a disk that may fail."""

from __future__ import annotations

from pathlib import Path

from tests.kit.disks import FaultyDisk
from tests.kit.keyboard import Player
from tests.kit.scripted_play import fight
from tui.core.fight.events import Event
from tui.store.dependencies import StoreEffects
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import Writer
from tui.store.lock import SaveLock
from tui.store.opening import load_save
from tui.store.session import Session
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.systems import Registry
from tui.ui.desk.ports import Services
from tui.ui.launch.fights import Written
from tui.ui.launch.pages import PageScreen
from tui.ui.state.settings import Settings
from tui.ui.terminal.loop import AppLoop


class Sick:
    """A desk on a real save, on a disk that may fail."""

    def __init__(self, folder: Path, disk: FaultyDisk | None = None) -> None:
        fight(folder)
        self.path = folder / "mill.toml"
        self.disk = disk or FaultyDisk()
        found = load_save(str(self.path), Registry())
        self.writer = Writer.open(str(self.path), found.journal, "thread", disk=self.disk)
        effects = StoreEffects(self.writer, SeededDice(4), lambda: "2026-01-01T12:00:00Z")
        store = Store("mill", found.history, Registry(), effects, found.journal.end.number)
        self.session = Session(store, self.writer, SaveLock.acquire(str(self.path)), str(self.path))
        self.player = Player()
        self.player.desk = self.desk = Written(
            self.session, str(folder), Settings(), Services(), PageScreen(AppLoop())
        ).desk
        self.player.table.store = store

    def press(self, *keys: str) -> None:
        """Keys, and time for the disk."""
        self.player.press(*keys)
        if not self.writer.fault and not self.desk.view.fault:
            self.writer.wait(5)

    def broken(self, code: int, *calls: str) -> None:
        """From now on these calls fail; 0: the disk is mended."""
        self.disk.only = calls or self.disk.only
        self.disk.broken = lambda _name, _count: code

    def kept(self) -> int:
        """How many records the file holds, read from outside; they tell the same fight as the screen."""
        journal = read_journal(str(self.writer.path), Event)
        assert load_save(str(self.writer.path), Registry()).history.encounter == self.desk.store.encounter
        assert journal.end.number == self.desk.store.record
        return journal.end.number

    def header(self) -> str:
        """The first line."""
        return self.player.picture()["header"][0]

    def end(self) -> None:
        """Let go of everything."""
        self.session.close()
