"""A fight written in this process, with seats: their lines are files, and are collected at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.kit.table import plain
from tui.core.fight.standpoint import Standpoint, roll_fingerprint
from tui.core.fight.viewer import Viewer
from tui.store.opening import create_save
from tui.store.players.folder import players_folder
from tui.store.seats.inbox import Reply, put_sealed, read_reply, write_answer
from tui.store.seats.intake import Collector, JournalEnd, Judge
from tui.store.seats.seat import PlayerSeat, make_seat
from tui.store.session import Session, open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

DUEL = {"cha.mode": "head-to-head"}
SYSTEMS = Registry()


class Hall:
    """A save with seats. `said` holds the notices to the GM."""

    def __init__(
        self, folder: Path, system: str = "chaos", options: dict[str, str] | None = None, path: str = ""
    ) -> None:
        """Make a save, or open the one at `path`."""
        self.path = path or create_save("duel", str(folder), SYSTEMS, system, options or {})
        self.table = players_folder(self.path)
        self.said: list[str] = []
        self.number = 0
        self.now = 1_000.0
        """The time that the collector sees; only tests change it."""
        self.open()

    def open(self) -> None:
        """Open the save for writing, as after a crash."""
        self.session: Session = open_session(self.path, "", SYSTEMS, SeededDice(1), how="inline")
        self.store = self.session.store
        self.judge = Judge(self.store)
        self.intake = self.taker()

    def taker(self) -> Collector:
        """Return a collector of this save's inboxes."""
        writer = self.session.writer
        ledger = JournalEnd(lambda: writer.path, writer.wait, lambda: writer.durable)
        return Collector(
            self.table,
            lambda: self.store.name,
            ledger,
            self.judge.hear,
            self.said.append,
            clock=lambda: self.now,
        )

    def close(self) -> None:
        """Close the save."""
        self.session.close()

    def do(self, *lines: str) -> None:
        """Run lines as the GM."""
        for line in lines:
            self.store.run(line)

    def seat(self, name: str) -> PlayerSeat:
        """Return a player's seat, made at the first call."""
        return make_seat(self.table, name)

    def sees(self, name: str) -> dict[str, Any]:
        """Return the state as a player sees it."""
        seen: dict[str, Any] = plain(self.store.table(Viewer(name, gm=False)))
        return seen

    def standpoint(self, name: str, who: str = "") -> Standpoint:
        """Return the standpoint that a player's terminal would send; `who` names the roll to answer."""
        page = self.sees(name)
        due = [d for d in page["due"] if d["kind"] == "roll" and d["who"] == who]
        word = roll_fingerprint(due[0]["who"], due[0]["dice"], due[0]["rule"]) if due else ""
        return Standpoint(page["round"], page["phase"], page["acting"], page["step"], word)

    def letter(self, name: str, line: str, moment: Standpoint | None = None, number: int = 0) -> bytes:
        """Return the bytes of a line sent from a seat."""
        if not number:
            self.number += 1
        moment = moment or self.standpoint(name, line.split(" ")[1] if " " in line else "")
        return write_answer(self.seat(name).key, self.store.name, name, number or self.number, moment, line)

    def put(self, name: str, data: bytes, number: int = 0) -> None:
        """Put bytes into a seat's inbox."""
        put_sealed(self.seat(name).inbox, number or self.number, data)

    def send(self, name: str, line: str, moment: Standpoint | None = None) -> Reply:
        """Send a line from a seat, collect it, and return the reply."""
        self.put(name, self.letter(name, line, moment))
        self.now += 60
        self.intake.look()
        return self.reply(name)

    def reply(self, name: str) -> Reply:
        """Return the latest reply to a seat."""
        return read_reply(self.seat(name).reply)

    def lying(self, name: str) -> list[str]:
        """Return the names of the files in a seat's inbox."""
        return sorted(os.listdir(self.seat(name).inbox))
