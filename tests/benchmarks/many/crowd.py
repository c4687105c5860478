"""What one player's key can do to a table while the others play: terminals, letters, folders of rubbish."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.benchmarks.many.table import PLAYERS
from tui.store.players.folder import table_of
from tui.store.players.viewers import Announcement, TooMany
from tui.store.seats.inbox import CAP
from tui.store.seats.seat import make_seat

LETTERS, FOLDERS, TERMINALS = 10_000, 20_000, 72


@contextmanager
def crowd(save: Path, letters: int = LETTERS, folders: int = FOLDERS) -> Iterator[None]:
    """Announce the terminals of one player and fill the table, before the first key is measured."""
    seat = make_seat(table_of(str(save)), PLAYERS[0])
    rubbish = seat.table.watching
    with ExitStack() as stack:
        let_in, began = 0, time.monotonic()
        for _ in range(TERMINALS):
            with suppress(TooMany):
                stack.callback(Announcement(seat.table, PLAYERS[0]).close)
                let_in += 1
        _write(seat.inbox, letters)
        for number in range(folders):
            os.mkdir(os.path.join(rubbish, f"{number:05}-rubbish"))
        took = time.monotonic() - began
        print(f"{letters:,} letters, {folders:,} folders in {took:.0f} s, {let_in} of {TERMINALS} let in")
        yield
        left = len(os.listdir(seat.inbox)), len(os.listdir(rubbish))
        print("left at the end: {:,} letters, {:,} folders".format(*left))


def _write(inbox: str, letters: int) -> None:
    """Put letters into an inbox that are noise, deep or too large."""
    chance = random.Random(1)
    for number in range(letters):
        data = chance.choice((chance.randbytes(300), b'{"moment":' * 40, b" " * (CAP + 1)))
        Path(inbox, f"{number + 1000}-{chance.getrandbits(64):016x}.json").write_bytes(data)
