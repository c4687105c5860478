"""`python -m tests.store.seats files COUNT [SEED]`: so many random files in an inbox.

`lag COUNT [app]`: how long a line takes.

`files` writes random, cut, flipped, re-sealed, replayed, oversized and strange files into the inbox of a
fight, has each taken in, and prints how many were accepted and what was raised: nothing may be. `lag`
measures from a seat's letter to its reply, which is given when the line is on the disk, through `tocsin host`
or the app, and what eight seats cost the writer's processor.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.kit.scripted_play import stop
from tests.kit.seats import DUEL, Hall
from tests.kit.terminal import Terminal, tocsin
from tui.core.fight.standpoint import Standpoint
from tui.store.seats.inbox import CAP, read_reply, write_answer

BATCH = 200


class Files:
    """Random files, each of a kind that must do nothing."""

    def __init__(self, hall: Hall, chance: random.Random) -> None:
        self.hall, self.chance = hall, chance
        self.box = hall.seat("Mia").inbox
        self.whole = hall.letter("Mia", "order Ana action=forged", number=10**15)
        self.old = hall.letter("Mia", "order Ana action=first", number=1)

    def drop(self) -> None:
        """One more file."""
        chance = self.chance
        kind = chance.choice(
            (
                self.noise,
                self.cut,
                self.flipped,
                self.strange,
                self.other,
                self.replayed,
                self.named,
                self.large,
            )
        )
        data = kind()
        number = 1 if kind == self.replayed else chance.randint(2, 10**15)
        name = f"{number}-{chance.getrandbits(64):016x}.json" if kind != self.named else self.word()
        Path(self.box, name).write_bytes(data)

    def noise(self) -> bytes:
        return self.chance.randbytes(self.chance.randint(0, 400))

    def cut(self) -> bytes:
        return self.whole[: self.chance.randrange(len(self.whole))]

    def flipped(self) -> bytes:
        at = self.chance.randrange(len(self.whole) - 65)
        # The number and the line alike: one bit of what is sealed.
        return (
            self.whole[:at] + bytes([self.whole[at] ^ (1 << self.chance.randrange(7))]) + self.whole[at + 1 :]
        )

    def strange(self) -> bytes:
        return self.chance.choice(
            (
                b"[" * 5_000,
                b'{"moment":' * 3_000,
                b"null",
                b"1e999",
                b'"\\ud800"',
                b"{}" * 50,
                b"\xff\xfe",
                b"9" * 5_000,
            )
        )

    def other(self) -> bytes:
        key = self.chance.randbytes(32)
        return write_answer(
            key, "duel", "Mia", self.chance.randint(2, 10**15), Standpoint(1), "order Ana action=forged"
        )

    def replayed(self) -> bytes:
        return self.old

    def named(self) -> bytes:
        return self.whole

    def large(self) -> bytes:
        return b" " * (CAP + 1)

    def word(self) -> str:
        letters = "abc.-_0123456789 ;$`'\"\u202e\x1b"
        return "x" + "".join(self.chance.choices(letters, k=self.chance.randint(1, 40)))


def files(count: int, seed: int) -> None:
    """Drops them in batches, and takes each batch in."""
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        hall.do("add Ana owner=Mia hp=9", "begin")
        assert hall.send("Mia", "order Ana action=first").became == "taken"
        chance, before, start = random.Random(seed), hall.store.record, time.monotonic()
        found = Files(hall, chance)
        accepted = done = 0
        while done < count:
            for _ in range(min(BATCH, count - done)):
                found.drop()
                done += 1
            while hall.lying("Mia"):
                accepted += hall.intake.look()
        assert hall.store.record == before
        print(
            f"{count} files, seed {seed}: 0 exceptions, {accepted} accepted, {time.monotonic() - start:.0f} s"
        )


class Writer:
    """The process that writes: the host, or the app in a terminal of its own."""

    def __init__(self, path: str, how: str) -> None:
        folder, name = os.path.split(path)
        self._app: Terminal | None = None
        self._host: subprocess.Popen[str] | None = None
        if how == "app":
            self._app = tocsin(Path(folder), name.removesuffix(".toml"))
            self._app.wait("saved")
            self.pid = self._app.pid
        else:
            words = [sys.executable, "-m", "tui", "host", path]
            self._host = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
            assert self._host.stderr
            self._host.stderr.readline()
            self.pid = self._host.pid

    def pause(self) -> None:
        """Half a millisecond, in which the app's screen is read."""
        self._app._read(0.0005) if self._app else time.sleep(0.0005)

    def close(self) -> None:
        """Ends it."""
        if self._app:
            stop(self._app)
        if self._host:
            self._host.terminate()
            self._host.communicate()


def lag(lines: int, how: str) -> None:
    """Eight seats, one line after the other: from the letter to the reply, and the writer's processor."""
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder), options=DUEL)
        names = [f"P{n}" for n in range(8)]
        hall.do(*(f"add Hero{n} owner=P{n} hp=9 side=s{n % 2}" for n in range(8)), "begin")
        seats = [hall.seat(name) for name in names]
        moment = Standpoint(1, "orders")
        hall.close()
        writer = Writer(hall.path, how)
        try:
            took = []
            begun = _processor(writer.pid)
            for count in range(lines):
                seat, name = seats[count % 7], names[count % 7]  # the eighth never writes: orders stay open
                line = f"order Hero{count % 7} action=x{count}"
                hall.put(name, write_answer(seat.key, "duel", name, count + 1, moment, line), count + 1)
                start = time.monotonic()
                while read_reply(seat.reply).number != count + 1:
                    writer.pause()
                took.append((time.monotonic() - start) * 1000)
            busy = _processor(writer.pid) - begun
            rest, idle = _processor(writer.pid), 10.0
            time.sleep(idle)
            rest = _processor(writer.pid) - rest
            most = statistics.quantiles(took, n=20)[18]
            print(
                f"{how}, {lines} lines of 7 seats, load {os.getloadavg()[0]:.1f}: "
                f"median {statistics.median(took):.1f} ms, p95 {most:.1f}, worst {max(took):.1f}; "
                f"{busy / lines * 1000:.1f} ms of its processor a line, idle {rest / idle * 100:.2f} %"
            )
        finally:
            writer.close()


def _processor(pid: int) -> float:
    """Seconds of the processor that a process has had."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    what, count = sys.argv[1], int(sys.argv[2])
    if what == "files":
        files(count, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    else:
        lag(count, sys.argv[3] if len(sys.argv) > 3 else "host")
