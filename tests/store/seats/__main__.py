"""`python -m tests.store.seats files COUNT [SEED]`: so many random files in an inbox.

It writes random, cut, flipped, re-sealed, replayed, oversized and strange files into the inbox of a fight,
has each taken in, and prints how many were accepted and what was raised: nothing may be.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from tests.kit.seats import Hall
from tui.core.fight.standpoint import Standpoint
from tui.store.seats.inbox import CAP, write_answer

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

    def settle(self) -> int:
        """All letters taken in, and how many were accepted; what is not named like a letter is left alone."""
        accepted = 0
        while any(not name.startswith("x") for name in self.hall.lying("Mia")):
            accepted += self.hall.intake.look()
        for name in self.hall.lying("Mia"):
            Path(self.box, name).unlink()
        return accepted

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
            accepted += found.settle()
        assert hall.store.record == before
        print(
            f"{count} files, seed {seed}: 0 exceptions, {accepted} accepted, {time.monotonic() - start:.0f} s"
        )


if __name__ == "__main__":
    files(int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
