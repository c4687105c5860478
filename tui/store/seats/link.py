"""A seat's own side: it sends one line after the other, and learns what became of each."""

from __future__ import annotations

import errno
import os
import time
from typing import Final

from tui.core.fight.standpoint import Standpoint
from tui.store.follow.inotify import Place
from tui.store.seats.answer import MOST_NUMBER, write_answer
from tui.store.seats.inbox import drop
from tui.store.seats.reply import Reply, read_reply
from tui.store.seats.seat import PlayerSeat

_THOUSAND: Final = 1_000


class Link:
    """The letters of one seat, there and back."""

    def __init__(self, seat: PlayerSeat, save: str, *, shared: bool) -> None:
        """`save` is the save's name; `shared`: the one who writes has another account."""
        self.seat, self._save, self._shared = seat, save, shared
        self.sent = 0
        """The number of the latest line that was sent from here."""

    @property
    def place(self) -> Place:
        """Where a reply comes."""
        return Place(os.path.dirname(self.seat.reply), frozenset({os.path.basename(self.seat.reply)}))

    def send(self, line: str, saw: Standpoint) -> int:
        """Sends a line; the number under which it is answered. Raises OSError."""
        # Above all that was ever answered; begun from the clock, so that what was sent and not answered before this
        # process began has another number. The order comes from the numbers alone.
        last = max(self.sent, read_reply(self.seat.reply).number)
        number = min(MOST_NUMBER, max(last + 1, int(time.time() * _THOUSAND)))
        try:
            data = write_answer(self.seat.key, self._save, self.seat.name, number, saw, line)
        except ValueError as error:
            raise OSError(errno.EMSGSIZE, str(error)) from None
        drop(self.seat.inbox, number, data, shared=self._shared)
        self.sent = number
        return number

    @property
    def stands(self) -> bool:
        """Whether the seat is still there."""
        return self.seat.stands

    def reply(self) -> Reply:
        """The latest reply."""
        return read_reply(self.seat.reply)
