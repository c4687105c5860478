"""Play three rounds of a fight without a GM: `tocsin host`, and two seats in terminals (CHA-24 to CHA-26)."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from msgspec.structs import asdict

from tests.kit.program import Program
from tests.kit.seats import SYSTEMS
from tests.kit.terminal import Terminal, tocsin
from tui.store.opening import open_for_reading

PATIENCE = 60.0
SETUP = (
    "add Ana +2 30 owner=Mia side=red", "add Bo +1 30 owner=Jon side=blue", "begin",
)  # fmt: skip


class Duel:
    """A host, and the terminals of both players."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = Program(folder, "duel")
        assert self.program.call("new", "--system", "chaos", "--option", "cha.mode=head-to-head").code == 0
        assert self.program.do(*SETUP).code == 0
        self.host = self.hosted()
        self.seats = {name: self.sit(name) for name in ("Mia", "Jon")}

    def hosted(self) -> subprocess.Popen[bytes]:
        """Start the writer, `tocsin host`, which has no screen."""
        words = [sys.executable, "-m", "tui", "host", "duel", "--saves", str(self.folder), "--seed", "5"]
        return subprocess.Popen(words, stderr=subprocess.DEVNULL)

    def sit(self, name: str) -> Terminal:
        """Start a player's seat in a terminal."""
        state = str(self.folder / f"state-{name}")
        return tocsin(self.folder, "seat", "duel", name, size=(100, 40), XDG_STATE_HOME=state)

    def close(self) -> None:
        self.host.kill()
        self.host.wait()
        for terminal in self.seats.values():
            terminal.kill()

    @property
    def state(self) -> dict[str, object]:
        """The state of the fight on the disk."""
        return asdict(open_for_reading(str(self.folder / "duel.toml"), "", SYSTEMS).table())

    def until(self, **wanted: object) -> None:
        """Wait until keys of the state have these values; both terminals are read meanwhile."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            now = self.state
            if all(now[key] == value for key, value in wanted.items()):
                return
            for terminal in self.seats.values():
                terminal._read(0.02)
        raise AssertionError(
            f"never {wanted}: {self.state}\n" + "\n".join(t.text for t in self.seats.values())
        )


def three_rounds(table: Duel) -> None:
    """Play three rounds, and check that orders stay secret, and the dice, turns and hits of each round."""
    mia, jon = table.seats["Mia"], table.seats["Jon"]
    for number in (1, 2, 3):
        table.until(round=number, phase="orders")
        for terminal, who, secret in ((mia, "Ana", f"zqmia{number}x"), (jon, "Bo", f"zqjon{number}x")):
            terminal.wait(f"[o] write the order of {who}")
            terminal.press("o", f"Order of {who}", "movement")
            terminal.press("\t", "action")
            terminal.type(f"{secret} or else wait")
            terminal.press("\r", "taken" if who == "Ana" else "rolls d20")
            if who == "Ana":
                # Sealed until both are in: not a byte of it has reached the other terminal.
                assert secret.encode() not in jon.raw
        table.until(phase="rolls")
        assert f"zqmia{number}x".encode() not in jon.raw
        assert f"zqjon{number}x".encode() not in mia.raw
        mia.wait("You roll: d20 for Ana")
        mia.press("r", "taken")
        jon.wait("[r] Bo rolls d20")
        jon.press("R", "faces of d20 for Bo")
        jon.press(f"{number + 10}\r", "taken")
        _settle(table)
        table.until(phase="board")
        # The save is ahead of what her terminal shows, and Enter does what it shows.
        mia.wait("[Enter] all is written")
        mia.press("\r", "taken")
        table.until(phase="turns")
        _turns(table, number)
    assert table.state["round"] == 4
    people = {c.name: c.hp for c in table.state["combatants"]}  # type: ignore[attr-defined]
    assert people == {"Ana": 27, "Bo": 27}


def _settle(table: Duel) -> None:
    """Roll at both seats until a tie of the rolls is settled."""
    end = time.monotonic() + PATIENCE
    thrown: dict[str, object] = {}
    while (now := table.state)["phase"] == "rolls" and time.monotonic() < end:
        for name, terminal in table.seats.items():
            terminal._read(0.05)
            # Once for each step, because the last roll is under way until the next step.
            if "[r] " in terminal.text and thrown.get(name) != now["step"]:
                terminal.type("r")
                thrown[name] = now["step"]


def _turns(table: Duel, number: int) -> None:
    """Play both turns of a round: each player resolves the other's order, and damages one creature."""
    for _ in range(2):
        before = table.state["acting"]
        terminal = _resolver(table)
        terminal.type("n")
        _until_acts(table, before)
        who = str(table.state["acting"])
        terminal = table.seats["Jon" if who == "Ana" else "Mia"]
        terminal.wait(f"{who} acts: you resolve it")
        # CHA-25: once resolution has begun all orders lie open.
        terminal.wait(f"{who} acts: you resolve it", f"zq{'mia' if who == 'Ana' else 'jon'}{number}x")
        target = "Bo" if who == "Ana" else "Ana"
        terminal.press("d", "damage", target)
        terminal.press(target[0])
        terminal.press("\r", f":damage {target}")
        terminal.press("1", f":damage {target} 1")
        terminal.press("\r", f"{target} takes 1")
    _resolver(table).type("n")
    table.until(round=number + 1)


def _resolver(table: Duel) -> Terminal:
    """Return the terminal that offers the next turn, once it shows the moment that is on the disk."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        acting = table.state["acting"]
        lead = f"{acting} acts: you resolve it" if acting else "You go on"
        for terminal in table.seats.values():
            terminal._read(0.05)
            if "[n]" in terminal.text and lead in terminal.text:
                return terminal
    raise AssertionError("nobody may go on:\n" + "\n".join(t.text for t in table.seats.values()))


def _until_acts(table: Duel, before: object) -> None:
    end = time.monotonic() + PATIENCE
    while table.state["acting"] in ("", before) and time.monotonic() < end:
        for terminal in table.seats.values():
            terminal._read(0.02)
    assert table.state["acting"] not in ("", before)
